/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-function-table.h"

#include "loom-bounded-text.h"
#include "loom-function-list-model.h"
#include "loom-rtl-column-workaround.h"
#include "loom-table-column.h"

#include <glib/gi18n.h>

/* The least widths of text columns. The function name gets most room because it is read most. */
#define FUNCTION_CHARS 24
#define PLACE_CHARS 10

struct _LoomFunctionTable {
  AdwBin parent;
  GtkColumnView *view;
  LoomTableModel *model;
  GtkSingleSelection *selection;
  guint32 chosen; /* index of the chosen function */
  gboolean quiet; /* the program, not a person, changes the selection now */
};

G_DEFINE_FINAL_TYPE (LoomFunctionTable, loom_function_table, ADW_TYPE_BIN)

enum { FUNCTION_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static char *
dup_exact (GtkListItem *item, guint column)
{
  return loom_function_list_model_item_dup_cell (gtk_list_item_get_item (item), column, TRUE);
}

static char *
dup_cell (LoomTableItem *item, guint column, gpointer owner)
{
  return loom_function_list_model_item_dup_cell (item, column, FALSE);
}

static void
add_column (LoomFunctionTable *self, LoomPythonFunctionColumn id)
{
  gboolean number = loom_function_list_model_is_number_column (id), place = id == LOOM_PYTHON_FUNCTION_COLUMN_PLACE;
  const LoomTableColumn look = { .is_number = number,
                                 .expands = !number,
                                 .min_chars = number  ? 0
                                              : place ? PLACE_CHARS
                                                      : FUNCTION_CHARS,
                                 .ellipsize = number  ? PANGO_ELLIPSIZE_NONE
                                              : place ? PANGO_ELLIPSIZE_START
                                                      : PANGO_ELLIPSIZE_END,
                                 .dup_text = dup_cell,
                                 .dup_tip = dup_exact };
  GtkColumnViewColumn *column =
    loom_table_column_add (self->view, loom_function_list_model_get_column_title (id), id, &look, NULL);
  if (id == LOOM_PYTHON_FUNCTION_COLUMN_SELF)
    gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
}

/* Sets tooltips on the headers, as columns have none: they are the children, in order, of the view's first child. */
static void
explain_columns (LoomFunctionTable *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  for (LoomPythonFunctionColumn id = 0; title != NULL && id < LOOM_N_PYTHON_FUNCTION_COLUMNS; id++) {
    loom_bounded_text_set_tip (title, loom_function_list_model_describe_column (id));
    title = gtk_widget_get_next_sibling (title);
  }
}

static void
selection_changed (LoomFunctionTable *self)
{
  LoomTableItem *item = gtk_single_selection_get_selected_item (self->selection);
  const LoomPythonFunctionRow *row = item != NULL ? loom_function_list_model_item_get_row (item) : NULL;
  if (self->quiet || loom_table_model_is_old (self->model))
    return;
  self->chosen = row != NULL ? row->function : G_MAXUINT32;
  g_signal_emit (self, signals[FUNCTION_CHOSEN], 0, self->chosen);
}

/* Selects the chosen function's row again after the row has moved. */
static void
select_chosen (LoomFunctionTable *self, gboolean show)
{
  guint position =
    self->chosen != G_MAXUINT32 ? loom_function_list_model_find (self->model, self->chosen) : GTK_INVALID_LIST_POSITION;
  self->quiet = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->quiet = FALSE;
  if (show && position != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)), "list.scroll-to-item", "u",
                                position);
}

/* Runs before the selection's own handler, which clears the selection: that is not a person's choice. */
static void
rows_change (LoomFunctionTable *self)
{
  self->quiet = TRUE;
}

static void
rows_changed (LoomFunctionTable *self)
{
  select_chosen (self, FALSE);
}

static void
dispose (GObject *object)
{
  LoomFunctionTable *self = LOOM_FUNCTION_TABLE (object);
  self->quiet = TRUE;
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (loom_function_table_parent_class)->dispose (object);
}

static void
loom_function_table_class_init (LoomFunctionTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[FUNCTION_CHOSEN] = g_signal_new ("function-chosen", LOOM_TYPE_FUNCTION_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-function-table.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomFunctionTable, selection);
  gtk_widget_class_bind_template_child (widget_class, LoomFunctionTable, view);
  gtk_widget_class_bind_template_callback (widget_class, selection_changed);
}

static void
loom_function_table_init (LoomFunctionTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->chosen = G_MAXUINT32;
  loom_rtl_column_workaround_keep (self->view);
  for (LoomPythonFunctionColumn id = 0; id < LOOM_N_PYTHON_FUNCTION_COLUMNS; id++)
    add_column (self, id);
  explain_columns (self);
  self->model = loom_function_list_model_new (gtk_column_view_get_sorter (self->view));
  g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (rows_change), self);
  g_signal_connect_swapped (self->model, "updated", G_CALLBACK (rows_changed), self);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->model));
}

/* Hides the columns that count calls for sampled profiles, which know none. */
static void
show_columns (LoomFunctionTable *self, LoomPythonFunctionTable *table)
{
  gboolean counted = table == NULL || loom_python_profile_get_kind (loom_python_function_table_get_profile (table)) ==
                                        LOOM_PYTHON_PROFILE_CPROFILE;
  GListModel *columns = gtk_column_view_get_columns (self->view);
  for (LoomPythonFunctionColumn id = 0; id < LOOM_N_PYTHON_FUNCTION_COLUMNS; id++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, id);
    gboolean of_calls = id == LOOM_PYTHON_FUNCTION_COLUMN_CALLS || id == LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE ||
                        id == LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL ||
                        id == LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE_PER_CALL;
    gtk_column_view_column_set_visible (column, counted || !of_calls);
  }
}

void
loom_function_table_set_table (LoomFunctionTable *self, LoomPythonFunctionTable *table)
{
  g_return_if_fail (LOOM_IS_FUNCTION_TABLE (self));
  show_columns (self, table);
  self->chosen = G_MAXUINT32;
  loom_table_model_set_rows (self->model, table);
}

void
loom_function_table_set_filter (LoomFunctionTable *self, const char *text)
{
  g_return_if_fail (LOOM_IS_FUNCTION_TABLE (self));
  loom_table_model_set_filter (self->model, text);
}

void
loom_function_table_choose (LoomFunctionTable *self, guint32 function)
{
  g_return_if_fail (LOOM_IS_FUNCTION_TABLE (self));
  self->chosen = function;
  select_chosen (self, TRUE);
}

guint
loom_function_table_get_n_shown (LoomFunctionTable *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->model));
}

static void
append_line (GString *text, LoomTableItem *item)
{
  for (LoomPythonFunctionColumn id = 0; id < LOOM_N_PYTHON_FUNCTION_COLUMNS; id++) {
    g_autofree char *cell = item != NULL ? loom_function_list_model_item_dup_cell (item, id, TRUE)
                                         : g_strdup (loom_function_list_model_get_column_title (id));
    g_string_append_printf (text, "%s%s", id > 0 ? "\t" : "", cell);
  }
  g_string_append_c (text, '\n');
}

char *
loom_function_table_dup_text (LoomFunctionTable *self)
{
  GString *text = g_string_new (NULL);
  append_line (text, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->model)); i++) {
    g_autoptr (LoomTableItem) item = g_list_model_get_item (G_LIST_MODEL (self->model), i);
    append_line (text, item);
  }
  return g_string_free (text, FALSE);
}
