/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counter-table.h"

#include "loom-counter-stats.h"
#include "loom-inquiry.h"
#include "loom-sheet-view.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomCounterTable {
  GtkWidget parent;
  GtkStack *stack;
  GtkWidget *view;
  LoomTimeline *timeline;
  LoomRange range, shown; /* asked about; of the figures there are, empty: none */
  GArray *tracks;         /* LoomTrackId; NULL: all */
  LoomInquiry inquiry;
  gboolean is_old; /* and looks it */
};

G_DEFINE_FINAL_TYPE (LoomCounterTable, loom_counter_table, GTK_TYPE_WIDGET)

enum { SUMMARY_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { COUNTER, OF, UNIT, SAMPLES, MEAN, LEAST, MOST, INTEGRAL };

/* --- the worker ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GArray *tracks;
} Question;

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  g_clear_pointer (&question->tracks, g_array_unref);
  g_free (question);
}

static LoomTable *
new_table (void)
{
  LoomTable *table = loom_table_new (_ ("Counters"));
  loom_table_add_column (table, C_ ("column", "Counter"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Of"), NULL, _ ("Node and process or device"));
  loom_table_add_column (table, C_ ("column", "Unit"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Samples"), "", _ ("In the range"));
  loom_table_add_column (table, C_ ("column", "Mean"), "", _ ("Weighted by time: each value counts as long as it holds"));
  loom_table_add_column (table, C_ ("column", "Min"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Max"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Integral"), "", _ ("Values by the seconds for which they hold: unit times second"));
  return table;
}

static char *
owner_of (LoomTimeline *timeline, const LoomCounterRow *row)
{
  const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (loom_timeline_get_run (timeline), row->track.trace), row->track.track);
  const char *more = *track->process != '\0' ? track->process : track->thread;
  return g_strstrip (g_strjoin (" ", track->node != NULL ? track->node : "", more, NULL));
}

static void
add_row (LoomTable *table, LoomTimeline *timeline, const LoomCounterRow *row)
{
  gboolean has_series = *row->series_name != '\0' && strcmp (row->series_name, row->name) != 0;
  g_autofree char *name = has_series ? g_strdup_printf ("%s · %s", row->name, row->series_name) : g_strdup (row->name);
  g_autofree char *owner = owner_of (timeline, row);
  loom_table_add_row (table);
  loom_table_set_text (table, COUNTER, name);
  loom_table_set_text (table, OF, owner);
  loom_table_set_text (table, UNIT, row->unit);
  loom_table_set_number (table, SAMPLES, (double) row->n_samples);
  loom_table_set_number (table, MEAN, row->mean);
  loom_table_set_number (table, LEAST, row->min);
  loom_table_set_number (table, MOST, row->max);
  loom_table_set_number (table, INTEGRAL, row->integral);
}

static void
count_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Question *question = task_data;
  const GArray *tracks = question->tracks;
  g_autoptr (LoomCounterStats) stats =
    loom_counter_stats_new (question->timeline, question->range, tracks != NULL ? (gpointer) tracks->data : NULL,
                            tracks != NULL ? tracks->len : 0, cancellable);
  if (stats == NULL) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    return;
  }
  guint n;
  const LoomCounterRow *rows = loom_counter_stats_get (stats, &n);
  LoomTable *table = new_table ();
  for (guint i = 0; i < n; i++)
    add_row (table, question->timeline, &rows[i]);
  g_task_return_pointer (task, table, (GDestroyNotify) loom_table_unref);
}

/* --- asking ---------------------------------------------------------------------------------------------------------- */

static void
counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (LoomTable) table = g_task_propagate_pointer (G_TASK (result), NULL);
  if (table == NULL)
    return; /* cancelled: the widget may be gone */
  LoomCounterTable *self = user_data;
  self->shown = ((Question *) g_task_get_task_data (G_TASK (result)))->range;
  loom_table_view_set_table (LOOM_TABLE_VIEW (self->view), table);
  gtk_stack_set_visible_child_name (self->stack, loom_table_get_n_rows (table) > 0 ? "table" : "nothing");
  loom_inquiry_answered (&self->inquiry);
}

static void
start (GCancellable *cancellable, gpointer user_data)
{
  LoomCounterTable *self = user_data;
  Question *question = g_new (Question, 1);
  *question = (Question) { loom_timeline_ref (self->timeline), self->range,
                           self->tracks != NULL ? g_array_ref (self->tracks) : NULL };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, counted, self);
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  g_task_run_in_thread (task, count_in_thread);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomCounterTable *self = user_data;
  self->is_old = working;
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "old");
  g_signal_emit (self, signals[SUMMARY_CHANGED], 0);
}

static void
forget (LoomCounterTable *self)
{
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->tracks, g_array_unref);
}

static void
dispose (GObject *object)
{
  LoomCounterTable *self = LOOM_COUNTER_TABLE (object);
  if (self->stack != NULL)
    loom_inquiry_stop (&self->inquiry);
  forget (self);
  if (self->stack != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->stack));
  self->stack = NULL;
  G_OBJECT_CLASS (loom_counter_table_parent_class)->dispose (object);
}

static void
loom_counter_table_class_init (LoomCounterTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SUMMARY_CHANGED] =
    g_signal_new ("summary-changed", LOOM_TYPE_COUNTER_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
new_nothing (void)
{
  GtkWidget *label = gtk_label_new (_ ("There are no counters in this range."));
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
loom_counter_table_init (LoomCounterTable *self)
{
  loom_inquiry_init (&self->inquiry, start, show_work, self);
  self->view = loom_table_view_new ();
  loom_table_view_set_fills (LOOM_TABLE_VIEW (self->view), TRUE);
  g_signal_connect (self->view, "save-requested", G_CALLBACK (loom_sheet_view_save_table), NULL);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, new_nothing (), "nothing");
  gtk_stack_add_named (self->stack, self->view, "table");
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}

GtkWidget *
loom_counter_table_new (void)
{
  return g_object_new (LOOM_TYPE_COUNTER_TABLE, NULL);
}

void
loom_counter_table_show (LoomCounterTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks)
{
  g_return_if_fail (LOOM_IS_COUNTER_TABLE (self) && timeline != NULL);
  loom_timeline_ref (timeline); /* it may be the one forgotten */
  forget (self);
  self->timeline = timeline;
  self->range = range;
  self->tracks = tracks != NULL ? g_array_ref (tracks) : NULL;
  loom_inquiry_ask (&self->inquiry);
}

void
loom_counter_table_clear (LoomCounterTable *self)
{
  g_return_if_fail (LOOM_IS_COUNTER_TABLE (self));
  self->shown = (LoomRange) { 0, 0 };
  loom_inquiry_stop (&self->inquiry);
  forget (self);
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

gboolean
loom_counter_table_is_old (LoomCounterTable *self, double *fraction)
{
  *fraction = loom_inquiry_get_fraction (&self->inquiry);
  return self->is_old;
}

LoomRange
loom_counter_table_get_range (LoomCounterTable *self)
{
  return self->shown;
}

char *
loom_counter_table_dup_text (LoomCounterTable *self)
{
  g_return_val_if_fail (LOOM_IS_COUNTER_TABLE (self), NULL);
  return gtk_stack_get_visible_child (self->stack) == self->view ? loom_table_view_dup_tsv (LOOM_TABLE_VIEW (self->view)) : g_strdup ("");
}
