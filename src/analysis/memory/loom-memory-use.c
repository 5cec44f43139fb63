/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-memory-use.h"

#include "loom-recording-advice.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loom-int64-hash.h"
#include "loom-track-rank.h"

static LoomMemoryEvent *
get_event (const LoomMemoryUse *self, guint i)
{
  return &g_array_index (self->events->events, LoomMemoryEvent, i);
}

/* --- memory in use after each event ------------------------------------------------------------------------------- */

/* Returns the number of events before `time_ns`. `events` must be sorted by time. */
static guint
count_before (const LoomMemoryEvent *events, guint n, gint64 time_ns)
{
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (events[middle].time_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the level of allocated bytes before an event; for the first event, the level at the start of the
 * recording. */
static gint64
get_level_before (const LoomMemoryEvent *events, guint n, guint i)
{
  if (i > 0)
    return events[i - 1].allocated;
  return n > 0 ? loom_time_sub (events[0].allocated, events[0].bytes) : 0;
}

/* Returns the index of the first event that changes the level of allocated bytes. This is `first`, with one exception:
 * if `first` is 0, events of blocks that were allocated before the recording are skipped. The level at the start of the
 * recording already includes these blocks. */
static guint
skip_existing (const LoomMemoryEvent *events, guint n, guint first)
{
  guint n_existing = 0;
  while (first == 0 && n_existing < n && events[n_existing].is_existing)
    n_existing++;
  return MAX (first, n_existing);
}

static void
find_peak (LoomMemoryDevice *device, const LoomMemoryEvent *events, guint n, guint first, guint end, LoomRange range)
{
  device->initial = get_level_before (events, n, skip_existing (events, n, 0));
  device->begin = get_level_before (events, n, skip_existing (events, n, first));
  device->end = end > first ? events[end - 1].allocated : device->begin;
  device->peak = device->begin;
  device->peak_ns = range.begin_ns;
  device->peak_span = LOOM_SPAN_ID_NONE;
  device->reserved_peak = device->reserved_at_peak = first > 0 ? events[first - 1].reserved : LOOM_MEMORY_UNKNOWN;
  for (guint i = first; i < end; i++) {
    const LoomMemoryEvent *event = &events[i];
    device->reserved_peak = MAX (device->reserved_peak, event->reserved);
    if (event->allocated > device->peak || (i == first && event->allocated == device->peak)) {
      device->peak = event->allocated;
      device->peak_ns = event->time_ns;
      device->peak_span = event->span;
      device->reserved_at_peak = event->reserved;
    }
  }
}

/* If several blocks have the same address, a free is assumed to be of the newest block that has the freed size. At most
 * this many blocks are compared. */
#define MOST_SHARED 64

/* --- owners of the memory at the peak ----------------------------------------------------------------------------- */

typedef struct {
  /* the blocks that are not freed yet. Key: address (const guint64 *); value: event that allocated the block
   * (LoomMemoryEvent *) */
  GHashTable *live;
  /* older blocks that are not freed although a newer block has the same address, because some files give several blocks
   * one address. Key: allocation of the newer block; value: allocation of the older block */
  GHashTable *older;
  GHashTable *by_key; /* index of an owner → index of its LoomMemoryHolder in use->holders, plus 1 */
  LoomMemoryUse *use;
  LoomMemoryDevice *device;
  gboolean has_addresses; /* TRUE if any event has an address, so that frees can be assigned to blocks */
} Ledger;

static LoomMemoryHolder *
get_holder (Ledger *ledger, guint32 owner)
{
  gpointer key = GUINT_TO_POINTER (owner);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (ledger->by_key, key));
  if (index == 0) {
    const LoomMemoryHolder holder = { .owner = owner, .span = LOOM_SPAN_ID_NONE };
    g_array_append_val (ledger->use->holders, holder);
    index = ledger->use->holders->len;
    g_hash_table_insert (ledger->by_key, key, GUINT_TO_POINTER (index));
  }
  return &g_array_index (ledger->use->holders, LoomMemoryHolder, index - 1);
}

static void
follow_allocation (Ledger *ledger, LoomMemoryEvent *event)
{
  LoomMemoryEvent *older = g_hash_table_lookup (ledger->live, &event->address);
  /* An older block at this address is kept only if no event is missing: if the file states the levels (is_relative is
   * FALSE), and they never contradict each other (n_breaks is 0). Otherwise it is removed, because the event that freed
   * it may be missing. */
  if (older != NULL && !ledger->device->is_relative && ledger->device->n_breaks == 0)
    g_hash_table_insert (ledger->older, event, older);
  g_hash_table_replace (ledger->live, &event->address, event);
}

/* Returns the allocation of the block that the event frees: the newest block at the event's address that has the
 * event's size. If none of the newest MOST_SHARED blocks has this size, returns the newest block. Sets `newer` to the
 * next newer allocation at this address; NULL: there is none, or no block has this size. */
static LoomMemoryEvent *
find_freed (Ledger *ledger, const LoomMemoryEvent *event, LoomMemoryEvent **newer)
{
  LoomMemoryEvent *newest = g_hash_table_lookup (ledger->live, &event->address), *block = newest;
  *newer = NULL;
  for (guint i = 0; i < MOST_SHARED && block != NULL; i++) {
    if (block->bytes + event->bytes == 0)
      return block;
    *newer = block;
    block = g_hash_table_lookup (ledger->older, block);
  }
  *newer = NULL;
  return newest;
}

static void
follow_free (Ledger *ledger, const LoomMemoryEvent *event)
{
  LoomMemoryEvent *newer, *freed = find_freed (ledger, event, &newer),
                          *older = freed != NULL ? g_hash_table_lookup (ledger->older, freed) : NULL;
  *(freed != NULL ? &ledger->device->n_matched : &ledger->device->n_unmatched) += 1;
  g_hash_table_remove (ledger->older, freed);
  if (newer != NULL && older != NULL)
    g_hash_table_replace (ledger->older, newer, older);
  else if (newer != NULL)
    g_hash_table_remove (ledger->older, newer);
  else if (older != NULL)
    g_hash_table_replace (ledger->live, &older->address, older);
  else
    g_hash_table_remove (ledger->live, &event->address);
}

/* If the event allocates a block, adds the block to ledger->live; if it frees a block, removes this block. Events
 * without an address are ignored, because a free without an address cannot be assigned to a block. */
static void
follow (Ledger *ledger, LoomMemoryEvent *event)
{
  if (event->address == 0)
    return;
  if (event->bytes >= 0)
    follow_allocation (ledger, event);
  else
    follow_free (ledger, event);
}

/* Returns the allocations of all blocks that are not freed yet: const LoomMemoryEvent *. */
static GPtrArray *
list_live (const Ledger *ledger)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, ledger->live);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (; value != NULL; value = g_hash_table_lookup (ledger->older, value))
      g_ptr_array_add (all, value);
  return all;
}

static void
count_allocation (Ledger *ledger, const LoomMemoryEvent *event)
{
  if (event->bytes < 0) {
    ledger->device->n_frees++;
    return;
  }
  if (event->is_existing)
    return;
  LoomMemoryHolder *holder = get_holder (ledger, event->owner);
  ledger->device->n_allocations++;
  ledger->device->allocated = loom_time_add (ledger->device->allocated, event->bytes);
  holder->n++;
  holder->allocated = loom_time_add (holder->allocated, event->bytes);
  if (event->bytes > holder->largest || holder->n == 1) {
    holder->largest = event->bytes;
    holder->span = event->span;
  }
}

/* Adds the bytes of each block that is not freed yet (list_live()) to `held` of the block's owner. Must be called after
 * follow() was called for all events up to the peak, so that these blocks are those that are allocated at the peak. */
static void
count_held (Ledger *ledger)
{
  gint64 known = 0;
  g_autoptr (GPtrArray) live = list_live (ledger);
  for (guint i = 0; i < live->len; i++) {
    const LoomMemoryEvent *event = live->pdata[i];
    LoomMemoryHolder *holder = get_holder (ledger, event->owner);
    holder->held = loom_time_add (holder->held, event->bytes);
    known = loom_time_add (known, event->bytes);
    if (loom_timeline_span_id_is_none (holder->span))
      holder->span = event->span;
  }
  if (ledger->has_addresses)
    ledger->device->before = MAX (loom_time_sub (ledger->device->peak, known), 0);
}

/* Adds the bytes of each block that was allocated in the range and is not freed yet (list_live()) to `left` of the
 * block's owner. Must be called after follow() was called for all events up to the end of the range, so that these
 * blocks are those that are not freed before the end of the range. `begin_ns`: start of the range. */
static void
count_left (Ledger *ledger, gint64 begin_ns)
{
  g_autoptr (GPtrArray) live = list_live (ledger);
  for (guint i = 0; i < live->len; i++) {
    const LoomMemoryEvent *event = live->pdata[i];
    if (event->time_ns < begin_ns || event->is_existing)
      continue;
    LoomMemoryHolder *holder = get_holder (ledger, event->owner);
    holder->left = loom_time_add (holder->left, event->bytes);
  }
}

static int
compare_holders (gconstpointer a, gconstpointer b, gpointer owners)
{
  const LoomMemoryHolder *one = a, *other = b;
  if (one->held != other->held)
    return one->held < other->held ? 1 : -1;
  if (one->allocated != other->allocated)
    return one->allocated < other->allocated ? 1 : -1;
  return (one->owner > other->owner) - (one->owner < other->owner);
}

/* Adds the LoomMemoryHolders of a device, one for each owner (code that allocated memory). Reads all events of the
 * device up to the end of the range, because blocks that were allocated before the range may still be in use during the
 * range. `events`: events of the device; those in the range are the elements from `first` to `end` − 1. */
static void
find_holders (LoomMemoryUse *self, LoomMemoryDevice *device, LoomMemoryEvent *events, guint first, guint end)
{
  g_autoptr (GHashTable) live = g_hash_table_new (loom_int64_hash, g_int64_equal),
                         by_key = g_hash_table_new (NULL, NULL), older = g_hash_table_new (NULL, NULL);
  Ledger ledger = { live, older, by_key, self, device, FALSE };
  for (guint i = 0; i < end && !ledger.has_addresses; i++)
    ledger.has_addresses = events[i].address != 0;
  gboolean is_peak_at_begin = loom_timeline_span_id_is_none (device->peak_span);
  guint begin = skip_existing (events, end, first);
  device->first_holder = self->holders->len;
  for (guint i = 0; i < end; i++) {
    if (i == begin && is_peak_at_begin)
      count_held (&ledger);
    follow (&ledger, &events[i]);
    if (i >= first)
      count_allocation (&ledger, &events[i]);
    if (i >= first && !is_peak_at_begin && loom_timeline_span_id_equal (events[i].span, device->peak_span))
      count_held (&ledger);
  }
  if (is_peak_at_begin && end <= begin)
    count_held (&ledger);
  count_left (&ledger, self->range.begin_ns);
  device->n_holders = self->holders->len - device->first_holder;
  if (device->n_holders > 0)
    g_qsort_with_data (&g_array_index (self->holders, LoomMemoryHolder, device->first_holder), (gint) device->n_holders,
                       sizeof (LoomMemoryHolder), compare_holders, NULL);
}

/* --- memory at the ends of steps ---------------------------------------------------------------------------------- */

static gboolean
is_step_of (const LoomStep *step, const LoomMemoryDevice *device)
{
  gboolean same_node = step->node == NULL || device->node == NULL || strcmp (step->node, device->node) == 0;
  return step->rank == device->rank && same_node && (step->mode == LOOM_STEP_TRAIN || step->mode == LOOM_STEP_GLOBAL);
}

/* Adds a LoomMemoryStep for each step of the device's rank that ends in the range, with the level at the end of the
 * step. */
static void
find_steps (LoomMemoryUse *self, const LoomSteps *steps, LoomMemoryDevice *device, const LoomMemoryEvent *events,
            guint n)
{
  device->first_step = self->steps->len;
  for (guint i = 0; n > 0 && i < steps->n; i++) {
    const LoomStep *step = &steps->all[i];
    gboolean is_recorded = step->begin_ns <= events[n - 1].time_ns && step->end_ns >= events[0].time_ns;
    if (!is_step_of (step, device) || !is_recorded || step->end_ns < self->range.begin_ns ||
        step->end_ns > self->range.end_ns)
      continue;
    const LoomMemoryStep own = { step->end_ns, get_level_before (events, n, count_before (events, n, step->end_ns)),
                                 step->span };
    g_array_append_val (self->steps, own);
  }
  device->n_steps = self->steps->len - device->first_step;
}

gboolean
loom_memory_use_get_growth (const LoomMemoryUse *self, const LoomMemoryDevice *device, guint least_steps, gint64 *least,
                            double *slope)
{
  guint n = device->n_steps;
  double sum = 0;
  *least = G_MAXINT64;
  *slope = 0;
  if (n < MAX (least_steps, 2))
    return FALSE;
  const LoomMemoryStep *steps = &g_array_index (self->steps, LoomMemoryStep, device->first_step);
  for (guint i = 1; i < n; i++)
    *least = MIN (*least, steps[i].level - steps[i - 1].level);
  for (guint i = 0; i < n; i++) {
    double from_middle = i - (n - 1) / 2.0;
    *slope += from_middle * (double) steps[i].level;
    sum += from_middle * from_middle;
  }
  *slope /= sum;
  return TRUE;
}

/* --- memory of each device ---------------------------------------------------------------------------------------- */

static void
add_device (LoomMemoryUse *self, const LoomSteps *steps, guint number, guint from, guint n)
{
  LoomRun *run = loom_timeline_get_run (self->timeline);
  const LoomMemoryPlace *place = &g_array_index (self->events->places, LoomMemoryPlace, number);
  const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (run, place->trace), place->track);
  LoomMemoryEvent *events = get_event (self, from);
  guint first = count_before (events, n, self->range.begin_ns), end = count_before (events, n, self->range.end_ns);
  LoomMemoryDevice device = {
    .node = track->node,
    .rank = track->rank,
    .is_process = loom_track_rank_is_process (track, loom_run_get_source (run, place->source)->format),
    .source = place->source,
    .is_host = place->type == 0,
    .number = place->number,
    .first = from + first,
    .n = MAX (end, first) - first,
    .is_relative = place->is_relative,
    .n_breaks = place->n_breaks,
  };
  find_peak (&device, events, n, first, MAX (end, first), self->range);
  find_holders (self, &device, events, first, MAX (end, first));
  find_steps (self, steps, &device, events, n);
  g_array_append_val (self->devices, device);
}

static void
add_devices (LoomMemoryUse *self, const LoomSteps *steps)
{
  guint n_events = self->events->events->len;
  for (guint from = 0; from < n_events;) {
    guint to = from;
    while (to < n_events && get_event (self, to)->device == get_event (self, from)->device)
      to++;
    add_device (self, steps, get_event (self, from)->device, from, to - from);
    from = to;
  }
}

LoomMemoryUse *
loom_memory_use_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range, GCancellable *cancellable)
{
  g_autoptr (LoomMemoryUse) self = g_new0 (LoomMemoryUse, 1);
  self->timeline = loom_timeline_ref (timeline);
  self->range = range;
  self->devices = g_array_new (FALSE, FALSE, sizeof (LoomMemoryDevice));
  self->holders = g_array_new (FALSE, FALSE, sizeof (LoomMemoryHolder));
  self->steps = g_array_new (FALSE, FALSE, sizeof (LoomMemoryStep));
  self->events = loom_memory_events_get (timeline, cancellable);
  if (self->events == NULL)
    return NULL;
  add_devices (self, steps);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&self);
}

/* If there are at least this many frees without a recorded block, and no free with a recorded block, frees cannot be
 * assigned to blocks. So many frees cannot all be of memory that was allocated before the recording, because training
 * allocates and frees short-lived blocks all the time. */
#define LEAST_UNMATCHED 10

gboolean
loom_memory_use_knows_left (const LoomMemoryDevice *device)
{
  return device->n_matched > 0 || device->n_unmatched < LEAST_UNMATCHED;
}

void
loom_memory_use_free (LoomMemoryUse *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->events, loom_memory_events_unref);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->devices, g_array_unref);
  g_clear_pointer (&self->holders, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_free (self);
}

const char *
loom_memory_use_get_missing (const LoomMemoryUse *self)
{
  if (self->devices->len > 0)
    return NULL;
  return loom_run_has_index (loom_timeline_get_run (self->timeline))
           ? _ ("Index files do not record allocations: open the trace files themselves to see the use of memory.")
           : _ ("No allocations were found.");
}

const char *
loom_memory_use_get_advice (const LoomMemoryUse *self)
{
  LoomRun *run = loom_timeline_get_run (self->timeline);
  gboolean lacks = self->devices->len == 0 && !loom_run_has_index (run);
  return loom_recording_advice_get (loom_recording_advice_find_recorder (run),
                                    lacks ? LOOM_LACKS_MEMORY : LOOM_LACKS_NOTHING);
}

double
loom_memory_use_get_fragmentation (const LoomMemoryDevice *device)
{
  if (device->reserved_at_peak <= 0)
    return NAN;
  return MAX (1 - (double) device->peak / (double) device->reserved_at_peak, 0);
}
