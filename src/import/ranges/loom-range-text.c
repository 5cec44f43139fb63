/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a small trace file in memory that contains a range of time of a large trace file. The interface is described in
 * loom-range-text.h.
 */
#include "loom-range-text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-event-scanner.h"
#include "loom-parse-time.h"
#include "loom-time.h"

/* Maximum number of bytes that are read at once. Adjacent blocks of events are read together up to this limit. */
#define READ_BYTES (4u * 1024 * 1024)
#define TAIL_BYTES (256u * 1024) /* number of bytes that are read at once from the text after the events */

/* One or more successive events, with the text between them, at `offset` in the file. A copy of this text is in
 * Maker.texts: `length` bytes at index `at`. */
typedef struct {
  guint64 offset;
  gsize at, length;
} Part;

typedef struct {
  const LoomByteIndex *index;
  LoomByteSource *text;
  const LoomRangeTextRequest *request;
  GArray *parts;  /* Part elements: the events that touch the range, in the order in which they were read */
  GArray *places; /* LoomRangeTextPlace elements: for each part of the generated text, its offset in the file */
  GString *texts;
  guint64 n_read;
  /* TRUE: a block of the file contains something other than events, so the range cannot be read without the rest of the
   * file */
  gboolean is_odd;
} Maker;

static gboolean
set_too_large (const Maker *maker, GError **error)
{
  g_autofree char *size = g_format_size (maker->request->most_bytes);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
               _ ("More than %s would have to be read for the range; choose a shorter range"), size);
  return FALSE;
}

void
loom_range_text_set_over_budget (const LoomMemoryBudget *budget, GError **error)
{
  g_autofree char *size = g_format_size (loom_memory_budget_get_bytes (budget));
  g_set_error (
    error, LOOM_ERROR, LOOM_ERROR_LIMIT,
    _ ("the memory budget of %s is used up; choose a shorter range, or raise the budget (--memory-budget, or "
       "the setting memory-budget)"),
    size);
}

/* Returns TRUE if the memory budget allows `n_bytes` more bytes; otherwise sets `error` and returns FALSE. */
static gboolean
has_memory (const Maker *maker, guint64 n_bytes, GError **error)
{
  LoomMemoryBudget *budget = maker->request->budget;
  if (!loom_memory_budget_check (budget) && n_bytes <= loom_memory_budget_get_room (budget))
    return TRUE;
  loom_range_text_set_over_budget (budget, error);
  return FALSE;
}

static gboolean
is_cancelled (const Maker *maker, GError **error)
{
  if (!loom_progress_is_cancelled (maker->request->progress))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  return TRUE;
}

/* Returns the text of the file from the offset `begin` to `end`; NULL with `error`. Owned by the caller. */
static char *
read_text (Maker *maker, guint64 begin, guint64 end, GError **error)
{
  const LoomRangeTextRequest *request = maker->request;
  if (is_cancelled (maker, error) || !has_memory (maker, end - begin, error))
    return NULL;
  if (end - begin > request->most_bytes - MIN (request->most_bytes, maker->n_read)) {
    set_too_large (maker, error);
    return NULL;
  }
  maker->n_read += end - begin;
  return loom_byte_source_dup_range (maker->text, begin, (gsize) (end - begin), error);
}

static void
add_part (Maker *maker, guint64 offset, const char *text, gsize length)
{
  Part part = { offset, maker->texts->len, length };
  g_string_append_len (maker->texts, text, (gssize) length);
  g_array_append_val (maker->parts, part);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static gboolean
is_in_range (const LoomRangeTextRequest *request, gint64 start_ns, gint64 dur_ns)
{
  return start_ns <= request->end_ns && loom_time_add (start_ns, dur_ns) >= request->begin_ns;
}

/* Adds an event to the text if it touches the range. An event whose times cannot be read is skipped, because the
 * importer would skip it, too. Always returns TRUE: scanning continues. */
static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  Maker *maker = user_data;
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS], dur = event->member[LOOM_MEMBER_DUR];
  LoomExactTime start, length;
  gint64 dur_ns = 0;
  char phase = loom_event_phase (event);
  if (phase == 'M' || ts.text == NULL || !loom_parse_time_parse_us (ts.text, ts.length, &start))
    return TRUE;
  if (phase == 'X') {
    if (dur.text == NULL || !loom_parse_time_parse_us (dur.text, dur.length, &length) || length.ns < 0)
      return TRUE;
    dur_ns = loom_time_sub (loom_parse_time_add_exact (start, length).ns, start.ns);
  }
  if (is_in_range (maker->request, start.ns, dur_ns))
    add_part (maker, event->offset, event->text.text, event->text.length);
  return TRUE;
}

/* Handles a problem that the scanner reports. A missing end of the list of events is ignored, because each block ends
 * before the end of the list. */
static void
on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data)
{
  ((Maker *) user_data)->is_odd |= problem != LOOM_SCAN_UNTERMINATED;
}

static gboolean
read_blocks (Maker *maker, guint64 begin, guint64 end, GError **error)
{
  static const LoomScanHandler handler = { .event = on_event, .problem = on_problem };
  g_autofree char *text = read_text (maker, begin, end, error);
  if (text == NULL)
    return FALSE;
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new_inside (&handler, maker, LOOM_JSON_FORM_ARRAY);
  loom_event_scanner_scan (scanner, text, (gsize) (end - begin), begin, TRUE);
  if (maker->is_odd)
    g_set_error_literal (
      error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED,
      _ ("Parts of the file cannot be read separately, because the file contains other data between the events"));
  return !maker->is_odd;
}

static gboolean
is_wanted (const Maker *maker, guint block)
{
  return loom_byte_index_touches (&g_array_index (maker->index->blocks, LoomByteIndexBlock, block),
                                  maker->request->begin_ns, maker->request->end_ns);
}

static gboolean
add_blocks (Maker *maker, GError **error)
{
  guint n = maker->index->blocks->len;
  for (guint i = 0; i < n; i++) {
    if (!is_wanted (maker, i))
      continue;
    guint64 begin = g_array_index (maker->index->blocks, LoomByteIndexBlock, i).offset;
    while (i + 1 < n && is_wanted (maker, i + 1) &&
           loom_byte_index_get_block_end (maker->index, i + 1) - begin <= READ_BYTES)
      i++;
    if (!read_blocks (maker, begin, loom_byte_index_get_block_end (maker->index, i), error))
      return FALSE;
  }
  return TRUE;
}

static void
add_long_spans (Maker *maker)
{
  for (guint i = 0; i < maker->index->spans->len; i++) {
    const LoomByteIndexSpan *span = &g_array_index (maker->index->spans, LoomByteIndexSpan, i);
    if (is_in_range (maker->request, span->start_ns, span->dur_ns))
      add_part (maker, span->offset, maker->index->texts->str + span->text, span->length);
  }
}

static gboolean
add_fixed (Maker *maker, GError **error)
{
  for (guint i = 0; i < maker->index->fixed->len; i++) {
    const LoomByteIndexPart *part = &g_array_index (maker->index->fixed, LoomByteIndexPart, i);
    g_autofree char *text = read_text (maker, part->begin, part->end, error);
    if (text == NULL)
      return FALSE;
    add_part (maker, part->begin, text, (gsize) (part->end - part->begin));
  }
  return TRUE;
}

/* --- putting the text of the range together ----------------------------------------------------------------------- */

static gint
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
add_place (Maker *maker, gsize offset, guint64 in_file)
{
  LoomRangeTextPlace place = { offset, in_file };
  g_array_append_val (maker->places, place);
}

/* Appends the events in the order of the file. Long spans (LoomByteIndexSpan) are read one by one. If the block that
 * contains a long span was read, too, the span is in `parts` twice, but is appended only once. */
static void
put_parts (Maker *maker, GString *out)
{
  const Part *all = (const Part *) (gpointer) maker->parts->data;
  g_array_sort (maker->parts, compare_parts);
  for (guint i = 0; i < maker->parts->len; i++) {
    if (i > 0 && all[i].offset == all[i - 1].offset)
      continue;
    g_string_append (out, i > 0 ? ",\n" : "");
    add_place (maker, out->len, all[i].offset);
    g_string_append_len (out, maker->texts->str + all[i].at, (gssize) all[i].length);
  }
}

/* Appends the text that follows the events in the file. If this text does not close the list of events, closes it.
 * Returns FALSE with `error` on failure, and if cancelled. */
static gboolean
put_tail (Maker *maker, GString *out, GError **error)
{
  gsize n_before = out->len;
  g_autofree char *buffer = g_malloc (TAIL_BYTES);
  for (gssize n = 1; n > 0;) {
    if (is_cancelled (maker, error))
      return FALSE;
    n =
      loom_byte_source_read (maker->text, maker->index->tail_begin + (out->len - n_before), buffer, TAIL_BYTES, error);
    if (n < 0 ||
        !has_memory (maker, (guint64) n + (out->allocated_len - out->len < (gsize) n ? out->allocated_len : 0), error))
      return FALSE;
    maker->n_read += (guint64) n;
    if (maker->n_read > maker->request->most_bytes)
      return set_too_large (maker, error);
    g_string_append_len (out, buffer, n);
  }
  gsize n_skipped = strspn (out->str + n_before, " \t\r\n,");
  g_string_erase (out, (gssize) n_before, (gssize) n_skipped);
  const char *tail = out->str + n_before;
  if (*tail == '\0')
    g_string_append_c (out, ']');
  else if (*tail != ']' && maker->parts->len > 0)
    g_string_insert_c (out, (gssize) n_before, ',');
  return TRUE;
}

static GBytes *
make (Maker *maker, GError **error)
{
  g_autofree char *head = read_text (maker, 0, maker->index->head_end, error);
  if (head == NULL || !add_fixed (maker, error) || !add_blocks (maker, error))
    return NULL;
  add_long_spans (maker);
  if (!has_memory (maker, maker->texts->len, error))
    return NULL;
  g_autoptr (GString) out = g_string_new_len (head, (gssize) maker->index->head_end);
  add_place (maker, 0, 0);
  put_parts (maker, out);
  add_place (maker, out->len, maker->index->tail_begin);
  return put_tail (maker, out, error) ? g_string_free_to_bytes (g_steal_pointer (&out)) : NULL;
}

GBytes *
loom_range_text_make (const LoomByteIndex *index, LoomByteSource *text, const LoomRangeTextRequest *request,
                      guint64 *n_read, GArray **places, GError **error)
{
  Maker maker = { .index = index,
                  .text = text,
                  .request = request,
                  .parts = g_array_new (FALSE, FALSE, sizeof (Part)),
                  .places = g_array_new (FALSE, FALSE, sizeof (LoomRangeTextPlace)),
                  .texts = g_string_new (NULL) };
  GBytes *made = make (&maker, error);
  *n_read = maker.n_read;
  if (made != NULL && places != NULL)
    *places = g_array_ref (maker.places);
  g_array_unref (maker.places);
  g_array_unref (maker.parts);
  g_string_free (maker.texts, TRUE);
  return made;
}

/* --- the text as a byte source ------------------------------------------------------------------------------------ */

typedef struct {
  LoomByteSource base;
  LoomByteSource *bytes;
  GArray *places; /* LoomRangeTextPlace elements: for each part of `bytes`, its offset in the trace file */
} RangeText;

static gssize
range_text_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  return loom_byte_source_read (((RangeText *) base)->bytes, offset, buffer, n_bytes, error);
}

static void
range_text_finalize (LoomByteSource *base)
{
  RangeText *text = (RangeText *) base;
  loom_byte_source_unref (text->bytes);
  g_array_unref (text->places);
}

static const LoomByteSourceClass range_text_class = { range_text_read, range_text_finalize };

LoomByteSource *
loom_range_text_new_source (GBytes *bytes, GArray *places)
{
  RangeText *text = (RangeText *) loom_byte_source_alloc (&range_text_class, sizeof (RangeText));
  text->bytes = loom_byte_source_new_bytes (bytes);
  text->places = g_array_ref (places);
  return &text->base;
}

guint64
loom_range_text_get_offset_in_file (LoomByteSource *text, guint64 offset)
{
  const GArray *places = text != NULL && text->klass == &range_text_class ? ((RangeText *) text)->places : NULL;
  guint low = 0, high = places != NULL ? places->len : 0;
  while (low < high) { /* binary search for the first place after the offset */
    guint middle = low + (high - low) / 2;
    if (g_array_index (places, LoomRangeTextPlace, middle).offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return offset;
  const LoomRangeTextPlace *place = &g_array_index (places, LoomRangeTextPlace, low - 1);
  return place->in_file + (offset - place->offset);
}
