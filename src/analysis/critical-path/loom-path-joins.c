/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the joins, which are collectives and messages. All members of a join end after the last member has begun. A
 * member that ends earlier is excluded, because it may have left a broadcast early, or its clock may be wrong.
 */
#include "loom-path-part.h"

#include "loom-merge-sort.h"
#include "loom-transfer-list.h"

typedef struct {
  LoomPathItems *items;
  const LoomCollectives *collectives;
  const guint32 *spans_of_events; /* result of loom_collectives_get_spans() */
  guint32 *by_span; /* indices in LoomPathItems.works, sorted by trace and then in the order of their spans */
  GArray *members;  /* Member: members of the current collective */
} Joining;

typedef struct {
  guint32 item; /* index of the kernel (in LoomPathItems.works) or call */
  gboolean is_call;
  gint64 begin_ns, end_ns;
} Member;

typedef struct {
  guint32 span, work;
} SpanWork;

#define IS_LOWER(a, b) ((a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_by_span, SpanWork, IS_LOWER)

static void
index_spans (Joining *joining, guint32 first, guint32 end)
{
  g_autofree SpanWork *own = g_new (SpanWork, MAX (end - first, 1));
  for (guint32 i = first; i < end; i++)
    own[i - first] = (SpanWork) { loom_path_items_get_work (joining->items, i)->span, i };
  sort_by_span (own, end - first);
  for (guint32 i = first; i < end; i++)
    joining->by_span[i] = own[i - first].work;
}

static guint32
find_work (const Joining *joining, LoomSpanId span)
{
  const LoomPathItems *items = joining->items;
  guint32 low = items->first_work[span.trace], end = items->first_work[span.trace + 1], high = end;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (loom_path_items_get_work (items, joining->by_span[middle])->span < span.span)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == end || loom_path_items_get_work (items, joining->by_span[low])->span != span.span)
    return LOOM_PATH_NONE;
  return joining->by_span[low];
}

static void
add_member (Joining *joining, guint32 trace, guint32 meeting)
{
  LoomSpanId span = { trace, joining->spans_of_events[joining->collectives->first_place[trace] + meeting] };
  if (span.span == G_MAXUINT32)
    return;
  guint32 work = find_work (joining, span);
  guint32 call =
    work == LOOM_PATH_NONE ? loom_path_items_find_call (joining->items, span.trace, span.span) : LOOM_PATH_NONE;
  Member found = { work != LOOM_PATH_NONE ? work : call, work == LOOM_PATH_NONE, 0, 0 };
  if (found.item == LOOM_PATH_NONE)
    return;
  if (found.is_call) {
    const LoomPathCall *own = loom_path_items_get_call (joining->items, call);
    found.begin_ns = own->begin_ns;
    found.end_ns = own->end_ns;
  } else {
    const LoomPathWork *own = loom_path_items_get_work (joining->items, work);
    found.begin_ns = own->begin_ns;
    found.end_ns = own->end_ns;
  }
  g_array_append_val (joining->members, found);
}

static void
set_join (LoomPathItems *items, const Member *member, guint32 join)
{
  if (member->is_call) {
    LoomPathCall *call = &g_array_index (items->calls, LoomPathCall, member->item);
    call->join = join;
    call->flags |= LOOM_PATH_CALL_MEETS;
  } else {
    g_array_index (items->works, LoomPathWork, member->item).join = join;
  }
}

/* If at least two ranks of a collective or message are in the files, makes a LoomPathJoin from the collected members.
 * In any case clears the list of members. `transfer`: index in the LoomTransferList. */
static void
close_join (Joining *joining, guint32 transfer)
{
  LoomPathItems *items = joining->items;
  LoomPathJoin join = { LOOM_TIME_NONE, transfer, FALSE };
  guint n = joining->members->len;
  for (guint i = 0; i < n; i++) {
    const Member *member = &g_array_index (joining->members, Member, i);
    join.arrival_ns = i == 0 ? member->begin_ns : MAX (join.arrival_ns, member->begin_ns);
    join.of_hosts |= member->is_call;
  }
  for (guint i = 0; i < n && n > 1; i++) {
    const Member *member = &g_array_index (joining->members, Member, i);
    if (member->end_ns >= join.arrival_ns)
      set_join (items, member, items->joins->len);
    else
      items->n_unjoined++;
  }
  if (n > 1)
    g_array_append_val (items->joins, join);
  g_array_set_size (joining->members, 0);
}

static void
add_collectives (Joining *joining)
{
  const LoomCollectives *collectives = joining->collectives;
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &collectives->all[i]);
    for (guint k = 0; k < collectives->all[i].n; k++)
      add_member (joining, members[k].trace, members[k].meeting);
    close_join (joining, i);
  }
}

static gboolean
add_messages (Joining *joining, GCancellable *cancellable)
{
  const LoomTransferList *list = loom_transfer_list_get (joining->collectives, cancellable);
  for (guint i = 0; list != NULL && i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    if (!loom_transfer_list_is_message (transfer))
      continue;
    add_member (joining, transfer->trace, transfer->meeting);
    add_member (joining, transfer->other_trace, transfer->other_meeting);
    close_join (joining, i);
  }
  return list != NULL;
}

gboolean
loom_path_part_add_joins (LoomPathItems *items, const LoomCollectives *collectives, GCancellable *cancellable)
{
  if (collectives == NULL)
    return TRUE;
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_autofree guint32 *by_span = g_new (guint32, MAX (items->works->len, 1));
  Joining joining = { items, collectives, loom_collectives_get_spans (collectives, cancellable), by_span, members };
  if (joining.spans_of_events == NULL)
    return FALSE;
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (items->timeline)); i++)
    index_spans (&joining, items->first_work[i], items->first_work[i + 1]);
  add_collectives (&joining);
  return add_messages (&joining, cancellable);
}
