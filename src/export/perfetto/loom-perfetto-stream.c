/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-perfetto-stream.h"

enum { TRACE_PACKET = 1 };
enum {
  PACKET_CLOCKS = 6,
  PACKET_TIME = 8,
  PACKET_SEQUENCE = 10,
  PACKET_INTERNED = 12,
  PACKET_FLAGS = 13,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2 };
enum { REALTIME = 1, BOOTTIME = 6 }; /* BOOTTIME is the clock of all packets that do not state their clock */
enum { ENTRY_NUMBER = 1, ENTRY_TEXT };
/* field numbers of the descriptor of the root track (uuid 0), which states the sort order of processes and threads */
enum { ROOT_UUID = 1, ROOT_DESCRIPTION = 14, ROOT_PROCESS_ORDER = 19, ROOT_THREAD_ORDER = 20, ORDER_EXPLICIT = 1 };

#define SEQUENCE 1 /* number of the packet sequence; the file has only one */
#define PART_EVENTS 8192u
#define PART_EVENTS_PER_TRACK 8u
#define PART_TEXT_BYTES (4u * 1024 * 1024)
/* Maximum number of bytes of text in a part of the file. There is a limit, because the texts of a part are kept in
 * memory. A part ends at this limit even if it has fewer than PART_EVENTS_PER_TRACK events per track. Descriptors of
 * tracks may then be a large share of the next part. */
#define MOST_TEXT_BYTES (64u * 1024 * 1024)

struct _LoomPerfettoStream {
  LoomOutputFile *output;
  gint64 clock_ns, utc_ns;
  guint part, n_events;
  gboolean is_incomplete;
  char *head;          /* JSON text about the input, written into the first part; NULL: none */
  GPtrArray *left_out; /* char *: words that state codes of skipped input, "left-out:CODE" */
  gsize n_text_bytes;
  /* array indexed by kind of text; each element is a table of the texts in the current part of the file: text (stored
   * in `chunk`) → its number */
  GHashTable *texts[LOOM_PERFETTO_STREAM_N_KINDS];
  GStringChunk *chunk;
  GString *interned; /* texts that are new in the current part of the file; they are written with the next event */
  GString *packet;
};

LoomPerfettoStream *
loom_perfetto_stream_new (LoomOutputFile *output, gint64 clock_ns, gint64 utc_ns)
{
  LoomPerfettoStream *self = g_new0 (LoomPerfettoStream, 1);
  self->output = output;
  self->clock_ns = clock_ns;
  self->utc_ns = utc_ns;
  for (guint i = 0; i < LOOM_PERFETTO_STREAM_N_KINDS; i++)
    self->texts[i] = g_hash_table_new (g_str_hash, g_str_equal);
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  self->chunk = g_string_chunk_new (64 * 1024);
  self->interned = g_string_new (NULL);
  self->packet = g_string_sized_new (4096);
  return self;
}

void
loom_perfetto_stream_set_incomplete (LoomPerfettoStream *self)
{
  self->is_incomplete = TRUE;
}

void
loom_perfetto_stream_set_head (LoomPerfettoStream *self, const char *head)
{
  g_free (self->head);
  self->head = g_strdup (head);
}

void
loom_perfetto_stream_add_left_out (LoomPerfettoStream *self, const char *code)
{
  g_autofree char *word = g_strconcat ("left-out:", code, NULL);
  g_strdelimit (word, " ", '-'); /* spaces separate the words, so spaces in a code are replaced */
  if (!g_ptr_array_find_with_equal_func (self->left_out, word, g_str_equal, NULL))
    g_ptr_array_add (self->left_out, g_steal_pointer (&word));
}

void
loom_perfetto_stream_free (LoomPerfettoStream *self)
{
  for (guint i = 0; i < LOOM_PERFETTO_STREAM_N_KINDS; i++)
    g_hash_table_unref (self->texts[i]);
  g_string_chunk_free (self->chunk);
  g_string_free (self->interned, TRUE);
  g_string_free (self->packet, TRUE);
  g_free (self->head);
  g_ptr_array_unref (self->left_out);
  g_free (self);
}

static void
write_packet (LoomPerfettoStream *self, gsize place)
{
  loom_perfetto_message_end (self->packet, place);
  loom_output_file_append (self->output, self->packet->str, self->packet->len);
  g_string_truncate (self->packet, 0);
}

static void
put_clock (LoomPerfettoStream *self, guint clock, gint64 time_ns)
{
  gsize place = loom_perfetto_message_begin (self->packet, CLOCKS_CLOCK);
  loom_perfetto_message_put_number (self->packet, CLOCK_ID, clock);
  loom_perfetto_message_put_number (self->packet, CLOCK_TIME, (guint64) time_ns);
  loom_perfetto_message_end (self->packet, place);
}

static void
put_clear (LoomPerfettoStream *self)
{
  gsize packet = loom_perfetto_message_begin (self->packet, TRACE_PACKET);
  loom_perfetto_message_put_number (self->packet, PACKET_SEQUENCE, SEQUENCE);
  loom_perfetto_message_put_number (self->packet, PACKET_FLAGS, FLAG_CLEARED);
  if (self->utc_ns >= 0) {
    gsize clocks = loom_perfetto_message_begin (self->packet, PACKET_CLOCKS);
    put_clock (self, BOOTTIME, self->clock_ns);
    put_clock (self, REALTIME, self->utc_ns);
    loom_perfetto_message_end (self->packet, clocks);
  }
  write_packet (self, packet);
}

static void
put_root (LoomPerfettoStream *self)
{
  g_autoptr (GString) root = g_string_new (NULL), text = g_string_new ("traceloom: merged");
  g_string_append (text, self->is_incomplete ? " incomplete" : "");
  for (guint i = 0; i < self->left_out->len; i++)
    g_string_append_printf (text, " %s", (const char *) self->left_out->pdata[i]);
  if (self->part == 0 && self->head != NULL)
    g_string_append_printf (text, " %s", self->head);
  loom_perfetto_message_put_number (root, ROOT_UUID, 0);
  loom_perfetto_message_put_text (root, ROOT_DESCRIPTION, text->str);
  loom_perfetto_message_put_number (root, ROOT_PROCESS_ORDER, ORDER_EXPLICIT);
  loom_perfetto_message_put_number (root, ROOT_THREAD_ORDER, ORDER_EXPLICIT);
  loom_perfetto_stream_put (self, LOOM_PERFETTO_STREAM_TRACK_DESCRIPTOR, -1, root);
}

guint
loom_perfetto_stream_begin_event (LoomPerfettoStream *self, guint n_tracks)
{
  gboolean is_full = self->n_text_bytes > PART_TEXT_BYTES || self->n_events >= PART_EVENTS;
  gboolean is_worth = self->n_events >= (guint64) PART_EVENTS_PER_TRACK * n_tracks;
  if (self->part > 0 && !(is_full && is_worth) && self->n_text_bytes < MOST_TEXT_BYTES) {
    self->n_events++;
    return self->part;
  }
  for (guint i = 0; i < LOOM_PERFETTO_STREAM_N_KINDS; i++)
    g_hash_table_remove_all (self->texts[i]);
  g_string_chunk_clear (self->chunk);
  self->n_text_bytes = 0;
  self->n_events = 1;
  put_clear (self);
  put_root (self);
  return ++self->part;
}

/* Appends a text and its number to `interned`, in the field for this kind of text. */
static void
put_text (LoomPerfettoStream *self, LoomPerfettoStreamKind kind, guint64 number, const char *text)
{
  static const guint fields[LOOM_PERFETTO_STREAM_N_KINDS] = { [LOOM_PERFETTO_STREAM_CATEGORY] = 1,
                                                              [LOOM_PERFETTO_STREAM_NAME] = 2,
                                                              [LOOM_PERFETTO_STREAM_ARG_NAME] = 3,
                                                              [LOOM_PERFETTO_STREAM_ARG_TEXT] = 29 };
  gsize place = loom_perfetto_message_begin (self->interned, fields[kind]);
  loom_perfetto_message_put_number (self->interned, ENTRY_NUMBER, number);
  loom_perfetto_message_put_text (self->interned, ENTRY_TEXT, text);
  loom_perfetto_message_end (self->interned, place);
}

guint64
loom_perfetto_stream_intern (LoomPerfettoStream *self, LoomPerfettoStreamKind kind, const char *text)
{
  GHashTable *texts = self->texts[kind];
  gpointer known = g_hash_table_lookup (texts, text);
  if (G_LIKELY (known != NULL))
    return (guint64) GPOINTER_TO_SIZE (known);
  gsize number = g_hash_table_size (texts) + 1, length = strlen (text);
  g_hash_table_insert (texts, g_string_chunk_insert_len (self->chunk, text, (gssize) length),
                       GSIZE_TO_POINTER (number));
  self->n_text_bytes += length;
  put_text (self, kind, number, text);
  return number;
}

void
loom_perfetto_stream_put (LoomPerfettoStream *self, guint field, gint64 time_ns, const GString *content)
{
  gboolean is_event = field == LOOM_PERFETTO_STREAM_TRACK_EVENT;
  gsize place = loom_perfetto_message_begin (self->packet, TRACE_PACKET);
  if (time_ns >= 0)
    loom_perfetto_message_put_number (self->packet, PACKET_TIME, (guint64) time_ns);
  loom_perfetto_message_put_number (self->packet, PACKET_SEQUENCE, SEQUENCE);
  if (is_event)
    loom_perfetto_message_put_number (self->packet, PACKET_FLAGS, FLAG_NEEDS_STATE);
  if (is_event && self->interned->len > 0) {
    loom_perfetto_message_put_bytes (self->packet, PACKET_INTERNED, self->interned->str, self->interned->len);
    g_string_truncate (self->interned, 0);
  }
  loom_perfetto_message_put_bytes (self->packet, field, content->str, content->len);
  write_packet (self, place);
}
