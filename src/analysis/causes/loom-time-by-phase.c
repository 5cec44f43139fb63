/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-time-by-phase.h"

#include <string.h>

#include "loom-statistics.h"

typedef struct {
  /* three hash tables, for the arrays LoomTimeByPhase.phases, .processes and .events in this order: name → 1 + index of
   * the name in the array */
  GHashTable *at[3];
} Adder;

static void
add (Adder *adder, guint which, GArray *sums, const char *name, gint64 ns)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (adder->at[which], name));
  if (known == 0) {
    LoomPhaseTimeSum sum = { name, 0 };
    g_array_append_val (sums, sum);
    known = sums->len;
    g_hash_table_insert (adder->at[which], (gpointer) name, GUINT_TO_POINTER (known));
  }
  g_array_index (sums, LoomPhaseTimeSum, known - 1).total_ns += ns;
}

static void
adder_init (Adder *adder, LoomTimeByPhase *overlaps)
{
  for (guint i = 0; i < G_N_ELEMENTS (adder->at); i++)
    adder->at[i] = g_hash_table_new (g_str_hash, g_str_equal);
  overlaps->processes = g_array_new (FALSE, FALSE, sizeof (LoomPhaseTimeSum));
  overlaps->events = g_array_new (FALSE, FALSE, sizeof (LoomPhaseTimeSum));
  overlaps->phases = g_array_new (FALSE, FALSE, sizeof (LoomPhaseTimeSum));
}

static void
adder_clear (Adder *adder)
{
  for (guint i = 0; i < G_N_ELEMENTS (adder->at); i++)
    g_hash_table_unref (adder->at[i]);
}

static gboolean
is_of_step (const char *name)
{
  return strstr (name, "Step") != NULL;
}

void
loom_time_by_phase_init_at (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const gint64 *times_ns, guint n)
{
  const LoomDataFrameRows *rows = &frame->rows;
  Adder adder;
  gsize from = 0, to = 0;
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG && n > 0)
    n--;
  adder_init (&adder, overlaps);
  for (guint32 i = 0; i < rows->n; i++) {
    from = loom_statistics_first_at (times_ns, n, rows->start_ns[i] + 1, from);
    to = loom_statistics_first_at (times_ns, n, rows->end_ns[i], to);
    if (to <= from)
      continue;
    gint64 ns = (gint64) (to - from) * loom_data_frame_get_duration (frame, i);
    const char *process = loom_data_frame_get_text (frame, rows->process[i]),
               *event = loom_data_frame_get_event_name (frame, i);
    if (is_of_step (process))
      add (&adder, 0, overlaps->phases, process, ns);
    else
      add (&adder, 1, overlaps->processes, process, ns);
    if (!is_of_step (event))
      add (&adder, 2, overlaps->events, event, ns);
  }
  adder_clear (&adder);
}

void
loom_time_by_phase_init_in (LoomTimeByPhase *overlaps, const LoomDataFrame *frame, const LoomRange *intervals, guint n)
{
  const LoomDataFrameRows *rows = &frame->rows;
  Adder adder;
  adder_init (&adder, overlaps);
  for (guint32 i = 0; i < rows->n; i++) {
    gint64 times = 0;
    for (guint k = 0; k < n; k++)
      times += rows->end_ns[i] >= intervals[k].begin_ns && rows->start_ns[i] <= intervals[k].end_ns;
    const char *event = times > 0 ? loom_data_frame_get_event_name (frame, i) : NULL;
    if (event == NULL || is_of_step (event))
      continue;
    gint64 ns = times * loom_data_frame_get_duration (frame, i);
    add (&adder, 1, overlaps->processes, loom_data_frame_get_text (frame, rows->process[i]), ns);
    add (&adder, 2, overlaps->events, event, ns);
  }
  adder_clear (&adder);
}

void
loom_time_by_phase_clear (LoomTimeByPhase *overlaps)
{
  g_clear_pointer (&overlaps->processes, g_array_unref);
  g_clear_pointer (&overlaps->events, g_array_unref);
  g_clear_pointer (&overlaps->phases, g_array_unref);
}

gint64
loom_time_by_phase_get_max (const GArray *sums)
{
  gint64 max = 0;
  for (guint i = 0; i < sums->len; i++)
    max = MAX (max, g_array_index (sums, LoomPhaseTimeSum, i).total_ns);
  return max;
}
