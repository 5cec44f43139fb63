/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-table.h"

#include "loom-inquiry.h"
#include "loom-selection-stats.h"
#include "loom-sheet-view.h"
#include "loom-words.h"

#include <glib/gi18n.h>

struct _LoomRangeTable {
  GtkWidget parent;
  GtkWidget *view;
  LoomTimeline *timeline;
  LoomRange range, shown;    /* asked about; of the figures there are, empty: none */
  GArray *tracks;            /* LoomTrackId; NULL: all */
  LoomJoinedNames *names;    /* of the run; NULL before they are known */
  LoomSelectionStats *stats; /* of the rows, in their order */
  LoomInquiry inquiry;
  gboolean is_old; /* and looks it */
};

G_DEFINE_FINAL_TYPE (LoomRangeTable, loom_range_table, GTK_TYPE_WIDGET)

enum { SPAN_CHOSEN, SUMMARY_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { NAME, COUNT, INSIDE, SHARE, TOTAL, SELF, MEAN, LEAST, MEDIAN, P95, P99, MOST };

/* --- the worker ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomTimeline *timeline;
  LoomJoinedNames *names; /* NULL: not joined yet */
  LoomRange range;
  GArray *tracks;
} Question;

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  g_clear_pointer (&question->names, loom_joined_names_unref);
  g_clear_pointer (&question->tracks, g_array_unref);
  g_free (question);
}

typedef struct {
  LoomSelectionStats *stats;
  LoomTable *table;
} Answer;

static void
answer_free (Answer *answer)
{
  g_clear_pointer (&answer->stats, loom_selection_stats_free);
  g_clear_pointer (&answer->table, loom_table_unref);
  g_free (answer);
}

static LoomTable *
new_table (void)
{
  LoomTable *table = loom_table_new (_ ("Names"));
  loom_table_add_column (table, C_ ("column", "Name"), NULL, _ ("Double-click a row to go to the longest span of its name"));
  loom_table_add_column (table, C_ ("column", "Count"), "", _ ("Spans that touch the range, on all tracks"));
  loom_table_add_column (table, C_ ("column", "In range"), "ns", _ ("Time inside the range, summed over all tracks; what runs at once counts each"));
  loom_table_add_column (table, C_ ("column", "Share"), "%", _ ("Of the time of all names inside the range"));
  loom_table_add_column (table, C_ ("column", "Total"), "ns", _ ("Whole durations, also outside the range, summed over all tracks"));
  loom_table_add_column (table, C_ ("column", "Self"), "ns", _ ("Total without what runs inside these spans, summed over all tracks"));
  loom_table_add_column (table, C_ ("column", "Mean"), "ns", _ ("Total by count"));
  loom_table_add_column (table, C_ ("column", "Shortest"), "ns", _ ("The shortest of these spans, whole"));
  loom_table_add_column (table, C_ ("column", "Median"), "ns", _ ("Half of these spans are shorter"));
  loom_table_add_column (table, C_ ("column", "p95"), "ns", _ ("95 in 100 of these spans are shorter"));
  loom_table_add_column (table, C_ ("column", "p99"), "ns", _ ("99 in 100 of these spans are shorter"));
  loom_table_add_column (table, C_ ("column", "Longest"), "ns", _ ("The longest of these spans, whole; double-click a row to go there"));
  loom_table_set_order (table, INSIDE, TRUE);
  return table;
}

/* A name that stands in the table with several categories is shown with its own. */
static char *
name_of (const LoomNameStats *stats, GHashTable *ambiguous)
{
  const char *name = *stats->name != '\0' ? stats->name : _ ("(no name)");
  gboolean alone = *stats->category == '\0' || !g_hash_table_contains (ambiguous, stats->name);
  return alone ? g_strdup (name) : g_strdup_printf ("%s · %s", name, stats->category);
}

static void
add_row (LoomTable *table, const LoomNameStats *stats, const char *name)
{
  const struct { guint column; gint64 ns; } times[] = {
    { INSIDE, stats->in_range_ns }, { TOTAL, stats->total_ns }, { SELF, stats->self_ns }, { MEAN, stats->mean_ns }, { LEAST, stats->min_ns },
    { MEDIAN, stats->p50_ns },      { P95, stats->p95_ns },     { P99, stats->p99_ns },   { MOST, stats->max_ns } };
  loom_table_add_row (table);
  loom_table_set_text (table, NAME, name);
  loom_table_set_number (table, COUNT, (double) stats->count);
  loom_table_set_number (table, SHARE, stats->share * 100);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    loom_table_set_number (table, times[i].column, (double) times[i].ns);
}

static LoomTable *
table_of (const LoomSelectionStats *stats)
{
  guint n;
  const LoomNameStats *names = loom_selection_stats_get (stats, &n);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal), ambiguous = g_hash_table_new (g_str_hash, g_str_equal);
  LoomTable *table = new_table ();
  for (guint i = 0; i < n; i++)
    if (!g_hash_table_add (seen, (gpointer) names[i].name))
      g_hash_table_add (ambiguous, (gpointer) names[i].name);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = name_of (&names[i], ambiguous);
    add_row (table, &names[i], name);
  }
  return table;
}

static void
count_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Question *question = task_data;
  const GArray *tracks = question->tracks;
  if (question->names == NULL)
    question->names = loom_joined_names_new (loom_timeline_get_run (question->timeline));
  LoomSelectionStats *stats =
    loom_selection_stats_new_with_names (question->timeline, question->names, question->range,
                                         tracks != NULL ? (gpointer) tracks->data : NULL, tracks != NULL ? tracks->len : 0,
                                         cancellable);
  if (stats == NULL) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    return;
  }
  Answer *answer = g_new (Answer, 1);
  *answer = (Answer) { stats, table_of (stats) };
  g_task_return_pointer (task, answer, (GDestroyNotify) answer_free);
}

/* --- asking ---------------------------------------------------------------------------------------------------------- */

static void
counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = g_task_propagate_pointer (G_TASK (result), NULL);
  if (answer == NULL)
    return; /* cancelled: the table may be gone */
  LoomRangeTable *self = user_data;
  self->shown = ((Question *) g_task_get_task_data (G_TASK (result)))->range;
  g_clear_pointer (&self->stats, loom_selection_stats_free);
  self->stats = g_steal_pointer (&answer->stats);
  g_clear_pointer (&self->names, loom_joined_names_unref);
  self->names = loom_joined_names_ref (loom_selection_stats_get_names (self->stats));
  loom_table_view_set_table (LOOM_TABLE_VIEW (self->view), answer->table);
  answer_free (answer);
  loom_inquiry_answered (&self->inquiry);
}

static void
start (GCancellable *cancellable, gpointer user_data)
{
  LoomRangeTable *self = user_data;
  Question *question = g_new (Question, 1);
  *question = (Question) { loom_timeline_ref (self->timeline),
                           self->names != NULL ? loom_joined_names_ref (self->names) : NULL, self->range,
                           self->tracks != NULL ? g_array_ref (self->tracks) : NULL };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, counted, self);
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  g_task_run_in_thread (task, count_in_thread);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomRangeTable *self = user_data;
  self->is_old = working;
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "old");
  g_signal_emit (self, signals[SUMMARY_CHANGED], 0);
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
activated (LoomRangeTable *self, guint row)
{
  guint n = 0;
  const LoomNameStats *names = self->stats != NULL ? loom_selection_stats_get (self->stats, &n) : NULL;
  if (row < n && !loom_span_id_is_none (names[row].longest))
    g_signal_emit (self, signals[SPAN_CHOSEN], 0, names[row].longest.trace, names[row].longest.span);
}

static void
forget (LoomRangeTable *self)
{
  self->shown = (LoomRange) { 0, 0 };
  g_clear_pointer (&self->stats, loom_selection_stats_free);
  g_clear_pointer (&self->names, loom_joined_names_unref);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->tracks, g_array_unref);
}

static void
dispose (GObject *object)
{
  LoomRangeTable *self = LOOM_RANGE_TABLE (object);
  if (self->view != NULL)
    loom_inquiry_stop (&self->inquiry);
  forget (self);
  g_clear_pointer (&self->view, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_range_table_parent_class)->dispose (object);
}

static void
loom_range_table_class_init (LoomRangeTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", LOOM_TYPE_RANGE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  signals[SUMMARY_CHANGED] =
    g_signal_new ("summary-changed", LOOM_TYPE_RANGE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
show_empty (LoomRangeTable *self)
{
  g_autoptr (LoomTable) table = new_table ();
  loom_table_view_set_table (LOOM_TABLE_VIEW (self->view), table);
}

static void
loom_range_table_init (LoomRangeTable *self)
{
  loom_inquiry_init (&self->inquiry, start, show_work, self);
  self->view = loom_table_view_new ();
  loom_table_view_set_fills (LOOM_TABLE_VIEW (self->view), TRUE);
  show_empty (self);
  g_signal_connect_swapped (self->view, "row-activated", G_CALLBACK (activated), self);
  g_signal_connect (self->view, "save-requested", G_CALLBACK (loom_sheet_view_save_table), NULL);
  gtk_widget_set_parent (self->view, GTK_WIDGET (self));
}

GtkWidget *
loom_range_table_new (void)
{
  return g_object_new (LOOM_TYPE_RANGE_TABLE, NULL);
}

void
loom_range_table_show (LoomRangeTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks)
{
  g_return_if_fail (LOOM_IS_RANGE_TABLE (self) && timeline != NULL);
  loom_timeline_ref (timeline);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = timeline;
  if (self->names != NULL && loom_joined_names_get_run (self->names) != loom_timeline_get_run (timeline))
    g_clear_pointer (&self->names, loom_joined_names_unref);
  self->range = range;
  g_clear_pointer (&self->tracks, g_array_unref);
  self->tracks = tracks != NULL ? g_array_ref (tracks) : NULL;
  loom_inquiry_ask (&self->inquiry);
}

void
loom_range_table_clear (LoomRangeTable *self)
{
  g_return_if_fail (LOOM_IS_RANGE_TABLE (self));
  forget (self);
  loom_inquiry_stop (&self->inquiry);
  show_empty (self);
}

gboolean
loom_range_table_is_old (LoomRangeTable *self, double *fraction)
{
  *fraction = loom_inquiry_get_fraction (&self->inquiry);
  return self->is_old;
}

LoomRange
loom_range_table_get_range (LoomRangeTable *self)
{
  return self->shown;
}

char *
loom_range_table_dup_count (LoomRangeTable *self)
{
  guint64 n = self->stats != NULL ? loom_selection_stats_get_count (self->stats) : 0;
  g_autofree char *count = loom_words_number (n);
  return g_strdup_printf (ngettext ("%s span", "%s spans", n), count);
}

LoomTableView *
loom_range_table_get_view (LoomRangeTable *self)
{
  return LOOM_TABLE_VIEW (self->view);
}

char *
loom_range_table_dup_text (LoomRangeTable *self)
{
  return loom_table_view_dup_tsv (LOOM_TABLE_VIEW (self->view));
}
