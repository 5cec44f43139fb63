/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-events-panel.h"

#include "loom-bounded-text.h"
#include "loom-debounced-task.h"
#include "loom-event-columns.h"
#include "loom-event-export.h"
#include "loom-event-filter-task.h"
#include "loom-incremental-rows.h"
#include "loom-locale-number.h"
#include "loom-narrow-table.h"
#include "loom-range-chooser.h"
#include "loom-rtl-column-workaround.h"
#include "loom-run-navigation.h"
#include "loom-visible-spans.h"

#include <glib/gi18n.h>

struct _LoomEventsPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkStackSwitcher *switcher;
  GtkLabel *summary;
  GtkSpinner *spinner;
  LoomRangeChooser *range;
  GtkEditable *filter;
  GtkWidget *copy, *save;
  GtkScrolledWindow *scrolled;
  GtkColumnView *view;
  LoomTableModel *model;
  LoomRunState *run;
  /* `analysis` and `state` are the run's analysis context and timeline state, borrowed from the run */
  LoomAnalysisContext *analysis;
  LoomTimelineState *state;
  LoomDebouncedTask inquiry; /* debounced task that computes the rows */
  /* cancels the worker that finds out which rows are selected; NULL: the worker is not running */
  GCancellable *finding;
  guint awaited;         /* row to scroll to as soon as the row has been added; G_MAXUINT: no such row */
  gboolean is_old;       /* TRUE if the shown rows are outdated, because the query has changed */
  gboolean is_choosing;  /* TRUE while a selection that was made in this table is passed to the timeline */
  LoomRulerUnit reading; /* unit in which the start times are shown */
};

G_DEFINE_FINAL_TYPE (LoomEventsPanel, loom_events_panel, GTK_TYPE_WIDGET)

static guint
count_rows (gpointer rows)
{
  const LoomEventList *list = rows;
  return list->n;
}

/* Functions by which LoomTableModel reads the rows. No functions to sort and filter are set: a LoomEventList is sorted
 * and filtered already, so that the table needs no memory per row. */
static const LoomRowSource event_rows = {
  .ref = (gpointer (*) (gpointer)) loom_event_list_ref,
  .unref = (GDestroyNotify) loom_event_list_unref,
  .get_n_rows = count_rows,
};

/* --- showing the number of rows ----------------------------------------------------------------------------------- */

static char *
dup_count (LoomEventList *list)
{
  guint64 n_found = list->n_found;
  guint n = list->n;
  g_autofree char *all = loom_locale_number_group (n_found), *some = loom_locale_number_group (n);
  return n_found == n ? g_strdup_printf (ngettext ("%s event", "%s events", n), some)
                      : g_strdup_printf (_ ("the first %s of %s events"), some, all);
}

static void
show_summary (LoomEventsPanel *self)
{
  LoomEventList *list = loom_table_model_get_rows (self->model);
  guint64 n_selected = loom_table_model_get_n_selected (self->model);
  g_autofree char *count = list != NULL ? dup_count (list) : g_strdup ("");
  g_autofree char *selected = loom_locale_number_group (n_selected),
                  *most = loom_locale_number_group (LOOM_SELECTED_MOST);
  g_autofree char *text =
    n_selected == 0
      ? g_strdup (count)
      : g_strdup_printf (
          /* Translators: the first %s is "128 events" or "the first 1,000 of 2,000 events"; the second is the number of
           * selected rows */
          _ ("%s · %s selected"), count, selected);
  g_autofree char *more =
    n_selected > LOOM_SELECTED_MOST
      ? g_strdup_printf (
          /* Translators: the first %s is the text "128 events · 3 selected"; the second is the number of the selected
           * rows whose spans are selected on the timeline, too */
          _ ("%s (only %s of them on the timeline)"), text, most)
      : g_strdup (text);
  loom_bounded_text_set_label (self->summary, more);
  gtk_widget_set_sensitive (self->copy, list != NULL && list->n > 0);
  gtk_widget_set_sensitive (self->save, list != NULL && list->n > 0);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomEventsPanel *self = user_data;
  gtk_spinner_set_spinning (self->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), working);
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->view), "old");
}

/* --- following the selection of the timeline ---------------------------------------------------------------------- */

/* Scrolls to a row, by an action of the list view inside the column view. If the row has not been added yet, scrolls as
 * soon as it has been. */
static void
scroll_to (LoomEventsPanel *self, guint position)
{
  self->awaited = G_MAXUINT;
  if (position >= loom_table_model_get_n_rows (self->model))
    return;
  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)), "list.scroll-to-item", "u",
                                position);
  else {
    self->awaited = position;
    loom_table_model_want_all (self->model);
  }
}

static void
rows_came (LoomEventsPanel *self)
{
  if (self->awaited < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    scroll_to (self, self->awaited);
}

static void
select_rows (LoomEventsPanel *self, GtkBitset *rows)
{
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  LoomEventList *list = loom_table_model_get_rows (self->model);
  loom_table_model_take_selected (self->model, rows);
  show_summary (self);
  if (list != NULL && !loom_timeline_span_id_is_none (lead))
    scroll_to (self, loom_event_list_find (list, lead));
}

static void
rows_found (gpointer panel, gpointer rows, const GError *error, gpointer search)
{
  select_rows (panel, rows);
}

static void
follow_selection (LoomEventsPanel *self)
{
  LoomEventList *list = loom_table_model_get_rows (self->model);
  guint n;
  const LoomSpanId *spans = loom_timeline_state_get_selected (self->state, &n);
  if (self->is_choosing || list == NULL || self->is_old ||
      list->timeline != loom_timeline_state_get_timeline (self->state))
    return;
  loom_worker_cancel (&self->finding);
  if (n <= LOOM_EVENT_FILTER_TASK_FEW) {
    select_rows (self, loom_event_filter_task_find (list, spans, n, NULL));
    return;
  }
  loom_event_filter_task_start_find (&self->finding, list, spans, n, rows_found, self);
}

/* Sets the widths of the columns to suit the contents of the list and the width of the table. */
static void
fit_columns (gpointer panel)
{
  LoomEventsPanel *self = panel;
  LoomEventList *list = loom_table_model_get_rows (self->model);
  loom_range_chooser_set_narrow (self->range, loom_narrow_table_is (self->scrolled));
  if (list != NULL && self->state != NULL)
    loom_event_columns_fit (self->view, list, self->state, loom_narrow_table_is (self->scrolled));
}

/* --- making the list of events ------------------------------------------------------------------------------------ */

static void
answered (gpointer panel, gpointer result, const GError *error, gpointer question)
{
  LoomEventsPanel *self = panel;
  g_autoptr (LoomEventList) list = result;
  self->is_old = FALSE;
  self->awaited = G_MAXUINT;
  self->reading = loom_timeline_state_get_reading (self->state);
  if (list != NULL)
    loom_event_columns_fit (self->view, list, self->state, loom_narrow_table_is (self->scrolled));
  loom_table_model_set_rows (self->model, list);
  show_summary (self);
  follow_selection (self);
}

static void
start (LoomDebouncedTask *task, gpointer user_data)
{
  LoomEventsPanel *self = user_data;
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  LoomRangeScope scope = loom_analysis_context_get_scope (self->analysis);
  g_autoptr (GArray) tracks = loom_visible_spans_list_tracks (self->state, TRUE);
  LoomEventQuery query = { .tracks = tracks,
                           .text = gtk_editable_get_text (self->filter),
                           .names = loom_row_list_get_names (loom_timeline_state_get_row_list (self->state)) };
  loom_event_columns_get_sort (self->view, &query.order, &query.descending);
  /* for the whole run, no range is set, so that events outside the extent of the run are listed, too */
  if (scope != LOOM_RANGE_SCOPE_ALL)
    query.range = loom_analysis_context_get_asked_range (self->analysis);
  loom_event_filter_task_run (timeline, &query, task);
}

static void
show_nothing (LoomEventsPanel *self)
{
  loom_debounced_task_stop (&self->inquiry);
  loom_worker_cancel (&self->finding);
  loom_table_model_set_rows (self->model, NULL);
  show_summary (self);
}

const char *
loom_events_panel_explain_no_range (LoomAnalysisContext *analysis, LoomTimelineState *state)
{
  LoomRangeScope scope = loom_analysis_context_get_scope (analysis);
  LoomRange range;
  if (loom_timeline_state_get_timeline (state) == NULL)
    return "";
  if (!loom_analysis_context_get_range (analysis, scope, &range))
    return _ ("Looking for the training loop…");
  range = loom_analysis_context_get_asked_range (analysis);
  if (range.end_ns > range.begin_ns || scope == LOOM_RANGE_SCOPE_ALL)
    return NULL;
  return scope == LOOM_RANGE_SCOPE_LOOP
           ? _ ("There are no training steps, so the bounds of the training loop are unknown.")
           : _ ("Nothing is selected. Drag over the timeline to select a range.");
}

static void
ask (LoomEventsPanel *self)
{
  self->is_old = TRUE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  const char *reason = loom_events_panel_explain_no_range (self->analysis, self->state);
  if (reason != NULL) {
    show_nothing (self);
    loom_bounded_text_set_label (self->summary, reason);
    return;
  }
  loom_debounced_task_ask (&self->inquiry);
}

static void
reading_changed (LoomEventsPanel *self)
{
  if (loom_timeline_state_get_reading (self->state) != self->reading && loom_table_model_get_rows (self->model) != NULL)
    ask (self);
}

/* Removes the rows of the previous timeline immediately, because their span ids would refer to other spans in the new
 * timeline. */
static void
timeline_changed (LoomEventsPanel *self)
{
  show_nothing (self);
  ask (self);
}

static void
mapped (LoomEventsPanel *self)
{
  if (self->is_old)
    ask (self);
  else
    follow_selection (self);
}

/* --- selecting on the timeline ------------------------------------------------------------------------------------ */

/* Returns the events of all rows or, if `selected`, of the selected rows; at most `most` events. */
static GArray *
collect (LoomEventsPanel *self, gboolean selected, guint most)
{
  LoomEventList *list = loom_table_model_get_rows (self->model);
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  guint n = list != NULL ? list->n : 0, position;
  g_autoptr (GtkBitset) rows =
    selected ? gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model)) : gtk_bitset_new_range (0, n);
  GtkBitsetIter iter;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, rows, &position); more && position < n && events->len < most;
       more = gtk_bitset_iter_next (&iter, &position)) {
    LoomSpanId id = list->ids[position];
    g_array_append_val (events, id);
  }
  return events;
}

/* Moves a span to the end of the array, because the timeline treats the last span as the one that was selected last. */
static void
put_last (GArray *events, LoomSpanId lead)
{
  for (guint i = 0; i < events->len; i++)
    if (loom_timeline_span_id_equal (g_array_index (events, LoomSpanId, i), lead)) {
      g_array_remove_index (events, i);
      g_array_append_val (events, lead);
      return;
    }
}

static void
tell_selection (LoomEventsPanel *self)
{
  GArray *events = collect (self, TRUE, LOOM_SELECTED_MOST);
  guint lead = loom_table_model_get_lead (self->model);
  if (events->len == 1) {
    LoomSpanId id = g_array_index (events, LoomSpanId, 0);
    g_array_unref (events);
    loom_run_navigation_show (self->run, &(LoomNavigationTarget) { .spans = &id, .n_spans = 1 },
                              LOOM_RUN_NAVIGATION_KEEP_RANGE | LOOM_RUN_NAVIGATION_KEEP_PAGE);
    return;
  }
  const LoomEventList *list = loom_table_model_get_rows (self->model);
  if (lead != G_MAXUINT)
    put_last (events, list->ids[lead]);
  loom_run_navigation_select (self->run, events);
}

/* Selects the spans of the selected rows on the timeline. The range that is selected on the timeline does not
 * change. */
static void
chosen (LoomEventsPanel *self)
{
  loom_worker_cancel (&self->finding);
  self->is_choosing = TRUE;
  tell_selection (self);
  self->is_choosing = FALSE;
  show_summary (self);
}

static void
activated (LoomEventsPanel *self, guint position)
{
  LoomEventList *list = loom_table_model_get_rows (self->model);
  if (list == NULL || position >= list->n)
    return;
  LoomSpanId id = list->ids[position];
  LoomNavigationTarget target = { .spans = &id, .n_spans = 1 };
  loom_timeline_get_span (list->timeline, id, &target.range.begin_ns, &target.range.end_ns);
  target.range.end_ns = MAX (target.range.end_ns, target.range.begin_ns + 1);
  self->is_choosing = TRUE;
  loom_run_navigation_show (self->run, &target, LOOM_RUN_NAVIGATION_KEEP_RANGE);
  self->is_choosing = FALSE;
}

static guint64
count_wanted (LoomEventsPanel *self)
{
  guint64 n_selected = loom_table_model_get_n_selected (self->model);
  return n_selected > 0 ? n_selected : loom_table_model_get_n_rows (self->model);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (widget);
  if (count_wanted (self) > LOOM_EVENTS_COPY_MOST) {
    g_autofree char *most = loom_locale_number_group (LOOM_EVENTS_COPY_MOST);
    g_autofree char *text = g_strdup_printf (
      _ ("Nothing was copied, because more than %s rows are selected. Select fewer rows, or save the rows to a file."),
      most);
    loom_bounded_text_set_label (self->summary, text);
    return;
  }
  g_autoptr (GArray) events = collect (self, loom_table_model_get_n_selected (self->model) > 0, LOOM_EVENTS_COPY_MOST);
  g_autofree char *text = loom_event_export_dup_tsv (
    loom_timeline_state_get_timeline (self->state), (const LoomSpanId *) (gpointer) events->data, events->len,
    loom_row_list_get_names (loom_timeline_state_get_row_list (self->state)), NULL, NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (object);
  if (self->box != NULL)
    loom_debounced_task_stop (&self->inquiry);
  loom_worker_cancel (&self->finding);
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_EVENTS_PANEL);
  if (self->run != NULL)
    loom_run_state_set_event_rows (self->run, NULL);
  g_clear_object (&self->model);
  self->analysis = NULL;
  self->state = NULL;
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_events_panel_parent_class)->dispose (object);
}

static void
loom_events_panel_class_init (LoomEventsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_RANGE_CHOOSER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-events-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, switcher);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, range);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, filter);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, save);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, scrolled);
  gtk_widget_class_bind_template_child (widget_class, LoomEventsPanel, view);
  gtk_widget_class_bind_template_callback (widget_class, mapped);
  gtk_widget_class_bind_template_callback (widget_class, ask);
  gtk_widget_class_bind_template_callback (widget_class, activated);
  gtk_widget_class_install_action (widget_class, "events.copy", NULL, copy_action);
}

static void
loom_events_panel_init (LoomEventsPanel *self)
{
  self->is_old = TRUE;
  self->awaited = G_MAXUINT;
  loom_debounced_task_init (&self->inquiry, start, answered, show_work, self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the narrow form is used until the width of the table is known, because the wide form would widen a narrow window */
  loom_range_chooser_set_narrow (self->range, TRUE);
}

static void
set_up_table (LoomEventsPanel *self)
{
  loom_rtl_column_workaround_keep (self->view);
  self->model = loom_table_model_new (&event_rows, NULL, FALSE);
  loom_event_columns_add (self->view, self->state);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->model));
  g_signal_connect_object (self->model, "chosen", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (rows_came), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  loom_incremental_rows_watch (G_LIST_MODEL (self->model), self->scrolled);
  loom_narrow_table_watch (self->scrolled, fit_columns, self);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed", G_CALLBACK (ask), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
loom_events_panel_new (LoomRunState *run)
{
  LoomEventsPanel *self = g_object_new (LOOM_TYPE_EVENTS_PANEL, NULL);
  self->run = g_object_ref (run);
  self->analysis = loom_run_state_get_analysis (run);
  self->state = loom_run_state_get_view (run);
  set_up_table (self);
  loom_run_state_set_event_rows (run, G_LIST_MODEL (self->model));
  loom_range_chooser_follow (self->range, self->analysis);
  show_summary (self);
  g_signal_connect_object (run, "sources-shown", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "names-changed", G_CALLBACK (ask), self,
                           G_CONNECT_SWAPPED); /* the names of sources changed, and the filter may match these names */
  g_signal_connect_object (self->analysis, "range-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->analysis, "loop-found", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "selection-changed", G_CALLBACK (follow_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "facts-changed", G_CALLBACK (reading_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
loom_events_panel_set_stack (LoomEventsPanel *self, GtkStack *stack)
{
  g_return_if_fail (LOOM_IS_EVENTS_PANEL (self));
  gtk_stack_switcher_set_stack (self->switcher, stack);
}

gboolean
loom_events_panel_is_working (LoomEventsPanel *self)
{
  return loom_debounced_task_is_open (&self->inquiry) || self->finding != NULL;
}
