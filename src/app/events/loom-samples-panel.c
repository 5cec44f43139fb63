/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-samples-panel.h"

#include "loom-bounded-text.h"
#include "loom-debounced-task.h"
#include "loom-events-panel.h"
#include "loom-incremental-rows.h"
#include "loom-locale-number.h"
#include "loom-narrow-table.h"
#include "loom-range-chooser.h"
#include "loom-rtl-column-workaround.h"
#include "loom-run-navigation.h"
#include "loom-sample-columns.h"
#include "loom-sample-list-task.h"
#include "loom-visible-spans.h"

#include <glib/gi18n.h>

/* The largest number of rows that can be copied at once, because the clipboard holds them as text. Copying a row takes
 * about 5 µs. */
#define LOOM_SAMPLES_COPY_MOST 10000

struct _LoomSamplesPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkStackSwitcher *switcher;
  GtkLabel *summary;
  GtkSpinner *spinner;
  LoomRangeChooser *range;
  GtkEditable *filter;
  GtkWidget *copy;
  GtkScrolledWindow *scrolled;
  GtkColumnView *view;
  LoomTableModel *model;
  LoomRunState *run;
  /* `analysis` and `state` are the run's analysis context and timeline state, borrowed from the run */
  LoomAnalysisContext *analysis;
  LoomTimelineState *state;
  LoomDebouncedTask inquiry; /* debounced task that computes the rows */
  gboolean is_old;           /* TRUE if the shown rows are outdated, because the query has changed */
  LoomRulerUnit reading;     /* unit in which the times are shown */
};

G_DEFINE_FINAL_TYPE (LoomSamplesPanel, loom_samples_panel, GTK_TYPE_WIDGET)

static guint
count_rows (gpointer rows)
{
  const LoomSampleList *list = rows;
  return list->n;
}

/* Functions by which LoomTableModel reads the rows. No functions to sort and filter are set: a LoomSampleList is sorted
 * and filtered already, so that the table needs no memory per row. */
static const LoomRowSource sample_rows = {
  .ref = (gpointer (*) (gpointer)) loom_sample_list_ref,
  .unref = (GDestroyNotify) loom_sample_list_unref,
  .get_n_rows = count_rows,
};

/* --- showing the list --------------------------------------------------------------------------------------------- */

static char *
dup_count (const LoomSampleList *list)
{
  g_autofree char *all = loom_locale_number_group (list->n_found), *some = loom_locale_number_group (list->n);
  return list->n_found == list->n ? g_strdup_printf (ngettext ("%s sample", "%s samples", list->n), some)
                                  : g_strdup_printf (_ ("the first %s of %s samples"), some, all);
}

static void
show_summary (LoomSamplesPanel *self)
{
  const LoomSampleList *list = loom_table_model_get_rows (self->model);
  guint64 n_selected = loom_table_model_get_n_selected (self->model);
  g_autofree char *count = list != NULL ? dup_count (list) : g_strdup (""),
                  *selected = loom_locale_number_group (n_selected);
  g_autofree char *text =
    n_selected == 0 ? g_strdup (count) : g_strdup_printf (_ ("%s · %s selected"), count, selected);
  loom_bounded_text_set_label (self->summary, text);
  gtk_widget_set_sensitive (self->copy, list != NULL && list->n > 0);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomSamplesPanel *self = user_data;
  gtk_spinner_set_spinning (self->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), working);
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->view), "old");
}

/* Sets the widths of the columns to suit the contents of the rows and the width of the table. */
static void
fit_columns (gpointer panel)
{
  LoomSamplesPanel *self = panel;
  LoomSampleList *list = loom_table_model_get_rows (self->model);
  loom_range_chooser_set_narrow (self->range, loom_narrow_table_is (self->scrolled));
  if (list != NULL && self->state != NULL)
    loom_sample_columns_fit (self->view, list, self->state, loom_narrow_table_is (self->scrolled));
}

/* --- making the list of samples ----------------------------------------------------------------------------------- */

static void
answered (gpointer panel, gpointer result, const GError *error, gpointer question)
{
  LoomSamplesPanel *self = panel;
  g_autoptr (LoomSampleList) list = result;
  self->is_old = FALSE;
  self->reading = loom_timeline_state_get_reading (self->state);
  if (list != NULL)
    loom_sample_columns_fit (self->view, list, self->state, loom_narrow_table_is (self->scrolled));
  loom_table_model_set_rows (self->model, list);
  show_summary (self);
}

static void
start (LoomDebouncedTask *task, gpointer user_data)
{
  LoomSamplesPanel *self = user_data;
  g_autoptr (GArray) tracks = loom_visible_spans_list_tracks (self->state, TRUE);
  LoomSampleQuery query = { .tracks = tracks,
                            .text = gtk_editable_get_text (self->filter),
                            .names = loom_row_list_get_names (loom_timeline_state_get_row_list (self->state)) };
  loom_sample_columns_get_sort (self->view, &query.order, &query.descending);
  if (loom_analysis_context_get_scope (self->analysis) != LOOM_RANGE_SCOPE_ALL)
    query.range = loom_analysis_context_get_asked_range (self->analysis);
  loom_sample_list_task_run (loom_timeline_state_get_timeline (self->state), &query, task);
}

static void
show_nothing (LoomSamplesPanel *self)
{
  loom_debounced_task_stop (&self->inquiry);
  loom_table_model_set_rows (self->model, NULL);
  show_summary (self);
}

static void
ask (LoomSamplesPanel *self)
{
  self->is_old = TRUE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  const char *reason = loom_events_panel_explain_no_range (self->analysis, self->state);
  if (reason == NULL) {
    loom_debounced_task_ask (&self->inquiry);
    return;
  }
  show_nothing (self);
  loom_bounded_text_set_label (self->summary, reason);
}

static void
reading_changed (LoomSamplesPanel *self)
{
  if (loom_timeline_state_get_reading (self->state) != self->reading && loom_table_model_get_rows (self->model) != NULL)
    ask (self);
}

/* Removes the rows of the previous timeline immediately, because their track numbers would refer to other tracks in the
 * new one. */
static void
timeline_changed (LoomSamplesPanel *self)
{
  show_nothing (self);
  ask (self);
}

static void
mapped (LoomSamplesPanel *self)
{
  if (self->is_old)
    ask (self);
}

/* --- showing a sample on the timeline ----------------------------------------------------------------------------- */

static void
show_sample (LoomSamplesPanel *self, guint position, gboolean opens, LoomRunNavigationFlags flags)
{
  const LoomSampleList *list = loom_table_model_get_rows (self->model);
  LoomSample sample;
  if (list == NULL || position >= list->n)
    return;
  loom_sample_list_get (list, position, &sample);
  LoomRange range = { sample.time_ns, loom_time_add (sample.time_ns, MAX (sample.duration_ns, 0)) };
  if (sample.series != NULL) {
    loom_run_navigation_show_sample (self->run, sample.track, range, opens, flags);
    return;
  }
  LoomNavigationTarget target = { .spans = &sample.span, .n_spans = 1 };
  if (opens) {
    loom_timeline_get_span (list->timeline, sample.span, &target.range.begin_ns, &target.range.end_ns);
    target.range.end_ns = MAX (target.range.end_ns, target.range.begin_ns + 1);
  }
  loom_run_navigation_show (self->run, &target, flags);
}

static void
chosen (LoomSamplesPanel *self)
{
  guint lead = loom_table_model_get_lead (self->model);
  show_summary (self);
  if (lead != G_MAXUINT && loom_table_model_get_n_selected (self->model) == 1)
    show_sample (self, lead, FALSE, LOOM_RUN_NAVIGATION_KEEP_RANGE | LOOM_RUN_NAVIGATION_KEEP_PAGE);
}

static void
activated (LoomSamplesPanel *self, guint position)
{
  show_sample (self, position, TRUE, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

/* --- copying ------------------------------------------------------------------------------------------------------ */

static char *
dup_lines (LoomSamplesPanel *self, GtkBitset *rows)
{
  const LoomSampleList *list = loom_table_model_get_rows (self->model);
  g_autofree char *titles = loom_sample_columns_dup_titles ();
  GString *text = g_string_new (titles);
  GtkBitsetIter iter;
  guint row;
  g_string_append_c (text, '\n');
  for (gboolean more = gtk_bitset_iter_init_first (&iter, rows, &row); more && list != NULL && row < list->n;
       more = gtk_bitset_iter_next (&iter, &row)) {
    g_autofree char *line = loom_sample_columns_dup_line (list, row, self->state);
    g_string_append_printf (text, "%s\n", line);
  }
  return g_string_free (text, FALSE);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomSamplesPanel *self = LOOM_SAMPLES_PANEL (widget);
  gboolean some = loom_table_model_get_n_selected (self->model) > 0;
  g_autoptr (GtkBitset) rows = some ? gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model))
                                    : gtk_bitset_new_range (0, loom_table_model_get_n_rows (self->model));
  if (gtk_bitset_get_size (rows) > LOOM_SAMPLES_COPY_MOST) {
    g_autofree char *most = loom_locale_number_group (LOOM_SAMPLES_COPY_MOST);
    g_autofree char *text =
      g_strdup_printf (_ ("Nothing was copied, because more than %s rows are selected. Select fewer rows."), most);
    loom_bounded_text_set_label (self->summary, text);
    return;
  }
  g_autofree char *text = dup_lines (self, rows);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomSamplesPanel *self = LOOM_SAMPLES_PANEL (object);
  if (self->box != NULL)
    loom_debounced_task_stop (&self->inquiry);
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_SAMPLES_PANEL);
  g_clear_object (&self->model);
  self->analysis = NULL;
  self->state = NULL;
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_samples_panel_parent_class)->dispose (object);
}

static void
loom_samples_panel_class_init (LoomSamplesPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_RANGE_CHOOSER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-samples-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, switcher);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, range);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, filter);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, scrolled);
  gtk_widget_class_bind_template_child (widget_class, LoomSamplesPanel, view);
  gtk_widget_class_bind_template_callback (widget_class, mapped);
  gtk_widget_class_bind_template_callback (widget_class, ask);
  gtk_widget_class_bind_template_callback (widget_class, activated);
  gtk_widget_class_install_action (widget_class, "samples.copy", NULL, copy_action);
}

static void
loom_samples_panel_init (LoomSamplesPanel *self)
{
  self->is_old = TRUE;
  loom_debounced_task_init (&self->inquiry, start, answered, show_work, self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the narrow form is used until the width of the table is known, because the wide form would widen a narrow window */
  loom_range_chooser_set_narrow (self->range, TRUE);
}

static void
set_up_table (LoomSamplesPanel *self)
{
  loom_rtl_column_workaround_keep (self->view);
  self->model = loom_table_model_new (&sample_rows, NULL, FALSE);
  loom_sample_columns_add (self->view, self->state);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->model));
  g_signal_connect_object (self->model, "chosen", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
  loom_incremental_rows_watch (G_LIST_MODEL (self->model), self->scrolled);
  loom_narrow_table_watch (self->scrolled, fit_columns, self);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed", G_CALLBACK (ask), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
loom_samples_panel_new (LoomRunState *run, GtkStack *stack)
{
  LoomSamplesPanel *self = g_object_new (LOOM_TYPE_SAMPLES_PANEL, NULL);
  self->run = g_object_ref (run);
  self->analysis = loom_run_state_get_analysis (run);
  self->state = loom_run_state_get_view (run);
  gtk_stack_switcher_set_stack (self->switcher, stack);
  set_up_table (self);
  loom_range_chooser_follow (self->range, self->analysis);
  show_summary (self);
  g_signal_connect_object (run, "sources-shown", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "names-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->analysis, "range-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->analysis, "loop-found", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "facts-changed", G_CALLBACK (reading_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

LoomTableModel *
loom_samples_panel_get_rows (LoomSamplesPanel *self)
{
  g_return_val_if_fail (LOOM_IS_SAMPLES_PANEL (self), NULL);
  return self->model;
}

gboolean
loom_samples_panel_is_working (LoomSamplesPanel *self)
{
  g_return_val_if_fail (LOOM_IS_SAMPLES_PANEL (self), FALSE);
  return loom_debounced_task_is_open (&self->inquiry);
}
