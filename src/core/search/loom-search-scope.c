/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-scope.h"

/* Returns an array indexed by hit: 1 if the hit is on a track of a device. Owned by the caller. */
static guint8 *
find_devices (LoomTimeline *timeline, const LoomSearchResult *result)
{
  const LoomSpanId *hits = (const LoomSpanId *) (gpointer) result->hits->data;
  guint8 *devices = g_new0 (guint8, result->hits->len + 1);
  for (guint i = 0; i < result->hits->len;) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), hits[i].trace);
    guint32 track, number, number_of_trace = hits[i].trace;
    loom_trace_locate_span (trace, hits[i].span, &track, &number);
    const LoomRow *row = loom_trace_get_row (trace, number);
    gboolean is_device = loom_trace_track_is_device (loom_trace_get_track (trace, track));
    /* hits are sorted by span, and the spans of a row are neighbours */
    for (; i < result->hits->len && hits[i].trace == number_of_trace && hits[i].span - row->first < row->n; i++)
      devices[i] = is_device;
  }
  return devices;
}

static gboolean
overlaps (LoomTimeline *timeline, LoomSpanId hit, LoomRange range)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, hit, &start_ns, &end_ns);
  return start_ns < range.end_ns && (start_ns >= range.begin_ns || end_ns > range.begin_ns);
}

/* Appends the positions of the hits on devices or, if `device` is 0, of the other hits. `range`: only hits that overlap
 * it; empty: all hits. */
static void
append (LoomSearchScope *scope, LoomTimeline *timeline, const LoomSearchResult *result, const guint8 *devices,
        guint8 device, LoomRange range)
{
  gboolean is_limited = range.end_ns > range.begin_ns;
  guint end = is_limited ? loom_search_result_after (timeline, result, range.end_ns, TRUE) : result->by_time->len;
  for (guint32 at = 0; at < end; at++) {
    guint32 hit = g_array_index (result->by_time, guint32, at);
    if (devices[hit] == device &&
        (!is_limited || overlaps (timeline, g_array_index (result->hits, LoomSpanId, hit), range)))
      scope->positions[scope->n++] = at;
  }
}

static void
fill (LoomSearchScope *scope, LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range)
{
  g_autofree guint8 *devices = find_devices (timeline, result);
  scope->n = 0;
  append (scope, timeline, result, devices, 1, range);
  scope->n_device = scope->n;
  append (scope, timeline, result, devices, 0, range);
}

LoomSearchScope *
loom_search_scope_new (LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range)
{
  LoomSearchScope *scope = g_new0 (LoomSearchScope, 1);
  scope->positions = g_new (guint32, result->by_time->len + 1);
  fill (scope, timeline, result, range);
  if (scope->n == 0)
    fill (scope, timeline, result, (LoomRange) { 0, 0 });
  gboolean is_plain = scope->n == result->by_time->len && (scope->n_device == 0 || scope->n_device == scope->n);
  if (is_plain)
    g_clear_pointer (&scope, loom_search_scope_free);
  return scope;
}

void
loom_search_scope_free (LoomSearchScope *scope)
{
  if (scope == NULL)
    return;
  g_free (scope->positions);
  g_free (scope);
}

/* Returns the first index from `first` to `end` − 1 whose position is at least `position`; `end` if there is none. */
static guint
search (const LoomSearchScope *scope, guint first, guint end, guint32 position)
{
  while (first < end) {
    guint middle = first + (end - first) / 2;
    if (scope->positions[middle] < position)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

guint
loom_search_scope_find (const LoomSearchScope *scope, guint32 position)
{
  guint at = search (scope, 0, scope->n_device, position);
  if (at < scope->n_device && scope->positions[at] == position)
    return at;
  at = search (scope, scope->n_device, scope->n, position);
  return at < scope->n && scope->positions[at] == position ? at : G_MAXUINT;
}

guint
loom_search_scope_start (const LoomSearchScope *scope, guint32 position, gboolean forward)
{
  guint device = search (scope, 0, scope->n_device, position),
        host = search (scope, scope->n_device, scope->n, position);
  if (forward)
    return device < scope->n_device ? device : host < scope->n ? host : 0;
  return device > 0 ? device - 1 : host > scope->n_device ? host - 1 : scope->n - 1;
}
