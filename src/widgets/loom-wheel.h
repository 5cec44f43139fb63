/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/widgets: how far wheels, touchpads and drags over the tracks move the view. `wheel`: in steps, which the
 * flight smooths; else in pixels, which it follows at once.
 */
#pragma once

#include "loom-flight.h"

G_BEGIN_DECLS

/* In at x where `amount` is below 0, else out. */
void loom_wheel_zoom (LoomFlight *flight, LoomViewState *state, double x, double amount, gboolean wheel);
void loom_wheel_slide (LoomFlight *flight, LoomViewState *state, double dx, double dy, gboolean wheel);

/* From where a gesture began: the view follows a pointer, or is that many times as wide about x. */
void loom_wheel_pan_from (LoomFlight *flight, LoomViewState *state, const LoomViewport *from, double dx, double dy);
void loom_wheel_zoom_from (LoomFlight *flight, LoomViewState *state, const LoomViewport *from, double x, double factor);

G_END_DECLS
