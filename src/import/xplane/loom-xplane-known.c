/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the events of an XSpace (a file of TensorFlow's profiler) to a trace. In general, the importer converts each
 * event to JSON text and parses this text. An event that has the same name, category and line (thread) as an earlier
 * event is usually added without making JSON text, which takes less time. The interface is described in
 * loom-xplane-known.h.
 */
#include "loom-xplane-known.h"

#include "loom-chrome-event.h"
#include "loom-made-json.h"
#include "loom-page-supply.h"
#include "loom-xplane-ahead.h"

#define N_SLOTS 4096 /* a power of two */
/* Maximum number of successive slots of the hash table that are compared with the properties of an event. */
#define N_TRIES 8

typedef enum {
  UNKNOWN,
  USABLE,
  UNUSABLE, /* the lengths of the events cannot be computed, so their text must be made */
} State;

/* What all events of a line with the same name and variant (LoomXplaneItem) have in common. */
typedef struct {
  guint part; /* index of the line */
  guint32 name;
  guint8 variant;
  gboolean is_used;
  State state;
  LoomChromeKnownSpan span;
} Slot;

/* What all flow events of one kind on the current line have in common. */
typedef struct {
  State state;
  LoomChromeKnownFlow flow;
} Flow;

typedef struct {
  LoomChromeImporter *chrome;
  gint64 adjusts_from_ns; /* from this start time (in ns) on, the importer changes the times of events, so their text
                           * must be made */
  LoomXplaneAhead *ahead;
  LoomPageSupply *supply; /* allocates memory for the events in advance, on another thread; NULL: there is only one
                           * thread */
  LoomMadeTextShortcut shortcut;
  Slot *slots;
  Flow flows[LOOM_XPLANE_N_FLOWS];
  guint part; /* the line to which `flows` belong */
  const LoomXplaneItem *items;
  guint n_items, next; /* next: index of the item that is measured next */
  /* `item`: the item for which measure() was called last. `slot` and `flow`: the properties that `item` has in common
   * with other items; `flow` NULL: `item` has no flow event. `args`: number of bytes before the args in the text of the
   * span. `n_span_bytes`: length of the text of the span. */
  const LoomXplaneItem *item;
  Slot *slot;
  Flow *flow;
  gsize args, n_span_bytes;
  char id[48]; /* id of the flow event of `item` */
  gsize n_id_bytes;
} Known;

static const LoomXplaneItem *
take_item (Known *self)
{
  if (G_UNLIKELY (self->next == self->n_items)) {
    self->items = loom_xplane_ahead_get_next (self->ahead, &self->n_items);
    self->next = 0;
    if (self->supply != NULL)
      loom_page_supply_refill (self->supply);
  }
  return self->next < self->n_items ? &self->items[self->next++] : NULL;
}

static inline gboolean
is_slot_of (const Slot *slot, guint part, const LoomXplaneItem *item)
{
  return slot->is_used && slot->name == item->name && slot->part == part && slot->variant == item->variant;
}

/* Returns the slot for events with the line, name and variant of this item. If there is none, assigns a slot. */
static inline Slot *
find_slot (Known *self, guint part, const LoomXplaneItem *item)
{
  guint64 hash =
    (((guint64) part << 32 | item->name) ^ (guint64) item->variant << 56) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  Slot *slot = &self->slots[(hash ^ hash >> 32) % N_SLOTS];
  for (guint i = 0; i < N_TRIES; i++) {
    if (is_slot_of (&slot[i], part, item))
      return &slot[i];
    if (!slot[i].is_used) {
      slot = &slot[i];
      break;
    }
  }
  *slot = (Slot) { .part = part, .name = item->name, .variant = item->variant, .is_used = TRUE };
  return slot;
}

/* Sets `slot` and `flow` for an item. Returns FALSE if the text of the item must be made. If `slot` or `flow` can then
 * be filled from this text, sets `wants_text`. */
static inline gboolean
find_properties (Known *self, guint part, const LoomXplaneItem *item)
{
  if (G_UNLIKELY (self->part != part))
    memset (self->flows, 0, sizeof self->flows);
  self->part = part;
  self->slot = find_slot (self, part, item);
  self->flow = item->flow != LOOM_XPLANE_NO_FLOW ? &self->flows[item->flow] : NULL;
  State flow = self->flow != NULL ? self->flow->state : USABLE;
  self->shortcut.wants_text = self->slot->state == UNKNOWN || flow == UNKNOWN;
  return self->slot->state == USABLE && flow == USABLE;
}

/* Returns the length of the text of the flow event of the item. */
static inline gsize
measure_flow (Known *self)
{
  const LoomXplaneItem *item = self->item;
  gsize n = loom_time_write_int (item->flow_group, self->id);
  self->id[n++] = ':';
  self->n_id_bytes = n + loom_time_write_int (item->flow_number, self->id + n);
  return self->flow->flow.n_bytes + self->n_id_bytes + loom_made_json_measure_us (item->start_ns) + strlen (",\n");
}

static gsize
measure (gpointer data, LoomMadePlace *place)
{
  Known *self = data;
  const LoomXplaneItem *item = self->item = take_item (self);
  if (item == NULL || item->n_args_bytes == 0 || item->start_ns >= self->adjusts_from_ns ||
      !find_properties (self, place->part, item))
    return 0;
  place->at = (gint64) item->end;
  place->number++;
  self->args = self->slot->span.n_bytes + strlen (",\"ts\":,\"dur\":,\"args\":") +
               loom_made_json_measure_us (item->start_ns) + loom_made_json_measure_us (item->end_ns - item->start_ns);
  self->n_span_bytes = self->args + item->n_args_bytes + strlen ("},\n");
  return self->n_span_bytes + (self->flow != NULL ? measure_flow (self) : 0);
}

static gboolean
add (gpointer data, guint64 offset)
{
  const Known *self = data;
  const LoomXplaneItem *item = self->item;
  return loom_chrome_event_add_known_span (self->chrome, &self->slot->span, offset, self->args, item->start_ns,
                                           item->end_ns - item->start_ns) &&
         (self->flow == NULL ||
          loom_chrome_event_add_known_flow (self->chrome, &self->flow->flow, offset + self->n_span_bytes,
                                            (LoomJsonSlice) { self->id, self->n_id_bytes }, item->start_ns));
}

/* Sets self->flow from `text`, the text of the flow event, which ends with ",\n". Returns FALSE if this text cannot be
 * used. */
static gboolean
learn_flow (const Known *self, const char *text, gsize length)
{
  return length > strlen (",\n") &&
         loom_chrome_event_learn_flow (self->chrome, text, length - strlen (",\n"), &self->flow->flow);
}

static void
learn (gpointer data, const char *text, gsize length)
{
  const Known *self = data;
  const char *end = memchr (text, '\n', length); /* end of the text of the span; strings contain no line feeds, because
                                                  * these are escaped */
  gsize n = end != NULL ? (gsize) (end - text) + 1 : 0;
  gboolean good =
    n > strlen (",\n") && loom_chrome_event_learn_span (self->chrome, text, n - strlen (",\n"), &self->slot->span);
  self->slot->state = good ? USABLE : UNUSABLE;
  if (self->flow != NULL)
    self->flow->state = good && learn_flow (self, text + n, length - n) ? USABLE : UNUSABLE;
}

gboolean
loom_xplane_known_scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner, GError **error)
{
  LoomByteSource *text = chrome->file->origin->text;
  gint64 adjusts_from_ns = chrome->hooks->adjusts_from_ns;
  Known self = { .chrome = chrome,
                 .adjusts_from_ns = adjusts_from_ns != 0 ? adjusts_from_ns : G_MAXINT64,
                 .ahead = loom_xplane_ahead_new (loom_made_text_get_maker (text), chrome->import->n_threads > 1),
                 .supply = chrome->import->n_threads > 1 ? loom_page_supply_new () : NULL,
                 .slots = g_new0 (Slot, N_SLOTS + N_TRIES),
                 .part = G_MAXUINT,
                 .shortcut = { .measure = measure, .add = add, .learn = learn, .user_data = &self } };
  chrome->info->flows_follow_spans = TRUE;
  guint64 offset = loom_made_text_scan (text, scanner, &self.shortcut, chrome->import->progress);
  loom_xplane_ahead_free (self.ahead);
  loom_page_supply_free (self.supply);
  g_free (self.slots);
  return chrome->full || loom_stream_reader_scan (reader, scanner, offset, error);
}
