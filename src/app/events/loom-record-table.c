/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-record-table.h"

#include "loom-bounded-text.h"
#include "loom-incremental-rows.h"
#include "loom-locale-number.h"
#include "loom-narrow-table.h"
#include "loom-range-chooser.h"
#include "loom-rtl-column-workaround.h"
#include "loom-table-sort.h"
#include "loom-visible-spans.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWidget *box;
  GtkStackSwitcher *switcher;
  GtkLabel *summary;
  GtkSpinner *spinner;
  LoomRangeChooser *range;
  GtkWidget *filter;
  GtkWidget *copy, *save;
  GtkScrolledWindow *scrolled;
  GtkColumnView *view;
  LoomTableModel *model;
  LoomRunState *run;
  /* `analysis` and `state` are the run's analysis context and timeline state, borrowed from the run */
  LoomAnalysisContext *analysis;
  LoomTimelineState *state;
  LoomDebouncedTask inquiry; /* debounced task that lists the records */
  /* TRUE if the shown rows are outdated, because the range, the filter or the sort order has changed */
  gboolean is_old;
  LoomRulerUnit reading; /* unit in which the times are shown */
} LoomRecordTablePrivate;
typedef LoomRecordTablePrivate Private;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LoomRecordTable, loom_record_table, GTK_TYPE_WIDGET)

static Private *
get_private (LoomRecordTable *self)
{
  return loom_record_table_get_instance_private (self);
}

/* --- title and columns -------------------------------------------------------------------------------------------- */

static char *
dup_summary (LoomRecordTable *self, gconstpointer rows)
{
  guint64 n_selected = loom_table_model_get_n_selected (get_private (self)->model);
  g_autofree char *count = rows != NULL ? LOOM_RECORD_TABLE_GET_CLASS (self)->dup_count (rows) : g_strdup (""),
                  *selected = loom_locale_number_group (n_selected);
  if (n_selected == 0)
    return g_steal_pointer (&count);
  return g_strdup_printf (
    /* Translators: the first %s is "128 events" or "the first 1,000 of 2,000 events"; the second is the number of
     * selected rows */
    _ ("%s · %s selected"), count, selected);
}

void
loom_record_table_show_summary (LoomRecordTable *self)
{
  Private *own = get_private (self);
  LoomRecordTableClass *class = LOOM_RECORD_TABLE_GET_CLASS (self);
  gconstpointer rows = loom_table_model_get_rows (own->model);
  gboolean any = rows != NULL && loom_table_model_get_n_rows (own->model) > 0;
  g_autofree char *text = dup_summary (self, rows),
                  *all = class->dup_extended != NULL ? class->dup_extended (self, text) : g_strdup (text);
  loom_bounded_text_set_label (own->summary, all);
  gtk_widget_set_sensitive (own->copy, any);
  gtk_widget_set_sensitive (own->save, any);
}

static void
show_work (gboolean working, gpointer table)
{
  Private *own = get_private (table);
  gtk_spinner_set_spinning (own->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (own->spinner), working);
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (own->view), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (own->view), "old");
}

static void
fit_columns (gpointer table)
{
  Private *own = get_private (table);
  gconstpointer rows = loom_table_model_get_rows (own->model);
  gboolean is_narrow = loom_narrow_table_is (own->scrolled);
  loom_range_chooser_set_narrow (own->range, is_narrow);
  if (rows != NULL && own->state != NULL)
    LOOM_RECORD_TABLE_GET_CLASS (table)->fit_columns (own->view, rows, own->state, is_narrow);
}

/* --- listing the records ------------------------------------------------------------------------------------------ */

static void
rows_shown (LoomRecordTable *self)
{
  LoomRecordTableClass *class = LOOM_RECORD_TABLE_GET_CLASS (self);
  if (class->rows_shown != NULL)
    class->rows_shown (self);
}

static void
listed (gpointer table, gpointer rows, const GError *error, gpointer question)
{
  Private *own = get_private (table);
  LoomRecordTableClass *class = LOOM_RECORD_TABLE_GET_CLASS (table);
  own->is_old = FALSE;
  own->reading = loom_timeline_state_get_reading (own->state);
  if (rows != NULL)
    class->fit_columns (own->view, rows, own->state, loom_narrow_table_is (own->scrolled));
  loom_table_model_set_rows (own->model, rows);
  if (rows != NULL)
    class->source->unref (rows); /* the model holds its own reference */
  loom_record_table_show_summary (table);
  rows_shown (table);
}

void
loom_record_table_question_free (LoomRecordTableQuestion *question)
{
  loom_timeline_unref (question->timeline);
  g_clear_pointer (&question->tracks, g_array_unref);
  g_free (question->text);
  g_clear_pointer (&question->names, loom_source_overrides_free);
  g_free (question);
}

static void
start (LoomDebouncedTask *task, gpointer table)
{
  Private *own = get_private (table);
  const LoomSourceOverrides *names = loom_row_list_get_names (loom_timeline_state_get_row_list (own->state));
  g_autoptr (GArray) keys = loom_table_sort_dup_keys (gtk_column_view_get_sorter (own->view));
  const LoomTableSortKey *first = keys->len > 0 ? &g_array_index (keys, LoomTableSortKey, 0) : NULL;
  LoomRecordTableQuestion *question = g_new0 (LoomRecordTableQuestion, 1);
  question->timeline = loom_timeline_ref (loom_timeline_state_get_timeline (own->state));
  question->tracks = loom_visible_spans_list_tracks (own->state, TRUE);
  question->text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (own->filter)));
  question->names = names != NULL ? loom_source_overrides_copy (names) : NULL;
  question->order = first != NULL ? first->column : 0;
  question->descending = first != NULL && first->descending;
  /* for the whole run, the range stays empty: an empty range also lists records outside the extent of the run */
  if (loom_analysis_context_get_scope (own->analysis) != LOOM_RANGE_SCOPE_ALL)
    question->range = loom_analysis_context_get_asked_range (own->analysis);
  loom_debounced_task_run (task, LOOM_RECORD_TABLE_GET_CLASS (table)->lister, question);
}

static void
show_nothing (LoomRecordTable *self)
{
  Private *own = get_private (self);
  loom_debounced_task_stop (&own->inquiry);
  loom_table_model_set_rows (own->model, NULL);
  loom_record_table_show_summary (self);
}

/* Returns a static text that explains why no records can be listed, to be shown instead of their number; NULL if
 * records can be listed. */
static const char *
explain_no_range (const Private *own)
{
  LoomRangeScope scope = loom_analysis_context_get_scope (own->analysis);
  LoomRange range;
  if (loom_timeline_state_get_timeline (own->state) == NULL)
    return "";
  if (!loom_analysis_context_get_range (own->analysis, scope, &range))
    return _ ("Looking for the training loop…");
  range = loom_analysis_context_get_asked_range (own->analysis);
  if (range.end_ns > range.begin_ns || scope == LOOM_RANGE_SCOPE_ALL)
    return NULL;
  return scope == LOOM_RANGE_SCOPE_LOOP
           ? _ ("There are no training steps, so the bounds of the training loop are unknown.")
           : _ ("Nothing is selected. Drag over the timeline to select a range.");
}

static void
ask (LoomRecordTable *self)
{
  Private *own = get_private (self);
  own->is_old = TRUE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  const char *reason = explain_no_range (own);
  if (reason != NULL) {
    show_nothing (self);
    loom_bounded_text_set_label (own->summary, reason);
    return;
  }
  loom_debounced_task_ask (&own->inquiry);
}

static void
reading_changed (LoomRecordTable *self)
{
  Private *own = get_private (self);
  if (loom_timeline_state_get_reading (own->state) != own->reading && loom_table_model_get_rows (own->model) != NULL)
    ask (self);
}

/* Removes the rows of the previous timeline at once, because their track and span numbers would refer to other
 * tracks and spans in the new timeline. */
static void
timeline_changed (LoomRecordTable *self)
{
  show_nothing (self);
  ask (self);
}

static void
mapped (LoomRecordTable *self)
{
  if (get_private (self)->is_old)
    ask (self);
  else
    rows_shown (self);
}

/* --- selecting and copying ---------------------------------------------------------------------------------------- */

static void
chosen (LoomRecordTable *self)
{
  LOOM_RECORD_TABLE_GET_CLASS (self)->chosen (self);
}

static void
activated (LoomRecordTable *self, guint position)
{
  LOOM_RECORD_TABLE_GET_CLASS (self)->activated (self, position);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomRecordTable *self = LOOM_RECORD_TABLE (widget);
  Private *own = get_private (self);
  LoomRecordTableClass *class = LOOM_RECORD_TABLE_GET_CLASS (self);
  gboolean some = loom_table_model_get_n_selected (own->model) > 0;
  g_autoptr (GtkBitset) rows = some ? gtk_selection_model_get_selection (GTK_SELECTION_MODEL (own->model))
                                    : gtk_bitset_new_range (0, loom_table_model_get_n_rows (own->model));
  if (gtk_bitset_get_size (rows) > class->most_copied) {
    g_autofree char *most = loom_locale_number_group (class->most_copied);
    g_autofree char *text = class->dup_too_many (most);
    loom_bounded_text_set_label (own->summary, text);
    return;
  }
  g_autofree char *text = class->dup_lines (self, rows);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  Private *own = get_private (LOOM_RECORD_TABLE (object));
  if (own->box != NULL)
    loom_debounced_task_stop (&own->inquiry);
  /* use the narrow form until the width of the table is known: the wide form would make a narrow window wider */
  g_clear_pointer (&own->box, gtk_widget_unparent);
  g_clear_object (&own->model);
  own->analysis = NULL;
  own->state = NULL;
  g_clear_object (&own->run);
  G_OBJECT_CLASS (loom_record_table_parent_class)->dispose (object);
}

static void
loom_record_table_class_init (LoomRecordTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_RANGE_CHOOSER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-record-table.ui");
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, box);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, save);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, switcher);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, summary);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, spinner);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, range);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, filter);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, copy);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, scrolled);
  gtk_widget_class_bind_template_child_private (widget_class, LoomRecordTable, view);
  gtk_widget_class_bind_template_callback (widget_class, mapped);
  gtk_widget_class_bind_template_callback (widget_class, ask);
  gtk_widget_class_bind_template_callback (widget_class, activated);
  gtk_widget_class_install_action (widget_class, "records.copy", NULL, copy_action);
}

static void
name_widget (gpointer widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (name), -1);
}

static void
loom_record_table_init (LoomRecordTable *self)
{
  Private *own = get_private (self);
  own->is_old = TRUE;
  loom_debounced_task_init (&own->inquiry, start, listed, show_work, self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* use the narrow form until the width of the table is known, because a wide form would make a narrow window wider */
  loom_range_chooser_set_narrow (own->range, TRUE);
}

static void
set_up_table (LoomRecordTable *self)
{
  Private *own = get_private (self);
  LoomRecordTableClass *class = LOOM_RECORD_TABLE_GET_CLASS (self);
  name_widget (own->view, class->title);
  name_widget (own->filter, class->filter_title);
  loom_bounded_text_set_tip (own->filter, _ (class->filter_tip));
  gtk_widget_set_visible (own->save, class->can_save);
  loom_rtl_column_workaround_keep (own->view);
  own->model = loom_table_model_new (class->source, NULL, FALSE);
  class->add_columns (own->view, own->state);
  gtk_column_view_set_model (own->view, GTK_SELECTION_MODEL (own->model));
  g_signal_connect_object (own->model, "chosen", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
  loom_incremental_rows_watch (G_LIST_MODEL (own->model), own->scrolled);
  loom_narrow_table_watch (own->scrolled, fit_columns, self);
  g_signal_connect_object (gtk_column_view_get_sorter (own->view), "changed", G_CALLBACK (ask), self,
                           G_CONNECT_SWAPPED);
}

void
loom_record_table_set_run (LoomRecordTable *self, LoomRunState *run)
{
  g_return_if_fail (LOOM_IS_RECORD_TABLE (self) && get_private (self)->run == NULL);
  Private *own = get_private (self);
  own->run = g_object_ref (run);
  own->analysis = loom_run_state_get_analysis (run);
  own->state = loom_run_state_get_view (run);
  set_up_table (self);
  loom_range_chooser_follow (own->range, own->analysis);
  loom_record_table_show_summary (self);
  g_signal_connect_object (run, "sources-shown", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  /* renamed sources change which records match the filter */
  g_signal_connect_object (run, "names-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (own->analysis, "range-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (own->analysis, "loop-found", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (own->state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (own->state, "facts-changed", G_CALLBACK (reading_changed), self, G_CONNECT_SWAPPED);
}

void
loom_record_table_set_stack (LoomRecordTable *self, GtkStack *stack)
{
  g_return_if_fail (LOOM_IS_RECORD_TABLE (self));
  gtk_stack_switcher_set_stack (get_private (self)->switcher, stack);
}

LoomTableModel *
loom_record_table_get_model (LoomRecordTable *self)
{
  g_return_val_if_fail (LOOM_IS_RECORD_TABLE (self), NULL);
  return get_private (self)->model;
}

LoomRunState *
loom_record_table_get_run (LoomRecordTable *self)
{
  g_return_val_if_fail (LOOM_IS_RECORD_TABLE (self), NULL);
  return get_private (self)->run;
}

GtkColumnView *
loom_record_table_get_view (LoomRecordTable *self)
{
  g_return_val_if_fail (LOOM_IS_RECORD_TABLE (self), NULL);
  return get_private (self)->view;
}

gboolean
loom_record_table_is_old (LoomRecordTable *self)
{
  g_return_val_if_fail (LOOM_IS_RECORD_TABLE (self), FALSE);
  return get_private (self)->is_old;
}

gboolean
loom_record_table_is_working (LoomRecordTable *self)
{
  g_return_val_if_fail (LOOM_IS_RECORD_TABLE (self), FALSE);
  return loom_debounced_task_is_open (&get_private (self)->inquiry);
}
