/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-joins.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-string-pool.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

typedef struct {
  LoomSlowdownJoins *joins;
  LoomSlowdownModel *model;
  const LoomCollectives *collectives;
  const guint32 *spans; /* see loom_collectives_get_spans() */
  /* hash of name, ranks and size (guint64) → 1 + the index in LoomSlowdownModel.likes of the set of comparable
   * operations */
  GHashTable *likes;
  GHashTable *kinds; /* name of an operation → index of the operation's kind in LoomSlowdownModel.kinds, plus 1 */
} Joining;

static guint64
make_key (guint32 trace, guint32 span)
{
  return (guint64) trace << 32 | span;
}

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
add_member (Joining *joining, guint32 trace, guint32 meeting, LoomSlowdownJoin *join)
{
  LoomSpanId span = { trace, joining->spans[joining->collectives->first_place[trace] + meeting] };
  gint64 begin_ns, end_ns;
  if (span.span == G_MAXUINT32)
    return;
  loom_timeline_get_span (joining->collectives->timeline, span, &begin_ns, &end_ns);
  join->joined_ns = MAX (join->joined_ns, begin_ns);
  insert (joining->joins->by_span, make_key (trace, span.span), join->group);
}

static void
add_transfer (Joining *joining, const LoomTransferList *list, guint number)
{
  const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, number);
  /* a message whose transfer begins after the range: its later side is not replayed, so its earlier side must keep its
   * whole duration */
  if (number >= joining->collectives->n && transfer->range.begin_ns >= joining->collectives->range.end_ns)
    return;
  LoomSlowdownJoin join = { joining->joins->joins->len, find_like (joining, transfer), G_MININT64,
                            number < joining->collectives->n };
  if (number < joining->collectives->n) {
    const LoomCollective *collective = &joining->collectives->all[number];
    const LoomCollectiveMember *members = loom_collectives_get_members (joining->collectives, collective);
    for (guint i = 0; i < collective->n; i++)
      add_member (joining, members[i].trace, members[i].meeting, &join);
  } else {
    add_member (joining, transfer->trace, transfer->meeting, &join);
    add_member (joining, transfer->other_trace, transfer->other_meeting, &join);
  }
  g_array_append_val (joining->joins->joins, join);
}

gboolean
loom_slowdown_joins_init (LoomSlowdownJoins *joins, LoomSlowdownModel *model, const LoomCollectives *collectives,
                          GCancellable *cancellable)
{
  *joins = (LoomSlowdownJoins) { .by_span = g_hash_table_new (loom_int64_hash_packed, NULL),
                                 .joins = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownJoin)) };
  const guint32 *spans = loom_collectives_get_spans (collectives, cancellable);
  Joining joining = { joins,
                      model,
                      collectives,
                      spans,
                      g_hash_table_new (loom_int64_hash_packed, NULL),
                      g_hash_table_new (g_str_hash, g_str_equal) };
  const LoomTransferList *list = spans != NULL ? loom_transfer_list_get (collectives, cancellable) : NULL;
  for (guint i = 0; list != NULL && i < list->transfers->len; i++)
    add_transfer (&joining, list, i);
  if (list != NULL)
    loom_pipeline_stages_init (&joins->stages, list);
  g_hash_table_unref (joining.likes);
  g_hash_table_unref (joining.kinds);
  return list != NULL && !g_cancellable_is_cancelled (cancellable);
}

void
loom_slowdown_joins_clear (LoomSlowdownJoins *joins)
{
  g_clear_pointer (&joins->by_span, g_hash_table_unref);
  g_clear_pointer (&joins->joins, g_array_unref);
  loom_pipeline_stages_clear (&joins->stages);
}

const LoomSlowdownJoin *
loom_slowdown_joins_find (const LoomSlowdownJoins *joins, guint32 trace, guint32 span)
{
  gpointer found = look_up (joins->by_span, make_key (trace, span));
  return found != NULL ? &g_array_index (joins->joins, LoomSlowdownJoin, GPOINTER_TO_UINT (found) - 1) : NULL;
}
