/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the events of a Perfetto trace in little memory. Successive events have similar times and places, so a block
 * of events stores the time and place of its first event, and for each event only the small differences from this time
 * and place. An event with a value that does not fit is unusual and is stored unchanged in a list.
 */
#include "loom-perfetto-pack.h"

#define BLOCK LOOM_PERFETTO_PACK_BLOCK
/* Value in `durations` that marks an unusual event. */
#define UNUSUAL G_MAXUINT32
#define OPEN (G_MAXUINT32 - 1)

/* How `bits` of an event are used: the kind, two flags, and args_length in the remaining bits. */
#define KIND_BITS 3
#define HAS_TAIL (1 << 3)
#define HAS_ARROWS (1 << 4)
#define LENGTH_SHIFT 5
#define LENGTH_MOST (G_MAXUINT16 >> LENGTH_SHIFT)

typedef struct {
  gint64 start_ns;
  guint64 place;
} First;

typedef struct {
  guint32 number;
  LoomPerfettoEvent event;
} Unusual;

struct _LoomPerfettoPack {
  First *firsts;      /* array indexed by block: the first event of each block */
  gint32 *starts;     /* array indexed by event: start minus the start of the first event of the block, in ns */
  guint32 *durations; /* array indexed by event: duration in ns; OPEN: the span has no end */
  guint16 *places;    /* array indexed by event: place minus the place of the first event of the block */
  guint16 *looks, *bits;
  guint32 n_added;
  GArray *unusual; /* Unusual elements: the events that cannot be packed, in ascending order of their numbers */
};

/* Sets `duration` to the duration of an event in ns, or to OPEN if the event has no end. Returns FALSE if the duration
 * does not fit into 32 bits. */
static gboolean
pack_duration (const LoomPerfettoEvent *event, guint32 *duration)
{
  guint64 ns = (guint64) event->end_ns - (guint64) event->start_ns;
  *duration = event->end_ns == LOOM_PERFETTO_OPEN ? OPEN : (guint32) ns;
  return event->end_ns == LOOM_PERFETTO_OPEN || (event->end_ns >= event->start_ns && ns < OPEN);
}

/* Packs an event. Returns FALSE if the event is unusual and must be stored in the list `unusual`. */
static gboolean
pack_event (LoomPerfettoPack *self, guint32 number, const First *first, const LoomPerfettoEvent *event)
{
  gint64 start;
  guint64 place = (guint64) event->place - first->place;
  if (__builtin_sub_overflow (event->start_ns, first->start_ns, &start) || start != (gint32) start ||
      !pack_duration (event, &self->durations[number]) || event->look > G_MAXUINT16 ||
      event->args_length > LENGTH_MOST || event->kind >= 1 << KIND_BITS || place > G_MAXUINT16)
    return FALSE;
  self->starts[number] = (gint32) start;
  self->places[number] = (guint16) place;
  self->looks[number] = (guint16) event->look;
  self->bits[number] = (guint16) (event->kind | (event->has_tail ? HAS_TAIL : 0) |
                                  (event->has_arrows ? HAS_ARROWS : 0) | event->args_length << LENGTH_SHIFT);
  return TRUE;
}

/* Packs the `n` events of a block, of which the first has the number `number`. */
static void
pack_block (LoomPerfettoPack *self, guint32 number, const LoomPerfettoEvent *events, guint32 n)
{
  First *first = &self->firsts[number / BLOCK];
  *first = (First) { events[0].start_ns, events[0].place };
  for (guint32 i = 0; i < n; i++) {
    if (pack_event (self, number + i, first, &events[i]))
      continue;
    Unusual unusual = { number + i, events[i] };
    self->durations[number + i] = UNUSUAL;
    g_array_append_val (self->unusual, unusual);
  }
}

LoomPerfettoPack *
loom_perfetto_pack_new (guint32 n)
{
  LoomPerfettoPack *self = g_new0 (LoomPerfettoPack, 1);
  self->firsts = g_new (First, n / BLOCK + 1);
  self->starts = g_new (gint32, (gsize) n + 1);
  self->durations = g_new (guint32, (gsize) n + 1);
  self->places = g_new (guint16, (gsize) n + 1);
  self->looks = g_new (guint16, (gsize) n + 1);
  self->bits = g_new (guint16, (gsize) n + 1);
  self->unusual = g_array_new (FALSE, FALSE, sizeof (Unusual));
  return self;
}

void
loom_perfetto_pack_add (LoomPerfettoPack *self, const LoomPerfettoEvent *events, guint32 n)
{
  for (guint32 i = 0; i < n; i += MIN (BLOCK, n - i))
    pack_block (self, self->n_added + i, events + i, MIN (BLOCK, n - i));
  self->n_added += n;
}

gboolean
loom_perfetto_pack_is_large (const LoomPerfettoPack *self)
{
  return self->unusual->len > self->n_added / sizeof (Unusual);
}

void
loom_perfetto_pack_free (LoomPerfettoPack *self)
{
  g_free (self->firsts);
  g_free (self->starts);
  g_free (self->durations);
  g_free (self->places);
  g_free (self->looks);
  g_free (self->bits);
  g_array_unref (self->unusual);
  g_free (self);
}

static const LoomPerfettoEvent *
find_unusual (const LoomPerfettoPack *self, guint32 number)
{
  guint low = 0, high = self->unusual->len;
  while (low + 1 < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (self->unusual, Unusual, middle).number <= number)
      low = middle;
    else
      high = middle;
  }
  return &g_array_index (self->unusual, Unusual, low).event;
}

LoomPerfettoEvent
loom_perfetto_pack_get (const LoomPerfettoPack *self, guint32 number)
{
  guint32 duration = self->durations[number];
  guint bits = self->bits[number];
  if (G_UNLIKELY (duration == UNUSUAL))
    return *find_unusual (self, number);
  gint64 start_ns = self->firsts[number / BLOCK].start_ns + self->starts[number];
  return (LoomPerfettoEvent) { .start_ns = start_ns,
                               .end_ns = duration == OPEN ? LOOM_PERFETTO_OPEN : start_ns + duration,
                               .kind = bits & ((1 << KIND_BITS) - 1),
                               .has_tail = (bits & HAS_TAIL) != 0,
                               .has_arrows = (bits & HAS_ARROWS) != 0,
                               .look = self->looks[number],
                               .args_length = bits >> LENGTH_SHIFT };
}

guint64
loom_perfetto_pack_get_place (const LoomPerfettoPack *self, guint32 number)
{
  if (self->durations[number] == UNUSUAL)
    return find_unusual (self, number)->place;
  return self->firsts[number / BLOCK].place + self->places[number];
}
