/* SPDX-License-Identifier: Apache-2.0
 *
 * LoomTraceBuilder makes traces (LoomTrace). Importers add the events of a file in the order of the file;
 * loom_trace_builder_freeze() then sorts them, pairs begin with end events, arranges spans in rows, and makes summaries
 * for drawing. Only one thread at a time may use a builder. Events are appended to chunks; nothing is allocated per
 * event.
 *
 * Times are in ns on the clock of the source. The ids that the functions below return are consecutive numbers, and are
 * valid only for this builder.
 */
#pragma once

#include "loom-progress.h"
#include "loom-string-pool.h"
#include "loom-trace.h"

typedef struct _LoomTraceBuilder LoomTraceBuilder;

#define LOOM_ID_NONE G_MAXUINT32

LoomTraceBuilder *loom_trace_builder_new (void);
void loom_trace_builder_free (LoomTraceBuilder *builder);

/* Functions for sources and clocks. The builder owns its sources; pointers to them are valid until
 * loom_trace_builder_freeze() makes the trace. Importers use these pointers to set the counts of a source, and to write
 * to its log. */
guint loom_trace_builder_add_clock (LoomTraceBuilder *builder);
LoomDeclaredClock *loom_trace_builder_get_clock (LoomTraceBuilder *builder, guint clock);
guint loom_trace_builder_add_source (LoomTraceBuilder *builder, LoomSource *source, guint clock);
LoomSource *loom_trace_builder_get_source (LoomTraceBuilder *builder, guint source);
guint loom_trace_builder_get_n_sources (LoomTraceBuilder *builder);

/* Sets the node (unless NULL) and the rank (unless −1) of a source and its processes, replacing earlier values. */
void loom_trace_builder_source_set_place (LoomTraceBuilder *builder, guint source, const char *node, gint rank);

/* Changes the end of spans of the source that have no end (spans with LOOM_DUR_OPEN, and begin events without an end
 * event). By default, they last until the end of their thread. After this call, they last until the end of the
 * recording, which is the latest time of all events of the source, but at least `until_ns`. Used for formats that
 * record all threads until recording stops: a call that never returns is often the last event of its thread.
 * `until_ns`: a time before which the recording did not end, on the clock of the events; LOOM_TIME_NONE: unknown. */
void loom_trace_builder_source_extend_open (LoomTraceBuilder *builder, guint source, gint64 until_ns);

/* Returns the id of a name, and adds the name if it is new. Texts are copied. */
guint32 loom_trace_builder_name (LoomTraceBuilder *builder, const char *text, gsize length, const char *category,
                                 gsize category_length, const char *cname, gsize cname_length);

/* Removes the limits on the numbers of processes, threads, counters and series. By default, the maximum number of each
 * is LOOM_LIMIT_TRACKS, and events beyond the limit go to one extra track. Must be called for a builder that is later
 * passed to loom_trace_builder_absorb() as `part`; the absorbing builder then applies the limits. */
void loom_trace_builder_lift_limits (LoomTraceBuilder *builder);

/* Functions for processes. Processes of different sources are different, even if their keys are equal. An importer can
 * pass the same source for all files of one writer. The key is the literal text of the pid.
 * loom_trace_builder_process() returns the id of a process; adds the process if it is new. */
guint32 loom_trace_builder_process (LoomTraceBuilder *builder, guint source, const char *key, gsize key_length);
/* Sets the label of a process. Replaces an earlier label, unless the new one is empty. */
void loom_trace_builder_process_set_label (LoomTraceBuilder *builder, guint32 process, const char *label);
/* Returns the label of a process; NULL if none was set. */
const char *loom_trace_builder_process_get_label (LoomTraceBuilder *builder, guint32 process);
void loom_trace_builder_process_add_labels (LoomTraceBuilder *builder, guint32 process, const char *labels);
void loom_trace_builder_process_set_sort (LoomTraceBuilder *builder, guint32 process, gint64 sort_index);
void loom_trace_builder_process_set_place (LoomTraceBuilder *builder, guint32 process, const char *node, gint rank);
void loom_trace_builder_process_add_flags (LoomTraceBuilder *builder, guint32 process, guint track_flags);
/* Sets the path and the format of the file in which the process was recorded, if the source of the process is a merged
 * file; by default, path and format are those of the source. If `path` or `format` is NULL, this property is not
 * changed. Both texts are copied. */
void loom_trace_builder_process_set_recorder (LoomTraceBuilder *builder, guint32 process, const char *path,
                                              const char *format);
guint32 loom_trace_builder_get_n_processes (LoomTraceBuilder *builder);
const char *loom_trace_builder_process_get_key (LoomTraceBuilder *builder, guint32 process);

/* Sets the byte offset of the event that is added next. The log states this offset if the track of the event exceeds
 * the limit of tracks. */
void loom_trace_builder_set_offset (LoomTraceBuilder *builder, guint64 offset);

/* Functions for threads of a process. The key is the literal text of the tid, "" for "(no thread)".
 * loom_trace_builder_thread() returns the id of a thread; adds the thread if it is new. */
guint32 loom_trace_builder_thread (LoomTraceBuilder *builder, guint32 process, const char *key, gsize key_length);
void loom_trace_builder_thread_set_label (LoomTraceBuilder *builder, guint32 thread, const char *label);
const char *loom_trace_builder_thread_get_label (LoomTraceBuilder *builder, guint32 thread);
void loom_trace_builder_thread_set_sort (LoomTraceBuilder *builder, guint32 thread, gint64 sort_index);
void loom_trace_builder_thread_add_flags (LoomTraceBuilder *builder, guint32 thread, guint track_flags);
guint32 loom_trace_builder_get_n_threads (LoomTraceBuilder *builder);
const char *loom_trace_builder_thread_get_key (LoomTraceBuilder *builder, guint32 thread);
guint32 loom_trace_builder_thread_get_process (LoomTraceBuilder *builder, guint32 thread);

/* Declares that `earlier` and `later` are the same thread in two successive files. An end event (phase E) of `later`
 * then can close a begin event (phase B) that is still open at the end of `earlier`. */
void loom_trace_builder_thread_continue (LoomTraceBuilder *builder, guint32 earlier, guint32 later);

/* Adds a span. `dur_ns`: the duration, ≥ 0, or one of two constants for a complete event (phase X) without a duration.
 * LOOM_DUR_OPEN: the span ends at the latest time of its thread; ends of LOOM_REF_SUSPECT spans do not count. If
 * loom_trace_builder_source_extend_open() was called for the source, the span ends at the latest time of all events of
 * the source instead. LOOM_DUR_TO_NEXT: the span ends where the next span of its thread begins; if there is no next
 * span, like LOOM_DUR_OPEN. */
#define LOOM_DUR_OPEN (-1)
#define LOOM_DUR_TO_NEXT (-2)
void loom_trace_builder_span (LoomTraceBuilder *builder, guint32 thread, gint64 start_ns, gint64 dur_ns,
                              guint32 name_id, LoomRef ref);
void loom_trace_builder_begin (LoomTraceBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);
/* Adds an end event, which ends the open span with this name; `name_id` 0: the innermost open span. `has_args`: the end
 * event has args or a stack. */
void loom_trace_builder_end (LoomTraceBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref,
                             gboolean has_args);

/* Adds an instant, or an event that is shown like an instant (object, memory dump, sample). `phase`: as in the file.
 * `scope`: t (thread); p (process; `thread` is LOOM_ID_NONE); or g (global; `process` and `thread` are
 * LOOM_ID_NONE). The samples (phase P) of a thread get a track of their own, “samples”. */
void loom_trace_builder_instant (LoomTraceBuilder *builder, guint source, guint32 process, guint32 thread,
                                 gint64 time_ns, guint32 name_id, char phase, char scope, LoomRef ref);

/* Moves the samples (phase P) of the thread `from` to `thread`. O(chunks). */
void loom_trace_builder_thread_take_samples (LoomTraceBuilder *builder, guint32 thread, guint32 from);

/* Copies the label, order and flags of the process `from` to `process`. */
void loom_trace_builder_process_copy (LoomTraceBuilder *builder, guint32 process, guint32 from);
/* Moves a thread with all its events to another process of the same source. loom_trace_builder_thread() does not find
 * the thread by its key in the new process. */
void loom_trace_builder_thread_set_process (LoomTraceBuilder *builder, guint32 thread, guint32 process);

/* Functions to read the counters and series that were added so far; texts are borrowed. */
guint32 loom_trace_builder_get_n_series (LoomTraceBuilder *builder);
guint32 loom_trace_builder_series_get_counter (LoomTraceBuilder *builder, guint32 series);
const char *loom_trace_builder_series_get_name (LoomTraceBuilder *builder, guint32 series);
guint32 loom_trace_builder_counter_get_process (LoomTraceBuilder *builder, guint32 counter);
const char *loom_trace_builder_counter_get_name (LoomTraceBuilder *builder, guint32 counter);
/* Moves the samples of the series `from` to `series`. If a counter has no samples afterwards, no track is made for it.
 * O(chunks). */
void loom_trace_builder_series_take_samples (LoomTraceBuilder *builder, guint32 series, guint32 from);

/* The functions below move events to other threads. Importers need this if the end of a file shows, for example, that
 * one thread is really two. The caller divides events into kinds by their names, and chooses a bit for each kind.
 * `kind_of_name`: array indexed by name id: the bit for events with this name; 0: the events are of no kind. */
guint32 loom_trace_builder_get_n_names (LoomTraceBuilder *builder);
const char *loom_trace_builder_name_get_category (LoomTraceBuilder *builder, guint32 name);
const char *loom_trace_builder_name_get_text (LoomTraceBuilder *builder, guint32 name);
/* loom_trace_builder_thread_get_kinds() returns the bits of all kinds that spans and instants of a thread have;
 * loom_trace_builder_thread_move_kind() moves the events of one kind. O(events of the thread). */
guint loom_trace_builder_thread_get_kinds (LoomTraceBuilder *builder, guint32 thread, const guint8 *kind_of_name);
void loom_trace_builder_thread_move_kind (LoomTraceBuilder *builder, guint32 thread, guint32 to,
                                          const guint8 *kind_of_name, guint kind);
/* Moves flow events between threads: those flow events of thread i for which `moves` returns TRUE go to thread to[i].
 * If to[i] is LOOM_ID_NONE, thread i keeps all its events. O(flow events). */
void loom_trace_builder_move_flows (LoomTraceBuilder *builder, const guint32 *to, guint32 n_threads,
                                    gboolean (*moves) (char phase, const char *category));
/* For each process p < `n_processes`, sets origins[p] to the only other process from which flows lead to p. Sets
 * LOOM_ID_NONE if there is no such process or more than one. Ignores flow ids that several processes start. O(flow
 * events). */
void loom_trace_builder_find_flow_origins (LoomTraceBuilder *builder, guint32 *origins, guint32 n_processes);

/* Functions for counters. Each combination of process, category, name and id is a track; each member of the args is a
 * series of this track. */
guint32 loom_trace_builder_counter (LoomTraceBuilder *builder, guint32 process, const char *category,
                                    gsize category_length, const char *name, gsize name_length, const char *id,
                                    gsize id_length);
guint32 loom_trace_builder_series (LoomTraceBuilder *builder, guint32 counter, const char *name, gsize length);
void loom_trace_builder_series_set_unit (LoomTraceBuilder *builder, guint32 series, const char *unit);
/* Sets the maximum time in ns (> 0) for which a value is valid if no sample follows. This time applies to all values of
 * the series. Used for formats that state this time. By default, it depends on the format (loom-sample-hold.h). */
void loom_trace_builder_series_set_hold (LoomTraceBuilder *builder, guint32 series, gint64 hold_ns);
void loom_trace_builder_sample (LoomTraceBuilder *builder, guint32 series, gint64 time_ns, double value, LoomRef ref);

/* Adds a flow event. `key`: a hash (loom_seeded_hash_text(), loom_string_pool_hash_join()) of the flow's id; 0: the
 * event is not linked to others. The ids themselves are not stored, because a run has millions of them and they are not
 * shown. Among ten million keys, the probability that any two are equal by accident is below 1 in 300,000. Events with
 * equal key and name are linked first, then the remaining events with equal key. `phase`: s, t or f, as in the file; o
 * or i for the keys flow_out or flow_in of the span that starts at `time_ns` and has the reference `ref`. Events of the
 * phases o and i are linked by key alone. */
void loom_trace_builder_flow (LoomTraceBuilder *builder, guint32 thread, char phase, gboolean bind_enclosing,
                              gint64 time_ns, guint64 key, guint32 name_id, LoomRef ref);

/* Returns a number for the text of an async event's correlation id, and adds the text if it is new. */
guint32 loom_trace_builder_key (LoomTraceBuilder *builder, const char *text, gsize length);

/* Adds an async event. `phase`: b, n or e; S, T, p or F of the older kind of async events. `key`: the number that
 * loom_trace_builder_key() returns for a text. This text is made of category, scope, id and perhaps pid; for the older
 * kind, of name and id. */
void loom_trace_builder_async (LoomTraceBuilder *builder, guint32 process, char phase, guint32 key, gint64 time_ns,
                               guint32 name_id, LoomRef ref);

/* Adds a synchronization event. The event is also a span of `thread`, which is added separately; or it is a clock sync,
 * for which `thread` may be LOOM_ID_NONE. Ignores `track`, `group` and `name` of `meeting`; the texts `group` and
 * `name` are copied. */
void loom_trace_builder_sync_event (LoomTraceBuilder *builder, guint32 thread, const LoomSyncEvent *meeting,
                                    const char *group, const char *name);

/* Adds `delta_ns` to the times of all events of a source that were added so far. Needed if a file states the epoch of
 * its times only after some events. If `delta_ns` is an epoch (a time since 1970), times that already count from 1970
 * are not changed. */
void loom_trace_builder_shift_source (LoomTraceBuilder *builder, guint source, gint64 delta_ns);

/* Marks the events of a source from byte `offset` on as possibly garbage: spans and instants get LOOM_REF_SUSPECT, and
 * spans without an end become spans of length 0. If `only_open` is TRUE, marks only spans without an end. Returns the
 * number of spans, begins, ends and instants from `offset` on. O(events). */
guint64 loom_trace_builder_doubt (LoomTraceBuilder *builder, guint source, guint64 offset, gboolean only_open);
/* Among the spans of a source without an end (LOOM_DUR_OPEN), finds the first one at or after the byte `offset`, and
 * returns its offset; G_MAXUINT64: there is none. O(spans). */
guint64 loom_trace_builder_find_open (LoomTraceBuilder *builder, guint source, guint64 offset);

/* Appends all data of `part`, and frees `part`. The data must come from a later part of the same files, and the sources
 * and clocks of `part` must have the same indices as in this builder. The counts and logs of the sources of `part` are
 * added to those of this builder. A clock of `part` is used only if this builder's clock is not declared (basis NULL).
 * The cost does not depend on the number of events. */
void loom_trace_builder_absorb (LoomTraceBuilder *builder, LoomTraceBuilder *part);

/* Returns the number of events that were added so far. */
guint64 loom_trace_builder_get_n_events (LoomTraceBuilder *builder);

/* Makes the builder keep flow events without linking them. The trace then has no arrows, and the log does not report
 * flow events without links. For callers that draw no arrows. */
void loom_trace_builder_leave_out_arrows (LoomTraceBuilder *builder);

/* Makes the trace and frees the builder. Does not fail because of bad content; problems are written to the sources'
 * logs. Tracks are sorted and nested on `n_threads` threads (0: as many as processors). Returns NULL only if
 * cancelled. */
LoomTrace *loom_trace_builder_freeze (LoomTraceBuilder *builder, guint n_threads, LoomProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTraceBuilder, loom_trace_builder_free)
