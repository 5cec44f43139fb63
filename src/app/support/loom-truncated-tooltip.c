/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-truncated-tooltip.h"

#include "loom-bounded-text.h"

/* Returns the label at a position of the window. If an entry is at this position, returns the label of the entry's
 * placeholder. Returns NULL if neither a label nor an entry is there. */
static GtkLabel *
label_at (GtkWidget *window, int x, int y)
{
  GtkWidget *at = gtk_widget_pick (window, x, y, GTK_PICK_INSENSITIVE);
  if (GTK_IS_TEXT (at))
    at = gtk_widget_get_first_child (at);
  return GTK_IS_LABEL (at) && gtk_widget_get_mapped (at) ? GTK_LABEL (at) : NULL;
}

static void
set_area (GtkTooltip *tooltip, GtkWidget *label, GtkWidget *window)
{
  graphene_rect_t bounds;
  if (gtk_widget_compute_bounds (label, window, &bounds))
    gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y,
                                                         (int) bounds.size.width, (int) bounds.size.height });
}

/* Shows the full text of a truncated label as its tooltip. GTK queries the window only if no widget below the
 * pointer has a tooltip of its own. */
static gboolean
query (GtkWidget *window, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip, gpointer data)
{
  GtkLabel *label = by_keyboard ? NULL : label_at (window, x, y);
  if (label == NULL || !pango_layout_is_ellipsized (gtk_label_get_layout (label)))
    return FALSE;
  loom_bounded_text_set_tooltip (tooltip, gtk_label_get_text (label));
  set_area (tooltip, GTK_WIDGET (label), window);
  return TRUE;
}

static void
windows_changed (GListModel *windows, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    gtk_widget_set_has_tooltip (window, TRUE);
    g_signal_connect (window, "query-tooltip", G_CALLBACK (query), NULL);
  }
}

void
loom_truncated_tooltip_install (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_signal_connect (windows, "items-changed", G_CALLBACK (windows_changed), NULL);
  windows_changed (windows, 0, 0, g_list_model_get_n_items (windows));
}
