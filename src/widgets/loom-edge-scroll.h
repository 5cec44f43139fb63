/* SPDX-License-Identifier: Apache-2.0
 *
 * The view moves by itself while a drag is held beyond its edge, the faster the farther beyond, frame by frame. Main thread.
 */
#pragma once

#include "loom-flight.h"

G_BEGIN_DECLS

typedef struct _LoomEdgeScroll LoomEdgeScroll;

/* Called after each bit, for what is dragged to follow. */
typedef void (*LoomEdgeScrolled) (gpointer user_data);

/* `widget` lends its frame clock, and is `user_data`; it outlives this, as the flight and the state do. */
LoomEdgeScroll *loom_edge_scroll_new (GtkWidget *widget, LoomFlight *flight, LoomViewState *state, LoomEdgeScrolled scrolled);
void loom_edge_scroll_free (LoomEdgeScroll *scroll);

/* Where the pointer is held, in the track area; within the view nothing moves. Up and down only when `both_ways`. */
void loom_edge_scroll_pull (LoomEdgeScroll *scroll, double x, double y, gboolean both_ways);
void loom_edge_scroll_stop (LoomEdgeScroll *scroll);
gboolean loom_edge_scroll_is_moving (const LoomEdgeScroll *scroll);

/* Moves by the time that passed; the frame clock does. */
void loom_edge_scroll_advance (LoomEdgeScroll *scroll, gint64 elapsed_us);

G_END_DECLS
