/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-key-order.h"

#include "loom-query-span-columns.h"

/* The next event of a stretch (LoomQueryStretch, a range of events in a row). */
typedef struct {
  /* values of the columns to sort by; all their bits are inverted for a descending order, so that the event with the
   * least keys always comes first */
  gint64 keys[LOOM_QUERY_KEY_ORDER_COLUMNS];
  const gint64 *starts_ns;
  const LoomClockMap *map;
  gint64 first_id; /* id, in SQL, of the first span of the trace */
  gint64 track;    /* track.id */
  guint32 at, to;  /* the events of the stretch that were not visited yet are [at, to) */
  guint stretch;
} Head;

struct _LoomQueryKeyOrder {
  LoomQueryKeyOrderBy by;
  GArray *heads; /* Head: a heap with the least keys first */
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
  return self->by.descending ? head->to - 1 : head->at;
}

static void
read_keys (const LoomQueryKeyOrder *self, Head *head)
{
  for (guint i = 0; i < self->by.n_columns; i++) {
    gint64 key = get_key (head, self->by.columns[i], get_event (self, head));
    head->keys[i] = self->by.descending ? ~key : key;
  }
}

/* Returns TRUE if `first` comes before `second`: if its keys are less or, if all keys are equal, if its stretch
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

LoomQueryKeyOrder *
loom_query_key_order_new (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by)
{
  LoomQueryKeyOrder *self = g_new0 (LoomQueryKeyOrder, 1);
  self->by = *by;
  self->stretch = G_MAXUINT;
  self->heads = g_array_sized_new (FALSE, FALSE, sizeof (Head), scan->stretches->len);
  for (guint i = 0; i < scan->stretches->len; i++) {
    const LoomQueryStretch *stretch = &g_array_index (scan->stretches, LoomQueryStretch, i);
    const LoomTrace *trace = loom_run_get_trace (scan->run->run, stretch->trace);
    Head head = {
      .starts_ns = loom_trace_get_spans (trace)->start_ns,
      .map = loom_timeline_get_map (scan->run->timeline, stretch->trace,
                                    loom_trace_get_track (trace, stretch->track)->clock),
      .first_id = loom_query_run_pack_id ((LoomSpanId) { stretch->trace, 0 }),
      .track = scan->run->first_track[stretch->trace] + stretch->track,
      .at = stretch->at,
      .to = stretch->to,
      .stretch = i,
    };
    read_keys (self, &head);
    g_array_append_val (self->heads, head);
  }
  for (guint i = self->heads->len / 2; i > 0; i--)
    sift (self, i - 1);
  return self;
}

void
loom_query_key_order_free (LoomQueryKeyOrder *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->heads);
  g_free (self);
}

/* Moves the scan to the event with the least keys, and replaces this event's Head by that of the next event of the same
 * stretch. */
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
