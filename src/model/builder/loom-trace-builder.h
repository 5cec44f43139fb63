/* SPDX-License-Identifier: Apache-2.0
 *
 * The only writer of a trace. Import feeds it in file order, freeze() sorts, pairs, nests, packs and summarises.
 * One thread at a time. Per event it appends to columns; nothing is allocated per event.
 *
 * Times are local ns. Ids returned here are dense and valid for this builder only.
 */
#pragma once

#include "loom-progress.h"
#include "loom-string-pool.h"
#include "loom-trace.h"

G_BEGIN_DECLS

typedef struct _LoomTraceBuilder LoomTraceBuilder;

#define LOOM_ID_NONE G_MAXUINT32

LoomTraceBuilder *loom_trace_builder_new (void);
void loom_trace_builder_free (LoomTraceBuilder *builder);

/* Sources and clocks. The builder owns the source; the pointer stays valid until freeze for counts and log. */
guint loom_trace_builder_add_clock (LoomTraceBuilder *builder);
LoomDeclaredClock *loom_trace_builder_get_clock (LoomTraceBuilder *builder, guint clock);
guint loom_trace_builder_add_source (LoomTraceBuilder *builder, LoomSource *source, guint clock);
LoomSource *loom_trace_builder_get_source (LoomTraceBuilder *builder, guint source);
guint loom_trace_builder_get_n_sources (LoomTraceBuilder *builder);

/* Says where a source ran, over what is known: it and its processes get the node, unless NULL, and the rank, unless −1. */
void loom_trace_builder_source_set_place (LoomTraceBuilder *builder, guint source, const char *node, gint rank);

/* Names. Texts are copied. */
guint32 loom_trace_builder_name (LoomTraceBuilder *builder, const char *text, gsize length, const char *category,
                                 gsize category_length, const char *cname, gsize cname_length);

/* Processes, threads, counters and series are LOOM_LIMIT_TRACKS of each at most, those beyond it one more of their owner; not
 * so in a builder that is to be absorbed by another one. */
void loom_trace_builder_lift_limits (LoomTraceBuilder *builder);

/* Processes, per source unless the importer passes one source for a whole stream; keys are the literal text of pid. */
guint32 loom_trace_builder_process (LoomTraceBuilder *builder, guint source, const char *key, gsize key_length);
void loom_trace_builder_process_set_label (LoomTraceBuilder *builder, guint32 process,
                                           const char *label);                                 /* last non-empty wins */
const char *loom_trace_builder_process_get_label (LoomTraceBuilder *builder, guint32 process); /* NULL before */
void loom_trace_builder_process_add_labels (LoomTraceBuilder *builder, guint32 process, const char *labels);
void loom_trace_builder_process_set_sort (LoomTraceBuilder *builder, guint32 process, gint64 sort_index);
void loom_trace_builder_process_set_place (LoomTraceBuilder *builder, guint32 process, const char *node, gint rank);
void loom_trace_builder_process_add_flags (LoomTraceBuilder *builder, guint32 process, guint track_flags);
guint32 loom_trace_builder_get_n_processes (LoomTraceBuilder *builder);
const char *loom_trace_builder_process_get_key (LoomTraceBuilder *builder, guint32 process);

/* The byte of the event that is fed next: the log names it where that event brings one track too many. */
void loom_trace_builder_set_offset (LoomTraceBuilder *builder, guint64 offset);

/* Threads of a process; keys are the literal text of tid, "" for "(no thread)". */
guint32 loom_trace_builder_thread (LoomTraceBuilder *builder, guint32 process, const char *key, gsize key_length);
void loom_trace_builder_thread_set_label (LoomTraceBuilder *builder, guint32 thread, const char *label);
const char *loom_trace_builder_thread_get_label (LoomTraceBuilder *builder, guint32 thread);
void loom_trace_builder_thread_set_sort (LoomTraceBuilder *builder, guint32 thread, gint64 sort_index);
void loom_trace_builder_thread_add_flags (LoomTraceBuilder *builder, guint32 thread, guint track_flags);
guint32 loom_trace_builder_get_n_threads (LoomTraceBuilder *builder);
const char *loom_trace_builder_thread_get_key (LoomTraceBuilder *builder, guint32 thread);
guint32 loom_trace_builder_thread_get_process (LoomTraceBuilder *builder, guint32 thread);

/* Opens B's of `earlier` that are still open at its end may be closed by E's of `later` (same lane, next file). */
void loom_trace_builder_thread_continue (LoomTraceBuilder *builder, guint32 earlier, guint32 later);

/* Spans. dur_ns ≥ 0, or for an X without dur LOOM_DUR_OPEN (closed at the last instant of its thread) or LOOM_DUR_TO_NEXT
 * (where the next span of its thread begins; if there is none, as the other). Ends that are LOOM_REF_SUSPECT are no instants. */
#define LOOM_DUR_OPEN (-1)
#define LOOM_DUR_TO_NEXT (-2)
void loom_trace_builder_span (LoomTraceBuilder *builder, guint32 thread, gint64 start_ns, gint64 dur_ns,
                              guint32 name_id, LoomRef ref);
void loom_trace_builder_begin (LoomTraceBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);
/* name_id 0: closes the topmost. `has_args`: the E carries args of its own, or a stack. */
void loom_trace_builder_end (LoomTraceBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref,
                             gboolean has_args);

/* Instants and what is only listed (objects, dumps, samples): `phase` as in the file, `scope` t, p or g.
 * thread is LOOM_ID_NONE for process scope; process and thread LOOM_ID_NONE for the source's own (global). Samples (P)
 * of a thread are a track of their own, “samples”. */
void loom_trace_builder_instant (LoomTraceBuilder *builder, guint source, guint32 process, guint32 thread,
                                 gint64 time_ns, guint32 name_id, char phase, char scope, LoomRef ref);

/* The samples (phase P) of one thread go to another one. O(chunks). */
void loom_trace_builder_thread_take_samples (LoomTraceBuilder *builder, guint32 thread, guint32 from);

/* Gives a process the label, order and flags of another one. */
void loom_trace_builder_process_copy (LoomTraceBuilder *builder, guint32 process, guint32 from);
/* Moves a thread with all it holds to another process of the same source; looked for by its key it is not found there. */
void loom_trace_builder_thread_set_process (LoomTraceBuilder *builder, guint32 thread, guint32 process);

/* What is known of counters and series; borrowed. */
guint32 loom_trace_builder_get_n_series (LoomTraceBuilder *builder);
guint32 loom_trace_builder_series_get_counter (LoomTraceBuilder *builder, guint32 series);
const char *loom_trace_builder_series_get_name (LoomTraceBuilder *builder, guint32 series);
guint32 loom_trace_builder_counter_get_process (LoomTraceBuilder *builder, guint32 counter);
const char *loom_trace_builder_counter_get_name (LoomTraceBuilder *builder, guint32 counter);
/* The samples of one series go to another one; a counter without any is no track. O(chunks). */
void loom_trace_builder_series_take_samples (LoomTraceBuilder *builder, guint32 series, guint32 from);

/* What only the end of a file tells: that threads are really two. `kind_of_name` is an array by name id of the caller's own
 * kinds (one bit each, 0 for none). */
guint32 loom_trace_builder_get_n_names (LoomTraceBuilder *builder);
const char *loom_trace_builder_name_get_category (LoomTraceBuilder *builder, guint32 name);
/* All kinds among the spans and instants of a thread. O(events of it), as is moving those of one kind. */
guint loom_trace_builder_thread_get_kinds (LoomTraceBuilder *builder, guint32 thread, const guint8 *kind_of_name);
void loom_trace_builder_thread_move_kind (LoomTraceBuilder *builder, guint32 thread, guint32 to,
                                          const guint8 *kind_of_name, guint kind);
/* Flow events of thread i for which `moves` is TRUE go to thread to[i], where that is not LOOM_ID_NONE. O(flow events). */
void loom_trace_builder_move_flows (LoomTraceBuilder *builder, const guint32 *to, guint32 n_threads,
                                    gboolean (*moves) (char phase, const char *category));

/* Counters: a track per (process, category, name, id), a series per args member. */
guint32 loom_trace_builder_counter (LoomTraceBuilder *builder, guint32 process, const char *category,
                                    gsize category_length, const char *name, gsize name_length, const char *id,
                                    gsize id_length);
guint32 loom_trace_builder_series (LoomTraceBuilder *builder, guint32 counter, const char *name, gsize length);
void loom_trace_builder_series_set_unit (LoomTraceBuilder *builder, guint32 series, const char *unit);
void loom_trace_builder_sample (LoomTraceBuilder *builder, guint32 series, gint64 time_ns, double value, LoomRef ref);

/* Flows. `key` is a hash (loom_string_pool_hash (), loom_string_pool_hash_join ()) of what correlates them, 0 for what joins nothing: only
 * these 64 bits are kept, for a run has millions of ids and nobody reads them again. Among ten million keys the chance
 * that any two collide is below one in 300,000. Events of equal key and equal name are linked first; the key alone links
 * what is left.
 * phase: s t f, or o / i for flow_out / flow_in of the span that starts at time_ns with `ref`: there the key alone counts. */
void loom_trace_builder_flow (LoomTraceBuilder *builder, guint32 thread, char phase, gboolean bind_enclosing,
                              gint64 time_ns, guint64 key, guint32 name_id, LoomRef ref);

/* What correlates async events, as a number. */
guint32 loom_trace_builder_key (LoomTraceBuilder *builder, const char *text, gsize length);

/* Async. `key` interns (category, scope, id[, pid]) or (name, id) for the old kind. phase: b n e S T p F. */
void loom_trace_builder_async (LoomTraceBuilder *builder, guint32 process, char phase, guint32 key, gint64 time_ns,
                               guint32 name_id, LoomRef ref);

/* A span of `thread` (LOOM_ID_NONE for none) that was fed as such, or a clock sync, takes part in something. `track`, group
 * and name of `meeting` are ignored; the texts are copied. */
void loom_trace_builder_sync_event (LoomTraceBuilder *builder, guint32 thread, const LoomSyncEvent *meeting,
                                    const char *group, const char *name);

/* Adds `delta_ns` to every time of a source fed so far (an anchor found late in the file). */
void loom_trace_builder_shift_source (LoomTraceBuilder *builder, guint source, gint64 delta_ns);

/* What was read of a source from the byte on may be no event: spans and instants become LOOM_REF_SUSPECT, spans without an end
 * are points. With `only_open` none but these. Looks at everything. Returns how many spans, begins, ends and instants stand there. */
guint64 loom_trace_builder_doubt (LoomTraceBuilder *builder, guint source, guint64 offset, gboolean only_open);
/* Where the first span LOOM_DUR_OPEN of a source stands at or behind the byte; G_MAXUINT64: there is none. Looks at all spans. */
guint64 loom_trace_builder_find_open (LoomTraceBuilder *builder, guint source, guint64 offset);

/* Takes over everything `part` holds, behind what is here, and frees it: `part` scanned a later piece of the same
 * sources (equal source and clock indices). Counts and logs of its sources are added to those here; its clocks count
 * only where nothing was declared (basis NULL) here. Costs nothing per event. */
void loom_trace_builder_absorb (LoomTraceBuilder *builder, LoomTraceBuilder *part);

/* Events appended so far. */
guint64 loom_trace_builder_get_n_events (LoomTraceBuilder *builder);

/* Flow events are kept and not connected: the trace will have no arrows, and the log says nothing of flow events that
 * connect nothing. For who draws none of it. */
void loom_trace_builder_leave_out_arrows (LoomTraceBuilder *builder);

/* Consumes the builder. Never fails on content; problems go to the sources' logs. Sorting and nesting of different
 * tracks run on `n_threads` threads (0: as many as processors). NULL only when cancelled. */
LoomTrace *loom_trace_builder_freeze (LoomTraceBuilder *builder, guint n_threads, LoomProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTraceBuilder, loom_trace_builder_free)

G_END_DECLS
