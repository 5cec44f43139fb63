/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/merge: what the layouts share.
 */
#pragma once

#include "loom-drawn.h"
#include "loom-event-line.h"
#include "loom-merge.h"
#include "loom-output.h"

G_BEGIN_DECLS

typedef struct {
  LoomTimeline *timeline;
  LoomRun *run;
  const LoomMergeOptions *options;
  LoomPlaces *places;
  LoomOutput *output;
  LoomProgress *progress;
  LoomMergeResult *result;
  gboolean *wanted;      /* per source of the run; NULL: all */
  GString *line;         /* scratch for one event */
  guint n_unreported;    /* events since progress was told */
} LoomMerge;

/* Each writes the whole file into merge->output. */
gboolean loom_merge_write_ranks (LoomMerge *merge, GError **error);
gboolean loom_merge_write_smdebug (LoomMerge *merge, GError **error);
gboolean loom_merge_write_composer (LoomMerge *merge, GError **error);

/* What a process is called in the file: as a person named its source, else as it says itself. Owned by the caller. */
char *loom_merge_dup_process_name (const LoomMerge *merge, const LoomPlaceProcess *process);

/* That of the source of a process. */
static inline const char *
loom_merge_get_format (const LoomMerge *merge, const LoomPlaceProcess *process)
{
  return loom_trace_get_source (loom_run_get_trace (merge->run, process->trace), process->track->source)->format;
}

/* The head of the ranks layout, up to and with `"traceEvents":[`. */
void loom_merge_append_head (LoomMerge *merge, gint64 origin_ns);

/* Whether events of the source (flat) are asked for. */
static inline gboolean
loom_merge_wants (const LoomMerge *merge, guint source)
{
  return merge->wanted == NULL || merge->wanted[source];
}

/* Writes `text` as it is. */
void loom_merge_put (LoomMerge *merge, const char *text);
/* Writes merge->line as the next element of the array, each after a line feed and `indent`, and empties it. */
void loom_merge_put_event (LoomMerge *merge, const char *indent, gboolean metadata);
/* Widens the extent and counts; FALSE with `error` when it is time to stop (cancelled, output full). */
gboolean loom_merge_count (LoomMerge *merge, gint64 start_ns, gint64 end_ns, GError **error);

/* Counts an event that has no place in the layout; FALSE as above. */
gboolean loom_merge_leave_out (LoomMerge *merge, LoomLeftOut why, GError **error);

/* Appends a metadata event to merge->line: {"name":NAME,"ph":"M","pid":PID[,"tid":TID],"args":{KEY:VALUE}}. */
void loom_merge_metadata_text (LoomMerge *merge, const char *name, gint64 pid, const gint64 *tid, const char *key,
                               const char *value);
void loom_merge_metadata_int (LoomMerge *merge, const char *name, gint64 pid, const gint64 *tid, const char *key, gint64 value);

G_END_DECLS
