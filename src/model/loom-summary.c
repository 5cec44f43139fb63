/* SPDX-License-Identifier: Apache-2.0
 *
 * Per row two things: the running sum of durations at every 16th span, and a pyramid of the longest span of every 16,
 * 256, 4096 … spans. Together below one byte per span. Short rows have neither.
 */
#include "loom-summary.h"

#include "loom-trace-private.h"

#define FAN_OUT 16
#define FEWEST_SPANS 64
#define MOST_LEVELS 8 /* 16⁸ = 2³² */

static inline guint32
level_length (guint32 n)
{
  return n / FAN_OUT + (n % FAN_OUT != 0);
}

static gsize
pyramid_length (guint32 n)
{
  gsize sum = 0;
  do {
    n = level_length (n);
    sum += n;
  } while (n > 1);
  return sum;
}

static inline gboolean
deserves_summary (const LoomTrace *trace, const LoomRow *row)
{
  return row->n > FEWEST_SPANS && row->first < trace->first_instant;
}

void
loom_summary_reserve (LoomTrace *trace)
{
  for (guint32 i = 0; i < trace->n_rows; i++)
    trace->n_summaries += deserves_summary (trace, &trace->rows[i]);
  trace->summaries = g_new (LoomRowSummary, MAX (trace->n_summaries, 1));
  guint32 next = 0;
  for (guint32 i = 0; i < trace->n_rows; i++) {
    LoomRow *row = &trace->rows[i];
    if (!deserves_summary (trace, row))
      continue;
    trace->summaries[next] = (LoomRowSummary) { (guint32) trace->n_longest, (guint32) trace->n_sums };
    row->summary = ++next;
    trace->n_longest += pyramid_length (row->n);
    trace->n_sums += level_length (row->n);
  }
  trace->longest = g_new (guint32, MAX (trace->n_longest, 1));
  trace->sums_ns = g_new (gint64, MAX (trace->n_sums, 1));
}

static void
fill_sums (LoomTrace *trace, const LoomRow *row)
{
  const gint64 *dur_ns = trace->dur_ns + row->first;
  gint64 *sums_ns = trace->sums_ns + trace->summaries[row->summary - 1].first_sum;
  guint64 sum_ns = 0;
  for (guint32 i = 0; i < row->n; i++) {
    if (i % FAN_OUT == 0)
      sums_ns[i / FAN_OUT] = (gint64) sum_ns;
    sum_ns += (guint64) dur_ns[i];
  }
}

static guint32
longest_of (const gint64 *dur_ns, guint32 first, guint32 end)
{
  guint32 longest = first;
  for (guint32 i = first + 1; i < end; i++) {
    if (dur_ns[i] > dur_ns[longest])
      longest = i;
  }
  return longest;
}

static guint32
longest_of_level (const gint64 *dur_ns, const guint32 *level, guint32 first, guint32 end)
{
  guint32 longest = level[first];
  for (guint32 i = first + 1; i < end; i++) {
    if (dur_ns[level[i]] > dur_ns[longest])
      longest = level[i];
  }
  return longest;
}

static void
fill_pyramid (LoomTrace *trace, const LoomRow *row)
{
  const gint64 *dur_ns = trace->dur_ns + row->first;
  guint32 *level = trace->longest + trace->summaries[row->summary - 1].first_longest;
  guint32 n = level_length (row->n);
  for (guint32 i = 0; i < n; i++)
    level[i] = longest_of (dur_ns, i * FAN_OUT, MIN (row->n, (i + 1) * FAN_OUT));
  while (n > 1) {
    guint32 *above = level + n;
    guint32 n_above = level_length (n);
    for (guint32 i = 0; i < n_above; i++)
      above[i] = longest_of_level (dur_ns, level, i * FAN_OUT, MIN (n, (i + 1) * FAN_OUT));
    level = above;
    n = n_above;
  }
}

void
loom_summary_fill (LoomTrace *trace, guint32 row)
{
  if (trace->rows[row].summary == 0)
    return;
  fill_sums (trace, &trace->rows[row]);
  fill_pyramid (trace, &trace->rows[row]);
}

/* Sum of the durations of the first `end` spans, from the sample before. */
static guint64
sum_before (const LoomTrace *trace, const LoomRow *row, guint32 end)
{
  const gint64 *dur_ns = trace->dur_ns + row->first;
  guint32 first = 0;
  guint64 sum_ns = 0;
  if (row->summary != 0 && end > 0) {
    guint32 sample = (end - 1) / FAN_OUT;
    sum_ns = (guint64) trace->sums_ns[trace->summaries[row->summary - 1].first_sum + sample];
    first = sample * FAN_OUT;
  }
  for (guint32 i = first; i < end; i++)
    sum_ns += (guint64) dur_ns[i];
  return sum_ns;
}

static inline guint32
longer (const gint64 *dur_ns, guint32 a, guint32 b)
{
  return dur_ns[b] > dur_ns[a] || (dur_ns[b] == dur_ns[a] && b < a) ? b : a;
}

/* The longest of [first, end), not empty: edges span by span, what is whole a level up, and so on. */
static guint32
find_longest (const LoomTrace *trace, const LoomRow *row, guint32 first, guint32 end)
{
  const gint64 *dur_ns = trace->dur_ns + row->first;
  if (row->summary == 0 || end - first <= 2 * FAN_OUT)
    return longest_of (dur_ns, first, end);
  guint32 low = first / FAN_OUT + 1, high = (end - 1) / FAN_OUT;
  guint32 longest = longest_of (dur_ns, first, low * FAN_OUT);
  longest = longer (dur_ns, longest, longest_of (dur_ns, high * FAN_OUT, end));
  const guint32 *level = trace->longest + trace->summaries[row->summary - 1].first_longest;
  guint32 n = level_length (row->n);
  while (low < high) {
    if (high - low <= 2 * FAN_OUT)
      return longer (dur_ns, longest, longest_of_level (dur_ns, level, low, high));
    guint32 low_above = low / FAN_OUT + 1, high_above = high / FAN_OUT;
    longest = longer (dur_ns, longest, longest_of_level (dur_ns, level, low, low_above * FAN_OUT));
    if (high_above * FAN_OUT < high)
      longest = longer (dur_ns, longest, longest_of_level (dur_ns, level, high_above * FAN_OUT, high));
    low = low_above;
    high = high_above;
    level += n;
    n = level_length (n);
  }
  return longest;
}

static gint64
busy_time (const LoomTrace *trace, const LoomRow *row, guint32 first, guint32 end, gint64 begin_ns, gint64 end_ns)
{
  guint64 busy_ns = sum_before (trace, row, end) - sum_before (trace, row, first);
  gint64 first_start_ns = trace->start_ns[row->first + first];
  gint64 last_end_ns = trace->start_ns[row->first + end - 1] + trace->dur_ns[row->first + end - 1];
  if (first_start_ns < begin_ns)
    busy_ns -= (guint64) begin_ns - (guint64) first_start_ns;
  if (last_end_ns > end_ns)
    busy_ns -= (guint64) last_end_ns - (guint64) end_ns;
  return (gint64) busy_ns;
}

static void
summarise (const LoomTrace *trace, const LoomRow *row, guint32 first, guint32 end, gint64 begin_ns, gint64 end_ns,
           LoomSummary *summary)
{
  *summary = (LoomSummary) { 0, G_MAXUINT32, 0 };
  if (first >= end || begin_ns >= end_ns)
    return;
  summary->n = end - first;
  if (loom_trace_is_instant (trace, row->first)) {
    summary->longest = row->first + first;
    return;
  }
  summary->longest = row->first + find_longest (trace, row, first, end);
  summary->busy_ns = busy_time (trace, row, first, end, begin_ns, end_ns);
}

void
loom_row_summarise (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns, LoomSummary *summary)
{
  guint32 first = loom_row_first_ending_after (trace, row, begin_ns);
  guint32 end = loom_row_lower_bound (trace, row, end_ns);
  summarise (trace, row, first, end, begin_ns, end_ns, summary);
}

void
loom_row_summarise_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                         LoomSummary *summaries)
{
  guint32 before = n > 0 ? loom_row_lower_bound (trace, row, edges_ns[0]) : 0;
  for (guint i = 0; i < n; i++) {
    guint32 first = before;
    if (first > 0 && loom_trace_end_ns (trace, row->first + first - 1) > edges_ns[i])
      first--;
    before = loom_row_gallop (trace, row, before, edges_ns[i + 1]);
    summarise (trace, row, first, before, edges_ns[i], edges_ns[i + 1], &summaries[i]);
  }
}
