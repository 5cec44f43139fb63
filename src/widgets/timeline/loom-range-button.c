/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-button.h"

#include "loom-bounded-text.h"
#include "loom-range-offer.h"
#include "loom-timeline-painter.h"

#include <glib/gi18n.h>

#define END_PX 4 /* distance in px between the button and the end of the header */

void
loom_range_button_update (GtkButton *button, LoomTimelineState *state)
{
  guint row;
  gint rank = loom_range_offer_find_rank (state, &row);
  gtk_widget_set_visible (GTK_WIDGET (button), rank >= 0);
  if (rank < 0)
    return;
  g_autofree char *name = g_strdup_printf (_ ("Read Events of Rank %d"), rank);
  loom_bounded_text_set_tip (GTK_WIDGET (button), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "i", rank);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.read-elsewhere");
}

void
loom_range_button_place (GtkButton *button, LoomTimelineState *state, LoomRenderContext *scene, int width,
                         GdkRectangle *place)
{
  GtkRequisition least, natural;
  guint number;
  gtk_widget_get_preferred_size (GTK_WIDGET (button), &least, &natural);
  *place = (GdkRectangle) { 0, 0, least.width, least.height };
  if (loom_range_offer_find_rank (state, &number) < 0)
    return;
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  const LoomTimelineRow *row = loom_row_list_get_row (rows, number);
  int name = (int) loom_timeline_painter_measure_header (row, loom_render_context_get_text (scene));
  place->width = CLAMP (width - name - END_PX, least.width, natural.width);
  place->x = width - place->width - END_PX;
  double top = loom_row_list_row_top (rows, number, loom_timeline_state_get_viewport (state)->scroll_px);
  place->y = (int) (top + (MIN (row->height, LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX) - place->height) / 2);
}
