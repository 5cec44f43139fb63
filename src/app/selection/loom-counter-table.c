/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counter-table.h"

#include "loom-counter-statistics.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomCounterTable {
  LoomRangeTable parent;
};

G_DEFINE_FINAL_TYPE (LoomCounterTable, loom_counter_table, LOOM_TYPE_RANGE_TABLE)

enum { COUNTER, OF, UNIT, SAMPLES, MEAN, LEAST, MOST, INTEGRAL };

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Counters"));
  loom_result_table_add_column (table, C_ ("column", "Counter"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Source"), NULL, _ ("Node, and process or device"));
  loom_result_table_add_column (table, C_ ("column", "Unit"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Samples"), "", _ ("Samples in the range"));
  loom_result_table_add_column (table, C_ ("column", "Mean"), "",
                                _ ("Weighted by time: each value counts for as long as it lasts"));
  loom_result_table_add_column (table, C_ ("column", "Min"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Max"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Integral"), "",
                                _ ("Sum of each value multiplied by its duration in seconds"));
  return table;
}

static char *
owner_of (LoomTimeline *timeline, const LoomCounterRow *row)
{
  const LoomTrack *track =
    loom_trace_get_track (loom_run_get_trace (loom_timeline_get_run (timeline), row->track.trace), row->track.track);
  const char *more = *track->process != '\0' ? track->process : track->thread;
  return g_strstrip (g_strjoin (" ", track->node != NULL ? track->node : "", more, NULL));
}

static void
add_row (LoomResultTable *table, LoomTimeline *timeline, const LoomCounterRow *row)
{
  gboolean has_series = *row->series_name != '\0' && strcmp (row->series_name, row->name) != 0;
  g_autofree char *name = has_series ? g_strdup_printf ("%s · %s", row->name, row->series_name) : g_strdup (row->name);
  g_autofree char *owner = owner_of (timeline, row);
  loom_result_table_add_row (table, name);
  loom_result_table_set_text (table, OF, owner);
  loom_result_table_set_text (table, UNIT, row->unit);
  loom_result_table_set_number (table, SAMPLES, (double) row->n_samples);
  loom_result_table_set_number (table, MEAN, row->mean);
  loom_result_table_set_number (table, LEAST, row->min);
  loom_result_table_set_number (table, MOST, row->max);
  loom_result_table_set_number (table, INTEGRAL, row->integral);
}

static LoomResultTable *
count (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable)
{
  const GArray *tracks = question->tracks;
  g_autoptr (LoomCounterStatistics) stats =
    loom_counter_statistics_new (question->timeline, question->range, tracks != NULL ? (gpointer) tracks->data : NULL,
                                 tracks != NULL ? tracks->len : 0, cancellable);
  if (stats == NULL)
    return NULL;
  LoomResultTable *table = new_table ();
  for (guint i = 0; i < stats->n_rows; i++)
    add_row (table, question->timeline, &stats->rows[i]);
  return table;
}

static void
loom_counter_table_class_init (LoomCounterTableClass *klass)
{
  LoomRangeTableClass *parent = LOOM_RANGE_TABLE_CLASS (klass);
  parent->nothing = N_ ("There are no counters in this range.");
  parent->new_table = new_table;
  parent->count = count;
}

static void
loom_counter_table_init (LoomCounterTable *self)
{
}
