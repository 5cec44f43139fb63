/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the events of a merge by slices of time, some thousand events at once. Reads the events of each cursor that
 * start within the slice, and sorts all of them by start with a radix sort. The order equals that of a merge with a
 * heap, which returns the events of a row in the order of the row, even if they are not sorted by time. Therefore, if
 * the sort key of an event is less than that of the previous event of the row, it is raised to that key.
 */
#include "loom-merge-private.h"

/* TARGET: number of events that a slice should contain; if there are more cursors than TARGET, a slice should contain
 * as many events as there are cursors. The arrays of a slice have room for SPARE times as many events. */
#define TARGET 8192u
#define SPARE 4u
#define FIRST_WIDTH_NS (G_GINT64_CONSTANT (1) << 20)
#define MAX_WIDTH_NS (G_GINT64_CONSTANT (1) << (63 - LOOM_MERGE_SLICE_SHIFT))
#define DIGIT_BITS 11u
#define N_DIGITS (1u << DIGIT_BITS)
/* If at most this many events have the same start, they are sorted by insertion. */
#define FEW 16

G_STATIC_ASSERT (TARGET *SPARE < LOOM_MERGE_SLICE_ENTRY);

void
loom_merge_slice_add (LoomKwayMerge *sweep, const LoomMergeKey *key)
{
  LoomMergeSlice *slice = &sweep->slice;
  if (slice->heads == NULL) {
    slice->heads = g_new (LoomMergeHead, sweep->cursors->len);
    slice->width_ns = FIRST_WIDTH_NS;
    slice->capacity = (guint) MIN (MAX (TARGET, sweep->cursors->len) * (guint64) SPARE, LOOM_MERGE_SLICE_ENTRY);
    slice->entries = g_new (LoomMergeEntry, slice->capacity);
    slice->order = g_new (guint64, slice->capacity);
    slice->room = g_new (guint64, slice->capacity);
  }
  slice->heads[slice->n_heads++] = (LoomMergeHead) { .key = *key };
}

void
loom_merge_slice_clear (LoomMergeSlice *slice)
{
  g_free (slice->heads);
  g_free (slice->entries);
  g_free (slice->order);
  g_free (slice->room);
}

/* --- gathering the events of a slice ------------------------------------------------------------------------------ */

/* Sets `key` to the sort key of the cursor's event. `key` must contain the key of the cursor's previous event, because
 * the new key must not be less than the previous one. */
static inline void
go_on (LoomMergeKey *key, const LoomMergeCursor *cursor)
{
  if (cursor->start_ns > key->start_ns) {
    key->start_ns = cursor->start_ns;
    key->end_ns = cursor->end_ns;
  } else if (cursor->start_ns == key->start_ns) {
    key->end_ns = MIN (key->end_ns, cursor->end_ns);
  }
}

static inline void
note (LoomMergeSlice *slice, const LoomMergeKey *key)
{
  LoomMergeEntry *entry = &slice->entries[slice->n];
  entry->key_end_ns = key->end_ns;
  entry->cursor = key->cursor;
  slice->order[slice->n] = (guint64) (key->start_ns - slice->begin_ns) << LOOM_MERGE_SLICE_SHIFT | slice->n;
  slice->n++;
}

/* Reads events from the cursor with the index head->key.cursor into sweep->slice: all events that start before
 * `until_ns`. Returns FALSE if sweep->slice has no room for all of them. `is_row` is a constant in each call, so that
 * the compiler makes a faster variant for the cursors of rows, which have most events. */
__attribute__ ((always_inline)) static inline gboolean
gather_as (LoomKwayMerge *sweep, LoomMergeHead *head, gint64 until_ns, gboolean is_row)
{
  LoomMergeSlice *slice = &sweep->slice;
  LoomMergeCursor *cursor = loom_merge_cursor (sweep, head->key.cursor);
  LoomMergeKey key = head->key;
  for (; !head->ends && key.start_ns < until_ns; go_on (&key, cursor)) {
    if (slice->n == slice->capacity)
      return FALSE;
    if (is_row)
      loom_merge_fill_span (cursor, &slice->entries[slice->n].item);
    else
      loom_merge_fill_item (cursor, &slice->entries[slice->n].item);
    note (slice, &key);
    if (is_row)
      cursor->at++;
    else
      loom_merge_pass_cursor (sweep, cursor);
    head->ends = is_row ? !loom_merge_load_span (sweep, cursor) : !loom_merge_load_cursor (sweep, cursor);
  }
  head->then = key;
  return TRUE;
}

static gboolean
gather_cursor (LoomKwayMerge *sweep, LoomMergeHead *head, gint64 until_ns)
{
  if (loom_merge_cursor (sweep, head->key.cursor)->kind == LOOM_KWAY_MERGE_FLOW)
    return gather_as (sweep, head, until_ns, FALSE);
  return gather_as (sweep, head, until_ns, TRUE);
}

/* Empties the slice, and moves the cursors of the first `n_heads` elements of `heads` back to their positions before
 * the slice was read. */
static void
take_back (LoomKwayMerge *sweep, guint n_heads)
{
  for (guint i = 0; i < n_heads; i++) {
    LoomMergeHead *head = &sweep->slice.heads[i];
    LoomMergeCursor *cursor = loom_merge_cursor (sweep, head->key.cursor);
    head->ends = FALSE;
    cursor->at = head->at;
    loom_merge_load_cursor (sweep, cursor);
  }
  sweep->slice.n = 0;
}

/* Reads the events of all cursors that start before `until_ns` into the slice; returns FALSE, with nothing read, if the
 * slice has no room for them. */
static gboolean
gather (LoomKwayMerge *sweep, gint64 until_ns)
{
  LoomMergeSlice *slice = &sweep->slice;
  for (guint i = 0; i < slice->n_heads; i++) {
    slice->heads[i].at = loom_merge_cursor (sweep, slice->heads[i].key.cursor)->at;
    if (gather_cursor (sweep, &slice->heads[i], until_ns))
      continue;
    take_back (sweep, i + 1);
    return FALSE;
  }
  return TRUE;
}

/* Moves each LoomMergeHead to its cursor's first event after the slice (the period whose events were read), and removes
 * those whose cursor has ended. */
static void
move_heads (LoomMergeSlice *slice)
{
  guint n = 0;
  for (guint i = 0; i < slice->n_heads; i++)
    if (!slice->heads[i].ends)
      slice->heads[n++] = (LoomMergeHead) { .key = slice->heads[i].then };
  slice->n_heads = n;
}

/* --- sorting the events of a slice -------------------------------------------------------------------------------- */

/* One pass of a radix sort: sorts `order` by one digit of the time, writes the result to `room`, and swaps the two
 * arrays. */
static void
sort_by_digit (LoomMergeSlice *slice, guint shift)
{
  guint ends[N_DIGITS] = { 0 };
  for (guint i = 0; i < slice->n; i++)
    ends[slice->order[i] >> shift & (N_DIGITS - 1)]++;
  for (guint digit = 0, sum = 0; digit < N_DIGITS; digit++) {
    guint n = ends[digit];
    ends[digit] = sum;
    sum += n;
  }
  for (guint i = 0; i < slice->n; i++)
    slice->room[ends[slice->order[i] >> shift & (N_DIGITS - 1)]++] = slice->order[i];
  guint64 *sorted = slice->room;
  slice->room = slice->order;
  slice->order = sorted;
}

static inline gint64
key_end (const LoomMergeSlice *slice, guint64 word)
{
  return slice->entries[word & LOOM_MERGE_SLICE_ENTRY].key_end_ns;
}

static gint
compare_ends (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint64 *p = a, *q = b;
  gint64 p_ns = key_end (data, *p), q_ns = key_end (data, *q);
  if (p_ns != q_ns)
    return p_ns > q_ns ? -1 : 1;
  return *p < *q ? -1 : *p > *q;
}

/* Sorts events with the same start by length, the longest first. Events of equal length keep the order of their
 * cursors. */
static void
sort_instant (LoomMergeSlice *slice, guint64 *words, guint n)
{
  if (n > FEW) {
    g_qsort_with_data (words, (gint) n, sizeof *words, compare_ends, slice);
    return;
  }
  for (guint i = 1; i < n; i++) {
    guint64 word = words[i];
    gint64 end_ns = key_end (slice, word);
    guint at = i;
    for (; at > 0 && key_end (slice, words[at - 1]) < end_ns; at--)
      words[at] = words[at - 1];
    words[at] = word;
  }
}

static void
sort_slice (LoomMergeSlice *slice)
{
  guint64 last = 0;
  for (guint i = 0; i < slice->n; i++)
    last |= slice->order[i];
  for (guint shift = LOOM_MERGE_SLICE_SHIFT; shift < 64 && last >> shift != 0; shift += DIGIT_BITS)
    sort_by_digit (slice, shift);
  for (guint i = 0, n; i < slice->n; i += n) {
    guint64 time = slice->order[i] >> LOOM_MERGE_SLICE_SHIFT;
    for (n = 1; i + n < slice->n && slice->order[i + n] >> LOOM_MERGE_SLICE_SHIFT == time;)
      n++;
    if (n > 1)
      sort_instant (slice, slice->order + i, n);
  }
}

/* --- filling a slice ---------------------------------------------------------------------------------------------- */

static gint64
find_begin (const LoomMergeSlice *slice)
{
  gint64 begin_ns = G_MAXINT64;
  for (guint i = 0; i < slice->n_heads; i++)
    begin_ns = MIN (begin_ns, slice->heads[i].key.start_ns);
  return begin_ns;
}

/* Doubles or halves the length in ns of the period of the next slice if this slice has far fewer or far more events
 * than intended. */
static void
adapt_width (LoomMergeSlice *slice)
{
  guint target = slice->capacity / SPARE;
  if (slice->n < target / 2)
    slice->width_ns = MIN (slice->width_ns * 2, MAX_WIDTH_NS);
  else if (slice->n > target * 2)
    slice->width_ns = MAX (slice->width_ns / 2, 1);
}

/* Moves all cursors from the slice to the heap, because one instant has more events than fit into a slice. */
static void
hand_over (LoomKwayMerge *sweep)
{
  for (guint i = 0; i < sweep->slice.n_heads; i++)
    loom_merge_heap_add (sweep, &sweep->slice.heads[i].key);
  sweep->slice.n_heads = 0;
}

gboolean
loom_merge_slice_fill (LoomKwayMerge *sweep)
{
  LoomMergeSlice *slice = &sweep->slice;
  gint64 last_ns = sweep->options.has_range ? sweep->options.range.end_ns : G_MAXINT64;
  slice->n = slice->at = 0;
  while (slice->n_heads > 0) {
    slice->begin_ns = find_begin (slice);
    if (slice->begin_ns > last_ns) {
      slice->n_heads = 0;
      break;
    }
    gint64 until_ns = MIN (loom_time_add (slice->begin_ns, slice->width_ns), loom_time_add (last_ns, 1));
    if (until_ns > slice->begin_ns && gather (sweep, until_ns)) {
      move_heads (slice);
      sort_slice (slice);
      adapt_width (slice);
      return TRUE;
    }
    if (slice->width_ns == 1 || until_ns == slice->begin_ns)
      hand_over (sweep);
    slice->width_ns = MAX (slice->width_ns / 8, 1);
  }
  return FALSE;
}
