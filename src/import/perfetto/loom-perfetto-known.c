/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds spans of a Perfetto trace without making their text, if spans with the same name, category and track occurred
 * before. The computed length of a text must equal the length of the text that loom-perfetto-events.c would make,
 * because args are later read at offsets in this text (see loom-perfetto-looks.c).
 */
#include "loom-perfetto-known.h"

#include "loom-chrome-event.h"
#include "loom-made-json.h"
#include "loom-perfetto-events.h"
#include "loom-perfetto-packer.h"

#define N_SLOTS 4096
/* Maximum number of successive slots of the hash table that are searched for a span. */
#define N_TRIES 8
/* Number of events after which this thread reports to the packing thread how many events it has read. Each report wakes
 * that thread: reports after 4,096 events, together with a quarter of MOST_AHEAD (loom-perfetto-packer.c), made loading
 * take a tenth longer. */
#define PASS_EVENTS 16384

/* What the spans with the same track, name and category have in common. */
typedef struct {
  const char *name, *category; /* pointers to texts that LoomPerfettoTexts owns, where equal texts have the same
                                * address */
  guint32 track;
  gboolean is_usable;
  LoomChromeKnownSpan span;
} Slot;

typedef struct {
  LoomPerfettoTrace *trace;
  LoomPerfettoPacker *packer; /* packs the events while they are read; may be NULL */
  LoomChromeImporter *chrome;
  LoomMadeTextShortcut shortcut;
  Slot *slots;
  /* array indexed by look (name, category, track and context of an event, see loom-perfetto-looks.h): the slot that
   * find_slot() returned last for this look; NULL: find_slot() was not called for this look yet */
  Slot **slot_of;
  LoomPerfettoEvent unpacked; /* the event that get_event() read last if the events are packed */
  /* the span for which measure() was called last: its slot, its times in ns, and the number of bytes before the args in
   * its text */
  Slot *slot;
  gint64 start_ns, dur_ns;
  gsize args;
} Known;

/* Returns the event; valid until the next call. Does not copy an event that is not packed, because the processor would
 * wait for each part of the copy. */
static const LoomPerfettoEvent *
get_event (Known *self, guint32 number)
{
  if (self->trace->pack == NULL)
    return loom_perfetto_trace_get_event (self->trace, number);
  self->unpacked = loom_perfetto_pack_get (self->trace->pack, number);
  return &self->unpacked;
}

static gboolean
is_usual (const LoomPerfettoEvent *event)
{
  return event->kind == LOOM_PERFETTO_SPAN && event->args_length > 0 && !event->has_tail && !event->has_arrows &&
         event->start_ns >= 0 && event->end_ns >= event->start_ns && event->end_ns != LOOM_PERFETTO_OPEN;
}

static gboolean
is_slot_of (const Slot *slot, const LoomPerfettoLook *look)
{
  return slot->name == look->name && slot->category == look->category && slot->track == look->track;
}

/* Returns the slot for spans with the name, category and track of `look`. If no slot has them, assigns a slot to them
 * and sets `wants_text`. The caller then has the text of one of these spans made, and fills the slot from this text. */
static Slot *
find_slot (Known *self, const LoomPerfettoLook *look)
{
  guint64 hash = ((guint64) (guintptr) look->name >> 3) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) +
                 ((guint64) (guintptr) look->category >> 3) * G_GUINT64_CONSTANT (0xC2B2AE3D27D4EB4F) + look->track;
  Slot *slot = &self->slots[(hash ^ hash >> 32) % N_SLOTS];
  for (guint i = 0; i < N_TRIES; i++) {
    if (is_slot_of (&slot[i], look))
      return &slot[i];
    if (slot[i].name == NULL) {
      slot = &slot[i];
      break;
    }
  }
  *slot = (Slot) { .name = look->name, .category = look->category, .track = look->track };
  self->shortcut.wants_text = TRUE;
  return slot;
}

/* Returns the slot for the spans of look `number` (an index, see loom-perfetto-looks.h). This is usually the slot that
 * was found for this look last (`slot_of`). If that slot was meanwhile assigned to spans with another name, category or
 * track, calls find_slot(). */
static Slot *
look_up_slot (Known *self, guint32 number)
{
  const LoomPerfettoLook *look = loom_perfetto_looks_get (self->trace->looks, number);
  Slot *slot = self->slot_of[number];
  if (G_UNLIKELY (slot == NULL || !is_slot_of (slot, look)))
    slot = self->slot_of[number] = find_slot (self, look);
  return slot;
}

static gsize
measure (gpointer data, LoomMadePlace *place)
{
  Known *self = data;
  LoomPerfettoTrace *trace = self->trace;
  if (place->part != LOOM_PERFETTO_PART_EVENTS || place->number >= trace->n_events)
    return 0;
  if (place->number % PASS_EVENTS == 0)
    loom_perfetto_packer_pass (self->packer, (guint32) place->number);
  const LoomPerfettoEvent *event = get_event (self, (guint32) place->number);
  if (!is_usual (event))
    return 0;
  const Slot *slot = self->slot = look_up_slot (self, event->look);
  if (!slot->is_usable)
    return 0;
  place->number++;
  self->start_ns = event->start_ns;
  self->dur_ns = event->end_ns - event->start_ns;
  self->args = slot->span.n_bytes + strlen (",\"ts\":") + loom_made_json_measure_us (self->start_ns) +
               strlen (",\"dur\":") + loom_made_json_measure_us (self->dur_ns) + strlen (",\"args\":");
  return self->args + strlen ("{") + event->args_length - 1 + strlen ("}},\n");
}

static gboolean
add (gpointer data, guint64 offset)
{
  const Known *self = data;
  return loom_chrome_event_add_known_span (self->chrome, &self->slot->span, offset, self->args, self->start_ns,
                                           self->dur_ns);
}

static void
learn (gpointer data, const char *text, gsize length)
{
  const Known *self = data;
  gsize n = length - MIN (length, strlen (",\n"));
  self->slot->is_usable = loom_chrome_event_learn_span (self->chrome, text, n, &self->slot->span);
}

guint64
loom_perfetto_known_scan (LoomPerfettoTrace *trace, LoomByteSource *text, LoomChromeImporter *chrome,
                          LoomEventScanner *scanner)
{
  Known self = { .trace = trace,
                 .packer = loom_perfetto_packer_new (trace, chrome->import->n_threads > 1),
                 .chrome = chrome,
                 .slots = g_new0 (Slot, N_SLOTS + N_TRIES),
                 .slot_of = g_new0 (Slot *, trace->looks->looks->len),
                 .shortcut = { .measure = measure, .add = add, .learn = learn, .user_data = &self } };
  guint64 offset = loom_made_text_scan (text, scanner, &self.shortcut, chrome->import->progress);
  loom_perfetto_packer_finish (self.packer);
  g_free (self.slots);
  g_free (self.slot_of);
  return offset;
}
