/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the dumps of flight recorders. The interface is described in loom-index-flights.h.
 */
#include "loom-index-flights.h"

#include <string.h>

#include "loom-string-pool.h"

/* Minimum number of bytes that each kind of element takes. */
#define GROUP_BYTES 5
#define ENTRY_BYTES 13

/* The state of an entry (LoomFlightState) and two flags are written as one number. Its lowest STATE_BITS bits are the
 * state; the bits IS_MESSAGE and IS_RETIRED are the flags. The number is always less than END_OF_BITS. */
enum { STATE_BITS = 2, IS_MESSAGE = 1 << 2, IS_RETIRED = 1 << 3, END_OF_BITS = 1 << 4 };

/* --- writing ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomStringPool *texts;
  GByteArray *out;
} Writer;

static void
put_text (Writer *writer, const char *text)
{
  loom_index_bytes_put (writer->out, loom_string_pool_intern (writer->texts, text, strlen (text)));
}

static void
put_group (Writer *writer, const LoomFlightGroup *group)
{
  put_text (writer, group->name);
  put_text (writer, group->purpose);
  loom_index_bytes_put_signed (writer->out, group->enqueued);
  loom_index_bytes_put_signed (writer->out, group->completed);
  loom_index_bytes_put (writer->out, group->n_ranks);
  for (guint i = 0; i < group->n_ranks; i++)
    loom_index_bytes_put_difference (writer->out, group->ranks[i], i > 0 ? group->ranks[i - 1] : 0);
}

/* Writes an entry. Its numbers are written as differences from those of the previous entry, because most of these
 * differences are small. */
static void
put_entry (Writer *writer, const LoomFlightEntry *entry, const LoomFlightEntry *before)
{
  GByteArray *out = writer->out;
  const char *const texts[] = { entry->name, entry->sizes, entry->frames, entry->thread };
  loom_index_bytes_put_difference (out, entry->record, before->record);
  loom_index_bytes_put (out, entry->group != G_MAXUINT ? (guint64) entry->group + 1 : 0);
  loom_index_bytes_put_difference (out, entry->sequence, before->sequence);
  loom_index_bytes_put (out, (guint64) entry->state | (entry->is_message ? IS_MESSAGE : 0) |
                               (entry->is_retired ? IS_RETIRED : 0));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    put_text (writer, texts[i]);
  loom_index_bytes_put_difference (out, entry->created_ns, before->created_ns);
  loom_index_bytes_put_difference (out, entry->started_ns, before->started_ns);
  loom_index_bytes_put_difference (out, entry->completed_ns, before->completed_ns);
  loom_index_bytes_put_difference (out, entry->timeout_ns, before->timeout_ns);
}

static void
put_dump (Writer *writer, const LoomFlightDump *dump)
{
  static const LoomFlightEntry none = { 0 };
  loom_index_bytes_put_signed (writer->out, dump->rank);
  put_text (writer, dump->version);
  put_text (writer, dump->nccl_version);
  loom_index_bytes_put (writer->out, dump->is_doubtful != FALSE);
  loom_index_bytes_put_signed (writer->out, dump->n_lost);
  loom_index_bytes_put (writer->out, dump->groups->len);
  for (guint i = 0; i < dump->groups->len; i++)
    put_group (writer, &g_array_index (dump->groups, LoomFlightGroup, i));
  loom_index_bytes_put (writer->out, dump->entries->len);
  for (guint i = 0; i < dump->entries->len; i++)
    put_entry (writer, &g_array_index (dump->entries, LoomFlightEntry, i),
               i > 0 ? &g_array_index (dump->entries, LoomFlightEntry, i - 1) : &none);
}

static void
put_texts (const LoomStringPool *texts, GByteArray *out)
{
  guint32 n = loom_string_pool_get_count (texts);
  loom_index_bytes_put (out, n);
  for (guint32 i = 0; i < n; i++)
    loom_index_bytes_put_text (out, loom_string_pool_get (texts, i), loom_string_pool_get_length (texts, i));
}

void
loom_index_flights_write (const LoomTrace *trace, GByteArray *out)
{
  Writer writer = { loom_string_pool_new (), g_byte_array_new () };
  gboolean has_dump = FALSE;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    const LoomFlightDump *dump = loom_trace_get_source (trace, i)->flight;
    loom_index_bytes_put (writer.out, dump != NULL);
    if (dump != NULL)
      put_dump (&writer, dump);
    has_dump |= dump != NULL;
  }
  if (has_dump) {
    put_texts (writer.texts, out);
    g_byte_array_append (out, writer.out->data, writer.out->len);
  }
  g_byte_array_unref (writer.out);
  loom_string_pool_free (writer.texts);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomIndexBytes *in;
  GPtrArray *texts; /* char *: the texts of the section; owned */
  LoomFlightDump *dump;
} Reader;

/* Returns a text, owned by the dump; "" if the section is damaged. */
static const char *
get_text (Reader *reader)
{
  guint32 number = loom_index_bytes_get_below (reader->in, reader->texts->len);
  return loom_flight_dump_keep (reader->dump, reader->in->failed ? NULL : reader->texts->pdata[number]);
}

static void
read_group (Reader *reader)
{
  LoomIndexBytes *in = reader->in;
  const char *name = get_text (reader), *purpose = get_text (reader);
  gint64 enqueued = loom_index_bytes_get_signed (in), completed = loom_index_bytes_get_signed (in), rank = 0;
  guint32 n = loom_index_bytes_get_count (in, 1);
  g_autofree gint *ranks = g_new (gint, n + 1);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    rank = loom_index_bytes_get_sum (in, rank);
    in->failed |= rank < 0 || rank > G_MAXINT;
    ranks[i] = in->failed ? 0 : (gint) rank;
  }
  if (in->failed)
    return;
  guint group = loom_flight_dump_add_group (reader->dump, name, purpose, ranks, n);
  g_array_index (reader->dump->groups, LoomFlightGroup, group).enqueued = enqueued;
  g_array_index (reader->dump->groups, LoomFlightGroup, group).completed = completed;
}

static void
read_entry (Reader *reader, const LoomFlightEntry *before)
{
  LoomIndexBytes *in = reader->in;
  LoomFlightEntry entry = { .record = loom_index_bytes_get_sum (in, before->record) };
  entry.group = loom_index_bytes_get_below (in, (guint64) reader->dump->groups->len + 1) - 1; /* 0: G_MAXUINT */
  entry.sequence = loom_index_bytes_get_sum (in, before->sequence);
  guint bits = loom_index_bytes_get_below (in, END_OF_BITS);
  entry.state = bits & ((1 << STATE_BITS) - 1);
  entry.is_message = (bits & IS_MESSAGE) != 0;
  entry.is_retired = (bits & IS_RETIRED) != 0;
  entry.name = get_text (reader);
  entry.sizes = get_text (reader);
  entry.frames = get_text (reader);
  entry.thread = get_text (reader);
  entry.created_ns = loom_index_bytes_get_sum (in, before->created_ns);
  entry.started_ns = loom_index_bytes_get_sum (in, before->started_ns);
  entry.completed_ns = loom_index_bytes_get_sum (in, before->completed_ns);
  entry.timeout_ns = loom_index_bytes_get_sum (in, before->timeout_ns);
  in->failed |= entry.state > LOOM_FLIGHT_COMPLETED || !loom_index_bytes_is_time (entry.created_ns) ||
                !loom_index_bytes_is_time (entry.started_ns) || !loom_index_bytes_is_time (entry.completed_ns) ||
                !loom_index_bytes_is_time (entry.timeout_ns);
  if (!in->failed)
    g_array_append_val (reader->dump->entries, entry);
}

static void
read_dump (Reader *reader)
{
  LoomIndexBytes *in = reader->in;
  LoomFlightDump *dump = reader->dump;
  gint64 rank = loom_index_bytes_get_signed (in);
  in->failed |= rank < -1 || rank > G_MAXINT;
  dump->rank = in->failed ? -1 : (gint) rank;
  dump->version = get_text (reader);
  dump->nccl_version = get_text (reader);
  dump->is_doubtful = loom_index_bytes_get_below (in, 2) != 0;
  dump->n_lost = loom_index_bytes_get_signed (in);
  guint32 n_groups = loom_index_bytes_get_count (in, GROUP_BYTES);
  for (guint32 i = 0; i < n_groups && !in->failed; i++)
    read_group (reader);
  guint32 n_entries = loom_index_bytes_get_count (in, ENTRY_BYTES);
  LoomFlightEntry before = { 0 };
  for (guint32 i = 0; i < n_entries && !in->failed; i++) {
    read_entry (reader, &before);
    if (!in->failed)
      before = g_array_index (dump->entries, LoomFlightEntry, i);
  }
}

void
loom_index_flights_read (LoomIndexBytes *in, LoomTraceBuilder *builder, guint first_source, guint n)
{
  Reader reader = { in, g_ptr_array_new_with_free_func (g_free), NULL };
  guint32 n_texts = in->at < in->end ? loom_index_bytes_get_count (in, 1) : 0;
  for (guint32 i = 0; i < n_texts && !in->failed; i++)
    g_ptr_array_add (reader.texts, loom_index_bytes_dup_text (in));
  for (guint i = 0; i < n && in->at < in->end && !in->failed; i++) {
    if (loom_index_bytes_get_below (in, 2) == 0)
      continue;
    reader.dump = loom_trace_builder_get_source (builder, first_source + i)->flight = loom_flight_dump_new ();
    read_dump (&reader);
  }
  g_ptr_array_unref (reader.texts);
}

/* Returns the text that has the number `number` in the section of texts; owned by the caller. */
static char *
dup_text (GBytes *texts, guint32 number)
{
  gsize n_bytes;
  const guint8 *start = g_bytes_get_data (texts, &n_bytes);
  LoomIndexBytes in = { start, start + n_bytes, FALSE };
  loom_index_bytes_get (&in); /* skips the number of texts */
  for (guint32 i = 0; i < number && !in.failed; i++)
    g_free (loom_index_bytes_dup_text (&in));
  return loom_index_bytes_dup_text (&in);
}

gboolean
loom_index_flights_are_missing (LoomIndexFile *file)
{
  gsize n_bytes;
  if (loom_index_file_get_version (file) >= LOOM_INDEX_FILE_VERSION_OF_FLIGHTS)
    return FALSE;
  g_autoptr (GBytes) sources = loom_index_file_unpack (file, LOOM_INDEX_FILE_SOURCES, NULL),
                     texts = loom_index_file_unpack (file, LOOM_INDEX_FILE_TEXTS, NULL);
  if (sources == NULL || texts == NULL) /* the file is damaged, which is reported when the index is read */
    return FALSE;
  const guint8 *start = g_bytes_get_data (sources, &n_bytes);
  LoomIndexBytes in = { start, start + n_bytes, FALSE };
  loom_index_bytes_get (&in); /* Skips the number of sources; an index of a dump has one source. The format of this
                               * source comes next. */
  g_autofree char *format = dup_text (texts, loom_index_bytes_get_below (&in, G_MAXUINT32));
  return strcmp (format, "flight-recorder") == 0;
}
