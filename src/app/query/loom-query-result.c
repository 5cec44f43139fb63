/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-result.h"

#include "loom-bounded-text.h"
#include "loom-chart-view.h"
#include "loom-drop-down-a11y-workaround.h"
#include "loom-page-view.h"
#include "loom-query-places.h"
#include "loom-table-view.h"

#include <glib/gi18n.h>

/* Maximum number of letters of a column's name in a drop-down; the tooltip shows the whole name. */
#define NAME_CHARS 8

typedef struct {
  GtkWidget *child; /* box with a label and the drop-down; a child of LoomQueryResult.bar */
  GtkLabel *label;
  GtkDropDown *choice;
  /* guint: for each item of the drop-down, the index of the column; G_MAXUINT for the item "no column" */
  GArray *columns;
} Axis;

struct _LoomQueryResult {
  GtkBox parent;
  GtkBox *bar;
  GtkDropDown *kind;
  Axis axes[LOOM_N_QUERY_CHART_AXES];
  GtkLabel *lack;
  GtkStack *stack;
  LoomTableView *rows;
  GtkScrolledWindow *scrolled;
  GtkWidget *nothing;
  LoomChartView *chart;
  LoomQueryChart *drawn; /* chart of the rows; NULL if the rows are shown as a table */
  LoomRunState *run;
  LoomQueryState *query; /* the query of the run; borrowed from the run */
  gboolean quiet;        /* TRUE while the program sets the drop-downs; their signals are then ignored */
};

G_DEFINE_FINAL_TYPE (LoomQueryResult, loom_query_result, GTK_TYPE_BOX)

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static void
kind_chosen (LoomQueryResult *self)
{
  guint kind = gtk_drop_down_get_selected (self->kind);
  if (!self->quiet && kind < LOOM_N_QUERY_CHARTS)
    loom_query_state_set_chart (self->query, kind);
}

static void
column_chosen (LoomQueryResult *self, GParamSpec *pspec, GtkDropDown *choice)
{
  const LoomQueryAnswer *answer = loom_query_state_get_answer (self->query);
  for (LoomQueryChartAxis axis = 0; !self->quiet && axis < LOOM_N_QUERY_CHART_AXES; axis++) {
    guint at = gtk_drop_down_get_selected (choice);
    if (self->axes[axis].choice != choice || at >= self->axes[axis].columns->len)
      continue;
    guint column = g_array_index (self->axes[axis].columns, guint, at);
    loom_query_state_set_chart_column (
      self->query, axis, column != G_MAXUINT ? loom_result_table_get_column (answer->table, column)->title : "");
  }
}

static void
setup_name (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer chars)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), chars != NULL ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (chars));
  gtk_list_item_set_child (item, label);
}

static void
bind_name (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  loom_bounded_text_set_label (GTK_LABEL (gtk_list_item_get_child (item)), text);
  loom_bounded_text_set_tip (gtk_list_item_get_child (item), text);
}

static GtkListItemFactory *
new_factory (guint chars)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_name), GUINT_TO_POINTER (chars));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_name), NULL);
  return factory;
}

static void
add_axis (LoomQueryResult *self, LoomQueryChartAxis number, const char *name)
{
  Axis *axis = &self->axes[number];
  g_autoptr (GtkListItemFactory) shown = new_factory (NAME_CHARS), listed = new_factory (0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  axis->columns = g_array_new (FALSE, FALSE, sizeof (guint));
  axis->label = GTK_LABEL (loom_bounded_text_new_label (name));
  axis->choice = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_drop_down_set_factory (axis->choice, shown);
  gtk_drop_down_set_list_factory (axis->choice, listed);
  gtk_widget_add_css_class (GTK_WIDGET (axis->label), "dim-label");
  loom_drop_down_a11y_workaround_set (axis->choice, name);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (axis->label));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (axis->choice));
  axis->child = box;
  gtk_box_append (self->bar, box);
  g_signal_connect_swapped (axis->choice, "notify::selected", G_CALLBACK (column_chosen), self);
}

/* Sets the names only if they have changed, because setting the model closes the open list of the drop-down. */
static void
set_names (GtkDropDown *choice, GtkStringList *names)
{
  GtkStringList *old = GTK_STRING_LIST (gtk_drop_down_get_model (choice));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (names)), same = 0;
  if (old != NULL && g_list_model_get_n_items (G_LIST_MODEL (old)) == n)
    while (same < n && g_str_equal (gtk_string_list_get_string (old, same), gtk_string_list_get_string (names, same)))
      same++;
  if (old == NULL || same < MAX (n, 1))
    gtk_drop_down_set_model (choice, G_LIST_MODEL (names));
}

static void
fill_axis (LoomQueryResult *self, const LoomQueryAnswer *answer, LoomQueryChartKind kind, LoomQueryChartAxis number,
           guint column)
{
  Axis *axis = &self->axes[number];
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const guint none = G_MAXUINT;
  guint selected = GTK_INVALID_LIST_POSITION;
  g_array_set_size (axis->columns, 0);
  if (number == LOOM_QUERY_CHART_GROUP && kind != LOOM_QUERY_CHART_NONE) {
    g_array_append_val (axis->columns, none);
    gtk_string_list_append (names, C_ ("group of rows", "None"));
    selected = 0;
  }
  for (guint i = 0; answer != NULL && i < answer->table->columns->len; i++) {
    if (!loom_query_chart_can_use (answer, kind, number, i))
      continue;
    selected = i == column ? axis->columns->len : selected;
    g_array_append_val (axis->columns, i);
    gtk_string_list_append (names, loom_result_table_get_column (answer->table, i)->title);
  }
  set_names (axis->choice, names);
  gtk_drop_down_set_selected (axis->choice, selected);
  gtk_widget_set_visible (axis->child, axis->columns->len > (number == LOOM_QUERY_CHART_GROUP ? 1 : 0));
}

/* --- showing ------------------------------------------------------------------------------------------------------ */

static void
draw (LoomQueryResult *self, const LoomQueryAnswer *answer, LoomQueryChartKind kind)
{
  const char *names[LOOM_N_QUERY_CHART_AXES];
  guint columns[LOOM_N_QUERY_CHART_AXES] = { G_MAXUINT, G_MAXUINT, G_MAXUINT };
  for (LoomQueryChartAxis axis = 0; axis < LOOM_N_QUERY_CHART_AXES; axis++)
    names[axis] = loom_query_state_get_chart_column (self->query, axis);
  g_clear_pointer (&self->drawn, loom_query_chart_free);
  if (kind != LOOM_QUERY_CHART_NONE) {
    loom_query_chart_choose (answer, kind, names, columns);
    self->drawn = loom_query_chart_new (answer, kind, columns);
  }
  for (LoomQueryChartAxis axis = 0; axis < LOOM_N_QUERY_CHART_AXES; axis++)
    fill_axis (self, answer, kind, axis, columns[axis]);
}

static void
show_lack (LoomQueryResult *self)
{
  g_autofree char *lack = self->drawn != NULL ? loom_query_chart_dup_lack (self->drawn) : g_strdup ("");
  loom_bounded_text_set_label (self->lack, lack);
  gtk_widget_set_visible (GTK_WIDGET (self->lack), lack[0] != '\0');
}

static void
show_chart (LoomQueryResult *self)
{
  const LoomQueryAnswer *answer = loom_query_state_get_answer (self->query);
  LoomQueryChartKind kind = loom_query_state_get_chart (self->query);
  if (answer == NULL)
    return;
  self->quiet = TRUE;
  gtk_drop_down_set_selected (self->kind, kind);
  draw (self, answer, kind);
  self->quiet = FALSE;
  loom_chart_view_set_chart (self->chart, self->drawn != NULL ? self->drawn->chart : NULL);
  show_lack (self);
  gtk_stack_set_visible_child (self->stack, self->drawn == NULL          ? GTK_WIDGET (self->rows)
                                            : self->drawn->chart != NULL ? GTK_WIDGET (self->scrolled)
                                                                         : self->nothing);
}

/* Dims the rows if the query in the editor has changed since the rows were computed. */
static void
show_age (LoomQueryResult *self)
{
  if (loom_query_state_is_answer_old (self->query))
    gtk_widget_add_css_class (GTK_WIDGET (self->stack), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->stack), "old");
}

static void
answer_changed (LoomQueryResult *self)
{
  const LoomQueryAnswer *answer = loom_query_state_get_answer (self->query);
  gtk_widget_set_visible (GTK_WIDGET (self), answer != NULL);
  if (answer != NULL)
    loom_table_view_set_table (self->rows, answer->table);
  show_chart (self);
  show_age (self);
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static void
row_activated (LoomQueryResult *self, guint row)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (rows, row);
  loom_query_places_show (self->run, rows);
}

static void
row_hovered (LoomQueryResult *self, guint row)
{
  loom_query_places_hover (self->run, row, self);
}

static void
element_activated (LoomQueryResult *self, guint element)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; self->drawn != NULL && i < self->drawn->n_rows; i++)
    if (self->drawn->elements[i] == element)
      g_array_append_val (rows, i);
  loom_query_places_show (self->run, rows);
}

static void
selection_changed (LoomQueryResult *self)
{
  g_autoptr (GArray) rows = loom_table_view_list_rows (self->rows);
  if (loom_table_view_get_selected (self->rows) != G_MAXUINT)
    loom_query_places_select (self->run, rows);
}

static void
table_save_requested (LoomQueryResult *self)
{
  loom_page_view_save_table (self->rows);
}

GArray *
loom_query_result_list_rows (LoomQueryResult *self)
{
  return loom_table_view_list_rows (self->rows);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomQueryResult *self = LOOM_QUERY_RESULT (object);
  self->quiet = TRUE;
  if (self->run != NULL)
    loom_query_places_hover (self->run, G_MAXUINT, self);
  G_OBJECT_CLASS (loom_query_result_parent_class)->dispose (object);
  g_clear_object (&self->run);
}

static void
finalize (GObject *object)
{
  LoomQueryResult *self = LOOM_QUERY_RESULT (object);
  for (LoomQueryChartAxis axis = 0; axis < LOOM_N_QUERY_CHART_AXES; axis++)
    g_array_unref (self->axes[axis].columns);
  loom_query_chart_free (self->drawn);
  G_OBJECT_CLASS (loom_query_result_parent_class)->finalize (object);
}

static void
loom_query_result_class_init (LoomQueryResultClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-query-result.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, kind);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, lack);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, nothing);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, rows);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, scrolled);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryResult, stack);
  gtk_widget_class_bind_template_callback (widget_class, kind_chosen);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, row_hovered);
  gtk_widget_class_bind_template_callback (widget_class, selection_changed);
  gtk_widget_class_bind_template_callback (widget_class, table_save_requested);
}

static void
loom_query_result_init (LoomQueryResult *self)
{
  self->quiet = TRUE; /* ignore signals while the template sets the drop-downs */
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_drop_down_a11y_workaround_set (self->kind, _ ("Show as"));
  add_axis (self, LOOM_QUERY_CHART_X, C_ ("axis of a chart", "X"));
  add_axis (self, LOOM_QUERY_CHART_Y, C_ ("axis of a chart", "Y"));
  add_axis (self, LOOM_QUERY_CHART_GROUP, C_ ("rows of a chart", "Group"));
  loom_table_view_set_fills (self->rows, TRUE);
  self->quiet = FALSE;
}

static void
add_chart (LoomQueryResult *self, LoomRenderContext *scene)
{
  GtkWidget *chart = loom_chart_view_new (scene);
  self->chart = LOOM_CHART_VIEW (chart);
  gtk_widget_add_css_class (chart, "query-chart");
  gtk_scrolled_window_set_child (self->scrolled, chart);
  g_signal_connect_object (chart, "element-activated", G_CALLBACK (element_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect (chart, "save-requested", G_CALLBACK (loom_page_view_save_chart), NULL);
}

void
loom_query_result_set_run (LoomQueryResult *self, LoomRunState *run, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_QUERY_RESULT (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->query = loom_run_state_get_query (run);
  add_chart (self, scene);
  g_signal_connect_object (self->query, "notify::answer", G_CALLBACK (answer_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::text", G_CALLBACK (show_age), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::chart", G_CALLBACK (show_chart), self, G_CONNECT_SWAPPED);
  answer_changed (self);
}
