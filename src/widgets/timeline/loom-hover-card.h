/* SPDX-License-Identifier: Apache-2.0
 *
 * A small card beside the pointer, shown at once and never in the way: it takes no events.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_HOVER_CARD (loom_hover_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoverCard, loom_hover_card, LOOM, HOVER_CARD, GtkWidget)

/* Shows the markup beside the point, which is in the parent overlay's coordinates; NULL hides the card. */
void loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y);

/* Where the card goes in an area of that size; for the overlay's "get-child-position". */
void loom_hover_card_place (LoomHoverCard *self, int width, int height, GdkRectangle *place);
