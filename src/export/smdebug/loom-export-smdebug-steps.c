/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts a range of training steps to a range of times for the export in smdebug's layout. The steps are read from
 * the args of events in smdebug's Python timelines.
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "loom-error.h"
#include "loom-export-private.h"
#include "loom-parse-time.h"
#include "loom-smdebug-node.h"

static gboolean *
mark_python_timelines (LoomRun *run, gboolean *any)
{
  guint n = loom_run_get_n_sources (run);
  gboolean *wanted = g_new0 (gboolean, MAX (n, 1));
  *any = FALSE;
  for (guint i = 0; i < n; i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    wanted[i] = strcmp (source->format, "smdebug") == 0 && loom_smdebug_node_is_python_timeline (source->path);
    *any |= wanted[i];
  }
  return wanted;
}

static gboolean
step_of (LoomExportEventReader *reader, LoomKwayMerge *sweep, const LoomMergeItem *item, GString *args, gint64 *step,
         GError **error)
{
  LoomExportEvent drawn;
  if (!loom_export_event_reader_read (reader, sweep, item, &drawn, error))
    return FALSE;
  *step = -1;
  g_string_truncate (args, 0);
  loom_export_event_reader_append_args (&drawn, args);
  LoomJsonSlice number = loom_json_slice_member ((LoomJsonSlice) { args->str, args->len }, "step_num");
  if (number.text != NULL && !loom_parse_time_parse_int (number.text, number.length, step))
    *step = -1;
  return TRUE;
}

/* Sets starts_ns[i] to the start of the first event of step steps[i]. Returns FALSE with `error` if a source cannot be
 * read. */
static gboolean
find_starts (LoomTimeline *timeline, const gboolean *wanted, const gint64 steps[2], gint64 starts_ns[2], GError **error)
{
  LoomMergeOptions options = { .kinds = 1u << LOOM_KWAY_MERGE_SPAN, .sources = wanted };
  g_autoptr (LoomPidTidMap) places = loom_pid_tid_map_new (timeline);
  g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (timeline, places, &options);
  g_autoptr (LoomExportEventReader) reader = loom_export_event_reader_new (timeline, FALSE);
  g_autoptr (GString) args = g_string_new (NULL);
  LoomMergeItem item;
  gint64 step;
  while ((starts_ns[0] == LOOM_TIME_NONE || starts_ns[1] == LOOM_TIME_NONE) && loom_kway_merge_next (sweep, &item)) {
    if (!step_of (reader, sweep, &item, args, &step, error))
      return FALSE;
    for (guint i = 0; i < 2; i++)
      if (step == steps[i] && starts_ns[i] == LOOM_TIME_NONE)
        starts_ns[i] = item.start_ns;
  }
  return TRUE;
}

gboolean
loom_trace_export_smdebug_steps (LoomTimeline *timeline, gint64 first, gint64 last, LoomRange *range, GError **error)
{
  const gint64 steps[2] = { first, last };
  gint64 starts_ns[2] = { LOOM_TIME_NONE, LOOM_TIME_NONE };
  gboolean any;
  g_autofree gboolean *wanted = mark_python_timelines (loom_timeline_get_run (timeline), &any);
  if (!any) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY, _ ("There is no Python timeline to take step numbers from"));
    return FALSE;
  }
  if (!find_starts (timeline, wanted, steps, starts_ns, error))
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    if (starts_ns[i] != LOOM_TIME_NONE)
      continue;
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, _ ("No event of the Python timelines has step %" PRId64),
                 steps[i]);
    return FALSE;
  }
  *range = (LoomRange) { starts_ns[0], starts_ns[1] - LOOM_NS_PER_US };
  if (range->end_ns >= range->begin_ns)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE,
               _ ("Steps %" PRId64 " to %" PRId64 " (exclusive) contain no events"), first, last);
  return FALSE;
}
