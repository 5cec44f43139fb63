/* SPDX-License-Identifier: Apache-2.0
 *
 * The hover card: a small card next to the pointer that describes the span under the pointer. Unlike a GTK tooltip, the
 * card is shown without delay. It receives no events.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_HOVER_CARD (loom_hover_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoverCard, loom_hover_card, LOOM, HOVER_CARD, GtkWidget)

/* Shows the markup next to a point, in coordinates of the parent overlay; NULL hides the card. The card is also hidden
 * while the window has a modal dialog. */
void loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y);

/* Sets the rectangles that the card should not cover, in coordinates of the parent overlay: first the hovered span,
 * then the spans at the ends of arrows. If the card must cover one of them, it covers the hovered span. The rectangles
 * are copied. They are used from the next loom_hover_card_show() on. */
void loom_hover_card_avoid (LoomHoverCard *self, const GdkRectangle *places, guint n);

/* Sets `place` to the position and size of the card in an overlay of this size. To be called for the signal
 * "get-child-position" of the overlay. */
void loom_hover_card_place (LoomHoverCard *self, int width, int height, GdkRectangle *place);
