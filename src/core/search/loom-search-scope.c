/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-scope.h"

GArray *
loom_search_scope_list (LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range)
{
  if (range.end_ns <= range.begin_ns)
    return NULL;
  GArray *scope = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint end = loom_search_result_after (timeline, result, range.end_ns, TRUE);
  for (guint32 at = 0; at < end; at++) {
    guint32 hit = g_array_index (result->by_time, guint32, at);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, g_array_index (result->hits, LoomSpanId, hit), &start_ns, &end_ns);
    if (start_ns >= range.begin_ns || end_ns > range.begin_ns)
      g_array_append_val (scope, at);
  }
  if (scope->len == 0)
    g_clear_pointer (&scope, g_array_unref);
  return scope;
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const guint32 *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

guint
loom_search_scope_find (GArray *scope, guint32 position)
{
  guint found;
  return g_array_binary_search (scope, &position, compare_positions, &found) ? found : G_MAXUINT;
}
