/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame itself; what fills it is in loom-frame-rows.c and loom-frame-series.c.
 */
#include "loom-frame-private.h"

#include <string.h>

static const gsize column_size[] = { sizeof (gint64), sizeof (gint64), sizeof (guint32), sizeof (guint32),
                                     sizeof (guint32), sizeof (gint32), sizeof (guint8), sizeof (LoomSpanId) };

guint32
loom_frame_intern_host (LoomFrame *frame, const char *host)
{
  const char *text = loom_frame_intern (frame, host != NULL ? host : "");
  for (guint i = 0; i < frame->hosts->len; i++)
    if (g_ptr_array_index (frame->hosts, i) == text)
      return i;
  g_ptr_array_add (frame->hosts, (gpointer) text);
  return frame->hosts->len - 1;
}

const char *
loom_frame_intern (LoomFrame *frame, const char *text)
{
  return loom_strings_get (frame->texts, loom_strings_intern (frame->texts, text, strlen (text)));
}

void
loom_frame_alloc_rows (LoomFrame *frame, guint32 n)
{
  for (guint i = 0; i < G_N_ELEMENTS (column_size); i++)
    frame->row_columns[i] = g_malloc_n (MAX (n, 1), column_size[i]);
  frame->rows = (LoomFrameRows) { n, frame->row_columns[0], frame->row_columns[1], frame->row_columns[2],
                                  frame->row_columns[3], frame->row_columns[4], frame->row_columns[5],
                                  frame->row_columns[6], frame->row_columns[7] };
}

static LoomFrame *
frame_alloc (LoomTimeline *timeline, LoomNumbers numbers)
{
  LoomFrame *frame = g_new0 (LoomFrame, 1);
  g_atomic_ref_count_init (&frame->refs);
  frame->timeline = loom_timeline_ref (timeline);
  frame->numbers = numbers;
  frame->origin_ns = loom_timeline_get_origin (timeline);
  frame->range = (LoomRange) { G_MININT64, G_MAXINT64 };
  frame->series = g_array_new (FALSE, FALSE, sizeof (LoomSampleSeries));
  return frame;
}

LoomFrame *
loom_frame_new (LoomTimeline *timeline, LoomNumbers numbers, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomFrame) frame = frame_alloc (timeline, numbers);
  frame->texts = loom_strings_new ();
  frame->workers = g_array_new (FALSE, FALSE, sizeof (LoomWorker));
  frame->hosts = g_ptr_array_new ();
  frame->cut_ns = g_hash_table_new (NULL, NULL);
  frame->columns = g_ptr_array_new_with_free_func (g_free);
  if (!loom_frame_fill_series (frame, cancellable) || !loom_frame_fill_rows (frame, cancellable))
    return NULL;
  return g_steal_pointer (&frame);
}

/* First sample at or after (`after`: only after) the instant. */
static guint32
bound (const LoomSampleSeries *series, gint64 time_ns, gboolean after)
{
  guint32 low = 0, high = series->n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (series->time_ns[middle] < time_ns || (after && series->time_ns[middle] == time_ns))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
slice_series (LoomFrame *frame, const LoomFrame *whole, gint64 begin_ns, gint64 end_ns)
{
  for (guint i = 0; i < whole->series->len; i++) {
    LoomSampleSeries series = g_array_index (whole->series, LoomSampleSeries, i);
    guint32 first = bound (&series, begin_ns, FALSE), last = bound (&series, end_ns, TRUE);
    series.time_ns += first;
    series.value += first;
    series.n = last > first ? last - first : 0;
    g_array_append_val (frame->series, series);
  }
}

/* Which rows of a frame a part of it has. */
typedef gboolean (*TakesRow) (const LoomFrameRows *rows, guint32 row, gint64 first, gint64 last);

static gboolean
touches (const LoomFrameRows *rows, guint32 row, gint64 begin_ns, gint64 end_ns)
{
  return rows->start_ns[row] <= end_ns && rows->end_ns[row] >= begin_ns;
}

static gboolean
is_of_steps (const LoomFrameRows *rows, guint32 row, gint64 first, gint64 last)
{
  return rows->step[row] >= first && rows->step[row] <= last;
}

static void
slice_rows (LoomFrame *frame, const LoomFrame *whole, TakesRow takes, gint64 first, gint64 last)
{
  const LoomFrameRows *from = &whole->rows;
  guint32 n = 0, to = 0;
  for (guint32 i = 0; i < from->n; i++)
    n += takes (from, i, first, last);
  loom_frame_alloc_rows (frame, n);
  for (guint32 i = 0; i < from->n; i++) {
    if (!takes (from, i, first, last))
      continue;
    for (guint c = 0; c < G_N_ELEMENTS (column_size); c++)
      memcpy ((char *) frame->row_columns[c] + to * column_size[c], (char *) whole->row_columns[c] + i * column_size[c],
              column_size[c]);
    to++;
  }
}

static LoomFrame *
part_of (LoomFrame *frame)
{
  LoomFrame *part = frame_alloc (frame->timeline, frame->numbers);
  LoomFrame *base = frame->base != NULL ? frame->base : frame;
  part->base = loom_frame_ref (base);
  part->texts = base->texts;
  part->workers = base->workers;
  part->hosts = base->hosts;
  part->cut_ns = base->cut_ns;
  return part;
}

LoomFrame *
loom_frame_new_in_range (LoomFrame *frame, gint64 begin_ns, gint64 end_ns)
{
  g_return_val_if_fail (frame != NULL, NULL);
  LoomFrame *part = part_of (frame);
  part->range = (LoomRange) { MAX (begin_ns, frame->range.begin_ns), MIN (end_ns, frame->range.end_ns) };
  slice_series (part, frame, begin_ns, end_ns);
  slice_rows (part, frame, touches, begin_ns, end_ns);
  return part;
}

LoomFrame *
loom_frame_new_of_steps (LoomFrame *frame, gint32 first_step, gint32 last_step)
{
  g_return_val_if_fail (frame != NULL, NULL);
  LoomFrame *part = part_of (frame);
  gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64;
  slice_rows (part, frame, is_of_steps, MAX (first_step, 0), last_step);
  for (guint32 i = 0; i < part->rows.n; i++) {
    begin_ns = MIN (begin_ns, part->rows.start_ns[i]);
    end_ns = MAX (end_ns, part->rows.end_ns[i]);
  }
  slice_series (part, frame, begin_ns, end_ns);
  return part;
}

LoomFrame *
loom_frame_ref (LoomFrame *frame)
{
  g_atomic_ref_count_inc (&frame->refs);
  return frame;
}

void
loom_frame_unref (LoomFrame *frame)
{
  if (frame == NULL || !g_atomic_ref_count_dec (&frame->refs))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (frame->row_columns); i++)
    g_free (frame->row_columns[i]);
  g_array_unref (frame->series);
  if (frame->base != NULL) {
    loom_frame_unref (frame->base);
  } else {
    g_clear_pointer (&frame->texts, loom_strings_free);
    g_clear_pointer (&frame->workers, g_array_unref);
    g_clear_pointer (&frame->hosts, g_ptr_array_unref);
    g_clear_pointer (&frame->cut_ns, g_hash_table_unref);
    g_clear_pointer (&frame->columns, g_ptr_array_unref);
  }
  loom_timeline_unref (frame->timeline);
  g_free (frame);
}

LoomTimeline *
loom_frame_get_timeline (const LoomFrame *frame)
{
  return frame->timeline;
}

LoomNumbers
loom_frame_get_numbers (const LoomFrame *frame)
{
  return frame->numbers;
}

gint64
loom_frame_get_origin (const LoomFrame *frame)
{
  return frame->origin_ns;
}

const LoomFrameRows *
loom_frame_get_rows (const LoomFrame *frame)
{
  return &frame->rows;
}

const char *
loom_frame_get_text (const LoomFrame *frame, guint32 id)
{
  return loom_strings_get (frame->texts, id);
}

guint32
loom_frame_get_n_texts (const LoomFrame *frame)
{
  return loom_strings_get_count (frame->texts);
}

const char *
loom_frame_get_event_name (const LoomFrame *frame, guint32 row)
{
  LoomSpanId id = frame->rows.span[row];
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (frame->timeline), id.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span])->text;
}

gint64
loom_frame_get_duration (const LoomFrame *frame, guint32 row)
{
  gint64 dur_ns = frame->rows.end_ns[row] - frame->rows.start_ns[row];
  if (frame->numbers == LOOM_NUMBERS_INTENDED)
    return dur_ns;
  return dur_ns + GPOINTER_TO_INT (g_hash_table_lookup (frame->cut_ns, loom_frame_span_key (frame->rows.span[row])));
}

LoomRange
loom_frame_get_range (const LoomFrame *frame)
{
  return frame->range;
}

const LoomFrame *
loom_frame_get_whole (const LoomFrame *frame)
{
  gboolean is_cut = frame->range.begin_ns != G_MININT64 || frame->range.end_ns != G_MAXINT64;
  return is_cut && frame->base != NULL ? frame->base : frame;
}

gint64
loom_frame_get_time_in_range (const LoomFrame *frame, guint32 row)
{
  gint64 begin_ns = frame->rows.start_ns[row], end_ns = frame->rows.end_ns[row];
  if (frame->numbers == LOOM_NUMBERS_SMDEBUG)
    return end_ns - begin_ns;
  return MAX (MIN (end_ns, frame->range.end_ns) - MAX (begin_ns, frame->range.begin_ns), 0);
}

const LoomWorker *
loom_frame_get_workers (const LoomFrame *frame, guint *n)
{
  *n = frame->workers->len;
  return (const LoomWorker *) frame->workers->data;
}

const char *
loom_frame_get_host (const LoomFrame *frame, guint32 host_id)
{
  g_return_val_if_fail (host_id < frame->hosts->len, "");
  return g_ptr_array_index (frame->hosts, host_id);
}

guint
loom_frame_get_n_hosts (const LoomFrame *frame)
{
  return frame->hosts->len;
}

const LoomSampleSeries *
loom_frame_get_series (const LoomFrame *frame, guint *n)
{
  *n = frame->series->len;
  return (const LoomSampleSeries *) frame->series->data;
}

guint64
loom_frame_get_n_samples (const LoomFrame *frame)
{
  guint64 n = 0;
  for (guint i = 0; i < frame->series->len; i++)
    n += g_array_index (frame->series, LoomSampleSeries, i).n;
  return n;
}

gboolean
loom_frame_get_sample_extent (const LoomFrame *frame, gint64 *first_ns, gint64 *last_ns)
{
  gboolean any = FALSE;
  *first_ns = G_MAXINT64;
  *last_ns = G_MININT64;
  for (guint i = 0; i < frame->series->len; i++) {
    const LoomSampleSeries *series = &g_array_index (frame->series, LoomSampleSeries, i);
    if (series->n == 0)
      continue;
    any = TRUE;
    *first_ns = MIN (*first_ns, series->time_ns[0]);
    *last_ns = MAX (*last_ns, series->time_ns[series->n - 1]);
  }
  return any;
}

gboolean
loom_series_is (const LoomSampleSeries *series, LoomDevice device, LoomSelect select)
{
  if (select == LOOM_SELECT_PREFIX)
    return g_str_has_prefix (series->name, device == LOOM_DEVICE_GPU ? "gpu" : "cpu");
  return strcmp (series->dimension, device == LOOM_DEVICE_GPU ? "GPUUtilization" : "CPUUtilization") == 0;
}
