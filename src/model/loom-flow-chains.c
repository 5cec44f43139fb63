/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys are dealt out by their highest bits, so that a table of those in hand fits the processor's cache and each
 * hand is a thread's own. Then the events of one key are walked in order of time: s opens a chain, t prolongs it, f ends
 * at it (any number of times).
 * What comes before any s waits for one that finds no end of its own: an f may be earlier than its s.
 * Slices with flow_out (o) and flow_in (i) link in the same way.
 */
#include "loom-flow-chains.h"

#define NOTHING G_MAXUINT32
#define HAND_RECORDS 8192 /* about so many in a hand */
#define MOST_HAND_BITS 14

typedef struct {
  const LoomFlowChains *chains;
  GArray *arrows;   /* LoomArrow */
  guint32 head;     /* record that the next hop starts from */
  guint32 previous; /* the head before that, for a slice with both flow_out and flow_in */
  guint32 origin;   /* the s of the chain */
  gboolean has_hop;
  GArray *waiting;  /* guint32 */
} Chain;

static void
link_hop (Chain *chain, guint32 from, guint32 to)
{
  const LoomFlowChains *chains = chain->chains;
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
  g_array_append_val (chain->arrows, arrow);
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

/* --- one hand ----------------------------------------------------------------------------------------------------- */

/* The records of one key, linked in order of time. */
typedef struct {
  guint64 key;
  guint32 first, last; /* positions in the hand */
} Slot;

typedef struct {
  Slot *slots;
  guint32 mask;
  guint32 *next; /* per position */
  guint64 *keys; /* per position */
  guint32 room;
  Chain chain;
} Table;

typedef struct {
  LoomFlowChains *chains;
  guint bits;
  guint32 *order;  /* indices of records: hand by hand, each in order of time */
  guint32 *first;  /* per hand, into order; and one behind the last */
  Table *tables;   /* per worker */
} Deal;

static void
make_room (Table *table, guint32 n)
{
  guint32 n_slots = 64;
  while (n_slots < 2 * n)
    n_slots *= 2;
  if (n > table->room) {
    g_free (table->slots);
    g_free (table->next);
    g_free (table->keys);
    table->slots = g_new (Slot, n_slots);
    table->next = g_new (guint32, n);
    table->keys = g_new (guint64, n);
    table->room = n;
  }
  table->mask = n_slots - 1;
  for (guint32 i = 0; i < n_slots; i++)
    table->slots[i].first = NOTHING;
}

static void
put (Table *table, guint32 position, guint64 key)
{
  guint32 at = (guint32) key & table->mask;
  while (table->slots[at].first != NOTHING && table->slots[at].key != key)
    at = (at + 1) & table->mask;
  Slot *slot = &table->slots[at];
  if (slot->first == NOTHING)
    *slot = (Slot) { key, position, position };
  else
    table->next[slot->last] = position;
  slot->last = position;
  table->next[position] = NOTHING;
}

/* Links what has a key (0: nothing correlates it) in table->keys. */
static void
link_hand (Table *table, const guint32 *order, guint32 n)
{
  Chain *chain = &table->chain;
  make_room (table, n);
  for (guint32 i = 0; i < n; i++)
    if (table->keys[i] != 0)
      put (table, i, table->keys[i]);
  for (guint32 at = 0; at <= table->mask; at++) {
    guint32 i = table->slots[at].first;
    if (i == NOTHING || table->next[i] == NOTHING)
      continue; /* alone, it joins nothing */
    for (; i != NOTHING; i = table->next[i])
      take (chain, order[i]);
    finish_chain (chain);
    g_array_set_size (chain->waiting, 0);
  }
}

static guint64
full_key (const LoomFlowChains *chains, const LoomFlowRecord *record)
{
  if (record->key == 0 || record->phase == 'o' || record->phase == 'i')
    return record->key;
  return loom_hash_join (record->key, loom_names_get (chains->names, record->name_id)->text_id);
}

static void
take_hand (guint hand, guint worker, gpointer user_data)
{
  Deal *deal = user_data;
  const LoomFlowChains *chains = deal->chains;
  Table *table = &deal->tables[worker];
  const guint32 *order = deal->order + deal->first[hand];
  guint32 n = deal->first[hand + 1] - deal->first[hand], n_left = 0;
  if (n < 2)
    return;
  make_room (table, n);
  for (guint32 i = 0; i < n; i++)
    table->keys[i] = full_key (chains, &chains->records[order[i]]);
  link_hand (table, order, n);
  for (guint32 i = 0; i < n; i++) {
    table->keys[i] = chains->marks[order[i]] & LOOM_FLOW_MATCHED ? 0 : chains->records[order[i]].key;
    n_left += table->keys[i] != 0;
  }
  if (n_left > 1)
    link_hand (table, order, n);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static inline guint32
hand_of (const Deal *deal, guint32 record)
{
  return (guint32) (deal->chains->records[record].key >> 32) >> (32 - deal->bits);
}

static void
deal_out (Deal *deal)
{
  guint32 n = deal->chains->n, n_hands = 1u << deal->bits;
  deal->order = g_new (guint32, n);
  deal->first = g_new0 (guint32, n_hands + 2);
  for (guint32 i = 0; i < n; i++)
    deal->first[hand_of (deal, i) + 2]++;
  for (guint32 hand = 2; hand < n_hands + 2; hand++)
    deal->first[hand] += deal->first[hand - 1];
  for (guint32 i = 0; i < n; i++)
    deal->order[deal->first[hand_of (deal, i) + 1]++] = i;
}

static GArray *
clear_tables (Deal *deal, guint n_threads)
{
  GArray *all = deal->tables[0].chain.arrows;
  for (guint i = 0; i < n_threads; i++) {
    Table *table = &deal->tables[i];
    if (i > 0) {
      g_array_append_vals (all, table->chain.arrows->data, table->chain.arrows->len);
      g_array_unref (table->chain.arrows);
    }
    g_array_unref (table->chain.waiting);
    g_free (table->slots);
    g_free (table->next);
    g_free (table->keys);
  }
  g_free (deal->tables);
  return all;
}

GArray *
loom_flow_chains_link (LoomFlowChains *chains, guint n_threads, LoomProgress *progress)
{
  Deal deal = { .chains = chains, .bits = 1, .tables = g_new0 (Table, n_threads) };
  while (deal.bits < MOST_HAND_BITS && chains->n >> deal.bits > HAND_RECORDS)
    deal.bits++;
  deal_out (&deal);
  for (guint i = 0; i < n_threads; i++)
    deal.tables[i].chain = (Chain) {
      .chains = chains, .head = NOTHING, .previous = NOTHING, .origin = NOTHING,
      .arrows = g_array_new (FALSE, FALSE, sizeof (LoomArrow)), .waiting = g_array_new (FALSE, FALSE, sizeof (guint32)),
    };
  gboolean done = loom_parallel_for (1u << deal.bits, n_threads, take_hand, &deal, progress);
  GArray *arrows = clear_tables (&deal, n_threads);
  g_free (deal.order);
  g_free (deal.first);
  if (!done)
    g_clear_pointer (&arrows, g_array_unref);
  return arrows;
}
