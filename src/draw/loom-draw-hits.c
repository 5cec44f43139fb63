/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans of a row do not overlap, so those that end after a time are found as those behind a number are.
 */
#include "loom-draw-hits.h"

typedef enum { BY_NUMBER, BY_END } Order;

static inline gint64
key_of (const LoomRowHits *hits, guint32 at, Order order)
{
  guint32 span = hits->hits[at].span;
  return order == BY_NUMBER ? (gint64) span
                            : loom_time_add (hits->spans->start_ns[span], MAX (hits->spans->dur_ns[span], 1));
}

/* Moves to the first hit whose key is not below: leaps that double away from where it was, then halves. */
static inline gboolean
seek (LoomRowHits *hits, gint64 key, Order order)
{
  guint32 low = 0, high = hits->n, at = hits->at, leap = 1;
  if (at < hits->n && key_of (hits, at, order) < key) {
    for (low = at + 1; leap < high - low && key_of (hits, low + leap - 1, order) < key; leap *= 2)
      low += leap;
    high = MIN (leap, high - low) + low;
  } else {
    for (high = at; leap < high && key_of (hits, high - leap, order) >= key; leap *= 2)
      high -= leap;
    low = high - MIN (leap, high);
  }
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (key_of (hits, middle, order) < key)
      low = middle + 1;
    else
      high = middle;
  }
  hits->at = low;
  return low < hits->n;
}

/* The first hit of all that is not before a span. */
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
loom_row_hits_init (LoomRowHits *hits, const LoomDrawOptions *options, guint trace, const LoomSpans *spans,
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
loom_row_hits_have (LoomRowHits *hits, guint32 first, guint32 last)
{
  return hits->n > 0 && seek (hits, first, BY_NUMBER) && hits->hits[hits->at].span <= last;
}

gboolean
loom_row_hits_touch (LoomRowHits *hits, gint64 begin_ns, gint64 end_ns)
{
  return hits->n > 0 && seek (hits, loom_time_add (begin_ns, 1), BY_END) &&
         hits->spans->start_ns[hits->hits[hits->at].span] < end_ns;
}
