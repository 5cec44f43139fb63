/* SPDX-License-Identifier: Apache-2.0
 *
 * One timeline out: a run under an alignment becomes one file of trace events that other tools read.
 *
 * Blocking, for a worker thread or the command line. Memory follows the number of tracks, never that of events: the
 * rows of all tracks are merged by time and each event's text is read again through its source, a block at a time.
 * Whole or absent: on failure and on cancellation nothing is left at `path` that was not there before.
 *
 * The file of layout RANKS is strict JSON, an object, one event per line:
 *
 *   {"displayTimeUnit":"ns",
 *   "otherData":{"traceloom":{"version":1,"program":"0.1.0",
 *   "origin_ns":1700000000000123000,"anchored":true,"state":"exact","basis":"merged",
 *   "clocks":[
 *   {"source":0,"path":"a/rank0.json","format":"kineto","node":"n1","rank":0,"state":"exact","basis":"…",
 *    "offset_ns":0,"drift_ppb":0,"reference_ns":0,"user_offset_ns":0,"error_ns":null,"placed":false},
 *   …],
 *   "processes":[
 *   {"pid":1,"source":0,"key":"4711","node":"n1","rank":0,"name":"python",
 *    "threads":[{"tid":7,"key":"7","flags":["device"]},…]},
 *   …]}},
 *   "distributedInfo":{"backend":"nccl","world_size":8},
 *   "traceEvents":[
 *   {"ph":"M",…},
 *   {"name":…,"cat":…,"ph":"X","ts":10.250,"dur":4,"pid":1,"tid":7,"args":{…}},
 *   …
 *   ]}
 *
 * What a reader of the format "traceloom" does with it:
 *  - An event's local time is origin_ns + ts × 1000, exactly; the clock's base is origin_ns. The clock's state is
 *    `state` and its basis `basis` when `anchored`; when not, the state is "none" and times stay relative
 *    (origin_ns is added all the same). origin_ns is 0 where the times of the run lie more than 292 years apart.
 *  - `node` and `rank` are null where unknown. `key` is the process_key or thread_key of the model (the literal text of
 *    the first file's pid or tid, "" when absent); where `key` is missing the pid or tid itself is the key.
 *    `processes` and `threads` list every pid and tid that occurs; labels stand in the process_name and thread_name
 *    metadata as usual, with "rank N · " before a process' label that does not say it; where there is a `name` it counts
 *    instead. Order stands in the sort indices. The process of a source that a
 *    person named has that name; where the source has several processes, "NAME · LABEL".
 *  - `distributedInfo` has the members on which those of all sources agree; of one rank it is whole. Left out when empty.
 *  - `flags` (left out when empty) are of "derived", "collapsed", "no-extent", "device", "global"; they hold for all
 *    tracks of the thread. A process may have "flags" too: they hold for its counters and async tracks.
 *  - Events are ordinary: X (B/E pairs are X, their args merged), instants, C, b/e and S/F, s/t/f, objects. An event
 *    whose last member is "traceloom":"open" (or "suspect", or "open suspect"), right before the closing brace, had
 *    LOOM_REF_OPEN and/or LOOM_REF_SUSPECT; its dur is the one that was shown. An open async span has an end too.
 *  - ids of different traces are told apart by a prefix "<trace>." when there was more than one trace; ids are strings
 *    then. An id of a flow, and bind_id, is always a number instead, whatever it was (loom-flow-id.h). A b/e pair whose begin is
 *    missing in the input has a suffix "~<number>", so that it is not part of its group: there its end would close spans that it
 *    crosses. ts and dur never have digits below the ns.
 *  - A counter whose events do not all have the same series is written as several, named "NAME SERIES" or "NAME SERIES, SERIES",
 *    for readers that take the series of a counter from its first event; the last member "traceloom_name" says its NAME.
 *  - A flow event on a thread without spans says the pid and tid of its input in members "traceloom_pid" and "traceloom_tid".
 *  - `clocks` is for people and for `info`: the maps were applied when the file was written.
 *  - `incomplete`, before `clocks`, is there when some of the input is not in the file: {"file","code","message"} each.
 */
#pragma once

#include "loom-progress.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_TRACE_EXPORT_RANKS,    /* processes and threads kept, ids made unique, ranks in order */
  LOOM_TRACE_EXPORT_SMDEBUG,  /* formats/merged-timeline: an array, pids by phase, system counters */
  LOOM_TRACE_EXPORT_COMPOSER, /* formats/composer §4: rank files one after another, in file order */
} LoomExportLayout;

gboolean loom_trace_export_layout_from_string (const char *word, LoomExportLayout *layout); /* "ranks" … */
const char *loom_trace_export_layout_to_string (LoomExportLayout layout);

typedef struct {
  LoomExportLayout layout;
  gboolean has_range;
  LoomRange range;      /* timeline ns; every event that touches it is written, both ends included:
                               event end ≥ begin_ns and event start ≤ end_ns. The composer layout looks at each ts. */
  gboolean compat;      /* as the original writes it, where the format page has such a variant */
  const guint *sources; /* flat numbers of the run; only events of these are written; NULL: all */
  guint n_sources;
  const LoomSourceOverrides
    *edits; /* what a person calls sources; of the layout RANKS: the others have names of their own. NULL: nothing */
} LoomExportOptions;

#define LOOM_EXPORT_OPTIONS_INIT                                   \
  {                                                                \
    LOOM_TRACE_EXPORT_RANKS, FALSE, { 0, 0 }, FALSE, NULL, 0, NULL \
  }

/* Why an event that was asked for is not in the file. */
typedef enum {
  LOOM_DROPPED_COUNT_FLOW,     /* flow events: the smdebug layout has no arrows */
  LOOM_DROPPED_COUNT_ASYNC,    /* async spans, one each */
  LOOM_DROPPED_COUNT_OBJECT,   /* instants bound by an id to an async span, an object or a memory dump */
  LOOM_DROPPED_COUNT_OPEN,     /* spans that never end, of smdebug's own files: its readers leave them out */
  LOOM_DROPPED_COUNT_INSTANT,  /* instants of the same */
  LOOM_DROPPED_COUNT_METRIC,   /* readings of system metrics */
  LOOM_DROPPED_COUNT_TEXTLESS, /* what is drawn and has no event of its own in the file */
  LOOM_DROPPED_COUNT_NAMELESS, /* no pid, no tid or no name */
  LOOM_DROPPED_COUNT_PROFILER, /* on the profiler's own thread */
  LOOM_N_LEFT_OUT,
} LoomDroppedCount;

typedef struct {
  char *path;       /* where the file is; differs from what was asked when that was a folder. NULL for "-" */
  guint64 n_events; /* without metadata */
  guint64 n_metadata;
  guint64 n_bytes; /* before compression */
  guint64
    n_repaired; /* events that were seen to be no strict JSON on one line, and are now: of some only one value is looked at */
  guint64 n_synthesised; /* events without text of their own (cProfile, samples): written from what is drawn */
  LoomRange extent;      /* of what was written, timeline ns; begin > end when empty */
  guint64 n_left_out;    /* selected, and without a place in the layout; never in the ranks layout */
  guint64 left_out[LOOM_N_LEFT_OUT]; /* the same, by LoomDroppedCount */
} LoomExportResult;

void loom_trace_export_result_clear (LoomExportResult *result);

/* "7 of the selected events have no place in the layout “smdebug”: 4 flow events, 3 async spans"; NULL when none was
 * left out. */
char *loom_trace_export_result_describe_left_out (const LoomExportResult *result, LoomExportLayout layout);

/* `path` is a file (".gz" compresses), "-" for standard output, or an existing folder: then the file's name follows the
 * layout ("<end µs>_<pid>-<host>_merged_timeline.json", "merged_trace.json", "merged-timeline.json").
 * `progress` (may be NULL) counts events; `result` may be NULL and is cleared by the caller.
 * Errors: LOOM_ERROR_WRITE (also when `path` is a file that is read, see loom-output-file.h), LOOM_ERROR_READ (a source changed or vanished), LOOM_ERROR_RANGE (nothing in the range),
 * LOOM_ERROR_EMPTY (nothing at all, or nothing the layout has a place for), G_IO_ERROR_CANCELLED. */
gboolean loom_trace_export_write (LoomTimeline *timeline, const LoomExportOptions *options, const char *path,
                                  LoomProgress *progress, LoomExportResult *result, GError **error);

/* smdebug's own step window: among the events of the Python timelines, from the start of the first with step_num
 * `first` to 1 µs before the start of the first with step_num `last` (so `last` is excluded).
 * FALSE with LOOM_ERROR_RANGE when a step is not there, LOOM_ERROR_EMPTY when the run has no Python timeline.
 * Reads the text of every event of those timelines. */
gboolean loom_trace_export_smdebug_steps (LoomTimeline *timeline, gint64 first, gint64 last, LoomRange *range,
                                          GError **error);

G_END_DECLS
