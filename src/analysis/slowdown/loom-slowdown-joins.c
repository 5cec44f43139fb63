/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-joins.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"
#include "loom-string-pool.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

typedef struct {
  LoomSlowdownJoins *joins;
  LoomSlowdownModel *model;
  const LoomCollectives *collectives;
  const guint32 *spans; /* see loom_collectives_get_spans() */
  guint32 *groups;      /* for each element of `spans`: LoomSlowdownJoin.group of the sync event; G_MAXUINT32: none */
  /* Key (guint64): hash of the name, the number of ranks and the number of bytes of a transfer. Value: 1 + index in
   * LoomSlowdownModel.likes of the set of operations that are comparable with this transfer. */
  GHashTable *likes;
  GHashTable *kinds; /* name of an operation → 1 + index in LoomSlowdownModel.kinds of the operation's kind */
} Joining;

static gpointer
look_up (GHashTable *table, guint64 key)
{
  return g_hash_table_lookup (table, GSIZE_TO_POINTER ((gsize) key));
}

static void
insert (GHashTable *table, guint64 key, guint32 number)
{
  g_hash_table_insert (table, GSIZE_TO_POINTER ((gsize) key), GUINT_TO_POINTER (number + 1));
}

static guint32
find_kind (Joining *joining, const char *name)
{
  gpointer found = g_hash_table_lookup (joining->kinds, name);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  const LoomSlowdownPart part = { .name = name, .is_transfer = TRUE };
  g_array_append_val (joining->model->kinds, part);
  g_hash_table_insert (joining->kinds, (gpointer) name, GUINT_TO_POINTER (joining->model->kinds->len));
  return joining->model->kinds->len - 1;
}

static guint32
find_like (Joining *joining, const LoomTransfer *transfer)
{
  guint64 key = loom_string_pool_hash (transfer->name, strlen (transfer->name));
  key = loom_string_pool_hash_join (loom_string_pool_hash_join (key, transfer->n_ranks), (guint64) transfer->bytes);
  gpointer found = look_up (joining->likes, key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  guint32 like = loom_slowdown_model_add_like (joining->model, find_kind (joining, transfer->name), TRUE);
  insert (joining->likes, key, like);
  return like;
}

static void
add_transfer (Joining *joining, const LoomTransferList *list, guint number)
{
  const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, number);
  const guint32 *first_place = joining->collectives->first_place;
  gboolean is_collective = number < joining->collectives->n;
  /* skip a message whose transfer begins after the range: of its two spans (send and receive), the later one is not
   * replayed, so the earlier one must keep its whole duration */
  if (!is_collective && transfer->range.begin_ns >= joining->collectives->range.end_ns)
    return;
  LoomSlowdownJoin join = { joining->joins->joins->len, find_like (joining, transfer), G_MININT64, is_collective };
  if (!is_collective) {
    joining->groups[first_place[transfer->trace] + transfer->meeting] = join.group;
    joining->groups[first_place[transfer->other_trace] + transfer->other_meeting] = join.group;
  }
  g_array_append_val (joining->joins->joins, join);
}

#define IS_BEFORE(a, b) ((a)->span != (b)->span ? (a)->span < (b)->span : (a)->group < (b)->group)
LOOM_DEFINE_SORT (sort_spans, LoomSlowdownJoinSpan, IS_BEFORE)

/* Writes those spans of a trace that belong to collectives and messages to `spans`, sorted by span and group. Updates
 * joined_ns of these collectives and messages. Returns the number of written spans. */
static guint32
add_spans (Joining *joining, guint32 trace, LoomSlowdownJoinSpan *spans)
{
  const guint32 *first_place = joining->collectives->first_place;
  guint32 n = 0;
  for (guint32 i = first_place[trace]; i < first_place[trace + 1]; i++) {
    const LoomSlowdownJoinSpan span = { joining->spans[i], joining->groups[i] };
    if (span.span == G_MAXUINT32 || span.group == G_MAXUINT32)
      continue;
    gint64 begin_ns, end_ns;
    loom_timeline_get_span (joining->collectives->timeline, (LoomSpanId) { trace, span.span }, &begin_ns, &end_ns);
    LoomSlowdownJoin *join = &g_array_index (joining->joins->joins, LoomSlowdownJoin, span.group);
    join->joined_ns = MAX (join->joined_ns, begin_ns);
    spans[n++] = span;
  }
  sort_spans (spans, n);
  return n;
}

/* Adds the spans trace by trace and not collective by collective, because the spans of the ranks of a collective are
 * far from each other in memory. */
static void
add_all_spans (Joining *joining)
{
  LoomSlowdownJoins *joins = joining->joins;
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (joining->collectives->timeline));
  joins->spans = g_new (LoomSlowdownJoinSpan, MAX (joining->collectives->first_place[n_traces], 1));
  joins->first_span = g_new0 (guint32, n_traces + 1);
  for (guint32 i = 0; i < n_traces; i++)
    joins->first_span[i + 1] = joins->first_span[i] + add_spans (joining, i, joins->spans + joins->first_span[i]);
}

/* Returns, for each sync event, the number of its group; G_MAXUINT32 if it has none. At first, only collectives are
 * groups, and the number of a group is the number of the collective. Owned by the caller. */
static guint32 *
copy_groups (const LoomCollectives *collectives)
{
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (collectives->timeline));
  return g_memdup2 (collectives->collective_of, collectives->first_place[n_traces] * sizeof (guint32));
}

gboolean
loom_slowdown_joins_init (LoomSlowdownJoins *joins, LoomSlowdownModel *model, const LoomCollectives *collectives,
                          GCancellable *cancellable)
{
  *joins = (LoomSlowdownJoins) { .joins = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownJoin)) };
  const guint32 *spans = loom_collectives_get_spans (collectives, cancellable);
  Joining joining = { joins,
                      model,
                      collectives,
                      spans,
                      copy_groups (collectives),
                      g_hash_table_new (loom_int64_hash_packed, NULL),
                      g_hash_table_new (g_str_hash, g_str_equal) };
  const LoomTransferList *list = spans != NULL ? loom_transfer_list_get (collectives, cancellable) : NULL;
  for (guint i = 0; list != NULL && i < list->transfers->len; i++)
    add_transfer (&joining, list, i);
  if (list != NULL) {
    add_all_spans (&joining);
    loom_pipeline_stages_init (&joins->stages, list);
  }
  g_free (joining.groups);
  g_hash_table_unref (joining.likes);
  g_hash_table_unref (joining.kinds);
  return list != NULL && !g_cancellable_is_cancelled (cancellable);
}

void
loom_slowdown_joins_clear (LoomSlowdownJoins *joins)
{
  g_clear_pointer (&joins->spans, g_free);
  g_clear_pointer (&joins->first_span, g_free);
  g_clear_pointer (&joins->joins, g_array_unref);
  loom_pipeline_stages_clear (&joins->stages);
}

const LoomSlowdownJoin *
loom_slowdown_joins_find (const LoomSlowdownJoins *joins, guint32 trace, guint32 span)
{
  guint32 low = joins->first_span[trace], high = joins->first_span[trace + 1];
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (joins->spans[middle].span <= span)
      low = middle + 1;
    else
      high = middle;
  }
  /* if the span belongs to several collectives, the last of these is returned */
  gboolean found = low > joins->first_span[trace] && joins->spans[low - 1].span == span;
  return found ? &g_array_index (joins->joins, LoomSlowdownJoin, joins->spans[low - 1].group) : NULL;
}
