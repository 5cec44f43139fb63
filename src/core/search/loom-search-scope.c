/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-scope.h"

static gboolean
overlaps (LoomTimeline *timeline, LoomSpanId hit, LoomRange range)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, hit, &start_ns, &end_ns);
  return start_ns < range.end_ns && (start_ns >= range.begin_ns || end_ns > range.begin_ns);
}

/* Returns the positions in result->by_time of the hits that overlap the range, in the order in which the user visits
 * them. Sets `n_device` to the number of hits on devices at the start of this order; 0 if all hits of the result are on
 * devices, or if none of them is. */
static GArray *
list_overlapping (LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range, guint *n_device)
{
  GArray *positions = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint end = loom_search_result_after (timeline, result, range.end_ns, TRUE);
  *n_device = 0;
  for (guint32 i = 0; i < result->by_time->len; i++) {
    guint32 at = result->visits != NULL ? g_array_index (result->visits, guint32, i) : i;
    if (at >= end ||
        !overlaps (timeline, g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, at)),
                   range))
      continue;
    g_array_append_val (positions, at);
    *n_device += i < result->n_device;
  }
  return positions;
}

/* Returns a new scope with the positions in `kept`. Takes ownership of this array. */
static LoomSearchScope *
new_scope (GArray *kept, guint n_device)
{
  LoomSearchScope *scope = g_new (LoomSearchScope, 1);
  *scope = (LoomSearchScope) { (const guint32 *) (gpointer) kept->data, kept->len, n_device, kept };
  return scope;
}

LoomSearchScope *
loom_search_scope_new (LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range)
{
  guint n_device;
  g_autoptr (GArray) kept =
    range.end_ns > range.begin_ns ? list_overlapping (timeline, result, range, &n_device) : NULL;
  if (kept != NULL && kept->len > 0)
    return new_scope (g_steal_pointer (&kept), n_device);
  return result->visits != NULL ? new_scope (g_array_ref (result->visits), result->n_device) : NULL;
}

void
loom_search_scope_free (LoomSearchScope *scope)
{
  if (scope == NULL)
    return;
  g_array_unref (scope->kept);
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
