/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts the times of a Perfetto trace, whose packets use several clocks, to a single clock. The interface is
 * described in loom-perfetto-clocks.h.
 */
#include "loom-perfetto-clocks.h"

#include "loom-perfetto-ids.h"
#include "loom-time.h"

/* Ids of clocks in this range belong to one packet sequence: in another sequence, the same id means another clock. */
enum { FIRST_OWN_ID = 64, END_OWN_ID = 128 };

/* Maximum number of clocks. All further clocks are treated as a single clock without a relation to the others. */
#define MOST_CLOCKS 1024
#define MOST_ALL_READINGS (1024u * 1024)
#define MOST_READINGS 128 /* maximum number of clock readings in a snapshot */
/* maximum number of successive conversions, from clock to clock, to reach the chosen clock */
#define MOST_STEPS 3
#define NO_CLOCK G_MAXUINT

/* Simultaneous readings of two clocks, from one snapshot. */
typedef struct {
  gint64 from_ns, difference_ns; /* from_ns: reading of the first clock; difference_ns: reading of the other clock minus
                                  * from_ns */
} Pair;

typedef struct {
  guint64 unit_ns;
  gboolean is_incremental;
  gint64 last_ns;
  /* clock to which a time of this clock is converted next, on the way to the chosen clock; NO_CLOCK: no snapshots
   * connect this clock with the chosen clock */
  guint next;
  /* Pair elements: for each snapshot with this clock and the clock `next`, the readings of both; ascending by the
   * reading of this clock */
  GArray *pairs;
} Clock;

typedef struct {
  guint snapshot, clock;
  gint64 time_ns;
} Reading;

struct _LoomPerfettoClocks {
  GArray *clocks;      /* Clock: all clocks of the trace; the number of a clock is its index */
  GHashTable *indices; /* key of three numbers (id, whether the id belongs to a sequence, sequence) → number of the
                        * clock + 1 */
  GArray *readings;    /* Reading: the readings of all clocks, sorted by snapshot */
  guint n_snapshots, n_in_snapshot;
  guint chosen;
  gboolean is_utc;
};

static void
clear_clock (gpointer data)
{
  Clock *clock = data;
  if (clock->pairs != NULL)
    g_array_unref (clock->pairs);
}

LoomPerfettoClocks *
loom_perfetto_clocks_new (void)
{
  LoomPerfettoClocks *self = g_new0 (LoomPerfettoClocks, 1);
  self->clocks = g_array_new (FALSE, FALSE, sizeof (Clock));
  g_array_set_clear_func (self->clocks, clear_clock);
  self->indices = loom_perfetto_ids_new (NULL);
  self->readings = g_array_new (FALSE, FALSE, sizeof (Reading));
  self->chosen = NO_CLOCK;
  return self;
}

void
loom_perfetto_clocks_free (LoomPerfettoClocks *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->clocks);
  g_hash_table_unref (self->indices);
  g_array_unref (self->readings);
  g_free (self);
}

static Clock *
get_clock (const LoomPerfettoClocks *self, guint clock)
{
  return &g_array_index (self->clocks, Clock, clock);
}

/* Returns the number of the clock that has the id `id` in the packet sequence `sequence`; NO_CLOCK if the trace
 * contains no such clock. */
static guint
look_up (const LoomPerfettoClocks *self, guint64 id, gboolean is_own, guint64 sequence)
{
  guint found = GPOINTER_TO_UINT (loom_perfetto_ids_find (self->indices, id, is_own, sequence));
  return found > 0 ? found - 1 : NO_CLOCK;
}

guint
loom_perfetto_clocks_find (LoomPerfettoClocks *self, guint64 id, guint64 sequence)
{
  gboolean is_own = id >= FIRST_OWN_ID && id < END_OWN_ID;
  guint64 owner = is_own ? sequence : 0;
  guint found = look_up (self, id, is_own, owner);
  if (found != NO_CLOCK)
    return found;
  if (self->clocks->len >= MOST_CLOCKS)
    return MOST_CLOCKS - 1;
  Clock clock = { .unit_ns = 1, .next = NO_CLOCK };
  g_array_append_val (self->clocks, clock);
  loom_perfetto_ids_insert (self->indices, id, is_own, owner, GUINT_TO_POINTER (self->clocks->len));
  return self->clocks->len - 1;
}

static gboolean
scale (const Clock *clock, guint64 timestamp, gint64 *time_ns)
{
  return timestamp <= G_MAXINT64 && !__builtin_mul_overflow ((gint64) timestamp, (gint64) clock->unit_ns, time_ns);
}

gboolean
loom_perfetto_clocks_read (LoomPerfettoClocks *self, guint number, guint64 timestamp, gint64 *time_ns)
{
  Clock *clock = get_clock (self, number);
  if (!scale (clock, timestamp, time_ns))
    return FALSE;
  if (!clock->is_incremental)
    return TRUE;
  if (__builtin_add_overflow (clock->last_ns, *time_ns, time_ns))
    return FALSE;
  clock->last_ns = *time_ns;
  return TRUE;
}

gboolean
loom_perfetto_clocks_is_plain (const LoomPerfettoClocks *self, guint number)
{
  const Clock *clock = get_clock (self, number);
  return clock->unit_ns == 1 && !clock->is_incremental;
}

void
loom_perfetto_clocks_begin_snapshot (LoomPerfettoClocks *self)
{
  self->n_snapshots++;
  self->n_in_snapshot = 0;
}

void
loom_perfetto_clocks_add_reading (LoomPerfettoClocks *self, guint number, guint64 timestamp, guint64 unit_ns,
                                  gboolean is_incremental)
{
  Clock *clock = get_clock (self, number);
  Reading reading = { .snapshot = self->n_snapshots, .clock = number };
  clock->unit_ns = unit_ns > 0 && unit_ns <= (guint64) LOOM_NS_PER_S ? unit_ns : 1;
  clock->is_incremental = is_incremental;
  if (!scale (clock, timestamp, &reading.time_ns) || self->n_in_snapshot++ >= MOST_READINGS ||
      self->readings->len >= MOST_ALL_READINGS || number == MOST_CLOCKS - 1)
    return;
  clock->last_ns = reading.time_ns;
  g_array_append_val (self->readings, reading);
}

/* --- relating clocks ---------------------------------------------------------------------------------------------- */

static gint
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;
  return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Returns the pairs of readings from all snapshots that contain both clocks; NULL if no snapshot does. Owned by the
 * caller. */
static GArray *
list_pairs (const LoomPerfettoClocks *self, guint from, guint to)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  const Reading *a = NULL, *b = NULL;
  for (guint i = 0; i < self->readings->len; i++) {
    const Reading *reading = &g_array_index (self->readings, Reading, i);
    a = reading->clock == from ? reading : a;
    b = reading->clock == to ? reading : b;
    if (a == NULL || b == NULL || a->snapshot != b->snapshot || (reading != a && reading != b))
      continue;
    Pair pair = { a->time_ns, loom_time_sub (b->time_ns, a->time_ns) };
    g_array_append_val (pairs, pair);
  }
  g_array_sort (pairs, compare_pairs);
  if (pairs->len > 0)
    return pairs;
  g_array_unref (pairs);
  return NULL;
}

/* Finds all clocks that are in a snapshot together with the clock `to`. Stores for each of these clocks how its times
 * are converted to times of `to`, and appends the clock to `related`. */
static void
relate_to (LoomPerfettoClocks *self, guint to, GArray *related)
{
  g_autofree gboolean *shares = g_new0 (gboolean, self->clocks->len);
  guint snapshot = 0, first = 0;
  /* finds the clocks that share a snapshot with `to`, so that list_pairs(), which is slow, is called only for them */
  for (guint i = 0; i < self->readings->len; i++) {
    const Reading *reading = &g_array_index (self->readings, Reading, i);
    first = reading->snapshot != snapshot ? i : first;
    snapshot = reading->snapshot;
    for (guint j = first; reading->clock == to && j < self->readings->len; j++) {
      const Reading *other = &g_array_index (self->readings, Reading, j);
      if (other->snapshot != snapshot)
        break;
      shares[other->clock] = TRUE;
    }
  }
  for (guint i = 0; i < self->clocks->len; i++) {
    Clock *clock = get_clock (self, i);
    if (!shares[i] || i == self->chosen || clock->next != NO_CLOCK)
      continue;
    clock->pairs = list_pairs (self, i, to);
    clock->next = clock->pairs != NULL ? to : NO_CLOCK;
    if (clock->pairs != NULL)
      g_array_append_val (related, i);
  }
}

gboolean
loom_perfetto_clocks_choose (LoomPerfettoClocks *self, guint preferred)
{
  guint utc = look_up (self, LOOM_PERFETTO_REALTIME, FALSE, 0);
  self->chosen = utc != NO_CLOCK ? utc : preferred;
  self->is_utc = utc != NO_CLOCK;
  g_autoptr (GArray) related = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (related, self->chosen);
  for (guint step = 0, begin = 0; step < MOST_STEPS; step++) {
    guint end = related->len;
    for (; begin < end; begin++)
      relate_to (self, g_array_index (related, guint, begin), related);
  }
  return self->is_utc;
}

/* Returns the last pair whose `from_ns` is not later than `time_ns`; the first pair if `from_ns` of all pairs is later.
 */
static const Pair *
find_pair (const GArray *pairs, gint64 time_ns)
{
  guint low = 0, high = pairs->len;
  while (high - low > 1) {
    guint middle = (low + high) / 2;
    if (g_array_index (pairs, Pair, middle).from_ns <= time_ns)
      low = middle;
    else
      high = middle;
  }
  return &g_array_index (pairs, Pair, low);
}

gboolean
loom_perfetto_clocks_convert (const LoomPerfettoClocks *self, guint clock, gint64 *time_ns)
{
  while (clock != self->chosen) {
    const Clock *from = get_clock (self, clock);
    if (from->next == NO_CLOCK)
      return FALSE;
    *time_ns = loom_time_add (*time_ns, find_pair (from->pairs, *time_ns)->difference_ns);
    clock = from->next;
  }
  return !loom_time_is_saturated (*time_ns);
}

gboolean
loom_perfetto_clocks_is_chosen (const LoomPerfettoClocks *self, guint clock)
{
  return clock == self->chosen;
}

guint
loom_perfetto_clocks_get_n_snapshots (const LoomPerfettoClocks *self)
{
  return self->n_snapshots;
}

gint64
loom_perfetto_clocks_find_drift (const LoomPerfettoClocks *self, guint number)
{
  const GArray *pairs = number < self->clocks->len ? get_clock (self, number)->pairs : NULL;
  if (pairs == NULL || pairs->len < 2)
    return 0;
  return loom_time_sub (g_array_index (pairs, Pair, pairs->len - 1).difference_ns,
                        g_array_index (pairs, Pair, 0).difference_ns);
}
