/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-key-order.h: a heap with the next event of each stretch (LoomQueryStretch, a range of events in
 * one row of the timeline).
 */
#include "loom-query-key-order.h"

#include "loom-query-span-columns.h"

/* Maximum number of parts in the heap if only events of some names are visited. A part is the events of one name in one
 * stretch (LoomQueryStretch). With more parts, the heap would take more time and memory than visiting all events. */
#define MOST_NAMED_HEADS 65536

/* The next event of a stretch (LoomQueryStretch, a range of events in one row of the timeline). */
typedef struct {
  /* values of the columns to sort by. For a descending order, all their bits are inverted, so that the next event is
   * always the one with the least keys */
  gint64 keys[LOOM_QUERY_KEY_ORDER_COLUMNS];
  const gint64 *starts_ns;
  const LoomClockMap *map;
  gint64 first_id; /* id of the first span of the trace, as SQL shows it */
  gint64 track;    /* value of the column track.id for the events */
  /* The events of the LoomQueryStretch that were not visited yet. If `events` is NULL, these are the events with the
   * column indices `at` to `to` − 1; otherwise, the events events[at] to events[to - 1]. */
  guint32 at, to;
  /* column indices of all events of one name of the trace, borrowed from the run; of these, only events[at] to
   * events[to - 1] are visited. NULL: all events of the LoomQueryStretch are visited */
  const guint32 *events;
  guint stretch;
} Head;

struct _LoomQueryKeyOrder {
  LoomQueryKeyOrderBy by;
  GArray *heads; /* Head: the next event of each LoomQueryStretch; a heap whose first element has the least keys */
  guint stretch; /* number of the LoomQueryStretch in which the scan is now; G_MAXUINT: the scan has not begun */
  /* number of moves to another event; the cancellable is checked after every LOOM_QUERY_LOOK_EVERY moves */
  guint64 n_moved;
};

static gint64
get_key (const Head *head, guint column, guint32 event)
{
  switch (column) {
  case LOOM_QUERY_SPAN_START: return loom_clock_map_to_timeline (head->map, head->starts_ns[event]);
  case LOOM_QUERY_SPAN_TRACK: return head->track;
  default: return head->first_id + event;
  }
}

static inline guint32
get_event (const LoomQueryKeyOrder *self, const Head *head)
{
  guint32 at = self->by.descending ? head->to - 1 : head->at;
  return head->events != NULL ? head->events[at] : at;
}

static void
read_keys (const LoomQueryKeyOrder *self, Head *head)
{
  for (guint i = 0; i < self->by.n_columns; i++) {
    gint64 key = get_key (head, self->by.columns[i], get_event (self, head));
    head->keys[i] = self->by.descending ? ~key : key;
  }
}

/* Returns TRUE if `first` comes before `second`: its keys are less or, if all keys are equal, its stretch
 * (LoomQueryStretch) has the lower number. */
static gboolean
is_before (const LoomQueryKeyOrder *self, const Head *first, const Head *second)
{
  for (guint i = 0; i < self->by.n_columns; i++)
    if (first->keys[i] != second->keys[i])
      return first->keys[i] < second->keys[i];
  return first->stretch < second->stretch;
}

static void
sift (LoomQueryKeyOrder *self, guint at)
{
  Head *heads = (Head *) (gpointer) self->heads->data;
  guint n = self->heads->len;
  for (guint child = 2 * at + 1; child < n; child = 2 * at + 1) {
    if (child + 1 < n && is_before (self, &heads[child + 1], &heads[child]))
      child++;
    if (!is_before (self, &heads[child], &heads[at]))
      return;
    Head moved = heads[at];
    heads[at] = heads[child];
    heads[child] = moved;
    at = child;
  }
}

static const LoomQueryStretch *
get_stretch (const LoomQuerySpanScan *scan, guint i)
{
  return &g_array_index (scan->stretches, LoomQueryStretch, i);
}

/* Adds a Head for the events [at, to) of the LoomQueryStretch with the number `number` or, if `events` is not NULL, for
 * the events events[at] to events[to - 1]. */
static void
add_head (LoomQueryKeyOrder *self, const LoomQuerySpanScan *scan, guint number, const guint32 *events, guint32 at,
          guint32 to)
{
  const LoomQueryStretch *stretch = get_stretch (scan, number);
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, stretch->trace);
  Head head = {
    .starts_ns = loom_trace_get_spans (trace)->start_ns,
    .map =
      loom_timeline_get_map (scan->run->timeline, stretch->trace, loom_trace_get_track (trace, stretch->track)->clock),
    .first_id = loom_query_run_pack_id ((LoomSpanId) { stretch->trace, 0 }),
    .track = scan->run->first_track[stretch->trace] + stretch->track,
    .at = at,
    .to = to,
    .events = events,
    .stretch = number,
  };
  read_keys (self, &head);
  g_array_append_val (self->heads, head);
}

static LoomQueryKeyOrder *
new_empty (const LoomQueryKeyOrderBy *by, guint n_heads)
{
  LoomQueryKeyOrder *self = g_new0 (LoomQueryKeyOrder, 1);
  self->by = *by;
  self->stretch = G_MAXUINT;
  self->heads = g_array_sized_new (FALSE, FALSE, sizeof (Head), n_heads);
  return self;
}

static void
make_heap (LoomQueryKeyOrder *self)
{
  for (guint i = self->heads->len / 2; i > 0; i--)
    sift (self, i - 1);
}

LoomQueryKeyOrder *
loom_query_key_order_new (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by)
{
  LoomQueryKeyOrder *self = new_empty (by, scan->stretches->len);
  for (guint i = 0; i < scan->stretches->len; i++)
    add_head (self, scan, i, NULL, get_stretch (scan, i)->at, get_stretch (scan, i)->to);
  make_heap (self);
  return self;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Returns the index of the first of events[at] to events[n - 1] that is not less than `event`; n: all of them are
 * less. */
static guint32
find_event (const guint32 *events, guint32 at, guint32 n, guint32 event)
{
  while (at < n) {
    guint32 middle = at + (n - at) / 2;
    if (events[middle] < event)
      at = middle + 1;
    else
      n = middle;
  }
  return at;
}

/* Among the stretches (LoomQueryStretch) with the numbers from `at` to `to` − 1, returns the number of the first one
 * that ends after `event`; `to`: none of them does. */
static guint
find_stretch (const LoomQuerySpanScan *scan, guint at, guint to, guint32 event)
{
  while (at < to) {
    guint middle = at + (to - at) / 2;
    if (get_stretch (scan, middle)->to <= event)
      at = middle + 1;
    else
      to = middle;
  }
  return at;
}

/* For each of the stretches (LoomQueryStretch) with the numbers from `begin` to `end` − 1, adds a Head for those of the
 * `n` events of a name that are in the stretch. All these stretches must belong to one trace. */
static void
add_name (LoomQueryKeyOrder *self, const LoomQuerySpanScan *scan, guint begin, guint end, const guint32 *events,
          guint32 n)
{
  guint32 at = 0;
  for (guint i = begin; at < n && (i = find_stretch (scan, i, end, events[at])) < end; i++) {
    const LoomQueryStretch *stretch = get_stretch (scan, i);
    at = find_event (events, at, n, stretch->at);
    guint32 to = find_event (events, at, n, stretch->to);
    if (to > at && self->heads->len < MOST_NAMED_HEADS + 1)
      add_head (self, scan, i, events, at, to);
    at = to;
  }
}

/* Adds Heads for the events of the names that the conditions allow in one trace. The stretches (LoomQueryStretch) of
 * the trace have the numbers from `begin` to `end` − 1. Returns FALSE when cancelled. */
static gboolean
add_names (LoomQueryKeyOrder *self, LoomQuerySpanScan *scan, guint begin, guint end, GCancellable *cancellable)
{
  guint32 t = get_stretch (scan, begin)->trace, n = loom_trace_get_n_names (loom_run_get_trace (scan->run->run, t));
  const LoomQueryNameEvents *all = loom_query_run_get_name_events (scan->run, t, cancellable);
  for (guint32 i = 0; all != NULL && i < n && self->heads->len <= MOST_NAMED_HEADS; i++)
    if (loom_query_span_scan_may_allow_name (scan, t, i))
      add_name (self, scan, begin, end, all->events + all->first[i], all->first[i + 1] - all->first[i]);
  return all != NULL;
}

LoomQueryKeyOrder *
loom_query_key_order_new_named (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by, GCancellable *cancellable)
{
  LoomQueryKeyOrder *self = new_empty (by, 0);
  gboolean good = TRUE;
  loom_query_span_scan_sort (scan, LOOM_QUERY_SPAN_SCAN_ID);
  for (guint begin = 0, end; good && begin < scan->stretches->len; begin = end) {
    for (end = begin + 1; end < scan->stretches->len; end++)
      if (get_stretch (scan, end)->trace != get_stretch (scan, begin)->trace)
        break;
    good = add_names (self, scan, begin, end, cancellable);
  }
  if (!good || self->heads->len > MOST_NAMED_HEADS) {
    loom_query_key_order_free (self);
    return NULL;
  }
  make_heap (self);
  return self;
}

/* --- visiting ----------------------------------------------------------------------------------------------------- */

void
loom_query_key_order_free (LoomQueryKeyOrder *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->heads);
  g_free (self);
}

/* Moves the scan to the event with the least keys, and replaces the Head of this event by the next event of the same
 * LoomQueryStretch. */
static void
move (LoomQueryKeyOrder *self, LoomQuerySpanScan *scan)
{
  Head *head = &g_array_index (self->heads, Head, 0);
  if (self->stretch != head->stretch)
    loom_query_span_scan_enter (scan, head->stretch);
  self->stretch = head->stretch;
  scan->here.at = get_event (self, head);
  if (self->by.descending)
    head->to--;
  else
    head->at++;
  if (head->at < head->to)
    read_keys (self, head);
  else
    g_array_remove_index_fast (self->heads, 0);
  sift (self, 0);
}

gboolean
loom_query_key_order_next (LoomQueryKeyOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  while (self->heads->len > 0) {
    if (++self->n_moved % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    move (self, scan);
    if (loom_query_span_scan_is_allowed (scan))
      return TRUE;
  }
  return FALSE;
}
