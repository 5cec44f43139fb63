/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a LoomDataFrame, and parts of it for a range or for steps. loom-data-frame-rows.c and loom-data-frame-series.c
 * fill it.
 */
#include "loom-data-frame-private.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-ranges.h"
#include "loom-time-bsearch.h"

static const gsize column_size[] = { sizeof (gint64),  sizeof (gint64), sizeof (guint32), sizeof (guint32),
                                     sizeof (guint32), sizeof (gint32), sizeof (guint8),  sizeof (LoomSpanId) };

guint32
loom_data_frame_intern_host (LoomDataFrame *frame, const char *host)
{
  const char *text = loom_data_frame_intern (frame, host != NULL ? host : "");
  for (guint i = 0; i < frame->hosts->len; i++)
    if (g_ptr_array_index (frame->hosts, i) == text)
      return i;
  g_ptr_array_add (frame->hosts, (gpointer) text);
  return frame->hosts->len - 1;
}

const char *
loom_data_frame_intern (LoomDataFrame *frame, const char *text)
{
  return loom_string_pool_get (frame->texts, loom_string_pool_intern (frame->texts, text, strlen (text)));
}

void
loom_data_frame_alloc_rows (LoomDataFrame *frame, guint32 n)
{
  for (guint i = 0; i < G_N_ELEMENTS (column_size); i++)
    frame->row_columns[i] = g_malloc_n (MAX (n, 1), column_size[i]);
  frame->rows = (LoomDataFrameRows) { n,
                                      frame->row_columns[0],
                                      frame->row_columns[1],
                                      frame->row_columns[2],
                                      frame->row_columns[3],
                                      frame->row_columns[4],
                                      frame->row_columns[5],
                                      frame->row_columns[6],
                                      frame->row_columns[7] };
}

static LoomDataFrame *
frame_alloc (LoomTimeline *timeline, LoomNumberConvention numbers)
{
  LoomDataFrame *frame = g_new0 (LoomDataFrame, 1);
  g_atomic_ref_count_init (&frame->refs);
  g_mutex_init (&frame->lock);
  frame->timeline = loom_timeline_ref (timeline);
  frame->numbers = numbers;
  frame->origin_ns = loom_timeline_get_origin (timeline);
  frame->range = (LoomRange) { G_MININT64, G_MAXINT64 };
  frame->all_series = g_array_new (FALSE, FALSE, sizeof (LoomSampleSeries));
  return frame;
}

static guint32
get_host_of_row (const LoomDataFrame *frame, guint32 row)
{
  return g_array_index (frame->all_workers, LoomWorker, frame->rows.worker[row]).host_id;
}

/* Makes the list of the rows that are spans of steps, sorted by host. First counts the rows of each host; then writes
 * each row to the part of the list that belongs to the host of the row. */
static void
sort_by_host (LoomDataFrame *frame)
{
  guint n_hosts = frame->hosts->len;
  frame->first_host_step = g_new0 (guint32, n_hosts + 1);
  frame->host_step_rows = g_new (guint32, frame->n_step_rows + 1);
  for (guint i = 0; i < frame->n_step_rows; i++)
    frame->first_host_step[get_host_of_row (frame, frame->step_rows[i]) + 1]++;
  for (guint i = 0; i < n_hosts; i++)
    frame->first_host_step[i + 1] += frame->first_host_step[i];
  g_autofree guint32 *next = g_memdup2 (frame->first_host_step, (n_hosts + 1) * sizeof *next);
  for (guint i = 0; i < frame->n_step_rows; i++)
    frame->host_step_rows[next[get_host_of_row (frame, frame->step_rows[i])]++] = frame->step_rows[i];
}

static void
list_steps (LoomDataFrame *frame)
{
  frame->all_step_rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < frame->rows.n; i++)
    if ((frame->rows.flags[i] & LOOM_ROW_STEP) != 0)
      g_array_append_val (frame->all_step_rows, i);
  frame->step_rows = (const guint32 *) (gpointer) frame->all_step_rows->data;
  frame->n_step_rows = frame->all_step_rows->len;
  sort_by_host (frame);
}

/* Sets the public members of the LoomDataFrame from its private arrays, which are complete now. */
static void
publish (LoomDataFrame *frame)
{
  frame->workers = (const LoomWorker *) frame->all_workers->data;
  frame->n_workers = frame->all_workers->len;
  frame->series = (const LoomSampleSeries *) frame->all_series->data;
  frame->n_series = frame->all_series->len;
  frame->n_hosts = frame->hosts->len;
}

LoomDataFrame *
loom_data_frame_new (LoomTimeline *timeline, LoomNumberConvention numbers, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomDataFrame) frame = frame_alloc (timeline, numbers);
  frame->texts = loom_string_pool_new ();
  frame->all_workers = g_array_new (FALSE, FALSE, sizeof (LoomWorker));
  frame->hosts = g_ptr_array_new ();
  frame->cut_ns = g_hash_table_new (loom_int64_hash_packed, NULL);
  frame->columns = g_ptr_array_new_with_free_func (g_free);
  if (!loom_data_frame_fill_series (frame, cancellable) || !loom_data_frame_fill_rows (frame, cancellable))
    return NULL;
  publish (frame);
  list_steps (frame);
  return g_steal_pointer (&frame);
}

static void
slice_series (LoomDataFrame *frame, const LoomDataFrame *whole, gint64 begin_ns, gint64 end_ns)
{
  for (guint i = 0; i < whole->n_series; i++) {
    LoomSampleSeries series = whole->series[i];
    guint32 first = loom_time_bsearch_time (series.time_ns, 0, series.n, begin_ns), last = first;
    if (end_ns >= begin_ns)
      last = loom_time_bsearch_time (series.time_ns, first, series.n, loom_time_add (end_ns, 1));
    series.time_ns += first;
    series.value += first;
    series.n = last - first;
    g_array_append_val (frame->all_series, series);
  }
  publish (frame);
}

/* Decides which rows of `frame` a new LoomDataFrame gets: returns TRUE if it gets the row `row`. `first` and `last`:
 * two times or two step numbers, depending on the function. `format`: used only for steps. */
typedef gboolean (*TakesRow) (const LoomDataFrame *frame, guint32 row, gint64 first, gint64 last, const char *format);

/* Returns TRUE if a row overlaps the range. A row that only touches an end of the range counts only in two cases: the
 * row or the range has no duration, or numbers are computed as smdebug does. */
static gboolean
touches (const LoomDataFrame *frame, guint32 row, gint64 begin_ns, gint64 end_ns, const char *format)
{
  gint64 row_begin_ns = frame->rows.start_ns[row], row_end_ns = frame->rows.end_ns[row];
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG || row_begin_ns == row_end_ns || begin_ns == end_ns)
    return row_begin_ns <= end_ns && row_end_ns >= begin_ns;
  return row_begin_ns < end_ns && row_end_ns > begin_ns;
}

static gboolean
is_of_steps (const LoomDataFrame *frame, guint32 row, gint64 first, gint64 last, const char *format)
{
  return frame->rows.step[row] >= first && frame->rows.step[row] <= last;
}

static gboolean
is_no_other_step (const LoomDataFrame *frame, guint32 row, gint64 first, gint64 last, const char *format)
{
  const LoomDataFrameRows *rows = &frame->rows;
  if ((rows->flags[row] & (LOOM_ROW_STEP | LOOM_ROW_TRAIN)) == 0)
    return TRUE;
  if (rows->step[row] >= 0 && (format == NULL || strcmp (frame->workers[rows->worker[row]].format, format) == 0))
    return is_of_steps (frame, row, first, last, format);
  gint64 middle_ns = rows->start_ns[row] + (rows->end_ns[row] - rows->start_ns[row]) / 2;
  return middle_ns >= frame->range.begin_ns && middle_ns <= frame->range.end_ns;
}

static double
get_share (const LoomDataFrame *frame, guint32 row, gint64 begin_ns, gint64 end_ns)
{
  LoomRange own = { frame->rows.start_ns[row], frame->rows.end_ns[row] };
  return loom_ranges_get_share (own, (LoomRange) { begin_ns, end_ns });
}

static gboolean
touches_with_share (const LoomDataFrame *frame, guint32 row, gint64 begin_ns, gint64 end_ns, double least)
{
  return touches (frame, row, begin_ns, end_ns, NULL) &&
         ((frame->rows.flags[row] & LOOM_ROW_STEP) == 0 || get_share (frame, row, begin_ns, end_ns) >= least);
}

/* Returns TRUE if a row overlaps the range. Exception: returns FALSE for a step with less than the share
 * LOOM_RANGES_SLIVER of its time inside the range. */
static gboolean
touches_no_sliver (const LoomDataFrame *frame, guint32 row, gint64 begin_ns, gint64 end_ns, const char *format)
{
  return touches_with_share (frame, row, begin_ns, end_ns, LOOM_RANGES_SLIVER);
}

/* Returns TRUE if a row overlaps the range. Exception: returns FALSE for a step of which only a piece is in the range,
 * that is, less than the share LOOM_RANGES_MOSTLY of its time. */
static gboolean
touches_without_pieces (const LoomDataFrame *frame, guint32 row, gint64 begin_ns, gint64 end_ns, const char *format)
{
  return touches_with_share (frame, row, begin_ns, end_ns, LOOM_RANGES_MOSTLY);
}

/* Returns TRUE if a worker has a step that begins with the range (loom_ranges_begins_with()), and has a step that ends
 * with the range (loom_ranges_ends_with()). */
static gboolean
is_range_of_steps (const LoomDataFrame *frame, LoomRange range)
{
  g_autofree guint8 *edges = g_new0 (guint8, frame->n_workers + 1);
  for (guint i = 0; i < frame->n_step_rows; i++) {
    guint32 row = frame->step_rows[i];
    LoomRange step = { frame->rows.start_ns[row], frame->rows.end_ns[row] };
    guint8 *of_worker = &edges[frame->rows.worker[row]];
    *of_worker |= (loom_ranges_begins_with (range, step) ? 1 : 0) | (loom_ranges_ends_with (range, step) ? 2 : 0);
    if (*of_worker == 3)
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if at least one step lies mostly inside the range. */
static gboolean
has_whole_step (const LoomDataFrame *frame, gint64 begin_ns, gint64 end_ns)
{
  gboolean has = FALSE;
  for (guint i = 0; i < frame->n_step_rows && !has; i++)
    has = get_share (frame, frame->step_rows[i], begin_ns, end_ns) >= LOOM_RANGES_MOSTLY;
  return has;
}

static void
slice_rows (LoomDataFrame *frame, const LoomDataFrame *whole, TakesRow takes, gint64 first, gint64 last,
            const char *format)
{
  const LoomDataFrameRows *from = &whole->rows;
  guint32 n = 0, to = 0;
  for (guint32 i = 0; i < from->n; i++)
    n += takes (whole, i, first, last, format);
  loom_data_frame_alloc_rows (frame, n);
  for (guint32 i = 0; i < from->n; i++) {
    if (!takes (whole, i, first, last, format))
      continue;
    for (guint c = 0; c < G_N_ELEMENTS (column_size); c++)
      memcpy ((char *) frame->row_columns[c] + to * column_size[c], (char *) whole->row_columns[c] + i * column_size[c],
              column_size[c]);
    to++;
  }
  list_steps (frame);
}

static LoomDataFrame *
part_of (LoomDataFrame *frame)
{
  LoomDataFrame *part = frame_alloc (frame->timeline, frame->numbers);
  LoomDataFrame *base = frame->base != NULL ? frame->base : frame;
  part->base = loom_data_frame_ref (base);
  part->texts = base->texts;
  part->all_workers = base->all_workers;
  part->hosts = base->hosts;
  part->cut_ns = base->cut_ns;
  return part;
}

LoomDataFrame *
loom_data_frame_new_in_range (LoomDataFrame *frame, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail (frame != NULL, NULL);
  LoomDataFrame *part = part_of (frame);
  part->range = (LoomRange) { MAX (begin_ns, frame->range.begin_ns), MIN (end_ns, frame->range.end_ns) };
  slice_series (part, frame, begin_ns, end_ns);
  gboolean drops = frame->numbers != LOOM_NUMBER_CONVENTION_SMDEBUG && has_whole_step (frame, begin_ns, end_ns);
  gboolean is_of_whole_steps = drops && is_range_of_steps (frame, (LoomRange) { begin_ns, end_ns });
  slice_rows (part, frame,
              is_of_whole_steps ? touches_without_pieces
              : drops           ? touches_no_sliver
                                : touches,
              begin_ns, end_ns, NULL);
  return part;
}

LoomDataFrame *
loom_data_frame_new_with_steps (LoomDataFrame *frame, const LoomStepNumbers *numbers)
{
  g_return_val_if_fail (frame != NULL && numbers != NULL, NULL);
  LoomDataFrame *part = part_of (frame);
  part->range = frame->range;
  part->has_numbered_steps = TRUE;
  part->step_numbers = *numbers;
  slice_series (part, frame, G_MININT64, G_MAXINT64);
  slice_rows (part, frame, is_no_other_step, numbers->first, numbers->end - 1, numbers->format);
  return part;
}

LoomDataFrame *
loom_data_frame_new_of_steps (LoomDataFrame *frame, gint32 first_step, gint32 last_step)
{
  g_return_val_if_fail (frame != NULL, NULL);
  LoomDataFrame *part = part_of (frame);
  gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64;
  slice_rows (part, frame, is_of_steps, MAX (first_step, 0), last_step, NULL);
  for (guint32 i = 0; i < part->rows.n; i++) {
    begin_ns = MIN (begin_ns, part->rows.start_ns[i]);
    end_ns = MAX (end_ns, part->rows.end_ns[i]);
  }
  slice_series (part, frame, begin_ns, end_ns);
  return part;
}

LoomDataFrame *
loom_data_frame_ref (LoomDataFrame *frame)
{
  g_atomic_ref_count_inc (&frame->refs);
  return frame;
}

void
loom_data_frame_unref (LoomDataFrame *frame)
{
  if (frame == NULL || !g_atomic_ref_count_dec (&frame->refs))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (frame->row_columns); i++)
    g_free (frame->row_columns[i]);
  g_array_unref (frame->all_series);
  g_clear_pointer (&frame->all_step_rows, g_array_unref);
  g_free (frame->host_step_rows);
  g_free (frame->first_host_step);
  if (frame->base != NULL) {
    loom_data_frame_unref (frame->base);
  } else {
    g_clear_pointer (&frame->texts, loom_string_pool_free);
    g_clear_pointer (&frame->all_workers, g_array_unref);
    g_clear_pointer (&frame->hosts, g_ptr_array_unref);
    g_clear_pointer (&frame->cut_ns, g_hash_table_unref);
    g_clear_pointer (&frame->columns, g_ptr_array_unref);
    if (frame->shared != NULL)
      frame->free_shared (frame->shared);
  }
  g_mutex_clear (&frame->lock);
  loom_timeline_unref (frame->timeline);
  g_free (frame);
}

const char *
loom_data_frame_get_text (const LoomDataFrame *frame, guint32 id)
{
  return loom_string_pool_get (frame->texts, id);
}

guint32
loom_data_frame_get_n_texts (const LoomDataFrame *frame)
{
  return loom_string_pool_get_count (frame->texts);
}

const char *
loom_data_frame_get_event_name (const LoomDataFrame *frame, guint32 row)
{
  LoomSpanId id = frame->rows.span[row];
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (frame->timeline), id.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span])->text;
}

gint64
loom_data_frame_get_duration (const LoomDataFrame *frame, guint32 row)
{
  gint64 dur_ns = frame->rows.end_ns[row] - frame->rows.start_ns[row];
  if (frame->numbers == LOOM_NUMBER_CONVENTION_INTENDED)
    return dur_ns;
  return dur_ns +
         GPOINTER_TO_INT (g_hash_table_lookup (frame->cut_ns, loom_data_frame_span_key (frame->rows.span[row])));
}

const LoomDataFrame *
loom_data_frame_get_whole (const LoomDataFrame *frame)
{
  gboolean is_cut = frame->range.begin_ns != G_MININT64 || frame->range.end_ns != G_MAXINT64;
  return is_cut && frame->base != NULL ? frame->base : frame;
}

gint64
loom_data_frame_get_time_in_range (const LoomDataFrame *frame, guint32 row)
{
  gint64 begin_ns = frame->rows.start_ns[row], end_ns = frame->rows.end_ns[row];
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    return end_ns - begin_ns;
  return MAX (MIN (end_ns, frame->range.end_ns) - MAX (begin_ns, frame->range.begin_ns), 0);
}

const guint32 *
loom_data_frame_get_host_steps (const LoomDataFrame *frame, guint32 host_id, guint *n)
{
  guint32 first = frame->first_host_step[host_id];
  *n = frame->first_host_step[host_id + 1] - first;
  return frame->host_step_rows + first;
}

const char *
loom_data_frame_get_host (const LoomDataFrame *frame, guint32 host_id)
{
  g_return_val_if_fail (host_id < frame->hosts->len, "");
  return g_ptr_array_index (frame->hosts, host_id);
}

guint64
loom_data_frame_get_n_samples (const LoomDataFrame *frame)
{
  guint64 n = 0;
  for (guint i = 0; i < frame->n_series; i++)
    n += frame->series[i].n;
  return n;
}

gboolean
loom_data_frame_get_sample_extent (const LoomDataFrame *frame, gint64 *first_ns, gint64 *last_ns)
{
  gboolean any = FALSE;
  *first_ns = G_MAXINT64;
  *last_ns = G_MININT64;
  for (guint i = 0; i < frame->n_series; i++) {
    const LoomSampleSeries *series = &frame->series[i];
    if (series->n == 0)
      continue;
    any = TRUE;
    *first_ns = MIN (*first_ns, series->time_ns[0]);
    *last_ns = MAX (*last_ns, series->time_ns[series->n - 1]);
  }
  return any;
}

gboolean
loom_data_frame_series_is (const LoomSampleSeries *series, LoomDevice device, LoomSelect select)
{
  if (select == LOOM_SELECT_PREFIX)
    return g_str_has_prefix (series->name, device == LOOM_DEVICE_GPU ? "gpu" : "cpu");
  return strcmp (series->dimension, device == LOOM_DEVICE_GPU ? "GPUUtilization" : "CPUUtilization") == 0;
}
