/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-view.h"

#include "loom-bounded-text.h"
#include "loom-incremental-rows.h"
#include "loom-locale-number.h"
#include "loom-result-columns.h"
#include "loom-rtl-column-workaround.h"
#include "loom-scroll-passthrough.h"
#include "loom-sentence.h"
#include "loom-table-hover.h"

#include <glib/gi18n.h>
#include <math.h>

#define ROW_PX 6 /* height of a row in px, without its line of text */
#define HEAD_PX 16
#define MIN_ROWS 2
#define MAX_ROWS 20   /* maximum height of the view, in rows; if the table has more rows, the view scrolls */
#define FILTER_FROM 8 /* the filter entry is shown if the table has at least this many rows */
#define CELL_PX 20    /* width of a cell without its text, in px */

struct _LoomTableView {
  GtkBox parent;
  GtkLabel *title, *count;
  GtkWidget *head, *filter;
  GtkScrolledWindow *scrolled;
  /* width of the view, in px, at which the columns did not fit; 0: they fit, or the width has changed */
  int bar_width;
  GtkColumnView *view;
  LoomTableModel *model;
  /* the table that was set last; while a worker thread sorts it, the model still has the previous table */
  LoomResultTable *table;
  guint highlighted; /* the highlighted row of the table; G_MAXUINT if no row is highlighted */
  /* row to select as soon as the model shows the table; G_MAXUINT if there is none */
  guint to_select;
  LoomResultColumns *columns;
  GtkMenuButton *more;
  gboolean fills;
  guint room_id; /* id of the GLib source that computes the height again; 0 if no computation is scheduled */
};

G_DEFINE_FINAL_TYPE (LoomTableView, loom_table_view, GTK_TYPE_BOX)

enum { ROW_ACTIVATED, ROW_HOVERED, SAVE_REQUESTED, SELECTION_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if a row has equal contents in the tables `old` and `rows`. If each row of the tables has its own unit,
 * returns FALSE, because units are not compared. */
static gboolean
is_same_row (gpointer old, gpointer rows, guint row)
{
  const LoomResultTable *a = old, *b = rows;
  if (a->columns->len != b->columns->len)
    return FALSE;
  for (guint i = 0; i < a->columns->len; i++) {
    double x = loom_result_table_is_number (a, i) ? loom_result_table_get_number (a, row, i) : 0,
           y = loom_result_table_is_number (b, i) ? loom_result_table_get_number (b, row, i) : 0;
    const char *unit = loom_result_table_get_column (a, i)->unit;
    if (g_strcmp0 (unit, "row") == 0 || !(x == y || (isnan (x) && isnan (y))) ||
        (!loom_result_table_is_number (a, i) &&
         g_strcmp0 (loom_result_table_get_text (a, row, i), loom_result_table_get_text (b, row, i)) != 0))
      return FALSE;
  }
  return TRUE;
}

static guint
count_rows (gpointer rows)
{
  const LoomResultTable *table = rows;
  return table->n_rows;
}

static const LoomRowSource result_rows = {
  .ref = (gpointer (*) (gpointer)) loom_result_table_ref,
  .unref = (GDestroyNotify) loom_result_table_unref,
  .get_n_rows = count_rows,
  .compare = (int (*) (gpointer, guint, guint, guint)) loom_result_table_compare,
  .matches = (gboolean (*) (gpointer, guint, gconstpointer)) loom_result_table_matches,
  .is_same_row = is_same_row,
};

/* --- height ------------------------------------------------------------------------------------------------------- */

/* Returns the height of a line of text in px. It is measured with the titles of the table, because letters of some
 * scripts are taller than others. */
static int
line_height (LoomTableView *self, LoomResultTable *table)
{
  GString *sample = g_string_new (table->title);
  int height;
  for (guint i = 0; i < table->columns->len; i++)
    g_string_append (sample, loom_result_table_get_column (table, i)->title);
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (self->view), sample->str);
  g_string_free (sample, TRUE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

/* Returns by how many px a row is higher than a row of one line. In a table of sentences, a row may have several
 * lines, depending on the width of the table. */
static int
extra_height (LoomTableView *self, LoomResultTable *table, guint row, int line)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self->scrolled)) - CELL_PX, height;
  if (!loom_result_columns_are_of_sentences (table) || width <= 0)
    return 0;
  g_autofree char *text = loom_result_table_dup_cell (table, row, 0), *bound = loom_sentence_dup_bound (text);
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (self->view), bound);
  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  return MAX (height - line, 0);
}

/* Returns the height of the horizontal scroll bar if the columns do not fit into the width; otherwise 0. Once the bar
 * was needed, space for it is kept until the width of the view changes. Otherwise, the two scroll bars could appear and
 * disappear endlessly: with space for the horizontal bar, the vertical bar disappears; then the columns fit, the space
 * is released, and the vertical bar appears again. */
static int
get_bar_height (LoomTableView *self)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->scrolled);
  int width = gtk_widget_get_width (GTK_WIDGET (self->scrolled)), height = 0;
  if (gtk_adjustment_get_upper (across) > gtk_adjustment_get_page_size (across) + 1)
    self->bar_width = width;
  else if (self->bar_width != width)
    self->bar_width = 0;
  if (self->bar_width > 0)
    gtk_widget_measure (gtk_scrolled_window_get_hscrollbar (self->scrolled), GTK_ORIENTATION_VERTICAL, -1, NULL,
                        &height, NULL, NULL);
  return height;
}

static void
make_room (LoomTableView *self)
{
  LoomResultTable *table = self->table;
  if (table == NULL)
    return;
  guint n_high = self->fills ? MIN_ROWS : MAX_ROWS, n = CLAMP (table->n_rows, 1, n_high);
  int line = line_height (self, table), height = line + HEAD_PX + (int) n * (line + ROW_PX);
  for (guint i = 0; i < MIN (n, table->n_rows); i++)
    height += extra_height (self, table, i, line);
  gtk_scrolled_window_set_min_content_height (self->scrolled, height + get_bar_height (self));
}

/* Updates the menus with the hidden columns: the menu button above the table, and the menus of the headers. */
static void
show_menu (LoomTableView *self)
{
  GMenuModel *menu = loom_result_columns_get_menu (self->columns);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", loom_result_columns_get_actions (self->columns));
  gtk_menu_button_set_menu_model (self->more, menu);
  gtk_widget_set_visible (GTK_WIDGET (self->more), g_menu_model_get_n_items (menu) > 0);
}

/* Returns the width available for the columns, in px. The adjustment does not contain this width: its page is at most
 * as wide as the columns, because fit_width() in loom-result-columns.c makes the view only as wide as its columns. */
static int
get_room_px (LoomTableView *self)
{
  GtkWidget *bar = gtk_scrolled_window_get_vscrollbar (self->scrolled);
  gboolean takes_room =
    !gtk_scrolled_window_get_overlay_scrolling (self->scrolled) && gtk_widget_get_child_visible (bar);
  return gtk_widget_get_width (GTK_WIDGET (self->scrolled)) - (takes_room ? gtk_widget_get_width (bar) : 0);
}

static gboolean
make_room_again (gpointer view)
{
  LoomTableView *self = view;
  self->room_id = 0;
  int width = get_room_px (self);
  /* if loom_result_columns_fit() has hidden or shown columns, the width of the view changes, and this function runs
   * again */
  if (loom_result_columns_fit (self->columns, width))
    show_menu (self);
  else
    make_room (self);
  return G_SOURCE_REMOVE;
}

/* Called when the width of the view or of its columns has changed. Sentences may then need more or fewer lines, and a
 * scroll bar may be needed. Therefore, the height must be computed again. This is done in an idle callback, because it
 * must not be done during size allocation. */
static void
width_changed (LoomTableView *self)
{
  if (self->table != NULL && self->room_id == 0)
    self->room_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, make_room_again, self, NULL);
}

/* Connects to changes of the size of the window, which determines the width available for columns. The other signals
 * to which this view is connected report only changes of the width of the columns. */
static void
realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (loom_table_view_parent_class)->realize (widget);
  g_signal_connect_object (gtk_native_get_surface (gtk_widget_get_native (widget)), "layout",
                           G_CALLBACK (width_changed), widget, G_CONNECT_SWAPPED);
}

static void
unrealize (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_native_get_surface (gtk_widget_get_native (widget)), width_changed, widget);
  GTK_WIDGET_CLASS (loom_table_view_parent_class)->unrealize (widget);
}

/* --- actions of the user ------------------------------------------------------------------------------------------ */

/* Returns the table whose rows the model shows; it may still be the previous table. */
static LoomResultTable *
shown_table (LoomTableView *self)
{
  LoomResultTable *shown = loom_table_model_get_rows (self->model);
  return shown != NULL ? shown : self->table;
}

static void
show_count (LoomTableView *self)
{
  LoomResultTable *table = shown_table (self);
  guint n = table != NULL ? table->n_rows : 0, shown = loom_table_view_get_n_shown (self);
  g_autofree char *all = loom_locale_number_group (n), *some = loom_locale_number_group (shown);
  g_autofree char *text = shown == n ? g_strdup_printf (ngettext ("%s row", "%s rows", n), all)
                                     : g_strdup_printf (ngettext ("%s of %s row", "%s of %s rows", n), some, all);
  loom_bounded_text_set_label (self->count, text);
}

/* Called after scrolling or sorting. Highlights the hovered row again, because another widget may
 * show it now. */
static void
scrolled (LoomTableView *self)
{
  if (self->highlighted != G_MAXUINT)
    loom_table_hover_mark_row (self->view, self->model, self->highlighted);
}

static void
hovered (gpointer view, guint position)
{
  LoomTableView *self = view;
  gboolean any = position < loom_table_view_get_n_shown (self) && !loom_table_model_is_old (self->model);
  g_signal_emit (self, signals[ROW_HOVERED], 0, any ? loom_table_model_get_row (self->model, position) : G_MAXUINT);
}

/* Called when the keyboard focus leaves the table. A row that has the focus counts as hovered. Since no row has the
 * focus now, reports that no row is hovered any more. */
static void
focus_left (LoomTableView *self)
{
  hovered (self, G_MAXUINT);
}

static void
filter_changed (LoomTableView *self)
{
  loom_table_model_set_filter (self->model, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
}

static void
updated (LoomTableView *self)
{
  show_count (self);
  scrolled (self);
  if (self->to_select != G_MAXUINT && !loom_table_model_is_old (self->model))
    loom_table_view_select (self, self->to_select);
}

static void
activated (LoomTableView *self, guint position)
{
  if (!loom_table_model_is_old (self->model))
    g_signal_emit (self, signals[ROW_ACTIVATED], 0, loom_table_model_get_row (self->model, position));
}

static void
selection_changed (LoomTableView *self)
{
  guint selected = loom_table_view_get_selected (self);
  if (gtk_widget_get_focus_child (GTK_WIDGET (self->view)) != NULL && selected != G_MAXUINT)
    g_signal_emit (self, signals[ROW_HOVERED], 0, selected);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = loom_table_view_dup_tsv (LOOM_TABLE_VIEW (widget));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[SAVE_REQUESTED], 0);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomTableView *self = LOOM_TABLE_VIEW (object);
  g_clear_handle_id (&self->room_id, g_source_remove);
  if (self->scrolled != NULL) {
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_hadjustment (self->scrolled), self);
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (self->scrolled), self);
  }
  /* disconnect first, because removing columns changes the sort order, which emits signals */
  g_signal_handlers_disconnect_by_data (self->model, self);
  G_OBJECT_CLASS (loom_table_view_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomTableView *self = LOOM_TABLE_VIEW (object);
  g_object_unref (self->model);
  g_clear_pointer (&self->table, loom_result_table_unref);
  loom_result_columns_free (self->columns);
  G_OBJECT_CLASS (loom_table_view_parent_class)->finalize (object);
}

static void
loom_table_view_class_init (LoomTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->realize = realize;
  widget_class->unrealize = unrealize;
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "table.save", NULL, save_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  signals[ROW_ACTIVATED] = g_signal_new ("row-activated", LOOM_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[ROW_HOVERED] = g_signal_new ("row-hovered", LOOM_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SAVE_REQUESTED] =
    g_signal_new ("save-requested", LOOM_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTION_CHANGED] =
    g_signal_new ("selection-changed", LOOM_TYPE_TABLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-table-view.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, count);
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, filter);
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, head);
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, more);
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, scrolled);
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, title);
  gtk_widget_class_bind_template_child (widget_class, LoomTableView, view);
  gtk_widget_class_bind_template_callback (widget_class, activated);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed);
}

static void
loom_table_view_init (LoomTableView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the inner button gets the focus, so screen readers need its name */
  loom_bounded_text_set_tip (gtk_widget_get_first_child (GTK_WIDGET (self->more)), _ ("More Columns"));
  loom_rtl_column_workaround_keep (self->view);
  self->columns = loom_result_columns_new (self->view);
  self->model = loom_table_model_new (&result_rows, gtk_column_view_get_sorter (self->view), FALSE);
  self->to_select = self->highlighted = G_MAXUINT;
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->model));
  g_signal_connect_object (self->model, "updated", G_CALLBACK (updated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "selection-changed", G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  loom_scroll_passthrough_add (self->scrolled);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (self->scrolled), "notify::page-size",
                            G_CALLBACK (width_changed), self);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (self->scrolled), "notify::upper",
                            G_CALLBACK (width_changed), self);
  g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (self->scrolled), "value-changed",
                            G_CALLBACK (scrolled), self);
  loom_table_hover_watch (self->view, hovered, self);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), focus);
  loom_incremental_rows_watch (G_LIST_MODEL (self->model), self->scrolled);
}

GtkWidget *
loom_table_view_new (void)
{
  return g_object_new (LOOM_TYPE_TABLE_VIEW, NULL);
}

void
loom_table_view_set_table (LoomTableView *self, LoomResultTable *table)
{
  g_return_if_fail (LOOM_IS_TABLE_VIEW (self) && table != NULL);
  if (!loom_result_columns_are_same (self->table, table)) {
    loom_table_model_set_rows (self->model, NULL);
    loom_result_columns_replace (self->columns, table);
    show_menu (self);
  }
  loom_result_columns_measure (self->columns, table);
  self->to_select = G_MAXUINT;
  loom_table_view_set_highlighted (self, G_MAXUINT);
  g_clear_pointer (&self->table, loom_result_table_unref);
  self->table = loom_result_table_ref (table);
  loom_table_model_set_rows (self->model, table);
  guint n = table->n_rows;
  make_room (self);
  gtk_widget_set_visible (self->filter,
                          n >= FILTER_FROM || *gtk_editable_get_text (GTK_EDITABLE (self->filter)) != '\0');
  loom_bounded_text_set_label (self->title, table->title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, table->title, -1);
}

LoomResultTable *
loom_table_view_get_table (LoomTableView *self)
{
  return self->table;
}

void
loom_table_view_set_fills (LoomTableView *self, gboolean fills)
{
  self->fills = fills;
  gtk_widget_set_vexpand (GTK_WIDGET (self->scrolled), fills);
  if (fills)
    gtk_widget_add_css_class (GTK_WIDGET (self), "fills");
}

void
loom_table_view_set_head_shown (LoomTableView *self, gboolean is_shown)
{
  g_return_if_fail (LOOM_IS_TABLE_VIEW (self));
  gtk_widget_set_visible (self->head, is_shown);
}

void
loom_table_view_set_filter (LoomTableView *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->filter), text);
  filter_changed (self);
}

guint
loom_table_view_get_selected (LoomTableView *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model));
  guint position = gtk_bitset_is_empty (selected) || loom_table_model_is_old (self->model)
                     ? G_MAXUINT
                     : gtk_bitset_get_minimum (selected);
  return position < loom_table_view_get_n_shown (self) ? loom_table_model_get_row (self->model, position) : G_MAXUINT;
}

void
loom_table_view_select (LoomTableView *self, guint row)
{
  guint position = loom_table_model_is_old (self->model) ? G_MAXUINT : loom_table_model_show_row (self->model, row);
  self->to_select = loom_table_model_is_old (self->model) ? row : G_MAXUINT;
  if (position != G_MAXUINT)
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->model), position, TRUE);
}

void
loom_table_view_unselect (LoomTableView *self)
{
  self->to_select = G_MAXUINT;
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->model));
}

void
loom_table_view_set_highlighted (LoomTableView *self, guint row)
{
  g_return_if_fail (LOOM_IS_TABLE_VIEW (self));
  if (self->highlighted == row)
    return;
  self->highlighted = row;
  loom_table_hover_mark_row (self->view, self->model, row);
}

guint
loom_table_view_get_highlighted (LoomTableView *self)
{
  return self->highlighted;
}

guint
loom_table_view_get_n_shown (LoomTableView *self)
{
  return loom_table_model_get_n_rows (self->model);
}

/* Reserves at least one element, so that the data pointer is not NULL if the array is empty: functions that get this
 * pointer treat NULL as all rows. */
GArray *
loom_table_view_list_rows (LoomTableView *self)
{
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), 1);
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model));
  gboolean all = gtk_bitset_is_empty (selected);
  for (guint i = 0; i < loom_table_view_get_n_shown (self); i++)
    if (all || gtk_bitset_contains (selected, i)) {
      guint row = loom_table_model_get_row (self->model, i);
      g_array_append_val (rows, row);
    }
  return rows;
}

char *
loom_table_view_dup_tsv (LoomTableView *self)
{
  g_autoptr (GArray) rows = loom_table_view_list_rows (self);
  return loom_result_table_dup_tsv (shown_table (self), (const guint *) (gpointer) rows->data, rows->len);
}

char *
loom_table_view_dup_csv (LoomTableView *self)
{
  g_autoptr (GArray) rows = loom_table_view_list_rows (self);
  return loom_result_table_dup_csv (shown_table (self), (const guint *) (gpointer) rows->data, rows->len);
}
