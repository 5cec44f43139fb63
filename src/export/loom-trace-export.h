/* SPDX-License-Identifier: Apache-2.0
 *
 * Exports a timeline: writes the events of an aligned run to one file of trace events for other tools.
 *
 * Blocks; for a worker thread or the command line. Memory depends on the number of tracks, not on the number of events:
 * the rows of all tracks are merged by time, and the text of each event is read again from its source, a block at a
 * time. The file is written completely or not at all: after failure or cancellation, `path` is unchanged.
 *
 * A file in the layout RANKS is strict JSON, an object with one event per line:
 *
 *   {"displayTimeUnit":"ns",
 *   "otherData":{"traceloom":{"version":1,"program":"0.2.0",
 *   "origin_ns":1700000000000123000,"anchored":true,"state":"exact","basis":"merged",
 *   "clocks":[
 *   {"source":0,"path":"a/rank0.json","format":"kineto","node":"n1","rank":0,"state":"exact","basis":"…",
 *    "offset_ns":0,"drift_ppb":0,"reference_ns":0,"user_offset_ns":0,"error_ns":null,"placed":false},
 *   …],
 *   "processes":[
 *   {"pid":1,"source":0,"key":"4711","node":"n1","rank":0,"name":"python",
 *    "threads":[{"tid":7,"key":"7","flags":["device"]},…]},
 *   …],
 *   "units":[{"pid":9,"category":"cpu","name":"CPUUtilization","id":"","series":"cpu0","unit":"%"},…]}},
 *   "distributedInfo":{"backend":"nccl","world_size":8},
 *   "traceEvents":[
 *   {"ph":"M",…},
 *   {"name":…,"cat":…,"ph":"X","ts":10.250,"dur":4,"pid":1,"tid":7,"args":{…}},
 *   …
 *   ]}
 *
 * How a reader of the format "traceloom" interprets the file:
 * - An event's local time is exactly origin_ns + ts × 1000; the clock's base is origin_ns. If `anchored` is true, the
 *   clock has the state `state` and the basis `basis`. Otherwise its state is "none" and times are relative; origin_ns
 *   is added nevertheless. origin_ns is 0 if the times of the run are more than 292 years apart.
 * - `node` and `rank` are null if unknown. `key` is the process_key or thread_key of the model: the literal text of the
 *   pid or tid in the input file, "" if it had none. If `key` is missing, the pid or tid itself is the key. `processes`
 *   and `threads` list every pid and tid in the file. Labels are in the process_name and thread_name metadata as usual.
 *   There, the label of a process begins with "rank N · " unless it contains the rank already. If an element of
 *   `processes` has a `name`, this is the label without that prefix, and is used instead. Sort indices give the order.
 *   The process of a source that the user named has the user's name; "NAME · LABEL" if the source has several
 *   processes.
 * - A process was recorded by the file in `clocks` with the number `source`. The format of this file determines what
 *   the events of the process mean. If this file was merged itself, the process has the path and format of the file
 *   before that merge: "path" and "format".
 * - `units` lists the series of counters that have a unit, because a counter event has no member for it.
 * - `distributedInfo` has the members that are equal in all sources; with a single rank it is complete. Omitted when
 *   empty.
 * - `flags` (omitted when empty) are any of "derived", "collapsed", "no-extent", "device", "global"; they apply to all
 *   tracks of the thread. The "flags" of a process apply to its counters and async tracks.
 * - Events have the usual phases: X (B/E pairs become X with merged args; see
 *   loom_trace_event_writer_append_merged_args()), instants, C, b/e and S/F, s/t/f, and the phases of objects. If the
 *   timeline's event has LOOM_REF_OPEN or LOOM_REF_SUSPECT, its last member, directly before the closing brace, is
 *   "traceloom":"open", "suspect" or "open suspect"; its dur is the displayed duration. An open async span has an end,
 *   too.
 * - If there is more than one trace, ids are strings with a prefix "<trace>.", which distinguishes the traces. But the
 *   id of a flow, and bind_id, is always a number (loom-flow-id.h). If the begin of a b/e pair is missing in the input,
 *   the id of the pair gets a suffix "~<number>". With the unchanged id, the end of the pair would close other spans of
 *   this id that overlap it. ts and dur never have digits below the ns.
 * - A counter whose events have different series is written as several counters named "NAME SERIES" or "NAME SERIES,
 *   SERIES", for readers that take the series of a counter from its first event. The last member "traceloom_name"
 *   contains NAME.
 * - A flow event on a thread without spans has the pid and tid of the input in "traceloom_pid" and "traceloom_tid".
 * - Of `clocks`, a reader needs only the paths and formats: the maps were already applied when the file was written.
 *   "bytes", directly after the path, is the size of the source on disk; it distinguishes the source from another file
 *   with the same name.
 * - `incomplete`, before `clocks`, lists input that is missing from the file; each element is
 *   {"file","code","message"}.
 */
#pragma once

#include "loom-progress.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"

typedef enum {
  LOOM_TRACE_EXPORT_RANKS, /* Traceloom's own layout: keeps processes and threads, makes ids unique, sorts ranks */
  /* the layout of smdebug's MergedTimeline: an array of events, one pid for each phase, system metrics as counters */
  LOOM_TRACE_EXPORT_SMDEBUG,
  /* the layout of Composer's merger: the events of each rank one after another, in file order */
  LOOM_TRACE_EXPORT_COMPOSER,
  /* Perfetto's protobuf format: the content of the layout RANKS as track events, with times exact to the ns */
  LOOM_TRACE_EXPORT_PERFETTO,
} LoomExportLayout;

/* Sets `layout` to the layout with the name `word`, such as "ranks". Returns FALSE if there is no such layout. */
gboolean loom_trace_export_layout_from_string (const char *word, LoomExportLayout *layout);
const char *loom_trace_export_layout_to_string (LoomExportLayout layout);
/* Returns TRUE if the layout writes the times of the aligned timeline. Returns FALSE for the layouts of other tools
 * (smdebug, Composer): these tools use the clocks as the files declare them, so their layouts do the same. */
gboolean loom_trace_export_layout_is_aligned (LoomExportLayout layout);

typedef struct {
  LoomExportLayout layout;
  gboolean has_range;
  /* range in timeline ns, both ends included. An event is written if it touches the range: event end ≥ begin_ns and
   * event start ≤ end_ns. The composer layout compares only the start (ts). */
  LoomRange range;
  /* TRUE: write exactly what smdebug's or Composer's own merger would write; ignored in other layouts */
  gboolean compat;
  const guint *sources; /* indices of sources in the run; only their events are written; NULL: all sources */
  guint n_sources;
  /* the names that the user gave to sources; used only in the layouts RANKS and PERFETTO, because the other layouts
   * have rules of their own for names. NULL: none */
  const LoomSourceOverrides *edits;
} LoomExportOptions;

#define LOOM_EXPORT_OPTIONS_INIT                                   \
  {                                                                \
    LOOM_TRACE_EXPORT_RANKS, FALSE, { 0, 0 }, FALSE, NULL, 0, NULL \
  }

/* Reasons why a selected event is not written. */
typedef enum {
  LOOM_DROPPED_COUNT_FLOW,     /* flow events: the smdebug layout has no arrows */
  LOOM_DROPPED_COUNT_ASYNC,    /* async spans; each counts as one event, although it is written as two */
  LOOM_DROPPED_COUNT_OBJECT,   /* instants that belong, by an id, to an async span, an object or a memory dump */
  LOOM_DROPPED_COUNT_OPEN,     /* spans of smdebug's own files that never end: smdebug's readers drop them, too */
  LOOM_DROPPED_COUNT_INSTANT,  /* instants of smdebug's own files: smdebug's readers drop them, too */
  LOOM_DROPPED_COUNT_METRIC,   /* values of system metrics */
  LOOM_DROPPED_COUNT_TEXTLESS, /* items that the timeline shows, but for which their input file contains no event */
  LOOM_DROPPED_COUNT_NAMELESS, /* events without pid, tid or name */
  LOOM_DROPPED_COUNT_PROFILER, /* events on the profiler's own thread */
  LOOM_N_LEFT_OUT,
} LoomDroppedCount;

typedef struct {
  /* path of the file that was written; differs from the given path if that was a folder. NULL for the path "-" */
  char *path;
  guint64 n_events; /* number of events, without metadata */
  guint64 n_metadata;
  guint64 n_bytes; /* number of bytes written, before compression */
  /* Number of events whose text was not strict JSON on one line and was therefore repaired. May be too low, because
   * some values are copied from the texts of events without a check for strict JSON. */
  guint64 n_repaired;
  /* number of events that have no text in the input (for example in cProfile files, or samples), so that their text was
   * made from what the timeline shows */
  guint64 n_synthesised;
  /* Number of events that were written with another time, because the layout has no times before 0 (1970 in UTC) or
   * after 2262. In the layout PERFETTO, these are only events with implausible times. */
  guint64 n_moved;
  LoomRange extent; /* time range of the written events on the timeline, in ns; begin > end if none was written */
  /* number of selected events that are not written; always 0 for the layouts RANKS and PERFETTO */
  guint64 n_left_out;
  guint64 left_out[LOOM_N_LEFT_OUT]; /* n_left_out, divided by reason (LoomDroppedCount) */
} LoomExportResult;

void loom_trace_export_result_clear (LoomExportResult *result);

/* Returns a sentence that says how many events of which kinds were not written, such as "7 of the selected events have
 * no place in the layout “smdebug”: 4 flow events, 3 async spans"; NULL if all were written. Owned by the caller. */
char *loom_trace_export_result_describe_left_out (const LoomExportResult *result, LoomExportLayout layout);

/* Returns a sentence such as "2 events have times that the layout “perfetto” cannot hold; they were written at its
 * nearest time"; NULL if n_moved is 0. Owned by the caller. */
char *loom_trace_export_result_describe_moved (const LoomExportResult *result, LoomExportLayout layout);

/* Writes the selected events. `path` is a file (".gz" compresses), "-" for standard output, or an existing folder, in
 * which the layout chooses the file's name ("<end µs>_<pid>-<host>_merged_timeline.json", "merged_trace.json",
 * "merged-timeline.json" or ".pftrace"). `progress` (may be NULL) counts events. `result` may be NULL; the caller must
 * clear it. Errors: LOOM_ERROR_WRITE (also if `path` is an input file, see loom-output-file.h), LOOM_ERROR_READ (a
 * source changed or was deleted), LOOM_ERROR_RANGE (no event in the range), LOOM_ERROR_EMPTY (no events, or only events
 * that the layout cannot contain), G_IO_ERROR_CANCELLED. */
gboolean loom_trace_export_write (LoomTimeline *timeline, const LoomExportOptions *options, const char *path,
                                  LoomProgress *progress, LoomExportResult *result, GError **error);

/* Sets `range` to the time of the steps from `first` up to `last`, which is excluded. Like smdebug, uses the events of
 * the Python timelines. The range is from the start of the first event whose step_num is `first` to 1 µs before the
 * start of the first event whose step_num is `last`. Returns FALSE with LOOM_ERROR_RANGE if a step doesn't exist, and
 * with LOOM_ERROR_EMPTY if the run has no Python timeline. Reads the text of every event of the Python timelines. */
gboolean loom_trace_export_smdebug_steps (LoomTimeline *timeline, gint64 first, gint64 last, LoomRange *range,
                                          GError **error);
