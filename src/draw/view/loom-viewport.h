/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the run in view, and the conversion between nanoseconds and pixels. A plain value that can be copied,
 * compared, and stored in a history. All functions are pure, O(1), and may be called from any thread.
 *
 * Times are timeline ns. x is in logical pixels from the left edge of the track area (right of the header column), y in
 * logical pixels from the top of the rows (pinned rows first). Only the distance of a time from `begin_ns` is converted
 * to a double, never the time itself, so a view of 1 µs is exact even 50 years after the epoch.
 */
#pragma once

#include "loom-time.h"

/* Minimum length of a view in ns. */
#define LOOM_VIEWPORT_MIN_RANGE_NS G_GINT64_CONSTANT (100)

/* Margin on each side when the whole run is shown, as a share of the length of the run. */
#define LOOM_VIEWPORT_FIT_MARGIN 0.01

typedef struct {
  gint64 begin_ns;  /* time at x = 0 */
  gint64 end_ns;    /* time at x = width_px; always > begin_ns */
  double width_px;  /* width of the track area; > 0 */
  double height_px; /* height of the area for rows, including pinned rows */
  double scroll_px; /* distance by which the rows below the pinned rows are scrolled; ≥ 0 */
} LoomViewport;

/* Makes a viewport that shows all of `extent`. If the extent is empty, the viewport is one second long. */
void loom_viewport_init (LoomViewport *viewport, LoomRange extent, double width_px, double height_px);

gint64 loom_viewport_get_range_ns (const LoomViewport *viewport);
double loom_viewport_get_ns_per_px (const LoomViewport *viewport);

/* Returns the x of an instant; the result is finite even if the instant is far outside the view. */
double loom_viewport_x (const LoomViewport *viewport, gint64 time_ns);
/* Returns the instant at x, rounded down to whole ns: exactly begin_ns at 0 and end_ns at width_px. loom_viewport_x()
 * of the result differs from x by less than a pixel. If x is too far from the view, returns G_MININT64 or
 * G_MAXINT64. */
gint64 loom_viewport_time (const LoomViewport *viewport, double x);

/* Multiplies the length of the view by `factor` (< 1 zooms in). The instant at x_px stays at x_px unless a limit is
 * reached. Limits: the length is at least LOOM_VIEWPORT_MIN_RANGE_NS and at most 1.5 times the length of `extent`, and
 * the middle of the view is inside `extent`. */
void loom_viewport_zoom (LoomViewport *viewport, LoomRange extent, double x_px, double factor);

/* Moves the view by dx_px pixels towards later times; its length in ns does not change. */
void loom_viewport_pan (LoomViewport *viewport, LoomRange extent, double dx_px);

/* Scrolls the rows by dy_px. The rows cannot be scrolled beyond their first or last row; this depends on content_px,
 * the height of all scrolled rows, and pinned_px, the height of the pinned rows. */
void loom_viewport_scroll (LoomViewport *viewport, double content_px, double pinned_px, double dy_px);

/* Shows all of `extent` with a margin of 1 % on both sides. */
void loom_viewport_fit (LoomViewport *viewport, LoomRange extent);

/* Shows `range` with `margin` (a fraction of the range, e.g. 0.25) on both sides, within the limits of `extent`. */
void loom_viewport_fit_range (LoomViewport *viewport, LoomRange extent, LoomRange range, double margin);

/* Moves the view as little as possible so that it contains `range`; the zoom doesn't change. If `range` is longer than
 * the view, its start is moved to the left edge. */
void loom_viewport_reveal (LoomViewport *viewport, LoomRange extent, LoomRange range);

/* Sets the size of the view; begin_ns and the ns per pixel don't change. */
void loom_viewport_resize (LoomViewport *viewport, LoomRange extent, double width_px, double height_px);

gboolean loom_viewport_equal (const LoomViewport *a, const LoomViewport *b);

/* Returns the progress of an animation, from 0 to 1, at the time `elapsed_us` after its start. The animation lasts
 * `duration_us`, and becomes slower towards its end (ease-out cubic). Returns 1 if duration_us ≤ 0, because animations
 * are then disabled. */
#define LOOM_EASE_DURATION_US 120000
double loom_viewport_ease (gint64 elapsed_us, gint64 duration_us);

/* Returns a view between two views, for an animation; `progress` is from 0 to 1, a result of loom_viewport_ease().
 * Equal steps of `progress` change the zoom by equal factors. An instant with the same x in both views has this x in
 * all views between them. The result is exactly `from` at 0 and `to` at 1. The result has the size of `to`. */
LoomViewport loom_viewport_interpolate (const LoomViewport *from, const LoomViewport *to, double progress);
