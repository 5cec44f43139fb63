/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the events of database rows without making and parsing their text, if rows with the same name, category and
 * track occurred before. The interface is described in loom-known-rows.h.
 */
#include "loom-known-rows.h"

#include "loom-chrome-event.h"
#include "loom-made-json.h"

#define N_SLOTS 4096
/* Maximum number of successive slots of the hash table that are compared with the keys of a row. */
#define N_TRIES 8
#define N_KEYS (LOOM_ROW_SPAN_KEYS + 1)

/* What is common to all rows that have the same keys (LoomRowSpan.key). */
typedef struct {
  gint64 key[N_KEYS];
  gboolean is_used, is_usable;
  LoomChromeKnownSpan span;
  LoomChromeKnownFlow flow;
} Slot;

typedef struct {
  LoomByteSource *text;
  LoomChromeImporter *chrome;
  LoomMadeTextShortcut shortcut;
  Slot *slots;
  /* `row`: the row for which measure() was called last. `slot`: what this row has in common with other rows. `args`:
   * number of bytes before the args in the text of the row's span. `n_span_bytes`: length in bytes of the text of the
   * row's span. */
  LoomRowSpan row;
  Slot *slot;
  gsize args, n_span_bytes;
  char id[48]; /* id of the flow event of `row` */
  gsize n_id_bytes;
} Known;

/* Returns the slot (element of the hash table) for the rows with these keys. If there is none, assigns a slot, which
 * may have belonged to other keys, and sets `wants_text`: the text of one of these rows is then made, and learn() fills
 * the slot from this text. */
static Slot *
find_slot (Known *self, const gint64 *key)
{
  guint64 hash = 0;
  for (guint i = 0; i < N_KEYS; i++)
    hash = (hash ^ (guint64) key[i]) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  Slot *slot = &self->slots[(hash ^ hash >> 32) % N_SLOTS];
  for (guint i = 0; i < N_TRIES; i++) {
    if (slot[i].is_used && memcmp (slot[i].key, key, sizeof slot[i].key) == 0)
      return &slot[i];
    if (!slot[i].is_used) {
      slot = &slot[i];
      break;
    }
  }
  *slot = (Slot) { .is_used = TRUE };
  memcpy (slot->key, key, sizeof slot->key);
  self->shortcut.wants_text = TRUE;
  return slot;
}

/* Returns the length of the text of the flow event of the row. */
static gsize
measure_flow (Known *self)
{
  const LoomRowSpan *row = &self->row;
  gsize n = loom_time_write_int (row->flow_group, self->id);
  self->id[n++] = ':';
  self->n_id_bytes = n + loom_time_write_int (row->flow_number, self->id + n);
  return self->slot->flow.n_bytes + self->n_id_bytes + loom_made_json_measure_us (row->start_ns) + strlen (",\n");
}

static gsize
measure (gpointer data, LoomMadePlace *place)
{
  Known *self = data;
  LoomRowSpan *row = &self->row;
  if (!loom_row_text_measure (self->text, place, row) || row->start_ns < 0 || row->end_ns < row->start_ns)
    return 0;
  gint64 key[N_KEYS] = { (gint64) place->part << 8 | row->flow };
  memcpy (key + 1, row->key, sizeof row->key);
  self->slot = find_slot (self, key);
  if (!self->slot->is_usable)
    return 0;
  loom_row_text_pass (self->text, place);
  self->args = self->slot->span.n_bytes + strlen (",\"ts\":,\"dur\":,\"args\":") +
               loom_made_json_measure_us (row->start_ns) + loom_made_json_measure_us (row->end_ns - row->start_ns);
  self->n_span_bytes = self->args + row->n_args_bytes + strlen ("},\n");
  return self->n_span_bytes + (row->flow != 0 ? measure_flow (self) : 0);
}

static gboolean
add (gpointer data, guint64 offset)
{
  const Known *self = data;
  const LoomRowSpan *row = &self->row;
  return loom_chrome_event_add_known_span (self->chrome, &self->slot->span, offset, self->args, row->start_ns,
                                           row->end_ns - row->start_ns) &&
         (row->flow == 0 ||
          loom_chrome_event_add_known_flow (self->chrome, &self->slot->flow, offset + self->n_span_bytes,
                                            (LoomJsonSlice) { self->id, self->n_id_bytes }, row->start_ns));
}

/* Sets self->slot->flow to what the flow events of all rows with the keys of self->row have in common. `text`: the text
 * of the flow event of self->row, with ",\n" at the end. Returns FALSE if such flow events cannot be added without
 * parsing their text. */
static gboolean
learn_flow (const Known *self, const char *text, gsize length)
{
  return length > strlen (",\n") &&
         loom_chrome_event_learn_flow (self->chrome, text, length - strlen (",\n"), &self->slot->flow) &&
         self->slot->flow.phase == self->row.flow && self->slot->flow.thread == self->slot->span.thread;
}

static void
learn (gpointer data, const char *text, gsize length)
{
  const Known *self = data;
  const char *end = memchr (text, '\n', length); /* end of the text of the span; strings contain no line feeds, because
                                                  * these are escaped */
  gsize n = end != NULL ? (gsize) (end - text) + 1 : 0;
  self->slot->is_usable = n > strlen (",\n") &&
                          loom_chrome_event_learn_span (self->chrome, text, n - strlen (",\n"), &self->slot->span) &&
                          (self->row.flow == 0 ? n == length : learn_flow (self, text + n, length - n));
}

gboolean
loom_known_rows_scan (LoomByteSource *text, LoomChromeImporter *chrome, LoomStreamReader *reader,
                      LoomEventScanner *scanner, GError **error)
{
  Known self = { .text = text,
                 .chrome = chrome,
                 .slots = g_new0 (Slot, N_SLOTS + N_TRIES),
                 .shortcut = { .measure = measure, .add = add, .learn = learn, .user_data = &self } };
  chrome->info->flows_follow_spans = TRUE;
  guint64 offset = loom_made_text_scan (text, scanner, &self.shortcut, chrome->import->progress);
  g_free (self.slots);
  return chrome->full || loom_stream_reader_scan (reader, scanner, offset, error);
}
