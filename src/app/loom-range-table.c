/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-table.h"

#include "loom-inquiry.h"
#include "loom-name-row.h"
#include "loom-words.h"

#include <glib/gi18n.h>

struct _LoomRangeTable {
  GtkWidget parent;
  GtkWidget *scrolled;
  GtkColumnView *view;
  LoomTimeline *timeline;
  LoomRange range, shown;    /* asked about; of the figures there are, empty: none */
  GArray *tracks;            /* LoomTrackId; NULL: all */
  LoomJoinedNames *names;    /* of the run; NULL before they are known */
  LoomSelectionStats *stats; /* what the rows borrow from */
  GListStore *rows;
  LoomInquiry inquiry;
  gboolean is_old; /* and looks it */
};

G_DEFINE_FINAL_TYPE (LoomRangeTable, loom_range_table, GTK_TYPE_WIDGET)

enum { SPAN_CHOSEN, SUMMARY_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

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
  if (stats != NULL)
    g_task_return_pointer (task, stats, (GDestroyNotify) loom_selection_stats_free);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
}

static void
fill_rows (LoomRangeTable *self)
{
  guint n;
  const LoomNameStats *names = loom_selection_stats_get (self->stats, &n);
  double all = 0;
  for (guint i = 0; i < n; i++)
    all += (double) names[i].in_range_ns;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) ambiguous = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++)
    if (!g_hash_table_add (seen, (gpointer) names[i].name))
      g_hash_table_add (ambiguous, (gpointer) names[i].name);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_full (n, g_object_unref);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (rows, loom_name_row_new (&names[i], all > 0 ? (double) names[i].in_range_ns / all : 0,
                                              g_hash_table_contains (ambiguous, names[i].name)));
  g_list_store_splice (self->rows, 0, 0, rows->pdata, rows->len);
}

static void
counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LoomSelectionStats *stats = g_task_propagate_pointer (G_TASK (result), NULL);
  if (stats == NULL)
    return; /* cancelled: the table may be gone */
  LoomRangeTable *self = user_data;
  self->shown = ((Question *) g_task_get_task_data (G_TASK (result)))->range;
  g_list_store_remove_all (self->rows);
  g_clear_pointer (&self->stats, loom_selection_stats_free);
  self->stats = stats;
  g_clear_pointer (&self->names, loom_joined_names_unref);
  self->names = loom_joined_names_ref (loom_selection_stats_get_names (stats));
  fill_rows (self);
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

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  gboolean number = loom_name_column_is_number (GPOINTER_TO_UINT (column));
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
  if (number)
    gtk_widget_add_css_class (label, "numeric");
  else
    gtk_label_set_width_chars (GTK_LABEL (label), 24);
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  LoomNameRow *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = loom_name_row_dup_cell (row, GPOINTER_TO_UINT (column));
  g_autofree char *exact = loom_name_row_dup_exact (row, GPOINTER_TO_UINT (column));
  gtk_label_set_text (GTK_LABEL (label), text);
  if (GPOINTER_TO_UINT (column) == LOOM_NAME_COLUMN_NAME) {
    const LoomNameStats *stats = loom_name_row_get_stats (row);
    g_autofree char *category =
      *stats->category != '\0' ? g_strdup_printf (_ ("\nCategory: %s"), stats->category) : NULL;
    g_autofree char *tip = g_strconcat (*stats->name != '\0' ? stats->name : exact, category != NULL ? category : "",
                                        "\n", _ ("Double-click: go to the longest"), NULL);
    gtk_widget_set_tooltip_text (label, tip);
  } else
    gtk_widget_set_tooltip_text (label, exact);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer column)
{
  int order = loom_name_row_compare ((gpointer) a, (gpointer) b, GPOINTER_TO_UINT (column));
  return order < 0 ? GTK_ORDERING_SMALLER : order > 0 ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static GtkColumnViewColumn *
add_column (LoomRangeTable *self, LoomNameColumn id)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GUINT_TO_POINTER (id));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (id));
  GtkColumnViewColumn *column = gtk_column_view_column_new (loom_name_column_get_title (id), factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (id), NULL));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, !loom_name_column_is_number (id));
  gtk_column_view_append_column (self->view, column);
  g_object_unref (column); /* the view holds it */
  return column;
}

static void
activated (LoomRangeTable *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (self->view));
  g_autoptr (LoomNameRow) row = g_list_model_get_item (model, position);
  if (row == NULL)
    return;
  LoomSpanId longest = loom_name_row_get_stats (row)->longest;
  if (!loom_span_id_is_none (longest))
    g_signal_emit (self, signals[SPAN_CHOSEN], 0, longest.trace, longest.span);
}

static void
dispose (GObject *object)
{
  LoomRangeTable *self = LOOM_RANGE_TABLE (object);
  if (self->scrolled != NULL)
    loom_range_table_clear (self);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_object (&self->rows);
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

/* Columns have no tooltips of their own: their headers stand in the view's first child, in order. */
static void
explain_columns (LoomRangeTable *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  for (LoomNameColumn id = 0; title != NULL && id < LOOM_N_NAME_COLUMNS; id++) {
    gtk_widget_set_tooltip_text (title, loom_name_column_get_words (id));
    title = gtk_widget_get_next_sibling (title);
  }
}

/* A sorted, selectable view of the rows. */
static void
set_model (LoomRangeTable *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (self->view);
  GtkSortListModel *sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->rows)), g_object_ref (sorter));
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  GtkSingleSelection *selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
}

static void
loom_range_table_init (LoomRangeTable *self)
{
  loom_inquiry_init (&self->inquiry, start, show_work, self);
  self->rows = g_list_store_new (LOOM_TYPE_NAME_ROW);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Names in the range"),
                                  -1);
  for (LoomNameColumn id = 0; id < LOOM_N_NAME_COLUMNS; id++) {
    GtkColumnViewColumn *column = add_column (self, id);
    if (id == LOOM_NAME_COLUMN_INSIDE)
      gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
  }
  explain_columns (self);
  set_model (self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activated), self);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
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
  self->shown = (LoomRange) { 0, 0 };
  loom_inquiry_stop (&self->inquiry);
  g_list_store_remove_all (self->rows);
  g_clear_pointer (&self->stats, loom_selection_stats_free);
  g_clear_pointer (&self->names, loom_joined_names_unref);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->tracks, g_array_unref);
}

gboolean
loom_range_table_is_old (LoomRangeTable *self)
{
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

static void
append_line (GString *text, LoomNameRow *row)
{
  for (LoomNameColumn id = 0; id < LOOM_N_NAME_COLUMNS; id++) {
    g_autofree char *cell =
      row != NULL ? loom_name_row_dup_exact (row, id) : g_strdup (loom_name_column_get_title (id));
    g_string_append_printf (text, "%s%s", id > 0 ? "\t" : "", cell);
  }
  g_string_append_c (text, '\n');
}

char *
loom_range_table_dup_text (LoomRangeTable *self)
{
  GString *text = g_string_new (NULL);
  GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (self->view));
  append_line (text, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (LoomNameRow) row = g_list_model_get_item (model, i);
    append_line (text, row);
  }
  return g_string_free (text, FALSE);
}
