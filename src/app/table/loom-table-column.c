/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-column.h"

#include "loom-bounded-text.h"
#include "loom-table-hover.h"

#define CELL_PX 18  /* width of the padding around a title, in px */
#define ARROW_PX 22 /* width of the sort arrow beside a title, in px */

/* The data of the factory that makes a column's cells. */
typedef struct {
  LoomTableColumn column;
  guint id;
  gpointer owner;
} Cells;

static GtkWidget *
new_inscription (const LoomTableColumn *column)
{
  G_STATIC_ASSERT ((int) PANGO_ELLIPSIZE_END == (int) GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  return g_object_new (GTK_TYPE_INSCRIPTION, "text-overflow", column->ellipsize, "min-chars", column->min_chars,
                       "nat-chars", column->min_chars, NULL);
}

static GtkWidget *
new_label (const LoomTableColumn *column)
{
  return g_object_new (GTK_TYPE_LABEL, "ellipsize", column->ellipsize, "wrap", column->wraps, "width-chars",
                       column->min_chars > 0 ? column->min_chars : -1, NULL);
}

static void
setup (GtkSignalListItemFactory *factory, GtkListItem *item, const Cells *cells)
{
  const LoomTableColumn *column = &cells->column;
  GtkWidget *cell = column->is_inscription ? new_inscription (column) : new_label (column);
  g_object_set (cell, "xalign", column->is_number ? 1.0F : 0.0F, NULL);
  if (column->is_number) {
    gtk_widget_add_css_class (cell, "numeric");
    /* All languages write numbers from left to right, such as "43 %". The digits of all rows are then below one
     * another. */
    gtk_widget_set_direction (cell, GTK_TEXT_DIR_LTR);
  }
  if (column->style != NULL)
    gtk_widget_add_css_class (cell, column->style);
  gtk_list_item_set_child (item, cell);
  loom_table_hover_set_item (cell, item);
  if (column->dup_tip != NULL)
    loom_cell_tooltip_add (cell, item, column->dup_tip, cells->id);
}

/* Returns the writing direction of the first letter of the text; GTK_TEXT_DIR_NONE if the text has no letters. */
static GtkTextDirection
find_direction (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text)) {
    gunichar letter = g_utf8_get_char (text);
    GUnicodeScript script = g_unichar_get_script (letter);
    if (g_unichar_isalpha (letter))
      return script == G_UNICODE_SCRIPT_ARABIC || script == G_UNICODE_SCRIPT_HEBREW ? GTK_TEXT_DIR_RTL
                                                                                    : GTK_TEXT_DIR_LTR;
  }
  return GTK_TEXT_DIR_NONE;
}

/* Aligns the text to the end of the cell if `at_end` is TRUE, otherwise to the start. If the text and the window have
 * different writing directions, such as a Latin name in an Arabic window, Pango swaps start and end. In this case, the
 * opposite side is set. */
static void
align (GtkInscription *cell, const char *text, gboolean at_end)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (cell)) == GTK_TEXT_DIR_RTL;
  gboolean is_against = find_direction (text) == (rtl ? GTK_TEXT_DIR_LTR : GTK_TEXT_DIR_RTL);
  gtk_inscription_set_xalign (cell, at_end != is_against ? 1 : 0);
}

/* Used for texts without letters, such as the list "13, 15". Shows the text from left to right, because in a window
 * from right to left, Pango would reverse the order of the numbers. The text stays at the start of the cell. */
static void
direct (GtkWidget *label, const char *text)
{
  gboolean is_rtl = gtk_widget_get_direction (gtk_widget_get_parent (label)) == GTK_TEXT_DIR_RTL,
           is_turned = is_rtl && find_direction (text) == GTK_TEXT_DIR_NONE;
  gtk_widget_set_direction (label, is_turned ? GTK_TEXT_DIR_LTR : GTK_TEXT_DIR_NONE);
  gtk_label_set_xalign (GTK_LABEL (label), is_turned ? 1 : 0);
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *item, const Cells *cells)
{
  g_autofree char *text = cells->column.dup_text (gtk_list_item_get_item (item), cells->id, cells->owner);
  GtkWidget *child = gtk_list_item_get_child (item);
  GtkWidget *cell = GTK_IS_BOX (child) ? gtk_widget_get_last_child (child) : child;
  if (cells->column.is_inscription) {
    loom_bounded_text_set_inscription (GTK_INSCRIPTION (cell), text != NULL ? text : "");
    align (GTK_INSCRIPTION (cell), text != NULL ? text : "", cells->column.is_number);
  } else {
    loom_bounded_text_set_label (GTK_LABEL (cell), text != NULL ? text : "");
    if (!cells->column.is_number)
      direct (cell, text != NULL ? text : "");
  }
}

/* Returns the width of a title with its sort arrow, in px. It is the minimum width of the column, because in some
 * languages a title is longer than the numbers below it. */
static int
measure_title (GtkColumnView *view, const char *title)
{
  int width;
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (view), title);
  g_autoptr (PangoAttrList) bold = pango_attr_list_new ();
  pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, bold);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width + CELL_PX + ARROW_PX;
}

GtkColumnViewColumn *
loom_table_column_add (GtkColumnView *view, const char *title, guint id, const LoomTableColumn *column, gpointer owner)
{
  g_return_val_if_fail (GTK_IS_COLUMN_VIEW (view) && column->dup_text != NULL, NULL);
  const Cells cells = { *column, id, owner };
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Cells *kept = g_memdup2 (&cells, sizeof cells);
  g_object_set_data_full (G_OBJECT (factory), "loom-cells", kept, g_free);
  g_signal_connect (factory, "setup", G_CALLBACK (setup), kept);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), kept);
  g_autoptr (GtkColumnViewColumn) added = gtk_column_view_column_new (title, factory);
  loom_table_sort_add (added, id);
  gtk_column_view_column_set_resizable (added, TRUE);
  gtk_column_view_column_set_expand (added, column->expands);
  gtk_column_view_column_set_fixed_width (
    added, column->width_px > 0 ? MAX (column->width_px, measure_title (view, title)) : -1);
  gtk_column_view_append_column (view, added);
  return added;
}

void
loom_table_column_align_title (GtkWidget *title)
{
  GtkWidget *content = gtk_widget_get_first_child (title);
  GtkWidget *words = content != NULL ? gtk_widget_get_first_child (content) : NULL,
            *arrow = content != NULL ? gtk_widget_get_last_child (content) : NULL;
  /* in a window from right to left, titles already begin at the right edge, where the numbers end */
  if (content == NULL || gtk_widget_get_direction (title) == GTK_TEXT_DIR_RTL)
    return;
  gtk_widget_set_halign (content, GTK_ALIGN_END);
  if (GTK_IS_LABEL (words) && arrow != words)
    gtk_widget_insert_before (arrow, content, words);
}

void
loom_table_column_set_visible (GtkColumnViewColumn *column, gboolean visible)
{
  static const char width[] = "loom-width";
  g_return_if_fail (GTK_IS_COLUMN_VIEW_COLUMN (column));
  if (gtk_column_view_column_get_visible (column) == visible)
    return;
  if (!visible)
    g_object_set_data (G_OBJECT (column), width, GINT_TO_POINTER (gtk_column_view_column_get_fixed_width (column)));
  gtk_column_view_column_set_fixed_width (column,
                                          visible ? GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), width)) : 0);
  gtk_column_view_column_set_visible (column, visible);
}
