/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "loom-error.h"

/* Number of events between two progress reports. */
#define REPORT_EVERY 4096

/* The properties of the layouts, indexed by LoomExportLayout. */
static const struct {
  const char *word;
  gboolean (*write) (LoomExport *merge, GError **error);
} layouts[] = {
  { "ranks", loom_export_write_ranks },
  { "smdebug", loom_export_write_smdebug },
  { "composer", loom_export_write_composer },
  { "perfetto", loom_export_write_perfetto },
};

gboolean
loom_trace_export_layout_from_string (const char *word, LoomExportLayout *layout)
{
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    if (g_strcmp0 (word, layouts[i].word) != 0)
      continue;
    *layout = (LoomExportLayout) i;
    return TRUE;
  }
  return FALSE;
}

const char *
loom_trace_export_layout_to_string (LoomExportLayout layout)
{
  return layouts[CLAMP (layout, LOOM_TRACE_EXPORT_RANKS, LOOM_TRACE_EXPORT_PERFETTO)].word;
}

gboolean
loom_trace_export_layout_is_aligned (LoomExportLayout layout)
{
  return layout == LOOM_TRACE_EXPORT_RANKS || layout == LOOM_TRACE_EXPORT_PERFETTO;
}

/* --- result of an export ------------------------------------------------------------------------------------------ */

void
loom_trace_export_result_clear (LoomExportResult *result)
{
  g_free (result->path);
  *result = (LoomExportResult) { 0 };
}

/* Returns a translated text that says what was dropped, for example "3 flow events". */
static char *
left_out_words (LoomDroppedCount kind, guint64 n)
{
  g_autofree char *count = g_strdup_printf ("%" PRIu64, n);
  switch (kind) {
  case LOOM_DROPPED_COUNT_FLOW: return g_strdup_printf (ngettext ("%s flow event", "%s flow events", n), count);
  case LOOM_DROPPED_COUNT_ASYNC: return g_strdup_printf (ngettext ("%s async span", "%s async spans", n), count);
  case LOOM_DROPPED_COUNT_OBJECT:
    return g_strdup_printf (
      ngettext ("%s instant of async spans or objects", "%s instants of async spans or objects", n), count);
  case LOOM_DROPPED_COUNT_OPEN:
    return g_strdup_printf (ngettext ("%s span that never ends", "%s spans that never end", n), count);
  case LOOM_DROPPED_COUNT_INSTANT: return g_strdup_printf (ngettext ("%s instant", "%s instants", n), count);
  case LOOM_DROPPED_COUNT_METRIC:
    return g_strdup_printf (ngettext ("%s sample of system metrics", "%s samples of system metrics", n), count);
  case LOOM_DROPPED_COUNT_TEXTLESS:
    return g_strdup_printf (
      ngettext (
        "%s item that its file does not store as a trace event (but, for example, as a database row or in a Python profile)",
        "%s items that their files do not store as trace events (but, for example, as database rows or in Python profiles)",
        n),
      count);
  case LOOM_DROPPED_COUNT_NAMELESS:
    return g_strdup_printf (ngettext ("%s event without pid, tid or name", "%s events without pid, tid or name", n),
                            count);
  default:
    return g_strdup_printf (
      ngettext ("%s event on the profiler’s own thread", "%s events on the profiler’s own thread", n), count);
  }
}

char *
loom_trace_export_result_describe_left_out (const LoomExportResult *result, LoomExportLayout layout)
{
  if (result->n_left_out == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  g_string_printf (text,
                   ngettext ("%" PRIu64 " of the selected events cannot be stored in the layout “%s”",
                             "%" PRIu64 " of the selected events cannot be stored in the layout “%s”",
                             result->n_left_out),
                   result->n_left_out, loom_trace_export_layout_to_string (layout));
  const char *before = ": ";
  for (guint i = 0; i < LOOM_N_LEFT_OUT; i++) {
    if (result->left_out[i] == 0)
      continue;
    g_autofree char *words = left_out_words (i, result->left_out[i]);
    g_string_append_printf (text, "%s%s", before, words);
    before = ", ";
  }
  return g_string_free (text, FALSE);
}

char *
loom_trace_export_result_describe_moved (const LoomExportResult *result, LoomExportLayout layout)
{
  if (result->n_moved == 0)
    return NULL;
  return g_strdup_printf (
    ngettext (
      "%" PRIu64 " event has a time that the layout “%s” cannot represent; it was written at the nearest possible time",
      "%" PRIu64
      " events have times that the layout “%s” cannot represent; they were written at the nearest possible time",
      result->n_moved),
    result->n_moved, loom_trace_export_layout_to_string (layout));
}

/* --- functions that the layouts share ----------------------------------------------------------------------------- */

void
loom_export_put (LoomExport *merge, const char *text)
{
  loom_output_file_append (merge->output, text, strlen (text));
}

void
loom_export_put_event (LoomExport *merge, const char *indent, gboolean metadata)
{
  gboolean first = merge->result->n_events + merge->result->n_metadata == 0;
  loom_export_put (merge, first ? "\n" : ",\n");
  loom_export_put (merge, indent);
  loom_output_file_append (merge->output, merge->line->str, merge->line->len);
  g_string_truncate (merge->line, 0);
  if (metadata)
    merge->result->n_metadata++;
  else
    merge->result->n_events++;
}

/* Counts an event for the progress report. Returns FALSE if the export must stop, because it was cancelled or the
 * output failed. */
static gboolean
go_on (LoomExport *merge, GError **error)
{
  if (++merge->n_unreported < REPORT_EVERY)
    return TRUE;
  loom_progress_add_done (merge->progress, merge->n_unreported);
  merge->n_unreported = 0;
  GCancellable *cancellable = loom_progress_get_cancellable (merge->progress);
  if (cancellable != NULL && g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  /* If the output has failed, returns FALSE without setting `error`: loom_output_file_commit() reports this error
   * later. */
  return loom_output_file_is_good (merge->output);
}

gboolean
loom_export_count (LoomExport *merge, gint64 start_ns, gint64 end_ns, GError **error)
{
  LoomRange *extent = &merge->result->extent;
  extent->begin_ns = MIN (extent->begin_ns, start_ns);
  extent->end_ns = MAX (extent->end_ns, end_ns);
  return go_on (merge, error);
}

gboolean
loom_export_leave_out (LoomExport *merge, LoomDroppedCount why, GError **error)
{
  merge->result->n_left_out++;
  merge->result->left_out[why]++;
  return go_on (merge, error);
}

/* Writes a metadata event with one arg: `value`, or `number` if `value` is NULL. */
static void
put_metadata (LoomExport *merge, const char *name, gint64 pid, const gint64 *tid, const char *key, const char *value,
              gint64 number)
{
  g_autoptr (GString) args = g_string_new ("{");
  LoomTraceEventLine line = { .name = name,
                              .phase = 'M',
                              .has_pid = TRUE,
                              .pid = pid,
                              .has_tid = tid != NULL,
                              .tid = tid != NULL ? *tid : 0,
                              .args = args };
  if (value != NULL)
    loom_trace_event_writer_append_text (args, key, value);
  else
    loom_trace_event_writer_append_int (args, key, number);
  g_string_append_c (args, '}');
  loom_trace_event_writer_append (merge->line, &line);
  loom_export_put_event (merge, "", TRUE);
}

void
loom_export_put_metadata (LoomExport *merge, const char *name, gint64 pid, const gint64 *tid, const char *key,
                          const char *value)
{
  put_metadata (merge, name, pid, tid, key, value, 0);
}

void
loom_export_put_name (LoomExport *merge, gint64 pid, const gint64 *tid, const char *name)
{
  put_metadata (merge, tid != NULL ? "thread_name" : "process_name", pid, tid, "name", name, 0);
}

void
loom_export_put_sort_index (LoomExport *merge, gint64 pid, const gint64 *tid, gint64 index)
{
  put_metadata (merge, tid != NULL ? "thread_sort_index" : "process_sort_index", pid, tid, "sort_index", NULL, index);
}

/* --- writing the file in the chosen layout ------------------------------------------------------------------------ */

/* Returns the end of the exported range in whole µs, for the file name that smdebug would choose. */
static gint64
end_us (LoomExport *merge)
{
  LoomRange extent;
  gint64 end_ns = 0;
  if (merge->options->has_range)
    end_ns = merge->options->range.end_ns;
  else if (loom_timeline_get_extent (merge->timeline, &extent))
    end_ns = extent.end_ns;
  return end_ns / LOOM_NS_PER_US;
}

static char *
name_in_folder (LoomExport *merge, const char *folder)
{
  if (merge->options->layout == LOOM_TRACE_EXPORT_RANKS)
    return g_build_filename (folder, "merged-timeline.json", NULL);
  if (merge->options->layout == LOOM_TRACE_EXPORT_PERFETTO)
    return g_build_filename (folder, "merged-timeline.pftrace", NULL);
  if (merge->options->layout == LOOM_TRACE_EXPORT_COMPOSER)
    return g_build_filename (folder, "merged_trace.json", NULL);
  g_autofree char *host = g_strdelimit (g_strdup (g_get_host_name ()), "_/", '-');
  g_autofree char *name =
    g_strdup_printf ("%" G_GINT64_FORMAT "_%d-%s_merged_timeline.json", end_us (merge), (int) getpid (), host);
  return g_build_filename (folder, name, NULL);
}

/* Returns TRUE if the wanted sources have events in their lists of trace events. Samples, which are in another list of
 * a file, do not count. */
static gboolean
has_wanted_events (LoomExport *merge)
{
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomSource *source = loom_run_get_source (merge->run, i);
    if (loom_export_wants (merge, i) && (source->n_events > 0 || source->n_instants > 0))
      return TRUE;
  }
  return FALSE;
}

static gboolean
check (LoomExport *merge, GError **error)
{
  if (merge->options->has_range && merge->options->range.end_ns < merge->options->range.begin_ns) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, _ ("The range ends before it begins"));
    return FALSE;
  }
  if (has_wanted_events (merge))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY, _ ("There are no events to merge"));
  return FALSE;
}

static void
explain_nothing (LoomExport *merge, GError **error)
{
  g_autofree char *left_out = loom_trace_export_result_describe_left_out (merge->result, merge->options->layout);
  if (left_out != NULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY,
                 /* Translators: %s is a sentence that says what the layout cannot store */
                 _ ("%s; nothing was written"), left_out);
  else if (merge->options->has_range)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, _ ("No event overlaps the range; nothing was written"));
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY,
                 _ ("None of the events fits the layout “%s”; nothing was written"),
                 loom_trace_export_layout_to_string (merge->options->layout));
}

/* Writes the target file and commits it. If writing fails, a file that is already at `target` is unchanged. */
static gboolean
write_file (LoomExport *merge, const char *target, GError **error)
{
  GError *problem = NULL;
  merge->output = loom_output_file_new (target, error);
  if (merge->output == NULL)
    return FALSE;
  loom_output_file_set_remakable (merge->output);
  gboolean good = layouts[merge->options->layout].write (merge, &problem);
  if (good && merge->result->n_events == 0) {
    explain_nothing (merge, &problem);
    good = FALSE;
  }
  GCancellable *cancellable = loom_progress_get_cancellable (merge->progress);
  if (problem == NULL && cancellable != NULL)
    good = !g_cancellable_set_error_if_cancelled (cancellable, &problem) && good;
  merge->result->n_bytes = loom_output_file_get_n_bytes (merge->output);
  /* if only the output failed, `problem` is NULL; loom_output_file_commit() then reports the reason */
  if (problem == NULL)
    return loom_output_file_commit (g_steal_pointer (&merge->output), error) && good;
  loom_output_file_abort (g_steal_pointer (&merge->output));
  g_propagate_error (error, problem);
  return FALSE;
}

static void
mark_wanted (LoomExport *merge)
{
  guint n = loom_run_get_n_sources (merge->run);
  if (merge->options->sources == NULL)
    return;
  merge->wanted = g_new0 (gboolean, MAX (n, 1));
  for (guint i = 0; i < merge->options->n_sources; i++)
    if (merge->options->sources[i] < n)
      merge->wanted[merge->options->sources[i]] = TRUE;
}

static gboolean
merge_into (LoomExport *merge, const char *target, GError **error)
{
  gboolean raw = merge->options->layout == LOOM_TRACE_EXPORT_COMPOSER;
  merge->places = loom_pid_tid_map_new (merge->timeline);
  merge->line = g_string_sized_new (4096);
  loom_progress_add_total (merge->progress,
                           raw ? loom_run_get_n_events (merge->run) : loom_kway_merge_count (merge->timeline));
  gboolean good = write_file (merge, target, error);
  loom_progress_add_done (merge->progress, merge->n_unreported);
  g_string_free (merge->line, TRUE);
  loom_pid_tid_map_free (merge->places);
  return good;
}

gboolean
loom_trace_export_write (LoomTimeline *timeline, const LoomExportOptions *options, const char *path,
                         LoomProgress *progress, LoomExportResult *result, GError **error)
{
  LoomExportResult own = { 0 };
  LoomExport merge = { .timeline = timeline,
                       .run = loom_timeline_get_run (timeline),
                       .options = options,
                       .progress = progress,
                       .result = result != NULL ? result : &own };
  *merge.result = (LoomExportResult) { .extent = { G_MAXINT64, G_MININT64 } };
  mark_wanted (&merge);
  gboolean good = check (&merge, error);
  if (good) {
    gboolean folder = strcmp (path, "-") != 0 && g_file_test (path, G_FILE_TEST_IS_DIR);
    g_autofree char *target = folder ? name_in_folder (&merge, path) : g_strdup (path);
    good = merge_into (&merge, target, error);
    if (strcmp (target, "-") != 0)
      merge.result->path = g_steal_pointer (&target);
  }
  g_free (merge.wanted);
  loom_trace_export_result_clear (&own);
  return good;
}
