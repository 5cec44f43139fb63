/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds search hits among the spans of a row by binary search. The spans of a row do not overlap, so their ends are in
 * the order of their indices. Therefore one function can search hits by index or by end.
 */
#include "loom-draw-search-hits.h"

#include "loom-time-bsearch.h"

static gint64
number_of (gconstpointer hits, guint32 at)
{
  return ((const LoomRowHits *) hits)->hits[at].span;
}

static gint64
end_of (gconstpointer of, guint32 at)
{
  const LoomRowHits *hits = of;
  guint32 span = hits->hits[at].span;
  return loom_time_add (hits->spans->start_ns[span], MAX (hits->spans->dur_ns[span], 1));
}

/* Moves `hits->at` to the first hit whose key (its span's index or end) is at least `wanted`. Returns FALSE if there is
 * none. */
static inline gboolean
seek (LoomRowHits *hits, gint64 wanted, LoomSearchKey key)
{
  hits->at = loom_time_bsearch_near_by (key, hits, 0, hits->n, hits->at, wanted);
  return hits->at < hits->n;
}

/* Returns the index in options->hits of the first hit at or after `span` of the trace. */
static gsize
find (const LoomDrawOptions *options, guint trace, guint32 span)
{
  gsize low = 0, high = options->n_hits;
  while (low < high) {
    gsize middle = low + (high - low) / 2;
    LoomSpanId id = options->hits[middle];
    if (id.trace < trace || (id.trace == trace && id.span < span))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void
loom_draw_search_hits_init (LoomRowHits *hits, const LoomDrawOptions *options, guint trace, const LoomSpans *spans,
                            guint32 first, guint32 end)
{
  *hits = (LoomRowHits) { .spans = spans };
  if (options->hits == NULL)
    return;
  gsize from = find (options, trace, first);
  hits->hits = options->hits + from;
  hits->n = (guint32) (find (options, trace, end) - from);
}

gboolean
loom_draw_search_hits_has (LoomRowHits *hits, guint32 first, guint32 last)
{
  return hits->n > 0 && seek (hits, first, number_of) && hits->hits[hits->at].span <= last;
}

gboolean
loom_draw_search_hits_touches (LoomRowHits *hits, gint64 begin_ns, gint64 end_ns)
{
  return hits->n > 0 && seek (hits, loom_time_add (begin_ns, 1), end_of) &&
         hits->spans->start_ns[hits->hits[hits->at].span] < end_ns;
}
