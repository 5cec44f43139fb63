/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes views with doubles for pixels and long doubles for products of times. Distances inside a view are in
 * practice below 2⁵³ ns (104 days), so that a double represents them exactly.
 */
#include "loom-viewport.h"

#include <math.h>

/* Maximum length of the view as a multiple of the length of the run. */
#define MAX_ZOOM_OUT 1.5L

/* Maximum length of the view in ns; with a longer one, arithmetic could overflow. */
#define RANGE_LIMIT_NS (G_MAXINT64 / 4)

static gint64
round_to_ns (long double ns)
{
  if (ns >= (long double) G_MAXINT64)
    return G_MAXINT64;
  if (ns <= (long double) G_MININT64)
    return G_MININT64;
  return (gint64) floorl (ns + 0.5L);
}

static LoomRange
sane_extent (LoomRange extent)
{
  if (extent.end_ns <= extent.begin_ns)
    extent.end_ns = loom_time_add (extent.begin_ns, LOOM_NS_PER_S);
  return extent;
}

static gint64
clamp_range (LoomRange extent, long double range_ns)
{
  long double length = (long double) extent.end_ns - (long double) extent.begin_ns;
  long double most = MIN (length * MAX_ZOOM_OUT, (long double) RANGE_LIMIT_NS);
  most = MAX (most, (long double) LOOM_VIEWPORT_MIN_RANGE_NS);
  return round_to_ns (CLAMP (range_ns, (long double) LOOM_VIEWPORT_MIN_RANGE_NS, most));
}

/* Sets the time range of the view. If the middle of this range would be outside of the extent, moves the range until
 * its middle is inside. */
static void
place (LoomViewport *viewport, LoomRange extent, gint64 begin_ns, gint64 range_ns)
{
  gint64 half = range_ns / 2;
  gint64 first = loom_time_sub (extent.begin_ns, half), last = loom_time_sub (extent.end_ns, half);
  viewport->begin_ns = CLAMP (begin_ns, first, last);
  viewport->end_ns = loom_time_add (viewport->begin_ns, range_ns);
}

void
loom_viewport_init (LoomViewport *viewport, LoomRange extent, double width_px, double height_px)
{
  g_return_if_fail (viewport != NULL);
  *viewport = (LoomViewport) { .width_px = MAX (width_px, 1.0), .height_px = MAX (height_px, 0.0) };
  loom_viewport_fit (viewport, extent);
}

gint64
loom_viewport_get_range_ns (const LoomViewport *viewport)
{
  return viewport->end_ns - viewport->begin_ns;
}

double
loom_viewport_get_ns_per_px (const LoomViewport *viewport)
{
  return (double) loom_viewport_get_range_ns (viewport) / viewport->width_px;
}

double
loom_viewport_x (const LoomViewport *viewport, gint64 time_ns)
{
  gint64 distance = loom_time_sub (time_ns, viewport->begin_ns);
  return (double) distance * viewport->width_px / (double) loom_viewport_get_range_ns (viewport);
}

gint64
loom_viewport_time (const LoomViewport *viewport, double x)
{
  if (x == viewport->width_px)
    return viewport->end_ns;
  long double distance = (long double) x * (long double) loom_viewport_get_range_ns (viewport) / viewport->width_px;
  if (!(fabsl (distance) < (long double) RANGE_LIMIT_NS * 2))
    return distance > 0 ? G_MAXINT64 : G_MININT64;
  return loom_time_add (viewport->begin_ns, (gint64) floorl (distance));
}

void
loom_viewport_zoom (LoomViewport *viewport, LoomRange extent, double x_px, double factor)
{
  g_return_if_fail (viewport != NULL && factor > 0);
  extent = sane_extent (extent);
  gint64 old_range = loom_viewport_get_range_ns (viewport);
  gint64 range = clamp_range (extent, (long double) old_range * factor);
  long double share = (long double) x_px / viewport->width_px;
  gint64 shift = round_to_ns (share * (long double) (old_range - range));
  place (viewport, extent, loom_time_add (viewport->begin_ns, shift), range);
}

void
loom_viewport_pan (LoomViewport *viewport, LoomRange extent, double dx_px)
{
  g_return_if_fail (viewport != NULL);
  gint64 range = loom_viewport_get_range_ns (viewport);
  gint64 shift = round_to_ns ((long double) dx_px * range / viewport->width_px);
  place (viewport, sane_extent (extent), loom_time_add (viewport->begin_ns, shift), range);
}

void
loom_viewport_scroll (LoomViewport *viewport, double content_px, double pinned_px, double dy_px)
{
  g_return_if_fail (viewport != NULL);
  double room = MAX (content_px - MAX (viewport->height_px - pinned_px, 0.0), 0.0);
  viewport->scroll_px = CLAMP (viewport->scroll_px + dy_px, 0.0, room);
}

void
loom_viewport_fit (LoomViewport *viewport, LoomRange extent)
{
  extent = sane_extent (extent);
  loom_viewport_fit_range (viewport, extent, extent, LOOM_VIEWPORT_FIT_MARGIN);
}

void
loom_viewport_fit_range (LoomViewport *viewport, LoomRange extent, LoomRange range, double margin)
{
  g_return_if_fail (viewport != NULL);
  extent = sane_extent (extent);
  long double length = (long double) range.end_ns - (long double) range.begin_ns;
  gint64 wanted = clamp_range (extent, MAX (length, 0.0L) * (1.0L + 2.0L * margin));
  long double before = ((long double) wanted - MAX (length, 0.0L)) / 2;
  place (viewport, extent, loom_time_sub (range.begin_ns, round_to_ns (before)), wanted);
}

void
loom_viewport_reveal (LoomViewport *viewport, LoomRange extent, LoomRange range)
{
  g_return_if_fail (viewport != NULL);
  gint64 width = loom_viewport_get_range_ns (viewport);
  gint64 begin = viewport->begin_ns;
  if (range.end_ns > viewport->end_ns)
    begin = loom_time_sub (range.end_ns, width);
  if (range.begin_ns < begin)
    begin = range.begin_ns;
  place (viewport, sane_extent (extent), begin, width);
}

void
loom_viewport_resize (LoomViewport *viewport, LoomRange extent, double width_px, double height_px)
{
  g_return_if_fail (viewport != NULL);
  extent = sane_extent (extent);
  LoomViewport all = *viewport;
  loom_viewport_fit (&all, extent);
  gint64 before = loom_viewport_get_range_ns (viewport), most = MAX (before, loom_viewport_get_range_ns (&all));
  gint64 last_ns = MAX (viewport->end_ns, all.end_ns);
  long double per_px = (long double) before / viewport->width_px;
  viewport->width_px = MAX (width_px, 1.0);
  viewport->height_px = MAX (height_px, 0.0);
  gint64 range = MIN (clamp_range (extent, per_px * viewport->width_px), most);
  place (viewport, extent, MIN (viewport->begin_ns, loom_time_sub (last_ns, range)), range);
}

gboolean
loom_viewport_equal (const LoomViewport *a, const LoomViewport *b)
{
  return a->begin_ns == b->begin_ns && a->end_ns == b->end_ns && a->width_px == b->width_px &&
         a->height_px == b->height_px && a->scroll_px == b->scroll_px;
}

double
loom_viewport_ease (gint64 elapsed_us, gint64 duration_us)
{
  if (duration_us <= 0 || elapsed_us >= duration_us)
    return 1.0;
  if (elapsed_us <= 0)
    return 0.0;
  double left = 1.0 - (double) elapsed_us / (double) duration_us;
  return 1.0 - left * left * left;
}

/* Returns how far the left edge of the view has moved, as a share of the distance that it moves in the whole animation.
 * The share is computed from `range`, the present length of the view in ns. Thus an instant that has the same x in the
 * first and in the last view keeps this x during the whole animation. */
static double
share_of_way (double from_range, double to_range, double range, double progress)
{
  if (fabs (to_range - from_range) <= 1e-6 * from_range)
    return progress;
  return (range - from_range) / (to_range - from_range);
}

LoomViewport
loom_viewport_interpolate (const LoomViewport *from, const LoomViewport *to, double progress)
{
  if (progress >= 1.0)
    return *to;
  LoomViewport view = *to;
  double from_range = (double) loom_viewport_get_range_ns (from), to_range = (double) loom_viewport_get_range_ns (to);
  double eased = MAX (progress, 0.0);
  double range = from_range * pow (to_range / from_range, eased);
  double share = share_of_way (from_range, to_range, range, eased);
  long double way = (long double) to->begin_ns - (long double) from->begin_ns;
  view.begin_ns = loom_time_add (from->begin_ns, round_to_ns (way * share));
  view.end_ns = loom_time_add (view.begin_ns, MAX (round_to_ns (range), 1));
  view.scroll_px = from->scroll_px + (to->scroll_px - from->scroll_px) * eased;
  if (eased == 0.0) {
    view.begin_ns = from->begin_ns;
    view.end_ns = from->end_ns;
  }
  return view;
}
