/* SPDX-License-Identifier: Apache-2.0
 *
 * A small card next to the pointer. It is shown without delay and receives no events.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_HOVER_CARD (loom_hover_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoverCard, loom_hover_card, LOOM, HOVER_CARD, GtkWidget)

/* Shows the markup next to a point in coordinates of the parent overlay; NULL hides the card. */
void loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y);

/* Sets what the card must not cover, in coordinates of the parent overlay: first the hovered span, which is covered if nothing
 * else is possible, then the other ends of arrows. Takes effect with the next loom_hover_card_show(). Copied. */
void loom_hover_card_avoid (LoomHoverCard *self, const GdkRectangle *places, guint n);

/* Returns the card's position in an area of that size; for the overlay's "get-child-position". */
void loom_hover_card_place (LoomHoverCard *self, int width, int height, GdkRectangle *place);
