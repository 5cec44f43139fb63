/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-cell-tooltip.h"

#include "loom-bounded-text.h"

/* Returns TRUE if the inscription shows the whole text, without an ellipsis. Measures the text, because GtkInscription
 * has no function for this. */
static gboolean
is_whole_in (GtkInscription *cell, const char *text)
{
  int width;
  if (g_strcmp0 (gtk_inscription_get_text (cell), text) != 0)
    return FALSE;
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (cell), text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width <= gtk_widget_get_width (GTK_WIDGET (cell));
}

/* Returns TRUE if the cell shows the whole text; a tooltip would then only repeat it. */
static gboolean
is_shown (GtkWidget *widget, const char *text)
{
  if (GTK_IS_INSCRIPTION (widget))
    return is_whole_in (GTK_INSCRIPTION (widget), text);
  return GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0 &&
         !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
}

typedef struct {
  GtkListItem *item; /* borrowed; the item lives longer than the cell, which is its child */
  LoomCellTooltip dup_text;
  guint part;
} Cell;

static gboolean
query (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  const Cell *cell = data;
  if (gtk_list_item_get_item (cell->item) == NULL)
    return FALSE;
  g_autofree char *text = cell->dup_text (cell->item, cell->part);
  loom_bounded_text_set_tooltip (tooltip, text);
  return text != NULL && text[0] != '\0' && !is_shown (widget, text);
}

static void
cell_free (gpointer cell, GClosure *closure)
{
  g_free (cell);
}

void
loom_cell_tooltip_add (GtkWidget *cell, GtkListItem *item, LoomCellTooltip dup_text, guint part)
{
  g_return_if_fail (GTK_IS_WIDGET (cell) && GTK_IS_LIST_ITEM (item) && dup_text != NULL);
  const Cell told = { item, dup_text, part };
  gtk_widget_set_has_tooltip (cell, TRUE);
  g_signal_connect_data (cell, "query-tooltip", G_CALLBACK (query), g_memdup2 (&told, sizeof told), cell_free, 0);
}
