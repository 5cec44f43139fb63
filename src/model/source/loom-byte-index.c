/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-byte-index.h"

#include <glib/gi18n.h>

#include "loom-time.h"

/* Limits on the long spans of a block, because the index contains the texts of long spans: maximum number of long
 * spans, and maximum length in bytes of the text of each. */
#define MOST_LONG 16u
#define MOST_TEXT_BYTES 1024u
/* Used for a quick test, which avoids further work for most spans: a span is not long if it lasts at most 1 /
 * SHORT_PART of the time between the first and the latest start in its block so far. */
#define SHORT_PART 4
/* Maximum number of bytes of the texts of all long spans together, so that 32-bit offsets suffice; further spans are
 * not treated as long. */
#define MOST_TEXTS_BYTES (1u << 28)

LoomByteIndex *
loom_byte_index_new (void)
{
  LoomByteIndex *index = g_new0 (LoomByteIndex, 1);
  index->blocks = g_array_new (FALSE, FALSE, sizeof (LoomByteIndexBlock));
  index->spans = g_array_new (FALSE, FALSE, sizeof (LoomByteIndexSpan));
  index->fixed = g_array_new (FALSE, FALSE, sizeof (LoomByteIndexPart));
  index->candidates = g_array_new (FALSE, FALSE, sizeof (LoomByteIndexSpan));
  index->texts = g_string_new (NULL);
  index->scratch = g_string_new (NULL);
  index->head_end = G_MAXUINT64;
  return index;
}

void
loom_byte_index_free (LoomByteIndex *index)
{
  if (index == NULL)
    return;
  g_array_unref (index->blocks);
  g_array_unref (index->spans);
  g_array_unref (index->fixed);
  g_array_unref (index->candidates);
  g_string_free (index->texts, TRUE);
  g_clear_pointer (&index->kept, g_bytes_unref);
  g_string_free (index->scratch, TRUE);
  g_free (index);
}

/* --- blocks of events --------------------------------------------------------------------------------------------- */

static void
widen (LoomByteIndexBlock *block, gint64 first_ns, gint64 last_ns)
{
  block->first_ns = MIN (block->first_ns, first_ns);
  block->last_ns = MAX (block->last_ns, last_ns);
}

static gint
compare_durations (gconstpointer a, gconstpointer b)
{
  const LoomByteIndexSpan *x = a, *y = b;
  return x->dur_ns < y->dur_ns ? -1 : x->dur_ns > y->dur_ns;
}

static gint
compare_offsets (gconstpointer a, gconstpointer b)
{
  const LoomByteIndexSpan *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Determines which candidates are long spans: those that last more than twice as long as the time between the first and
 * the last start in the block. Removes the other candidates from the list, and extends the time range of the block to
 * include the removed ones. */
static void
choose_long (LoomByteIndex *index, LoomByteIndexBlock *block)
{
  GArray *candidates = index->candidates;
  guint n_short = 0;
  gint64 apart_ns = loom_time_sub (index->last_start_ns, index->first_start_ns),
         most_ns = loom_time_add (apart_ns, apart_ns);
  g_array_sort (candidates, compare_durations);
  for (; n_short < candidates->len; n_short++) {
    const LoomByteIndexSpan *span = &g_array_index (candidates, LoomByteIndexSpan, n_short);
    if (span->dur_ns > most_ns)
      break;
    widen (block, span->start_ns, loom_time_add (span->start_ns, span->dur_ns));
  }
  g_array_remove_range (candidates, 0, n_short);
  g_array_sort (candidates, compare_offsets);
}

static void
end_block (LoomByteIndex *index)
{
  if (index->blocks->len > 0)
    choose_long (index, &g_array_index (index->blocks, LoomByteIndexBlock, index->blocks->len - 1));
  for (guint i = 0; i < index->candidates->len; i++) {
    LoomByteIndexSpan span = g_array_index (index->candidates, LoomByteIndexSpan, i);
    const char *text = index->scratch->str + span.text;
    span.text = (guint32) index->texts->len;
    g_string_append_len (index->texts, text, (gssize) span.length);
    g_array_append_val (index->spans, span);
  }
  g_array_set_size (index->candidates, 0);
  g_string_truncate (index->scratch, 0);
}

/* Returns the block to which an event belongs. If the event is the first one of a new block, adds the block. */
static LoomByteIndexBlock *
enter (LoomByteIndex *index, guint64 offset, gsize length)
{
  if (index->head_end == G_MAXUINT64)
    index->head_end = offset;
  index->tail_begin = offset + length;
  index->was_fixed = FALSE;
  if (offset >= index->block_end) {
    LoomByteIndexBlock block = { offset, G_MAXINT64, G_MININT64 };
    end_block (index);
    g_array_append_val (index->blocks, block);
    index->first_start_ns = G_MAXINT64;
    index->last_start_ns = G_MININT64;
    index->block_end = (offset / LOOM_BYTE_INDEX_BLOCK_BYTES + 1) * LOOM_BYTE_INDEX_BLOCK_BYTES;
  }
  return &g_array_index (index->blocks, LoomByteIndexBlock, index->blocks->len - 1);
}

/* If no further candidate can be stored, returns the shortest candidate, which the caller may replace by a longer span.
 * Otherwise returns NULL. */
static LoomByteIndexSpan *
find_shortest (GArray *candidates)
{
  LoomByteIndexSpan *shortest = &g_array_index (candidates, LoomByteIndexSpan, 0);
  if (candidates->len < MOST_LONG)
    return NULL;
  for (guint i = 1; i < candidates->len; i++)
    if (g_array_index (candidates, LoomByteIndexSpan, i).dur_ns < shortest->dur_ns)
      shortest = &g_array_index (candidates, LoomByteIndexSpan, i);
  return shortest;
}

void
loom_byte_index_add_span (LoomByteIndex *index, guint64 offset, const char *text, gsize length, gint64 start_ns,
                          gint64 dur_ns)
{
  LoomByteIndexBlock *block = enter (index, offset, length);
  gint64 end_ns = loom_time_add (start_ns, dur_ns);
  index->first_start_ns = MIN (index->first_start_ns, start_ns);
  index->last_start_ns = MAX (index->last_start_ns, start_ns);
  gboolean is_short = dur_ns <= loom_time_sub (block->last_ns, block->first_ns) / SHORT_PART;
  LoomByteIndexSpan *shortest = is_short ? NULL : find_shortest (index->candidates);
  is_short |= shortest != NULL && dur_ns <= shortest->dur_ns;
  if (is_short || length > MOST_TEXT_BYTES || index->texts->len > MOST_TEXTS_BYTES) {
    widen (block, start_ns, end_ns);
    return;
  }
  LoomByteIndexSpan span = { offset, start_ns, dur_ns, (guint32) index->scratch->len, (guint32) length };
  g_string_append_len (index->scratch, text, (gssize) length);
  if (shortest == NULL) {
    g_array_append_val (index->candidates, span);
    return;
  }
  widen (block, shortest->start_ns, loom_time_add (shortest->start_ns, shortest->dur_ns));
  *shortest = span;
}

void
loom_byte_index_add_point (LoomByteIndex *index, guint64 offset, gsize length, gint64 time_ns)
{
  widen (enter (index, offset, length), time_ns, time_ns);
}

void
loom_byte_index_add_fixed (LoomByteIndex *index, guint64 offset, gsize length)
{
  gboolean goes_on = index->was_fixed && index->fixed->len > 0;
  LoomByteIndexPart part = { offset, offset + length };
  if (index->head_end == G_MAXUINT64)
    index->head_end = offset;
  index->tail_begin = part.end;
  if (goes_on)
    g_array_index (index->fixed, LoomByteIndexPart, index->fixed->len - 1).end = part.end;
  else
    g_array_append_val (index->fixed, part);
  index->was_fixed = TRUE;
}

void
loom_byte_index_set_missing (LoomByteIndex *index, const char *why)
{
  if (index->missing == NULL)
    index->missing = why;
}

/* --- joining and finishing indexes, and finding blocks ------------------------------------------------------------ */

/* Removes all long spans. The time range of a block included only its other spans until now; extends this range so that
 * it also includes the long spans that begin in the block. */
static void
drop_spans (LoomByteIndex *index)
{
  guint block = 0;
  for (guint i = 0; i < index->spans->len && index->blocks->len > 0; i++) {
    const LoomByteIndexSpan *span = &g_array_index (index->spans, LoomByteIndexSpan, i);
    while (block + 1 < index->blocks->len &&
           g_array_index (index->blocks, LoomByteIndexBlock, block + 1).offset <= span->offset)
      block++;
    widen (&g_array_index (index->blocks, LoomByteIndexBlock, block), span->start_ns,
           loom_time_add (span->start_ns, span->dur_ns));
  }
  g_array_set_size (index->spans, 0);
  g_string_truncate (index->texts, 0);
}

void
loom_byte_index_absorb (LoomByteIndex *index, LoomByteIndex *piece)
{
  end_block (index);
  end_block (piece);
  if (index->texts->len + piece->texts->len > MOST_TEXTS_BYTES)
    drop_spans (piece);
  for (guint i = 0; i < piece->spans->len; i++)
    g_array_index (piece->spans, LoomByteIndexSpan, i).text += (guint32) index->texts->len;
  g_string_append_len (index->texts, piece->texts->str, (gssize) piece->texts->len);
  g_array_append_vals (index->spans, piece->spans->data, piece->spans->len);
  g_array_append_vals (index->blocks, piece->blocks->data, piece->blocks->len);
  g_array_append_vals (index->fixed, piece->fixed->data, piece->fixed->len);
  index->head_end = MIN (index->head_end, piece->head_end);
  index->tail_begin = MAX (index->tail_begin, piece->tail_begin);
  index->block_end = 0; /* the next event that is added will begin a new block */
  index->was_fixed = FALSE;
  loom_byte_index_set_missing (index, piece->missing);
  loom_byte_index_free (piece);
}

/* Halves the number of blocks by joining each pair of neighbouring blocks. */
static void
halve (GArray *blocks)
{
  guint n = 0;
  for (guint i = 0; i < blocks->len; i += 2) {
    LoomByteIndexBlock block = g_array_index (blocks, LoomByteIndexBlock, i);
    if (i + 1 < blocks->len) {
      const LoomByteIndexBlock *next = &g_array_index (blocks, LoomByteIndexBlock, i + 1);
      widen (&block, next->first_ns, next->last_ns);
    }
    g_array_index (blocks, LoomByteIndexBlock, n++) = block;
  }
  g_array_set_size (blocks, n);
}

/* Joins all blocks to one. Used for short files, which can be read as a whole just as fast. */
static void
flatten (LoomByteIndex *index)
{
  while (index->blocks->len > 1)
    halve (index->blocks);
  drop_spans (index);
}

void
loom_byte_index_finish (LoomByteIndex *index)
{
  end_block (index);
  if (index->tail_begin < LOOM_BYTE_INDEX_LEAST_BYTES)
    flatten (index);
  while (index->blocks->len > LOOM_BYTE_INDEX_MOST_BLOCKS)
    halve (index->blocks);
  if (index->spans->len > LOOM_BYTE_INDEX_MOST_PARTS)
    drop_spans (index);
  if (index->fixed->len > LOOM_BYTE_INDEX_MOST_PARTS)
    loom_byte_index_set_missing (index, N_ ("the file has too much metadata between its events"));
}

gboolean
loom_byte_index_touches (const LoomByteIndexBlock *block, gint64 begin_ns, gint64 end_ns)
{
  return block->first_ns <= end_ns && block->last_ns >= begin_ns;
}

guint64
loom_byte_index_get_block_end (const LoomByteIndex *index, guint block)
{
  return block + 1 < index->blocks->len ? g_array_index (index->blocks, LoomByteIndexBlock, block + 1).offset
                                        : index->tail_begin;
}
