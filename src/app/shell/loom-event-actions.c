/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves events to a file: the user chooses which events to save and where; a worker thread writes the file; a toast
 * reports the result.
 */
#include "loom-event-export-task.h"
#include "loom-file-dialogs.h"
#include "loom-table-model.h"
#include "loom-visible-spans.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

/* Names and endings of the file formats in which events can be saved, in the order of LoomEventExportFormat. */
static const LoomSaveFormat formats[] = {
  { N_ ("Table (CSV)"), ".csv" },
  { N_ ("JSON, with arguments"), ".json" },
};
G_STATIC_ASSERT (G_N_ELEMENTS (formats) == LOOM_N_EVENT_FILES);

static void
saved (gpointer window, gpointer n, const GError *error, gpointer input)
{
  g_autoptr (LoomWindow) self = window;
  const char *path = loom_event_export_task_get_path (input);
  if (!loom_window_end_saving (self))
    return;
  if (error == NULL)
    loom_window_show_saved_events (self, GPOINTER_TO_UINT (n), path);
  else
    loom_window_show_unsaved (self, path, error, _ ("Choose another location and save the events again."));
}

/* --- which events are saved --------------------------------------------------------------------------------------- */

/* Returns the selected range if `what` is "range"; otherwise the visible range. */
static LoomRange
range_of (LoomWindow *self, const char *what)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  return g_str_equal (what, "range") ? loom_timeline_state_get_range (self->state)
                                     : (LoomRange) { view->begin_ns, view->end_ns };
}

/* Returns the rows of the table of events; NULL if the table has not been shown. */
static LoomTableModel *
table_of (LoomWindow *self)
{
  return (LoomTableModel *) loom_run_state_get_event_rows (self->run);
}

/* Returns a copy of the positions of the selected rows. NULL: no row is selected, so that all rows are saved. A copy is
 * needed because the selection may change while a worker thread reads it. */
static GtkBitset *
copy_rows (LoomTableModel *table)
{
  if (loom_table_model_get_n_selected (table) == 0)
    return NULL;
  g_autoptr (GtkBitset) rows = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (table));
  return gtk_bitset_copy (rows);
}

static GArray *
copy_selected (LoomWindow *self)
{
  guint n;
  const LoomSpanId *selected = loom_timeline_state_get_selected (self->state, &n);
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  if (n > 0)
    g_array_append_vals (events, selected, n);
  return events;
}

void
loom_window_write_events (LoomWindow *self, const char *what, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && loom_timeline_state_get_timeline (self->state) != NULL);
  if (self->saving != NULL)
    return;
  gboolean of_rows = g_str_equal (what, "rows");
  LoomTableModel *table = of_rows ? table_of (self) : NULL;
  LoomEventList *list = table != NULL ? loom_table_model_get_rows (table) : NULL;
  g_autoptr (GtkBitset) rows = list != NULL ? copy_rows (table) : NULL;
  g_autoptr (GArray) tracks = loom_visible_spans_list_tracks (self->state, TRUE), events = NULL;
  if (g_str_equal (what, "selected"))
    events = copy_selected (self);
  else if (of_rows && list == NULL) /* the table has lost its rows while the file dialog was open, so save no events */
    events = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  LoomEventExportFormat format = g_str_has_suffix (path, ".json") ? LOOM_EVENT_EXPORT_JSON : LOOM_EVENT_EXPORT_CSV;
  const LoomEventExportChoice choice = { events, list,
                                         rows,   range_of (self, what),
                                         tracks, loom_document_get_source_edits (self->document) };
  loom_window_begin_saving (self, path);
  loom_event_export_task_run (loom_timeline_state_get_timeline (self->state), &choice, format, path, self->saving,
                              saved, g_object_ref (self));
}

/* --- asking which events and where -------------------------------------------------------------------------------- */

static void
place_chosen (const char *path, const char *what, gpointer user_data)
{
  LoomWindow *self = user_data;
  /* do nothing if the tab was closed while the file dialog was open */
  if (self->document != NULL && loom_timeline_state_get_timeline (self->state) != NULL)
    loom_window_write_events (self, what, path);
}

/* Returns TRUE if the table of events is the visible page and has rows. */
static gboolean
has_rows (LoomWindow *self)
{
  LoomTableModel *table = table_of (self);
  return table != NULL && g_strcmp0 (loom_run_state_get_page (self->run), "events") == 0 &&
         g_list_model_get_n_items (G_LIST_MODEL (table)) > 0;
}

/* Fills `ids` and `labels` with the sets of events that can be saved now; the most likely choice of the user comes
 * first. */
static void
add_choices (LoomWindow *self, const char **ids, const char **labels)
{
  guint n, at = 0;
  LoomRange range = loom_timeline_state_get_range (self->state);
  gboolean some = has_rows (self) && loom_table_model_get_n_selected (table_of (self)) > 0;
  loom_timeline_state_get_selected (self->state, &n);
  if (has_rows (self))
    ids[at] = "rows", labels[at++] = some ? _ ("Selected rows") : _ ("All rows");
  if (n > 0)
    ids[at] = "selected", labels[at++] = _ ("Selected spans");
  if (range.end_ns > range.begin_ns)
    ids[at] = "range", labels[at++] = _ ("Everything in the selected range");
  ids[at] = "visible", labels[at++] = _ ("Everything in view");
}

void
loom_window_save_events (LoomWindow *self)
{
  const char *labels[5] = { NULL }, *ids[5] = { NULL };
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    return;
  add_choices (self, ids, labels);
  const LoomSaveChoice choice = { _ ("Events:"), ids, labels };
  g_autofree char *run = loom_window_dup_stem (self), *folder = loom_window_dup_folder (self);
  g_autofree char *stem = g_strconcat (run, "-events", NULL);
  const LoomSaveQuestion question = { _ ("Save Events"), stem, folder, formats, G_N_ELEMENTS (formats), &choice };
  loom_file_dialogs_save_as (GTK_WINDOW (self), &question, place_chosen, self);
}
