/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the sections of index files, without the checksums that protect them. The input is a sequence of sections,
 * each with its number (one byte), its length (two bytes, little-endian) and its content. An index is read or refused.
 * An index that was read can be frozen, and written again as an index that is read without an error. If its byte index,
 * which says where the events of a range are in the trace file, can be read, ranges of a text are read through it: the
 * result is an error or a list of events of limited length.
 */
#include "fuzz.h"

#include <string.h>

#include "loom-index-file.h"
#include "loom-index-places.h"
#include "loom-index-reader.h"
#include "loom-index-writer.h"
#include "loom-range-text.h"

static GBytes *
build (const guint8 *data, gsize size)
{
  gboolean seen[LOOM_INDEX_FILE_N_SECTIONS] = { FALSE };
  LoomIndexPack *pack = loom_index_file_pack_new ();
  while (size >= 3) {
    guint section = data[0] % LOOM_INDEX_FILE_N_SECTIONS, n = MIN (data[1] | (guint) data[2] << 8, (guint) size - 3);
    g_autoptr (GByteArray) content = g_byte_array_new ();
    g_byte_array_append (content, data + 3, n);
    if (section > 0 && !seen[section])
      loom_index_file_pack_add (pack, section, content);
    seen[section] = TRUE;
    data += 3 + n;
    size -= 3 + n;
  }
  return loom_index_file_pack_finish (pack, size % 2 == 0 ? 0 : G_MAXUINT64);
}

static LoomTrace *
read_bytes (GBytes *bytes, gboolean *good)
{
  g_autoptr (GError) error = NULL;
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomIndexReading reading;
  *good = loom_index_reader_read (bytes, "a.loomidx", builder, &reading, &error);
  loom_index_about_free (reading.about);
  fuzz_check (*good == (error == NULL), "neither read nor refused");
  fuzz_check (error == NULL || g_utf8_validate (error->message, -1, NULL), "%s", error->message);
  fuzz_check (!*good || reading.n_sources > 0, "read without sources");
  if (reading.n_sources > 0)
    return loom_trace_builder_freeze (builder, 1, NULL);
  loom_trace_builder_free (builder);
  return NULL;
}

/* Writes the trace as an index without limits, so that it keeps all data. */
static GBytes *
write_again (LoomTrace *trace)
{
  g_autoptr (LoomIndexContent) content = loom_index_content_alloc (trace);
  g_autoptr (LoomIndexAbout) about = loom_index_about_new ("");
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 n;
  loom_index_about_add (about, "/a.json", 1, 1, 1, FALSE);
  for (guint t = 0; t < loom_trace_get_n_tracks (trace); t++) {
    const LoomTrack *track = loom_trace_get_track (trace, t);
    LoomIndexTrack *kept = track->kind == LOOM_TRACK_SPANS ? loom_index_content_add_track (content, t) : NULL;
    for (guint32 r = 0; kept != NULL && r < track->n_rows; r++) {
      const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
      for (guint32 i = row->first; i < row->first + row->n; i++) {
        LoomIndexSpan span = { spans->start_ns[i], spans->dur_ns[i], spans->name_id[i], spans->ref[i] };
        g_array_append_val (kept->spans, span);
      }
    }
  }
  loom_trace_get_meetings (trace, &n);
  for (guint32 i = 0; i < n; i++)
    g_array_append_val (content->meetings, i);
  guint64 n_left_out;
  return loom_index_writer_make (content, about, &n_left_out);
}

#define MOST_BYTES 4096

/* Reads ranges through the byte index from a text to which the index does not belong. */
static void
read_ranges (LoomIndexFile *file, guint source)
{
  static const char events[] =
    "{\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"a\"}},\n"
    "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2},\n"
    "{\"ph\":\"i\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":3}\n]}";
  static const LoomRangeTextRequest requests[] = { { 0, 1000, MOST_BYTES, NULL },
                                                   { G_MININT64, G_MAXINT64, MOST_BYTES, NULL } };
  g_autoptr (GBytes) bytes = g_bytes_new_static (events, strlen (events));
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomByteIndex) index = loom_index_places_read (file, source, &error);
  fuzz_check ((index == NULL) == (error != NULL), "neither places nor an error");
  fuzz_check (error == NULL || g_utf8_validate (error->message, -1, NULL), "%s", error->message);
  for (guint i = 0; index != NULL && i < G_N_ELEMENTS (requests); i++) {
    g_autoptr (GError) problem = NULL;
    guint64 n_read;
    g_autoptr (GBytes) made = loom_range_text_make (index, text, &requests[i], &n_read, NULL, &problem);
    fuzz_check ((made == NULL) == (problem != NULL), "neither a range nor an error");
    fuzz_check (n_read <= MOST_BYTES + 1, "%" G_GUINT64_FORMAT " bytes read", n_read);
  }
}

static void
read_places (GBytes *bytes)
{
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, NULL);
  for (guint i = 0; file != NULL && i < 2; i++)
    read_ranges (file, i);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  gboolean good, again;
  g_autoptr (GBytes) bytes = build (data, size);
  read_places (bytes);
  g_autoptr (LoomTrace) trace = read_bytes (bytes, &good);
  if (trace == NULL)
    return 0;
  g_autoptr (GBytes) second = write_again (trace);
  g_autoptr (LoomTrace) other = read_bytes (second, &again);
  fuzz_check (again && other != NULL, "an index that was written is refused");
  fuzz_check (loom_trace_get_spans (other)->n == loom_trace_get_spans (trace)->n, "spans %u of %u",
              loom_trace_get_spans (other)->n, loom_trace_get_spans (trace)->n);
  return 0;
}
