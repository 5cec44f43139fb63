/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the events of one key in order of time: s opens a chain, t prolongs it, f ends at it (any number of times).
 * What comes before any s waits for one that finds no end of its own: an f may be earlier than its s.
 * Slices with flow_out (o) and flow_in (i) link in the same way.
 */
#include "loom-flow-chains.h"

#define NOTHING G_MAXUINT32

typedef struct {
  LoomFlowChains *chains;
  guint32 head;     /* record that the next hop starts from */
  guint32 previous; /* the head before that, for a slice with both flow_out and flow_in */
  guint32 origin;   /* the s of the chain */
  gboolean has_hop;
  GArray *waiting;  /* guint32 */
} Chain;

static void
link_hop (Chain *chain, guint32 from, guint32 to)
{
  LoomFlowChains *chains = chain->chains;
  chains->marks[from] |= LOOM_FLOW_MATCHED;
  chains->marks[to] |= LOOM_FLOW_MATCHED;
  chain->has_hop = TRUE;
  if (chains->spans[from] == NOTHING || chains->spans[to] == NOTHING)
    return;
  chains->marks[from] |= LOOM_FLOW_DRAWN;
  chains->marks[to] |= LOOM_FLOW_DRAWN;
  if (chains->spans[from] == chains->spans[to])
    return;
  LoomArrow arrow = { chains->spans[from], chains->spans[to], chains->records[from].name_id };
  g_array_append_val (chains->arrows, arrow);
}

static void
finish_chain (Chain *chain)
{
  if (chain->origin != NOTHING && !chain->has_hop) {
    for (guint i = 0; i < chain->waiting->len; i++)
      link_hop (chain, chain->origin, g_array_index (chain->waiting, guint32, i));
  }
  if (chain->origin != NOTHING)
    g_array_set_size (chain->waiting, 0);
  chain->head = chain->previous = chain->origin = NOTHING;
  chain->has_hop = FALSE;
}

static void
take_step (Chain *chain, guint32 record)
{
  const LoomFlowChains *chains = chain->chains;
  guint32 from = chain->head;
  /* The span's own flow_out stands at the same time: its flow_in comes from the one before. */
  if (chains->records[record].phase == 'i' && from != NOTHING && chains->spans[from] == chains->spans[record])
    from = chain->previous;
  if (from == NOTHING) {
    g_array_append_val (chain->waiting, record);
    return;
  }
  link_hop (chain, from, record);
  if (chains->records[record].phase == 't' && chains->spans[record] != NOTHING)
    chain->head = record;
}

static void
take (Chain *chain, guint32 record)
{
  switch (chain->chains->records[record].phase) {
  case 's':
    finish_chain (chain);
    chain->head = chain->origin = record;
    break;
  case 'o':
    chain->previous = chain->head;
    chain->head = record;
    break;
  default:
    take_step (chain, record);
    break;
  }
}

/* Orders the chosen records by key, keeping their order in time: `first[key] … first[key + 1]` of `order`. */
static guint32 *
group (const LoomFlowChains *chains, const guint32 *keys, guint32 *order)
{
  guint32 *first = g_new0 (guint32, chains->n_keys + 2);
  for (guint32 i = 0; i < chains->n; i++)
    first[keys[i] + 2]++;
  for (guint32 key = 2; key < chains->n_keys + 2; key++)
    first[key] += first[key - 1];
  for (guint32 i = 0; i < chains->n; i++)
    order[first[keys[i] + 1]++] = i;
  return first;
}

/* Key 0 correlates nothing. */
static void
link_by (LoomFlowChains *chains, const guint32 *keys)
{
  g_autofree guint32 *order = g_new (guint32, chains->n);
  g_autofree guint32 *first = group (chains, keys, order);
  Chain chain = { .chains = chains, .head = NOTHING, .previous = NOTHING, .origin = NOTHING };
  chain.waiting = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 key = 1; key < chains->n_keys; key++) {
    for (guint32 i = first[key]; i < first[key + 1]; i++)
      take (&chain, order[i]);
    finish_chain (&chain);
    g_array_set_size (chain.waiting, 0);
  }
  g_array_unref (chain.waiting);
}

void
loom_flow_chains_link (LoomFlowChains *chains)
{
  g_autofree guint32 *keys = g_new (guint32, chains->n);
  for (guint32 i = 0; i < chains->n; i++)
    keys[i] = chains->records[i].key;
  link_by (chains, keys);
  guint32 n_left = 0;
  for (guint32 i = 0; i < chains->n; i++) {
    keys[i] = chains->marks[i] & LOOM_FLOW_MATCHED ? 0 : chains->records[i].fallback_key;
    n_left += keys[i] != 0;
  }
  if (n_left > 1)
    link_by (chains, keys);
}
