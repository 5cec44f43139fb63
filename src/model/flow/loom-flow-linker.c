/* SPDX-License-Identifier: Apache-2.0
 *
 * Links flow events that have the same key. The events are first partitioned in place by the highest bits of their
 * keys, so that the events of a partition and its hash table fit into the processor's cache; then each partition is
 * linked by one thread. Names of functions and variables call a partition a hand.
 *
 * Events with the same key are linked in order of time: a start (phase s) begins a chain, a step (t) extends it, and
 * any number of ends (f) are linked to its last event. A file may contain an f before its s. Therefore steps and ends
 * that no s precedes are stored. If neither a step nor an end follows an s, the stored events are linked to this s.
 * Spans with flow_out (o) and flow_in (i) are linked in the same way.
 */
#include "loom-flow-linker.h"

#include <string.h>

#define NOTHING G_MAXUINT32
#define HAND_RECORDS 8192 /* approximate number of events in a partition, which is called “hand” in names */
/* maximum of LoomFlowLinker.bits; limits the memory of LoomFlowLinker.first to about one byte per event */
#define MOST_HAND_BITS 11
#define STRETCHES_AHEAD 6
#define MOST_LINES_AHEAD 8
#define CACHE_LINE 64

enum {
  MATCHED = 1 << 0, /* set for an event if another event has the same key */
  DRAWN = 1 << 1,   /* set for an event if another event has the same key, and both are bound to spans */
};

typedef struct {
  LoomFlowEvent *events; /* events of the partition */
  LoomArrow *arrows;
  gsize n_arrows, room;
  guint32 head; /* event from which the next hop (link between two events) starts; NOTHING: none */
  /* value of `head` before the last flow_out. If a flow_in belongs to the same span as this flow_out, it is linked to
   * `previous`, because a span is not linked to itself */
  guint32 previous;
  guint32 origin; /* start event (phase s) of the current chain of links; NOTHING: none */
  gboolean has_hop;
  GArray *waiting; /* guint32: events that come before the first start event (phase s or flow_out) of the flow */
} Chain;

static void
link_hop (Chain *chain, guint32 from, guint32 to)
{
  LoomFlowEvent *source = &chain->events[from], *target = &chain->events[to];
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
  const LoomFlowEvent *events = chain->events;
  guint32 from = chain->head;
  /* A flow_in that follows the flow_out of its own span is linked to the event before this flow_out, because a span is
   * not linked to itself. */
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
  default: take_step (chain, event); break;
  }
}

/* --- linking the events of one partition -------------------------------------------------------------------------- */

/* The events with one key: a linked list in order of time; see Table.next. */
typedef struct {
  guint64 key;
  guint32 first, last;
} Slot;

typedef struct {
  Slot *slots;
  guint32 mask, room;
  LoomFlowEvent *events; /* events of the partition */
  /* array indexed by event. In the first pass, an element is a hash of the event's flow key and name; in the second
   * pass, which ignores names, it is the flow key. 0: the event is not linked to others */
  guint64 *keys;
  guint32 *next; /* array indexed by event: the next event with the same element in `keys` */
  Chain chain;
  LoomProblemCounts tally;
} Table;

typedef struct {
  const LoomFlowLinker *chains;
  Table *tables; /* array indexed by worker thread: memory for linking one partition */
} Link;

static void
make_room (Table *table, guint32 n)
{
  guint32 n_slots = 64;
  while (n_slots < 2 * n)
    n_slots *= 2;
  if (n > table->room) {
    table->slots = g_renew (Slot, table->slots, n_slots);
    table->next = g_renew (guint32, table->next, n);
    table->keys = g_renew (guint64, table->keys, n);
    table->events = g_renew (LoomFlowEvent, table->events, n);
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
  table->chain.events = table->events;
  for (guint32 at = 0; at <= table->mask; at++)
    table->slots[at].first = NOTHING;
  for (guint32 i = 0; i < n; i++)
    if (table->keys[i] != 0)
      put (table, i, table->keys[i]);
  for (guint32 at = 0; at <= table->mask; at++) {
    guint32 first = table->slots[at].first;
    if (first != NOTHING && table->next[first] != NOTHING) /* linked only if at least two events have the key */
      link_key (&table->chain, table->next, first);
  }
}

static guint64
full_key (const LoomFlowLinker *chains, const LoomFlowEvent *event)
{
  if (event->key == 0 || event->phase == 'o' || event->phase == 'i')
    return event->key;
  return loom_string_pool_hash_join (event->key,
                                     loom_name_interner_get (&chains->builder->names, event->name_id)->text_id);
}

/* Prepares the second pass, which ignores names: sets keys[event] to the flow key of an event that found no partner in
 * the first pass, and to 0 for all other events. Returns the number of events whose key is not 0. */
static guint32
widen_keys (Table *table, guint32 n)
{
  guint32 n_left = 0;
  for (guint32 i = 0; i < n; i++) {
    table->keys[i] = table->events[i].marks & MATCHED ? 0 : table->events[i].key;
    n_left += table->keys[i] != 0;
  }
  return n_left;
}

static const guint16 *
first_of (const LoomFlowLinker *chains, guint stretch, guint hand)
{
  return chains->first + (gsize) stretch * ((1u << chains->bits) + 1) + hand;
}

static const LoomFlowEvent *
events_of (const LoomFlowLinker *chains, guint stretch)
{
  return (const LoomFlowEvent *) (gpointer) chains->stretches[stretch].records;
}

/* Prefetches the events of the partition `hand` in a stretch (LoomFlowStretch) that is read later, because the events
 * of one partition are far apart in memory. */
static inline void
ask_ahead (const LoomFlowLinker *chains, guint stretch, guint hand)
{
  if (stretch >= chains->n_stretches)
    return;
  const guint16 *first = first_of (chains, stretch, hand);
  const char *p = (const char *) (events_of (chains, stretch) + first[0]),
             *end = (const char *) (events_of (chains, stretch) + first[1]);
  for (guint line = 0; line < MOST_LINES_AHEAD && p < end; line++, p += CACHE_LINE)
    __builtin_prefetch (p);
}

/* Copies the events of the partition `hand` from all stretches (LoomFlowStretch) to `table`, in order of time. Returns
 * their number. */
static guint32
pick_up (const LoomFlowLinker *chains, guint hand, Table *table)
{
  guint32 n = 0;
  for (guint stretch = 0; stretch < chains->n_stretches; stretch++) {
    const guint16 *first = first_of (chains, stretch, hand);
    n += (guint32) (first[1] - first[0]);
  }
  make_room (table, n);
  n = 0;
  for (guint stretch = 0; stretch < chains->n_stretches; stretch++) {
    const guint16 *first = first_of (chains, stretch, hand);
    ask_ahead (chains, stretch + STRETCHES_AHEAD, hand);
    for (guint i = first[0]; i < first[1]; i++, n++) {
      table->events[n] = events_of (chains, stretch)[i];
      table->keys[n] = full_key (chains, &table->events[n]);
    }
  }
  return n;
}

static void
count_unbound (const LoomFlowLinker *chains, Table *table, guint32 n)
{
  for (guint32 i = 0; i < n; i++) {
    const LoomFlowEvent *event = &table->events[i];
    if (event->marks & DRAWN)
      continue;
    const LoomThreadEntry *thread = loom_trace_builder_peek_thread (chains->builder, event->thread);
    loom_problem_counts_add (&table->tally, LOOM_ISSUE_UNBOUND_FLOW, event->ref,
                             loom_trace_builder_peek_process (chains->builder, thread->process)->source);
  }
}

static void
take_hand (guint hand, guint worker, gpointer user_data)
{
  const Link *link = user_data;
  Table *table = &link->tables[worker];
  guint32 n = pick_up (link->chains, hand, table);
  if (n > 1)
    link_hand (table, n);
  if (n > 1 && widen_keys (table, n) > 1)
    link_hand (table, n);
  count_unbound (link->chains, table, n);
}

/* --- partitioning the flow events by key -------------------------------------------------------------------------- */

static inline guint32
hand_of (const LoomFlowLinker *chains, const LoomFlowRecord *record)
{
  return (guint32) (record->key >> 32) >> (32 - chains->bits);
}

void
loom_flow_linker_init (LoomFlowLinker *chains, LoomTraceBuilder *builder, const LoomFlowStretch *stretches,
                       guint n_stretches, guint32 n)
{
  *chains =
    (LoomFlowLinker) { .builder = builder, .stretches = stretches, .n_stretches = n_stretches, .n = n, .bits = 1 };
  while (chains->bits < MOST_HAND_BITS && n >> chains->bits > HAND_RECORDS)
    chains->bits++;
  chains->first = g_new0 (guint16, (gsize) n_stretches * ((1u << chains->bits) + 1));
}

void
loom_flow_linker_clear (LoomFlowLinker *chains)
{
  g_clear_pointer (&chains->first, g_free);
}

void
loom_flow_linker_deal (LoomFlowLinker *chains, guint stretch, const guint32 *spans, LoomFlowEvent *room)
{
  LoomFlowRecord *records = chains->stretches[stretch].records;
  guint n = chains->stretches[stretch].n, n_hands = 1u << chains->bits;
  guint16 *first = chains->first + (gsize) stretch * (n_hands + 1), next[(1 << MOST_HAND_BITS) + 1];
  for (guint i = 0; i < n; i++)
    first[hand_of (chains, &records[i]) + 1]++;
  for (guint hand = 1; hand <= n_hands; hand++)
    first[hand] = (guint16) (first[hand] + first[hand - 1]);
  memcpy (next, first, n_hands * sizeof *next);
  for (guint i = 0; i < n; i++) {
    const LoomFlowRecord *record = &records[i];
    room[next[hand_of (chains, record)]++] =
      (LoomFlowEvent) { record->key, record->ref, spans[i], record->name_id, record->thread, record->phase, 0 };
  }
  memcpy ((gpointer) records, room, n * sizeof *room);
}

/* --- linking all partitions on several threads -------------------------------------------------------------------- */

static Table *
make_tables (guint n_threads)
{
  Table *tables = g_new0 (Table, n_threads);
  for (guint i = 0; i < n_threads; i++)
    tables[i].chain = (Chain) {
      .head = NOTHING,
      .previous = NOTHING,
      .origin = NOTHING,
      .waiting = g_array_new (FALSE, FALSE, sizeof (guint32)),
    };
  return tables;
}

/* Frees the tables of all threads. Returns the arrows that the tables contain, and adds their counts of problems to
 * `tally`. */
static GArray *
clear_tables (Table *tables, guint n_threads, LoomProblemCounts *tally)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (LoomArrows));
  for (guint i = 0; i < n_threads; i++) {
    LoomArrows arrows = { tables[i].chain.arrows, (guint32) tables[i].chain.n_arrows };
    g_array_append_val (all, arrows);
    loom_problem_counts_join (tally, &tables[i].tally);
    loom_problem_counts_clear (&tables[i].tally);
    g_array_unref (tables[i].chain.waiting);
    g_free (tables[i].slots);
    g_free (tables[i].next);
    g_free (tables[i].keys);
    g_free (tables[i].events);
  }
  g_free (tables);
  return all;
}

GArray *
loom_flow_linker_link (LoomFlowLinker *chains, LoomProblemCounts *tally, guint n_threads, LoomProgress *progress)
{
  Link link = { chains, make_tables (n_threads) };
  gboolean done = loom_parallel_for (1u << chains->bits, n_threads, take_hand, &link, progress);
  GArray *arrows = clear_tables (link.tables, n_threads, tally);
  if (!done)
    g_clear_pointer (&arrows, loom_flow_arrows_free);
  return arrows;
}
