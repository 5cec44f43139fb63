/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-places.h"

#include "loom-int64-hash.h"
#include "loom-run-navigation.h"

/* Returns the answer of the run's query; NULL if no row of the answer contains a span or a range of the current run
 * (LoomQueryPlace). */
static const LoomQueryAnswer *
get_answer (LoomRunState *run)
{
  LoomQueryState *query = loom_run_state_get_query (run);
  return loom_query_state_has_places (query) ? loom_query_state_get_answer (query) : NULL;
}

/* Returns the time range of a row of the answer. If the row contains a span, returns the range of the span; a span
 * shorter than 1 ns gets a range of 1 ns. If not, returns the range that the row contains, which may be empty. */
static LoomRange
get_range (const LoomQueryAnswer *answer, const LoomQueryPlace *place)
{
  LoomRange range = place->range;
  if (!loom_timeline_span_id_is_none (place->span)) {
    loom_timeline_get_span (answer->timeline, place->span, &range.begin_ns, &range.end_ns);
    range.end_ns = MAX (range.end_ns, loom_time_add (range.begin_ns, 1));
  }
  return range;
}

static void
extend (LoomRange *range, LoomRange by)
{
  gboolean is_empty = range->begin_ns == range->end_ns;
  range->begin_ns = is_empty ? by.begin_ns : MIN (range->begin_ns, by.begin_ns);
  range->end_ns = is_empty ? by.end_ns : MAX (range->end_ns, by.end_ns);
}

/* Returns the spans that the rows contain, each span once, at most `most` spans. Extends `range` by the ranges of
 * the rows. */
static GArray *
collect (const LoomQueryAnswer *answer, const GArray *rows, guint most, LoomRange *range)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  g_autoptr (GHashTable) seen = g_hash_table_new (loom_int64_hash_packed, NULL);
  for (guint i = 0; i < rows->len && spans->len < most; i++) {
    const LoomQueryPlace *place = &answer->places[g_array_index (rows, guint, i)];
    LoomRange own = get_range (answer, place);
    gsize key = ((gsize) place->span.trace << 32 | place->span.span) + 1;
    if (!loom_timeline_span_id_is_none (place->span) && g_hash_table_add (seen, GSIZE_TO_POINTER (key)))
      g_array_append_val (spans, place->span);
    if (own.begin_ns < own.end_ns)
      extend (range, own);
  }
  return spans;
}

void
loom_query_places_show (LoomRunState *run, const GArray *rows)
{
  const LoomQueryAnswer *answer = get_answer (run);
  LoomNavigationTarget target = { .trace = G_MAXUINT32, .rank = -1 };
  if (answer == NULL)
    return;
  g_autoptr (GArray) spans = collect (answer, rows, G_MAXUINT, &target.range);
  target.spans = (const LoomSpanId *) (gpointer) spans->data;
  target.n_spans = spans->len;
  if (target.range.begin_ns < target.range.end_ns)
    loom_run_navigation_show (run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
}

void
loom_query_places_select (LoomRunState *run, const GArray *rows)
{
  const LoomQueryAnswer *answer = get_answer (run);
  LoomRange range = { 0, 0 };
  if (answer == NULL)
    return;
  GArray *spans = collect (answer, rows, LOOM_SELECTED_MOST, &range);
  if (spans->len != 1) {
    loom_run_navigation_select (run, spans);
    return;
  }
  LoomSpanId span = g_array_index (spans, LoomSpanId, 0);
  g_array_unref (spans);
  loom_run_navigation_show (run, &(LoomNavigationTarget) { .spans = &span, .n_spans = 1 },
                            LOOM_RUN_NAVIGATION_KEEP_RANGE | LOOM_RUN_NAVIGATION_KEEP_PAGE);
}

void
loom_query_places_hover (LoomRunState *run, guint row, gconstpointer origin)
{
  const LoomQueryAnswer *answer = get_answer (run);
  LoomHoveredPlace *hovered = loom_timeline_state_get_hovered_place (loom_run_state_get_view (run));
  LoomRange range =
    answer != NULL && row < answer->table->n_rows ? get_range (answer, &answer->places[row]) : (LoomRange) { 0, 0 };
  if (range.begin_ns >= range.end_ns) {
    loom_hovered_place_clear (hovered, origin);
    return;
  }
  const LoomQueryPlace *place = &answer->places[row];
  gboolean is_span = !loom_timeline_span_id_is_none (place->span);
  LoomNavigationTarget target = {
    .range = range, .trace = G_MAXUINT32, .rank = -1, .spans = is_span ? &place->span : NULL, .n_spans = is_span ? 1 : 0
  };
  loom_hovered_place_set (hovered, &target, origin);
}
