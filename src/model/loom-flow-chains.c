/* SPDX-License-Identifier: Apache-2.0
 *
 * The events are dealt out, block by block, by the highest bits of their keys, so that a table of those in hand fits the
 * processor's cache and each hand is a thread's own. Then the events of one key are walked in order of time: s opens a chain, t prolongs it,
 * f ends at it (any number of times). What comes before any s waits for one that finds no end of its own: an f may be
 * earlier than its s. Slices with flow_out (o) and flow_in (i) link in the same way.
 */
#include "loom-flow-chains.h"

#include <string.h>

#define NOTHING G_MAXUINT32
#define HAND_RECORDS 8192 /* about so many in a hand */
#define MOST_HAND_BITS 14
#define BLOCK_STRETCHES 16 /* dealt out at one go */

enum {
  MATCHED = 1 << 0, /* another event answers to its key */
  DRAWN = 1 << 1,   /* and both are bound to a span */
};

typedef struct {
  guint64 key;    /* of id and name; 0 joins nothing */
  guint32 record, span, name_id;
  guint8 phase, marks;
} Event;

typedef struct {
  Event *events;    /* of the hand */
  LoomArrow *arrows;
  gsize n_arrows, room;
  guint32 head;     /* event that the next hop starts from */
  guint32 previous; /* the head before that, for a slice with both flow_out and flow_in */
  guint32 origin;   /* the s of the chain */
  gboolean has_hop;
  GArray *waiting;  /* guint32 */
} Chain;

static void
link_hop (Chain *chain, guint32 from, guint32 to)
{
  Event *source = &chain->events[from], *target = &chain->events[to];
  source->marks |= MATCHED;
  target->marks |= MATCHED;
  chain->has_hop = TRUE;
  if (source->span == NOTHING || target->span == NOTHING)
    return;
  source->marks |= DRAWN;
  target->marks |= DRAWN;
  if (source->span == target->span)
    return;
  if (chain->n_arrows == chain->room)
    chain->arrows = g_renew (LoomArrow, chain->arrows, chain->room = MAX (chain->room * 2, 1024));
  chain->arrows[chain->n_arrows++] = (LoomArrow) { source->span, target->span, source->name_id };
}

static void
finish_chain (Chain *chain)
{
  if (chain->origin != NOTHING && !chain->has_hop) {
    for (guint i = 0; i < chain->waiting->len; i++)
      link_hop (chain, chain->origin, g_array_index (chain->waiting, guint32, i));
  }
  if (chain->origin != NOTHING)
    chain->waiting->len = 0;
  chain->head = chain->previous = chain->origin = NOTHING;
  chain->has_hop = FALSE;
}

static void
take_step (Chain *chain, guint32 event)
{
  const Event *events = chain->events;
  guint32 from = chain->head;
  /* The span's own flow_out stands at the same time: its flow_in comes from the one before. */
  if (events[event].phase == 'i' && from != NOTHING && events[from].span == events[event].span)
    from = chain->previous;
  if (from == NOTHING) {
    g_array_append_val (chain->waiting, event);
    return;
  }
  link_hop (chain, from, event);
  if (events[event].phase == 't' && events[event].span != NOTHING)
    chain->head = event;
}

static void
take (Chain *chain, guint32 event)
{
  switch (chain->events[event].phase) {
  case 's':
    finish_chain (chain);
    chain->head = chain->origin = event;
    break;
  case 'o':
    chain->previous = chain->head;
    chain->head = event;
    break;
  default:
    take_step (chain, event);
    break;
  }
}

/* --- one hand ----------------------------------------------------------------------------------------------------- */

/* The events of one key, linked in order of time. */
typedef struct {
  guint64 key;
  guint32 first, last;
} Slot;

typedef struct {
  Slot *slots;
  guint32 mask, room;
  Event *events; /* the hand */
  guint32 *next; /* per event */
  Chain chain;
} Table;

typedef struct {
  LoomFlowChains *chains;
  guint bits;
  guint n_blocks;
  Event *events;   /* block by block, each hand by hand, each in order of time */
  guint32 *first;  /* per block and hand, into events; and one more per block */
  Table *tables;   /* per worker */
} Deal;

static void
make_room (Table *table, guint32 n)
{
  guint32 n_slots = 64;
  while (n_slots < 2 * n)
    n_slots *= 2;
  if (n > table->room) {
    table->slots = g_renew (Slot, table->slots, n_slots);
    table->next = g_renew (guint32, table->next, n);
    table->events = g_renew (Event, table->events, n);
    table->room = n;
  }
  table->mask = n_slots - 1;
}

static void
put (Table *table, guint32 event, guint64 key)
{
  guint32 at = (guint32) key & table->mask;
  while (table->slots[at].first != NOTHING && table->slots[at].key != key)
    at = (at + 1) & table->mask;
  Slot *slot = &table->slots[at];
  if (slot->first == NOTHING)
    *slot = (Slot) { key, event, event };
  else
    table->next[slot->last] = event;
  slot->last = event;
  table->next[event] = NOTHING;
}

static void
link_key (Chain *chain, const guint32 *next, guint32 event)
{
  for (; event != NOTHING; event = next[event])
    take (chain, event);
  finish_chain (chain);
  chain->waiting->len = 0;
}

static void
link_hand (Table *table, guint32 n)
{
  const Event *events = table->chain.events = table->events;
  for (guint32 at = 0; at <= table->mask; at++)
    table->slots[at].first = NOTHING;
  for (guint32 i = 0; i < n; i++)
    if (events[i].key != 0)
      put (table, i, events[i].key);
  for (guint32 at = 0; at <= table->mask; at++) {
    guint32 first = table->slots[at].first;
    if (first != NOTHING && table->next[first] != NOTHING) /* alone, it joins nothing */
      link_key (&table->chain, table->next, first);
  }
}

static guint64
key_of (const LoomFlowChains *chains, guint32 record)
{
  guint low = 0, high = chains->n_stretches;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    *(chains->stretches[middle].first <= record ? &low : &high) = middle;
  }
  return chains->stretches[low].records[record - chains->stretches[low].first].key;
}

/* Those that found nothing try again without their names. */
static guint32
widen_keys (const LoomFlowChains *chains, Event *events, guint32 n)
{
  guint32 n_left = 0;
  for (guint32 i = 0; i < n; i++) {
    events[i].key = events[i].marks & MATCHED ? 0 : key_of (chains, events[i].record);
    n_left += events[i].key != 0;
  }
  return n_left;
}

/* What the blocks dealt to this hand; returns how many there are to link. */
static guint32
pick_up (const Deal *deal, guint hand, Table *table)
{
  guint32 stride = (1u << deal->bits) + 1, n = 0;
  for (guint block = 0; block < deal->n_blocks; block++) {
    const guint32 *first = deal->first + (gsize) block * stride + hand;
    n += first[1] - first[0];
  }
  if (n < 2)
    return 0; /* alone, it joins nothing */
  make_room (table, n);
  n = 0;
  for (guint block = 0; block < deal->n_blocks; block++) {
    const guint32 *first = deal->first + (gsize) block * stride + hand;
    memcpy (table->events + n, deal->events + first[0], (first[1] - first[0]) * sizeof (Event));
    n += first[1] - first[0];
  }
  return n;
}

static void
take_hand (guint hand, guint worker, gpointer user_data)
{
  const Deal *deal = user_data;
  Table *table = &deal->tables[worker];
  guint32 n = pick_up (deal, hand, table);
  if (n == 0)
    return;
  link_hand (table, n);
  if (widen_keys (deal->chains, table->events, n) > 1)
    link_hand (table, n);
  for (guint32 i = 0; i < n; i++)
    deal->chains->is_drawn[table->events[i].record] = (table->events[i].marks & DRAWN) != 0;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static inline guint32
hand_of (const Deal *deal, const LoomFlowRecord *record)
{
  return (guint32) (record->key >> 32) >> (32 - deal->bits);
}

static guint64
full_key (const LoomFlowChains *chains, const LoomFlowRecord *record)
{
  if (record->key == 0 || record->phase == 'o' || record->phase == 'i')
    return record->key;
  return loom_hash_join (record->key, loom_names_get (chains->names, record->name_id)->text_id);
}

static void
deal_block (guint block, guint worker, gpointer user_data)
{
  const Deal *deal = user_data;
  const LoomFlowChains *chains = deal->chains;
  guint begin = block * BLOCK_STRETCHES, end = MIN (begin + BLOCK_STRETCHES, chains->n_stretches), n_hands = 1u << deal->bits;
  guint32 *first = deal->first + (gsize) block * (n_hands + 1);
  g_autofree guint32 *next = g_new0 (guint32, n_hands + 1);
  for (const LoomFlowStretch *stretch = chains->stretches + begin; stretch < chains->stretches + end; stretch++)
    for (guint32 i = 0; i < stretch->n; i++)
      next[hand_of (deal, &stretch->records[i]) + 1]++;
  first[0] = next[0] = chains->stretches[begin].first;
  for (guint hand = 1; hand <= n_hands; hand++)
    first[hand] = next[hand] += next[hand - 1];
  for (const LoomFlowStretch *stretch = chains->stretches + begin; stretch < chains->stretches + end; stretch++)
    for (guint32 i = 0; i < stretch->n; i++) {
      const LoomFlowRecord *record = &stretch->records[i];
      guint32 number = stretch->first + i;
      deal->events[next[hand_of (deal, record)]++] = (Event) { full_key (chains, record), number, chains->spans[number],
                                                               record->name_id, record->phase, 0 };
    }
}

static Table *
make_tables (guint n_threads)
{
  Table *tables = g_new0 (Table, n_threads);
  for (guint i = 0; i < n_threads; i++)
    tables[i].chain = (Chain) {
      .head = NOTHING, .previous = NOTHING, .origin = NOTHING,
      .waiting = g_array_new (FALSE, FALSE, sizeof (guint32)),
    };
  return tables;
}

/* Returns the arrows of all. */
static LoomArrow *
clear_tables (Table *tables, guint n_threads, guint32 *n_arrows)
{
  gsize n = 0;
  for (guint i = 0; i < n_threads; i++)
    n += tables[i].chain.n_arrows;
  LoomArrow *all = g_new (LoomArrow, MAX (n, 1)), *end = all;
  for (guint i = 0; i < n_threads; i++) {
    if (tables[i].chain.n_arrows > 0)
      memcpy (end, tables[i].chain.arrows, tables[i].chain.n_arrows * sizeof *all);
    end += tables[i].chain.n_arrows;
    g_free (tables[i].chain.arrows);
    g_array_unref (tables[i].chain.waiting);
    g_free (tables[i].slots);
    g_free (tables[i].next);
    g_free (tables[i].events);
  }
  g_free (tables);
  *n_arrows = (guint32) n;
  return all;
}

LoomArrow *
loom_flow_chains_link (LoomFlowChains *chains, guint n_threads, guint32 *n_arrows, LoomProgress *progress)
{
  Deal deal = { .chains = chains, .bits = 1, .tables = make_tables (n_threads) };
  while (deal.bits < MOST_HAND_BITS && chains->n >> deal.bits > HAND_RECORDS)
    deal.bits++;
  deal.n_blocks = (chains->n_stretches + BLOCK_STRETCHES - 1) / BLOCK_STRETCHES;
  deal.events = g_new (Event, chains->n);
  deal.first = g_new (guint32, (gsize) deal.n_blocks * ((1u << deal.bits) + 1));
  gboolean done = loom_parallel_for (deal.n_blocks, n_threads, deal_block, &deal, progress)
                  && loom_parallel_for (1u << deal.bits, n_threads, take_hand, &deal, progress);
  LoomArrow *arrows = clear_tables (deal.tables, n_threads, n_arrows);
  g_free (deal.events);
  g_free (deal.first);
  if (!done)
    g_clear_pointer (&arrows, g_free);
  return arrows;
}
