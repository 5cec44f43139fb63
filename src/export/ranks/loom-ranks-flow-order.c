/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts flow events after the span to which they belong. The interface is described in loom-ranks-private.h.
 */
#include "loom-ranks-private.h"

#include <string.h>

/* The span of a flow event is searched for among at most this many events before the flow event, all of which have the
 * same time. */
#define MOST_AT_ONCE 256

/* Returns TRUE if the item is a flow event whose source states to which span the event belongs
 * (LoomSource.flows_follow_spans). */
static gboolean
follows_span (const LoomRanks *ranks, const LoomMergeItem *item)
{
  if (item->kind != LOOM_KWAY_MERGE_FLOW || item->track == G_MAXUINT || item->ref == LOOM_REF_NONE)
    return FALSE;
  const LoomRankTrace *trace = &ranks->traces[item->trace];
  guint source = loom_source_ref_source (item->ref);
  return source < trace->n_sources && loom_trace_get_source (trace->trace, source)->flows_follow_spans;
}

/* Returns TRUE if the entry is a span that has the same track and the same source as a flow event. */
static gboolean
is_beside (const LoomRankEntry *entry, const LoomMergeItem *flow)
{
  const LoomMergeItem *item = &entry->item;
  return item->kind == LOOM_KWAY_MERGE_SPAN && item->trace == flow->trace && item->track == flow->track &&
         item->ref != LOOM_REF_NONE && loom_source_ref_source (item->ref) == loom_source_ref_source (flow->ref);
}

/* Returns the index of the entry before which a flow event must be put. `flow`: the present index of the flow event.
 * The flow event belongs to the last span before it in the text of the source. It is put after this span and after
 * earlier flow events of this span. Exception: if no other span of the track is between this place and `flow`, returns
 * `flow`, because readers then find the span by time. */
static guint
find_place (const LoomRankEntry *entries, guint flow)
{
  const LoomMergeItem *item = &entries[flow].item;
  guint place = flow;
  guint64 before = loom_source_ref_offset (item->ref), last = 0;
  for (guint i = flow; i > 0 && flow - i < MOST_AT_ONCE && entries[i - 1].item.start_ns == item->start_ns; i--) {
    guint64 offset = loom_source_ref_offset (entries[i - 1].item.ref);
    if (!is_beside (&entries[i - 1], item) || offset >= before || (place != flow && offset <= last))
      continue;
    place = i;
    last = offset;
  }
  while (place < flow && entries[place].item.kind == LOOM_KWAY_MERGE_FLOW)
    place++; /* skips earlier flow events of the same span */
  for (guint i = place; i < flow; i++)
    if (is_beside (&entries[i], item))
      return place;
  return flow;
}

void
loom_ranks_order_flows (const LoomRanks *ranks, LoomRankEntry *entries, guint n)
{
  for (guint i = 1; i < n; i++) {
    if (!follows_span (ranks, &entries[i].item))
      continue;
    guint place = find_place (entries, i);
    LoomRankEntry moved = entries[i];
    memmove (entries + place + 1, entries + place, (i - place) * sizeof *entries);
    entries[place] = moved;
  }
}
