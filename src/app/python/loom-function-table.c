/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-function-table.h"

#include "loom-bounded-text.h"
#include "loom-cell-bar.h"
#include "loom-locale-number.h"
#include "loom-rtl-column-workaround.h"
#include "loom-table-column.h"
#include "loom-time.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Minimum widths of text columns, in characters. The column of function names is the widest, because users read it
 * most. */
#define FUNCTION_CHARS 18
#define PLACE_CHARS 14

struct _LoomFunctionTable {
  AdwBin parent;
  GtkColumnView *view;
  LoomTableModel *model;
  GtkSingleSelection *selection;
  guint32 chosen; /* index of the chosen function */
  /* sum of the self times of all functions. If the table shows the difference of two profiles, NaN, because shares of
   * such a sum have no meaning */
  double total_ns;
  gboolean quiet; /* TRUE while the program changes the selection, so that no signal is emitted */
};

G_DEFINE_FINAL_TYPE (LoomFunctionTable, loom_function_table, ADW_TYPE_BIN)

enum { FUNCTION_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- rows --------------------------------------------------------------------------------------------------------- */

static int
compare (gpointer rows, guint a, guint b, guint column)
{
  return loom_python_function_table_row_compare (loom_python_function_table_get_row (rows, a),
                                                 loom_python_function_table_get_row (rows, b), column);
}

static gboolean
matches (gpointer rows, guint row, gconstpointer needle)
{
  return loom_python_function_table_row_matches (loom_python_function_table_get_row (rows, row), needle);
}

static guint
count_rows (gpointer rows)
{
  const LoomPythonFunctionTable *table = rows;
  return table->rows->len;
}

static const LoomRowSource function_rows = {
  .ref = (gpointer (*) (gpointer)) loom_python_function_table_ref,
  .unref = (GDestroyNotify) loom_python_function_table_unref,
  .get_n_rows = count_rows,
  .compare = compare,
  .matches = matches,
};

static const LoomPythonFunctionRow *
row_of (LoomTableItem *item)
{
  return loom_python_function_table_get_row (loom_table_model_item_get_rows (item),
                                             loom_table_model_item_get_row (item));
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static const struct {
  const char *title, *description;
} columns[LOOM_N_PYTHON_FUNCTION_COLUMNS] = {
  [LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION] = { NC_ ("column", "Function"),
                                             N_ ("Built-in functions are shown in braces") },
  [LOOM_PYTHON_FUNCTION_COLUMN_PLACE] = { NC_ ("column", "File"), N_ ("File and line recorded in the profile") },
  [LOOM_PYTHON_FUNCTION_COLUMN_CALLS] = { NC_ ("column", "Calls"),
                                          N_ (
                                            "All calls; if some are recursive, a slash and the number of primitive (non-recursive) calls follow") },
  [LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE] = { NC_ ("column", "Primitive Calls"), N_ ("Non-recursive calls") },
  [LOOM_PYTHON_FUNCTION_COLUMN_SELF] = { NC_ ("column", "Self"),
                                         N_ ("Time in the function itself, excluding callees") },
  [LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL] = { NC_ ("column", "Self/Call"), N_ ("Self time divided by calls") },
  [LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE] = { NC_ ("column", "Cumulative"),
                                               N_ ("Time in the function including callees") },
  [LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE_PER_CALL] = { NC_ ("column", "Cumulative/Call"),
                                                        N_ ("Cumulative time divided by primitive calls") },
};

/* The columns from left to right. The file comes last, so that a narrow table shows times and calls first. */
static const LoomPythonFunctionColumn order[LOOM_N_PYTHON_FUNCTION_COLUMNS] = {
  LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION,
  LOOM_PYTHON_FUNCTION_COLUMN_CALLS,
  LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE,
  LOOM_PYTHON_FUNCTION_COLUMN_SELF,
  LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL,
  LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE,
  LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE_PER_CALL,
  LOOM_PYTHON_FUNCTION_COLUMN_PLACE,
};

static const char *
title_of (LoomPythonFunctionColumn column)
{
  return g_dpgettext2 (NULL, "column", columns[column].title);
}

/* Returns a number as text, such as "3"; if two profiles are compared, with its sign: "+3", "−3". */
static char *
count_text (LoomPythonFunctionTable *table, gint64 n)
{
  gboolean difference = table->baseline != NULL;
  g_autofree char *digits = loom_locale_number_group ((guint64) (n < 0 ? -n : n));
  return g_strdup_printf ("%s%s", n < 0 ? "−" : difference && n > 0 ? "+" : "", digits);
}

static char *
time_text (LoomPythonFunctionTable *table, double ns, gboolean exact)
{
  gboolean difference = table->baseline != NULL;
  if (isnan (ns))
    return g_strdup ("");
  gint64 rounded = (gint64) llround (fabs (ns));
  g_autofree char *text = exact ? loom_time_format_exact (rounded) : loom_time_format_duration (rounded);
  return g_strdup_printf ("%s%s", ns < 0 && rounded > 0 ? "−" : difference && rounded > 0 ? "+" : "", text);
}

static char *
calls_text (LoomPythonFunctionTable *table, const LoomPythonFunctionRow *row)
{
  g_autofree char *calls = count_text (table, row->calls);
  if (row->calls == row->primitive_calls)
    return g_steal_pointer (&calls);
  g_autofree char *primitive = count_text (table, row->primitive_calls);
  return g_strdup_printf ("%s/%s", calls, primitive);
}

/* Returns the place of a function as text: "file.py:12". `exact`: TRUE to include the folder of the file. */
static char *
place_text (const LoomPythonFunctionRow *row, gboolean exact)
{
  g_autofree char *file = exact || row->file[0] == '\0' ? g_strdup (row->file) : g_path_get_basename (row->file);
  return row->line > 0 ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, file, row->line) : g_steal_pointer (&file);
}

/* Returns the name of a function. Profilers write built-in functions as “{built-in method len}”. If `exact` is FALSE,
 * removes “built-in method ” from such a name, so that it becomes “{len}”. */
static char *
name_text (const LoomPythonFunctionRow *row, gboolean exact)
{
  static const char words[] = "{built-in method ";
  if (row->name[0] == '\0')
    return g_strdup (_ ("(no name)"));
  if (!exact && g_str_has_prefix (row->name, words))
    return g_strconcat ("{", row->name + strlen (words), NULL);
  return g_strdup (row->name);
}

static char *
dup_text (LoomTableItem *item, LoomPythonFunctionColumn column, gboolean exact)
{
  LoomPythonFunctionTable *table = loom_table_model_item_get_rows (item);
  const LoomPythonFunctionRow *row = row_of (item);
  gboolean counted = row->calls != LOOM_CALLS_UNKNOWN || table->profile->kind == LOOM_PYTHON_PROFILE_CPROFILE;
  switch (column) {
  case LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION: return name_text (row, exact);
  case LOOM_PYTHON_FUNCTION_COLUMN_PLACE: return place_text (row, exact);
  case LOOM_PYTHON_FUNCTION_COLUMN_CALLS: return counted ? calls_text (table, row) : g_strdup ("");
  case LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE: return counted ? count_text (table, row->primitive_calls) : g_strdup ("");
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF: return time_text (table, (double) row->own_ns, exact);
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL: return time_text (table, row->own_per_call_ns, exact);
  case LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE: return time_text (table, (double) row->cumulative_ns, exact);
  default: return time_text (table, row->cumulative_per_call_ns, exact);
  }
}

static char *
dup_exact (GtkListItem *item, guint column)
{
  return dup_text (gtk_list_item_get_item (item), column, TRUE);
}

static char *
dup_cell (LoomTableItem *item, guint column, gpointer owner)
{
  return dup_text (item, column, FALSE);
}

/* Adds a bar to the cells of a column of times. The bar shows the time as a share of the self time of all functions. */
static void
setup_bar (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autoptr (GtkWidget) label = g_object_ref (gtk_list_item_get_child (item));
  gtk_list_item_set_child (item, box);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), loom_cell_bar_new (LOOM_RESULT_BARS_OF_SHARES));
  gtk_box_append (GTK_BOX (box), label);
}

static void
bind_bar (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer table)
{
  LoomFunctionTable *self = LOOM_FUNCTION_TABLE (table);
  GtkWidget *bar = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  double own_ns = (double) row_of (gtk_list_item_get_item (item))->own_ns;
  loom_cell_bar_set_value (LOOM_CELL_BAR (bar), self->total_ns > 0 ? MIN (own_ns / self->total_ns, 1) : NAN);
}

static void
add_column (LoomFunctionTable *self, LoomPythonFunctionColumn id)
{
  gboolean number = id > LOOM_PYTHON_FUNCTION_COLUMN_PLACE, place = id == LOOM_PYTHON_FUNCTION_COLUMN_PLACE;
  const LoomTableColumn look = { .is_number = number,
                                 .expands = id == LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION,
                                 .min_chars = number  ? 0
                                              : place ? PLACE_CHARS
                                                      : FUNCTION_CHARS,
                                 .ellipsize = number  ? PANGO_ELLIPSIZE_NONE
                                              : place ? PANGO_ELLIPSIZE_START
                                                      : PANGO_ELLIPSIZE_MIDDLE,
                                 .dup_text = dup_cell,
                                 .dup_tip = dup_exact };
  GtkColumnViewColumn *column = loom_table_column_add (self->view, title_of (id), id, &look, NULL);
  if (id != LOOM_PYTHON_FUNCTION_COLUMN_SELF)
    return;
  GtkListItemFactory *factory = gtk_column_view_column_get_factory (column);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_bar), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_bar), self);
  gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
}

/* Sets tooltips on the column headers, because GtkColumnViewColumn has no property for a tooltip. The headers are
 * the children of the view's first child, in the order of the columns. */
static void
explain_columns (LoomFunctionTable *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  for (guint i = 0; title != NULL && i < LOOM_N_PYTHON_FUNCTION_COLUMNS; i++) {
    loom_bounded_text_set_tip (title, _ (columns[order[i]].description));
    title = gtk_widget_get_next_sibling (title);
  }
}

static void
selection_changed (LoomFunctionTable *self)
{
  LoomTableItem *item = gtk_single_selection_get_selected_item (self->selection);
  const LoomPythonFunctionRow *row = item != NULL ? row_of (item) : NULL;
  if (self->quiet || loom_table_model_is_old (self->model))
    return;
  self->chosen = row != NULL ? row->function : G_MAXUINT32;
  g_signal_emit (self, signals[FUNCTION_CHOSEN], 0, self->chosen);
}

/* Returns the position of the chosen function's row; GTK_INVALID_LIST_POSITION if no function is chosen, or if the
 * filter hides the row. O(rows). */
static guint
find_chosen (LoomFunctionTable *self)
{
  LoomPythonFunctionTable *table = loom_table_model_get_rows (self->model);
  guint n = loom_table_model_is_old (self->model) ? 0 : loom_table_model_get_n_rows (self->model);
  for (guint i = 0; self->chosen != G_MAXUINT32 && i < n; i++)
    if (loom_python_function_table_get_row (table, loom_table_model_get_row (self->model, i))->function == self->chosen)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

/* Selects the chosen function's row again after the row has moved. If `show` is TRUE, also scrolls to the row. */
static void
select_chosen (LoomFunctionTable *self, gboolean show)
{
  guint position = find_chosen (self);
  self->quiet = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->quiet = FALSE;
  if (show && position != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->view)), "list.scroll-to-item", "u",
                                position);
}

/* Called before the rows change. When the rows change, GtkSingleSelection clears the selection. `quiet` is set, so that
 * this is not treated as a choice of the user. */
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
  for (guint i = 0; i < LOOM_N_PYTHON_FUNCTION_COLUMNS; i++)
    add_column (self, order[i]);
  explain_columns (self);
  self->model = loom_table_model_new (&function_rows, gtk_column_view_get_sorter (self->view), TRUE);
  g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (rows_change), self);
  g_signal_connect_swapped (self->model, "updated", G_CALLBACK (rows_changed), self);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->model));
}

/* Hides the columns with numbers of calls if the profile was made by sampling, because such profiles do not record
 * calls. Always hides the column of primitive calls. If the number of primitive calls of a function differs from the
 * number of calls, the column of calls shows both numbers. Only the copied text has a separate column for primitive
 * calls. */
static void
show_columns (LoomFunctionTable *self, LoomPythonFunctionTable *table)
{
  gboolean counted = table == NULL || table->profile->kind == LOOM_PYTHON_PROFILE_CPROFILE;
  GListModel *shown = gtk_column_view_get_columns (self->view);
  for (guint i = 0; i < LOOM_N_PYTHON_FUNCTION_COLUMNS; i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (shown, i);
    LoomPythonFunctionColumn id = order[i];
    gboolean of_calls = id == LOOM_PYTHON_FUNCTION_COLUMN_CALLS || id == LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE ||
                        id == LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL ||
                        id == LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE_PER_CALL;
    loom_table_column_set_visible (column, id != LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE && (counted || !of_calls));
  }
}

static double
sum_self (LoomPythonFunctionTable *table)
{
  double sum_ns = 0;
  if (table == NULL || table->baseline != NULL)
    return NAN;
  for (guint i = 0; i < table->rows->len; i++)
    sum_ns += (double) loom_python_function_table_get_row (table, i)->own_ns;
  return sum_ns;
}

void
loom_function_table_set_table (LoomFunctionTable *self, LoomPythonFunctionTable *table)
{
  show_columns (self, table);
  self->total_ns = sum_self (table);
  self->chosen = G_MAXUINT32;
  loom_table_model_set_rows (self->model, table);
}

void
loom_function_table_set_filter (LoomFunctionTable *self, const char *text)
{
  loom_table_model_set_filter (self->model, text);
}

void
loom_function_table_choose (LoomFunctionTable *self, guint32 function)
{
  self->chosen = function;
  select_chosen (self, TRUE);
}

static void
append_line (GString *text, LoomTableItem *item)
{
  for (guint i = 0; i < LOOM_N_PYTHON_FUNCTION_COLUMNS; i++) {
    g_autofree char *cell = item != NULL ? dup_text (item, order[i], TRUE) : g_strdup (title_of (order[i]));
    g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", cell);
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
