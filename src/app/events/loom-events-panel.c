/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-events-panel.h"

#include "loom-event-columns.h"
#include "loom-event-export.h"
#include "loom-event-list.h"
#include "loom-event-rows.h"
#include "loom-locale-number.h"

#include <glib/gi18n.h>

struct _LoomEventsPanel {
  LoomRecordTable parent;
  LoomTableModel *model;    /* the model of the table's rows; borrowed from the parent class */
  LoomRunState *run;        /* borrowed from the parent class */
  LoomTimelineState *state; /* the timeline state of the run, borrowed from the run */
  /* cancels the worker thread that finds the rows to select; NULL if no such worker is running */
  GCancellable *finding;
  guint awaited; /* row to scroll to when it has been added to the table; G_MAXUINT if there is none */
  /* TRUE while the panel copies its selection to the timeline; the panel then ignores the change of the timeline's
   * selection */
  gboolean is_choosing;
};

G_DEFINE_FINAL_TYPE (LoomEventsPanel, loom_events_panel, LOOM_TYPE_RECORD_TABLE)

static guint
count_rows (gpointer rows)
{
  const LoomEventList *list = rows;
  return list->n;
}

/* How LoomTableModel reads the rows. The functions to sort and filter are NULL, because a LoomEventList is already
 * sorted and filtered. Without them, the model stores no array of row numbers. */
static const LoomRowSource event_rows = {
  .ref = (gpointer (*) (gpointer)) loom_event_list_ref,
  .unref = (GDestroyNotify) loom_event_list_unref,
  .get_n_rows = count_rows,
};

/* --- number of rows ----------------------------------------------------------------------------------------------- */

static char *
dup_count (gconstpointer rows)
{
  const LoomEventList *list = rows;
  g_autofree char *all = loom_locale_number_group (list->n_found), *some = loom_locale_number_group (list->n);
  return list->n_found == list->n ? g_strdup_printf (ngettext ("%s event", "%s events", list->n), some)
                                  : g_strdup_printf (_ ("the first %s of %s events"), some, all);
}

static char *
dup_extended (LoomRecordTable *table, const char *text)
{
  if (loom_table_model_get_n_selected (loom_record_table_get_model (table)) <= LOOM_SELECTED_MOST)
    return g_strdup (text);
  g_autofree char *most = loom_locale_number_group (LOOM_SELECTED_MOST);
  return g_strdup_printf (
    /* Translators: the first %s is the text "128 events · 3 selected"; the second is the number of the selected rows
     * whose spans are selected on the timeline, too */
    _ ("%s (only %s of them on the timeline)"), text, most);
}

static char *
dup_too_many (const char *most)
{
  return g_strdup_printf (
    _ ("Nothing was copied, because more than %s rows are selected. Select fewer rows, or save the rows to a file."),
    most);
}

/* --- following the selection of the timeline ---------------------------------------------------------------------- */

/* Scrolls to a row, by an action of the list view inside the column view. If the row has not been added yet, the
 * panel scrolls when it has been added. */
static void
scroll_to (LoomEventsPanel *self, guint position)
{
  GtkColumnView *view = loom_record_table_get_view (LOOM_RECORD_TABLE (self));
  self->awaited = G_MAXUINT;
  if (position >= loom_table_model_get_n_rows (self->model))
    return;
  if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (view)), "list.scroll-to-item", "u", position);
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
  loom_record_table_show_summary (LOOM_RECORD_TABLE (self));
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
  if (self->is_choosing || list == NULL || loom_record_table_is_old (LOOM_RECORD_TABLE (self)) ||
      list->timeline != loom_timeline_state_get_timeline (self->state))
    return;
  loom_worker_cancel (&self->finding);
  if (n <= LOOM_EVENT_ROWS_FEW) {
    select_rows (self, loom_event_rows_find (list, spans, n, NULL));
    return;
  }
  loom_event_rows_start_find (&self->finding, list, spans, n, rows_found, self);
}

static void
rows_listed (LoomRecordTable *table)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (table);
  self->awaited = G_MAXUINT;
  follow_selection (self);
}

static LoomEventList *
list_events (const LoomRecordTableQuestion *question, GCancellable *cancellable, GError **error)
{
  const LoomEventQuery query = { .range = question->range,
                                 .tracks = question->tracks,
                                 .text = question->text,
                                 .names = question->names,
                                 .order = question->order,
                                 .descending = question->descending };
  return loom_event_list_new (question->timeline, &query, cancellable);
}

static const LoomWorkerKind lister = { (LoomWorkerFunc) list_events, (GDestroyNotify) loom_record_table_question_free,
                                       (GDestroyNotify) loom_event_list_unref };

static void
fit_columns (GtkColumnView *view, gconstpointer rows, LoomTimelineState *state, gboolean is_narrow)
{
  loom_event_columns_fit (view, rows, state, is_narrow);
}

/* --- selecting on the timeline ------------------------------------------------------------------------------------ */

/* Returns the events (LoomSpanId) of the rows at `positions`; at most `most` events. Owned by the caller. */
static GArray *
collect (LoomEventsPanel *self, GtkBitset *positions, guint most)
{
  const LoomEventList *list = loom_table_model_get_rows (self->model);
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  GtkBitsetIter iter;
  guint n = list != NULL ? list->n : 0, position;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, positions, &position);
       more && position < n && events->len < most; more = gtk_bitset_iter_next (&iter, &position))
    g_array_append_val (events, list->ids[position]);
  return events;
}

/* Moves a span to the end of the array, because the timeline treats the last element as the span that was selected
 * last. */
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
  g_autoptr (GtkBitset) rows = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model));
  GArray *events = collect (self, rows, LOOM_SELECTED_MOST);
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
chosen (LoomRecordTable *table)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (table);
  loom_worker_cancel (&self->finding);
  self->is_choosing = TRUE;
  tell_selection (self);
  self->is_choosing = FALSE;
  loom_record_table_show_summary (table);
}

static void
activated (LoomRecordTable *table, guint position)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (table);
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

static char *
dup_lines (LoomRecordTable *table, GtkBitset *positions)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (table);
  g_autoptr (GArray) events = collect (self, positions, LOOM_EVENTS_COPY_MOST);
  return loom_event_export_dup_tsv (
    loom_timeline_state_get_timeline (self->state), (const LoomSpanId *) (gpointer) events->data, events->len,
    loom_row_list_get_names (loom_timeline_state_get_row_list (self->state)), NULL, NULL);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomEventsPanel *self = LOOM_EVENTS_PANEL (object);
  loom_worker_cancel (&self->finding);
  if (self->run != NULL)
    loom_run_state_set_event_rows (self->run, NULL);
  self->run = NULL;
  self->state = NULL;
  self->model = NULL;
  G_OBJECT_CLASS (loom_events_panel_parent_class)->dispose (object);
}

static void
loom_events_panel_class_init (LoomEventsPanelClass *klass)
{
  LoomRecordTableClass *table_class = LOOM_RECORD_TABLE_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  table_class->source = &event_rows;
  table_class->lister = &lister;
  table_class->title = N_ ("Events");
  table_class->filter_title = N_ ("Filter the events");
  table_class->filter_tip = N_ ("Name, category or track");
  table_class->can_save = TRUE;
  table_class->most_copied = LOOM_EVENTS_COPY_MOST;
  table_class->add_columns = loom_event_columns_add;
  table_class->fit_columns = fit_columns;
  table_class->dup_count = dup_count;
  table_class->dup_extended = dup_extended;
  table_class->dup_too_many = dup_too_many;
  table_class->rows_shown = rows_listed;
  table_class->chosen = chosen;
  table_class->activated = activated;
  table_class->dup_lines = dup_lines;
}

static void
loom_events_panel_init (LoomEventsPanel *self)
{
  self->awaited = G_MAXUINT;
}

GtkWidget *
loom_events_panel_new (LoomRunState *run)
{
  LoomEventsPanel *self = g_object_new (LOOM_TYPE_EVENTS_PANEL, NULL);
  LoomRecordTable *table = LOOM_RECORD_TABLE (self);
  loom_record_table_set_run (table, run);
  self->run = run;
  self->state = loom_run_state_get_view (run);
  self->model = loom_record_table_get_model (table);
  loom_run_state_set_event_rows (run, G_LIST_MODEL (self->model));
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (rows_came), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->state, "selection-changed", G_CALLBACK (follow_selection), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

gboolean
loom_events_panel_is_working (LoomEventsPanel *self)
{
  g_return_val_if_fail (LOOM_IS_EVENTS_PANEL (self), FALSE);
  return loom_record_table_is_working (LOOM_RECORD_TABLE (self)) || self->finding != NULL;
}
