/* SPDX-License-Identifier: Apache-2.0
 *
 * The hover card: a small card next to the pointer that describes the span under it. It is shown without delay, unlike
 * a GTK tooltip, and receives no events.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_HOVER_CARD (loom_hover_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoverCard, loom_hover_card, LOOM, HOVER_CARD, GtkWidget)

/* Shows the markup next to a point, in coordinates of the parent overlay; NULL: hides the
 * card. It is also hidden while the window has a modal dialog. */
void loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y);

/* Sets the rectangles that the card should not cover, in coordinates of the parent overlay. The first one is the
 * hovered span; the others are the spans at the ends of arrows. If no position is free, the card covers the hovered
 * span rather than the others. Copied. Takes effect with the next loom_hover_card_show(). */
void loom_hover_card_avoid (LoomHoverCard *self, const GdkRectangle *places, guint n);

/* Sets `place` to the position and size of the card in an overlay of this size. For the signal "get-child-position" of
 * the overlay. */
void loom_hover_card_place (LoomHoverCard *self, int width, int height, GdkRectangle *place);
