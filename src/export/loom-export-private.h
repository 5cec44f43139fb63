/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: what the layouts share.
 */
#pragma once

#include "loom-export-event-reader.h"
#include "loom-output-file.h"
#include "loom-trace-event-writer.h"
#include "loom-trace-export.h"

G_BEGIN_DECLS

typedef struct {
  LoomTimeline *timeline;
  LoomRun *run;
  const LoomExportOptions *options;
  LoomPidTidMap *places;
  LoomOutputFile *output;
  LoomProgress *progress;
  LoomExportResult *result;
  gboolean *wanted;   /* per source of the run; NULL: all */
  GString *line;      /* scratch for one event */
  guint n_unreported; /* events since progress was told */
} LoomExport;

/* Each writes the whole file into merge->output. */
gboolean loom_export_write_ranks (LoomExport *merge, GError **error);
gboolean loom_export_write_smdebug (LoomExport *merge, GError **error);
gboolean loom_export_write_composer (LoomExport *merge, GError **error);

/* What a process is called in the file: as a person named its source, else as it says itself. Owned by the caller. */
char *loom_export_dup_process_name (const LoomExport *merge, const LoomPidTidProcess *process);

/* That of the source of a process. */
static inline const char *
loom_export_get_format (const LoomExport *merge, const LoomPidTidProcess *process)
{
  return loom_trace_get_source (loom_run_get_trace (merge->run, process->trace), process->track->source)->format;
}

/* The head of the ranks layout, up to and with `"traceEvents":[`. */
void loom_export_append_head (LoomExport *merge, gint64 origin_ns);

/* Whether events of the source (flat) are asked for. */
static inline gboolean
loom_export_wants (const LoomExport *merge, guint source)
{
  return merge->wanted == NULL || merge->wanted[source];
}

/* Writes `text` as it is. */
void loom_export_put (LoomExport *merge, const char *text);
/* Writes merge->line as the next element of the array, each after a line feed and `indent`, and empties it. */
void loom_export_put_event (LoomExport *merge, const char *indent, gboolean metadata);
/* Widens the extent and counts; FALSE with `error` when it is time to stop (cancelled, output full). */
gboolean loom_export_count (LoomExport *merge, gint64 start_ns, gint64 end_ns, GError **error);

/* Counts an event that has no place in the layout; FALSE as above. */
gboolean loom_export_leave_out (LoomExport *merge, LoomDroppedCount why, GError **error);

/* Appends a metadata event to merge->line: {"name":NAME,"ph":"M","pid":PID[,"tid":TID],"args":{KEY:VALUE}}. */
void loom_export_metadata_text (LoomExport *merge, const char *name, gint64 pid, const gint64 *tid, const char *key,
                                const char *value);
void loom_export_metadata_int (LoomExport *merge, const char *name, gint64 pid, const gint64 *tid, const char *key,
                               gint64 value);

G_END_DECLS
