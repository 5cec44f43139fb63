/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the sections of an index file that contain the offsets of events in trace files (LoomByteIndex,
 * README.md). The interface is described in loom-index-places.h.
 */
#include "loom-index-places.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-index-bytes.h"

/* First byte of the byte index of a source; states whether offsets follow. */
enum { NONE, PLACES, N_STATES };

/* Minimum numbers of bytes that an element takes in the section: a block of events, a long span, and a part of the
 * file that every range needs (such as the text before the events). */
#define BLOCK_BYTES 2
#define SPAN_BYTES 4
#define PART_BYTES 2

/* --- writing ------------------------------------------------------------------------------------------------------ */

static gint64
clamp_time (gint64 ns)
{
  return CLAMP (ns, 1 - LOOM_INDEX_BYTES_MOST_NS, LOOM_INDEX_BYTES_MOST_NS - 1);
}

/* Writes blocks of events as three columns: the offsets of the blocks; the lengths of their time ranges plus 1 (0: the
 * block has no times); the starts of these ranges. */
static void
put_blocks (GByteArray *out, const GArray *blocks)
{
  guint64 at = 0;
  gint64 before_ns = 0;
  const LoomByteIndexBlock *all = (const LoomByteIndexBlock *) (gpointer) blocks->data;
  loom_index_bytes_put (out, blocks->len);
  for (guint i = 0; i < blocks->len; at = all[i++].offset)
    loom_index_bytes_put (out, all[i].offset - at);
  for (guint i = 0; i < blocks->len; i++) {
    gboolean has_times = all[i].first_ns <= all[i].last_ns;
    gint64 length_ns = has_times ? clamp_time (all[i].last_ns) - clamp_time (all[i].first_ns) + 1 : 0;
    loom_index_bytes_put (out, (guint64) length_ns);
  }
  for (guint i = 0; i < blocks->len; i++)
    if (all[i].first_ns <= all[i].last_ns) {
      loom_index_bytes_put_difference (out, clamp_time (all[i].first_ns), before_ns);
      before_ns = clamp_time (all[i].first_ns);
    }
}

static void
put_spans (GByteArray *out, GByteArray *texts, const LoomByteIndex *index)
{
  LoomByteIndexSpan before = { 0 };
  loom_index_bytes_put (out, index->spans->len);
  for (guint i = 0; i < index->spans->len; i++) {
    const LoomByteIndexSpan *span = &g_array_index (index->spans, LoomByteIndexSpan, i);
    loom_index_bytes_put (out, span->offset - before.offset);
    loom_index_bytes_put_difference (out, span->start_ns, before.start_ns);
    loom_index_bytes_put (out, (guint64) span->dur_ns);
    loom_index_bytes_put (out, span->length);
    g_byte_array_append (texts, (const guint8 *) index->texts->str + span->text, span->length);
    before = *span;
  }
}

static void
put_fixed (GByteArray *out, const GArray *fixed)
{
  guint64 at = 0;
  loom_index_bytes_put (out, fixed->len);
  for (guint i = 0; i < fixed->len; i++) {
    const LoomByteIndexPart *part = &g_array_index (fixed, LoomByteIndexPart, i);
    loom_index_bytes_put (out, part->begin - at);
    loom_index_bytes_put (out, part->end - part->begin);
    at = part->end;
  }
}

static void
put_source (const LoomByteIndex *index, GByteArray *places, GByteArray *texts)
{
  const char *missing = index != NULL ? index->missing : N_ ("files of this format can only be read as a whole");
  loom_index_bytes_put (places, missing == NULL ? PLACES : NONE);
  if (missing != NULL) {
    loom_index_bytes_put_text (places, missing, strlen (missing));
    return;
  }
  guint64 head_end = MIN (index->head_end, index->tail_begin);
  loom_index_bytes_put (places, head_end);
  loom_index_bytes_put (places, index->tail_begin - head_end);
  put_blocks (places, index->blocks);
  put_spans (places, texts, index);
  put_fixed (places, index->fixed);
}

/* Limits on the text that every range needs. This text is copied into the index only if three conditions are met: it
 * has at most MOST_KEPT_BYTES bytes, it is at most 1/KEPT_PART of the file, and it contains at most MOST_KEPT_PARTS
 * parts with metadata. The last condition is needed because each of these parts may have to be unpacked separately. */
#define MOST_KEPT_BYTES (16u * 1024)
#define KEPT_PART 256u
#define MOST_KEPT_PARTS 8u

/* Appends the text of a file from `begin` to `end`, or to the end of the file if the file is shorter. Returns FALSE if
 * the text cannot be read, or if `out` becomes longer than `most`. */
static gboolean
append_text (LoomByteSource *text, guint64 begin, guint64 end, gsize most, GByteArray *out)
{
  for (gssize n = 1; n > 0 && begin < end; begin += (guint64) n) {
    guint at = out->len;
    gsize room = (gsize) MIN (most + 1 - at, end - begin);
    g_byte_array_set_size (out, at + (guint) room);
    n = loom_byte_source_read (text, begin, out->data + at, room, NULL);
    g_byte_array_set_size (out, at + (guint) MAX (n, 0));
    if (n < 0 || out->len > most)
      return FALSE;
  }
  return TRUE;
}

/* A range of time can be read from a source's file without parsing the rest of the file. Besides the events in the
 * range, this needs some text that is the same for all ranges: the text before the first event, the parts with
 * metadata, and the text after the last event. Returns this text; NULL if it is too long or cannot be read. */
static GByteArray *
read_kept (const LoomSource *source)
{
  const LoomByteIndex *index = source->byte_index;
  gsize most = (gsize) MIN (MOST_KEPT_BYTES, source->n_bytes / KEPT_PART);
  g_autoptr (GByteArray) kept = g_byte_array_new ();
  if (index == NULL || index->missing != NULL || source->text == NULL || index->fixed->len > MOST_KEPT_PARTS)
    return NULL;
  gboolean good = append_text (source->text, 0, MIN (index->head_end, index->tail_begin), most, kept);
  for (guint i = 0; good && i < index->fixed->len; i++) {
    const LoomByteIndexPart *part = &g_array_index (index->fixed, LoomByteIndexPart, i);
    good = append_text (source->text, part->begin, part->end, most, kept);
  }
  return good && append_text (source->text, index->tail_begin, G_MAXUINT64, most, kept) ? g_steal_pointer (&kept)
                                                                                        : NULL;
}

/* Appends to `out` the text that read_kept() returns: a number that is the length of the text plus 1, and then the
 * text itself. If read_kept() returns NULL, appends only the number 0. */
static void
put_kept (const LoomSource *source, GByteArray *out)
{
  g_autoptr (GByteArray) kept = read_kept (source);
  loom_index_bytes_put (out, kept != NULL ? (guint64) kept->len + 1 : 0);
  if (kept != NULL)
    g_byte_array_append (out, kept->data, kept->len);
}

void
loom_index_places_write (const LoomTrace *trace, GByteArray *places, GByteArray *texts, GByteArray *kept)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    put_source (loom_trace_get_source (trace, i)->byte_index, places, texts);
    put_kept (loom_trace_get_source (trace, i), kept);
  }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomIndexBytes in;
  gsize n_texts; /* length in bytes of the section with the texts of all long spans */
  gsize text;    /* offset of the text of the next long span, in the section with the texts of all long spans */
} Reader;

/* Reads an offset in the trace file, which is stored as the difference from `from`. Sets `failed` if the offset is
 * beyond the end of the events. */
static guint64
get_place (LoomIndexBytes *in, const LoomByteIndex *index, guint64 from)
{
  guint64 distance = loom_index_bytes_get (in);
  if (from <= index->tail_begin && distance <= index->tail_begin - from)
    return from + distance;
  in->failed = TRUE;
  return from;
}

/* Reads how many elements follow, each of at least `n_bytes`. Sets `failed` if the number is greater than `most`, or if
 * the remaining bytes cannot contain so many elements. */
static guint32
get_count (LoomIndexBytes *in, gsize n_bytes, guint32 most)
{
  guint32 n = loom_index_bytes_get_count (in, n_bytes);
  in->failed |= n > most;
  return in->failed ? 0 : n;
}

static void
get_blocks (LoomIndexBytes *in, LoomByteIndex *index)
{
  guint64 at = 0;
  gint64 before_ns = 0;
  guint32 n = get_count (in, BLOCK_BYTES, LOOM_BYTE_INDEX_MOST_BLOCKS);
  g_array_set_size (index->blocks, n);
  LoomByteIndexBlock *all = (LoomByteIndexBlock *) (gpointer) index->blocks->data;
  for (guint32 i = 0; i < n && !in->failed; i++) {
    all[i].offset = get_place (in, index, at);
    in->failed |= i > 0 && all[i].offset == at;
    at = all[i].offset;
  }
  for (guint32 i = 0; i < n && !in->failed; i++)
    all[i].last_ns = (gint64) loom_index_bytes_get (in);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    gint64 length_ns = all[i].last_ns - 1;
    all[i].first_ns = G_MAXINT64;
    all[i].last_ns = G_MININT64;
    if (length_ns == -1)
      continue;
    before_ns = all[i].first_ns = loom_index_bytes_get_sum (in, before_ns);
    in->failed |= length_ns < 0 || length_ns >= 2 * LOOM_INDEX_BYTES_MOST_NS || !loom_index_bytes_is_time (before_ns);
    all[i].last_ns = in->failed ? before_ns : before_ns + length_ns;
  }
}

static void
get_spans (Reader *reader, LoomByteIndex *index)
{
  LoomIndexBytes *in = &reader->in;
  LoomByteIndexSpan span = { 0 };
  guint32 n = get_count (in, SPAN_BYTES, LOOM_BYTE_INDEX_MOST_PARTS);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    guint64 before = span.offset;
    span.offset = get_place (in, index, before);
    in->failed |= i > 0 && span.offset == before;
    span.start_ns = loom_index_bytes_get_sum (in, span.start_ns);
    span.dur_ns = (gint64) loom_index_bytes_get (in);
    span.text = (guint32) reader->text;
    span.length = loom_index_bytes_get_below (in, reader->n_texts - reader->text + 1);
    in->failed |= span.dur_ns < 0;
    reader->text += span.length;
    g_array_append_val (index->spans, span);
  }
}

static void
get_fixed (LoomIndexBytes *in, LoomByteIndex *index)
{
  LoomByteIndexPart part = { 0, 0 };
  guint32 n = get_count (in, PART_BYTES, LOOM_BYTE_INDEX_MOST_PARTS);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    part.begin = get_place (in, index, part.end);
    part.end = get_place (in, index, part.begin);
    in->failed |= part.end == part.begin;
    g_array_append_val (index->fixed, part);
  }
}

/* Reads the byte index of the next source into `index`, which must be empty. If the index file has no byte index for
 * this source, sets `why` to the reason. */
static void
get_source (Reader *reader, LoomByteIndex *index, char **why)
{
  LoomIndexBytes *in = &reader->in;
  if (loom_index_bytes_get_below (in, N_STATES) == NONE) {
    *why = loom_index_bytes_dup_text (in);
    return;
  }
  index->head_end = loom_index_bytes_get (in);
  index->tail_begin = index->head_end + loom_index_bytes_get (in);
  in->failed |= index->tail_begin < index->head_end || index->tail_begin > G_MAXINT64;
  get_blocks (in, index);
  get_spans (reader, index);
  get_fixed (in, index);
}

/* Returns the byte index of a source, after reading the byte indexes of all sources before it. Returns NULL with
 * `error` on failure. */
static LoomByteIndex *
find_source (Reader *reader, guint source, GError **error)
{
  for (guint i = 0;; i++) {
    g_autoptr (LoomByteIndex) index = loom_byte_index_new ();
    g_autofree char *why = NULL;
    if (reader->in.at < reader->in.end)
      get_source (reader, index, &why);
    else
      why = g_strdup (N_ ("the index was created by an earlier version; create it again"));
    if (reader->in.failed) {
      loom_index_file_set_damage (error, "places");
      return NULL;
    }
    if (i < source && reader->in.at < reader->in.end)
      continue;
    if (why == NULL)
      return g_steal_pointer (&index);
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, _ ("Parts of the file cannot be read separately: %s"),
                 why[0] != '\0' ? _ (why) : "");
    return NULL;
  }
}

/* Returns TRUE if the copied text (LoomByteIndex.kept), which has `n_kept` bytes, is not too short: it must contain the
 * text before the first event (`head_end`) and the parts with metadata (`fixed`). */
static gboolean
is_complete (const LoomByteIndex *index, guint64 n_kept)
{
  guint64 n = index->head_end;
  for (guint i = 0; i < index->fixed->len && n <= n_kept; i++) {
    const LoomByteIndexPart *part = &g_array_index (index->fixed, LoomByteIndexPart, i);
    n += part->end - part->begin;
  }
  return n <= n_kept;
}

/* Sets LoomByteIndex.kept of a source. Returns FALSE with `error` if the section is damaged. */
static gboolean
read_kept_texts (LoomIndexFile *file, guint source, LoomByteIndex *index, GError **error)
{
  g_autoptr (GBytes) kept = loom_index_file_unpack (file, LOOM_INDEX_FILE_KEPT_TEXTS, error);
  if (kept == NULL)
    return FALSE;
  gsize n_all;
  const guint8 *start = g_bytes_get_data (kept, &n_all);
  LoomIndexBytes in = { start, start + n_all, FALSE };
  for (guint i = 0; in.at < in.end && i <= source; i++) {
    guint64 n = loom_index_bytes_get (&in);
    if (in.failed || (n > 0 && n - 1 > (guint64) (in.end - in.at)) ||
        (i == source && n > 0 && !is_complete (index, n - 1)))
      return loom_index_file_set_damage (error, "texts");
    if (n > 0 && i == source)
      index->kept = g_bytes_new (in.at, n - 1);
    in.at += n > 0 ? n - 1 : 0;
  }
  return TRUE;
}

LoomByteIndex *
loom_index_places_read (LoomIndexFile *file, guint source, GError **error)
{
  g_autoptr (GBytes) places = loom_index_file_unpack (file, LOOM_INDEX_FILE_PLACES, error);
  g_autoptr (GBytes) texts = places != NULL ? loom_index_file_unpack (file, LOOM_INDEX_FILE_LONG_SPANS, error) : NULL;
  if (texts == NULL)
    return NULL;
  gsize n;
  const guint8 *at = g_bytes_get_data (places, &n);
  const char *text = g_bytes_get_data (texts, NULL);
  Reader reader = { .in = { at, at + n, FALSE }, .n_texts = g_bytes_get_size (texts) };
  g_autoptr (LoomByteIndex) index = find_source (&reader, source, error);
  if (index == NULL || !read_kept_texts (file, source, index, error))
    return NULL;
  if (text != NULL)
    g_string_append_len (index->texts, text, (gssize) reader.text);
  return g_steal_pointer (&index);
}
