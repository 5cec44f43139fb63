/* SPDX-License-Identifier: Apache-2.0
 *
 * Motion of the view: held keys that accelerate, and eased jumps. One tick callback of the widget drives both and is
 * there only while something moves. With animations off every press is one step and every jump is immediate.
 * Main thread only.
 */
#pragma once

#include "loom-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _LoomFlight LoomFlight;

typedef enum { LOOM_FLY_IN, LOOM_FLY_OUT, LOOM_FLY_EARLIER, LOOM_FLY_LATER, LOOM_N_FLY } LoomFly;

/* `widget` lends its frame clock and outlives the flight. */
LoomFlight *loom_flight_new (GtkWidget *widget, LoomViewState *state);
void loom_flight_free (LoomFlight *flight);

/* What zooming keeps in place: x in the track area, negative for the middle. */
void loom_flight_set_anchor (LoomFlight *flight, double x_px);
double loom_flight_get_anchor (LoomFlight *flight);

/* A key went down (again and again while the keyboard repeats) and up. A short press still moves a visible step. */
void loom_flight_press (LoomFlight *flight, LoomFly which, gboolean fast);
void loom_flight_release (LoomFlight *flight, LoomFly which);
void loom_flight_set_fast (LoomFlight *flight, gboolean fast);
gboolean loom_flight_is_held (LoomFlight *flight, LoomFly which);
/* Whether a key is held or a jump is under way. */
gboolean loom_flight_is_moving (LoomFlight *flight);

/* Everything stops where it is. */
void loom_flight_stop (LoomFlight *flight);

/* Eased; further calls add to where the view is going. */
void loom_flight_go_to (LoomFlight *flight, const LoomViewport *target);
/* At once, as the view follows a hand. */
void loom_flight_move (LoomFlight *flight, const LoomViewport *view);
/* Eased, to where the view was before: whoever watches hears nothing of it. */
void loom_flight_go_back (LoomFlight *flight, const LoomViewport *target);
/* The same, as an entry of the history of views. */
void loom_flight_jump (LoomFlight *flight, const LoomViewport *target);
/* Back (−1) and ahead (1) in the history; FALSE at its end. */
gboolean loom_flight_step (LoomFlight *flight, int step);
void loom_flight_forget (LoomFlight *flight);
void loom_flight_zoom (LoomFlight *flight, double x_px, double factor);
void loom_flight_pan (LoomFlight *flight, double dx_px);
void loom_flight_scroll (LoomFlight *flight, double dy_px);

/* Who hears of every bit by which somebody moves the view, and where it was before; one. The flight does not outlive
 * `user_data`. */
typedef void (*LoomFlightMoved) (const LoomViewport *before, gpointer user_data);
void loom_flight_watch (LoomFlight *flight, LoomFlightMoved moved, gpointer user_data);

/* Where the view is, or is going. */
LoomViewport loom_flight_get_target (LoomFlight *flight);

/* Moves by the time that passed; the tick callback does. FALSE when nothing moves any more. */
gboolean loom_flight_advance (LoomFlight *flight, gint64 elapsed_us);

G_END_DECLS
