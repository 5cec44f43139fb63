/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves a report: the user chooses its kind, its range and the file name; a worker thread writes the file; a toast
 * reports the result.
 */
#include "loom-file-dialogs.h"
#include "loom-report-task.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

/* Names and endings of the file formats of a report, in the order of LoomReportKind. */
static const LoomSaveFormat formats[] = {
  { N_ ("Web page (HTML)"), ".html" },
  { N_ ("PDF document"), ".pdf" },
  { N_ ("Plain text"), ".txt" },
  { N_ ("JSON (all numbers)"), ".json" },
};
G_STATIC_ASSERT (G_N_ELEMENTS (formats) == LOOM_N_REPORT_KINDS);

static void
tell_done (LoomWindow *self, const char *path)
{
  g_autofree char *name = loom_window_dup_file_markup (path);
  g_autofree char *text = g_strdup_printf (_ ("Report saved as “%s”"), name);
  loom_window_show_toast (self, text, path);
}

static void
saved (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomWindow) self = owner;
  const char *path = loom_report_task_get_path (input);
  if (!loom_window_end_saving (self))
    return;
  if (error == NULL)
    tell_done (self, path);
  else
    loom_window_show_unsaved (self, path, error, _ ("Choose another location and save the report again."));
}

void
loom_window_write_report (LoomWindow *self, const LoomReportOptions *options, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && loom_document_get_timeline (self->document) != NULL);
  if (self->saving != NULL)
    return;
  loom_window_begin_saving (self, path);
  loom_report_task_run (loom_document_get_timeline (self->document), options, path, self->saving_cancellable, saved,
                        g_object_ref (self));
}

/* --- asking for the kind and the place ---------------------------------------------------------------------------- */

static LoomReportOptions
options_for (LoomWindow *self, const char *range)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  LoomRun *run = loom_timeline_get_run (loom_document_get_timeline (self->document));
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (self->run);
  LoomReportOptions options = { .numbers = loom_analysis_context_get_numbers_of (analysis, run),
                                .thresholds = loom_analysis_context_get_thresholds (analysis),
                                .names = loom_document_get_source_edits (self->document) };
  if (g_strcmp0 (range, "visible") == 0) {
    options.has_range = TRUE;
    options.range = (LoomRange) { view->begin_ns, view->end_ns };
  } else if (g_strcmp0 (range, "selection") == 0)
    options.has_range = loom_timeline_state_get_selected_range (self->state, &options.range);
  return options;
}

static void
place_chosen (const char *path, const char *range, gpointer user_data)
{
  LoomWindow *self = user_data;
  if (self->document == NULL || loom_document_get_timeline (self->document) == NULL)
    return; /* the tab was closed while the file dialog was open */
  LoomReportOptions options = options_for (self, range);
  loom_window_write_report (self, &options, path);
}

void
loom_window_save_report (LoomWindow *self)
{
  LoomRange selected;
  if (loom_document_get_timeline (self->document) == NULL)
    return;
  const char *labels[] = { _ ("The whole run"), _ ("Visible Range"), _ ("Selection"), NULL };
  const char *ids[] = { "all", "visible", "selection", NULL };
  if (!loom_timeline_state_get_selected_range (self->state, &selected))
    labels[2] = ids[2] = NULL;
  const LoomSaveChoice choice = { _ ("Range:"), ids, labels };
  g_autofree char *run = loom_window_dup_stem (self), *folder = loom_window_dup_folder (self);
  g_autofree char *stem = g_strconcat (run, "-report", NULL);
  const LoomSaveQuestion question = { _ ("Save Report"), stem, folder, formats, G_N_ELEMENTS (formats), &choice };
  loom_file_dialogs_save_as (GTK_WINDOW (self), &question, place_chosen, self);
}
