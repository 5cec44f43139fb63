/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: the state of an export, and functions that the writers of several layouts share.
 */
#pragma once

#include "loom-export-event-reader.h"
#include "loom-output-file.h"
#include "loom-trace-event-writer.h"
#include "loom-trace-export.h"

typedef struct {
  LoomTimeline *timeline;
  LoomRun *run;
  const LoomExportOptions *options;
  LoomPidTidMap *places;
  LoomOutputFile *output;
  LoomProgress *progress;
  LoomExportResult *result;
  gboolean *wanted;   /* array indexed by source of the run: TRUE if it is exported; NULL: all are exported */
  GString *line;      /* buffer for one event */
  guint n_unreported; /* number of events since the last progress report */
} LoomExport;

/* Each of the next four functions writes a complete file in one layout to merge->output. */
gboolean loom_export_write_ranks (LoomExport *merge, GError **error);
gboolean loom_export_write_smdebug (LoomExport *merge, GError **error);
gboolean loom_export_write_composer (LoomExport *merge, GError **error);
gboolean loom_export_write_perfetto (LoomExport *merge, GError **error);

/* Returns the name under which a process is written: the name that the user gave to its source, else the name of the
 * process. Owned by the caller. */
char *loom_export_dup_process_name (const LoomExport *merge, const LoomPidTidProcess *process);
/* Returns the name of a process with its rank or process id in front, unless the name already contains the rank.
 * Perfetto shows no labels of processes, so the rank must be in the name. Owned by the caller. */
char *loom_export_dup_ranked_name (const LoomExport *merge, const LoomPidTidProcess *process);

/* Appends a blank and a word for each of the LoomTrackFlags that is set, such as " device". */
void loom_export_append_flag_words (GString *out, guint flags);

/* Returns the index that the source of a process has in the run. */
static inline guint
loom_export_get_source (const LoomExport *merge, const LoomPidTidProcess *process)
{
  return loom_run_get_first_source (merge->run, process->trace) + process->track->source;
}

/* Returns the format of a process's source. */
static inline const char *
loom_export_get_format (const LoomExport *merge, const LoomPidTidProcess *process)
{
  return loom_run_get_source (merge->run, loom_export_get_source (merge, process))->format;
}

/* Returns TRUE for a flow end without "bp":"e" that belongs to a span with the same start time. Such a flow end must be
 * written with "bp":"e": in the written file, flow events come after all spans with the same start time, so Catapult
 * and Perfetto would otherwise assign it to the next span. O(rows of the track) for a flow end, else O(1). */
gboolean loom_export_binds_inside (const LoomTrace *trace, const LoomMergeItem *item);

/* Returns the range of the times of all events; begin > end if there are none. The extent of the timeline cannot be
 * used, because events with implausible times are written, too. */
LoomRange loom_export_find_times (const LoomExport *merge);

/* Appends the beginning of a file in the layout LOOM_TRACE_EXPORT_RANKS, up to and including `"traceEvents":[`. */
void loom_export_append_head (LoomExport *merge, gint64 origin_ns);

/* Returns TRUE if events of this source are exported. `source`: index of the source in the run. */
static inline gboolean
loom_export_wants (const LoomExport *merge, guint source)
{
  return merge->wanted == NULL || merge->wanted[source];
}

/* Writes `text` without changes. */
void loom_export_put (LoomExport *merge, const char *text);
/* Writes merge->line as the next element of the list of events, after a line feed and `indent`. Empties merge->line.
 * `metadata`: the event is counted as a metadata event. */
void loom_export_put_event (LoomExport *merge, const char *indent, gboolean metadata);
/* Counts an event, and widens the extent in the result to contain the event. Returns FALSE with `error` if the export
 * must stop: it was cancelled, or the output failed. */
gboolean loom_export_count (LoomExport *merge, gint64 start_ns, gint64 end_ns, GError **error);

/* Counts an event that is not written, because the layout cannot contain it. Returns FALSE with `error` if the export
 * must stop because it was cancelled or the output failed. */
gboolean loom_export_leave_out (LoomExport *merge, LoomDroppedCount why, GError **error);

/* Writes a metadata event: {"name":NAME,"ph":"M","pid":PID[,"tid":TID],"args":{KEY:VALUE}}. */
void loom_export_put_metadata (LoomExport *merge, const char *name, gint64 pid, const gint64 *tid, const char *key,
                               const char *value);
/* The next two functions write a metadata event. `tid` NULL: the event is for a process; otherwise, it is for the
 * thread `tid` of the process. loom_export_put_name() writes the name, loom_export_put_sort_index() the position. */
void loom_export_put_name (LoomExport *merge, gint64 pid, const gint64 *tid, const char *name);
void loom_export_put_sort_index (LoomExport *merge, gint64 pid, const gint64 *tid, gint64 index);
