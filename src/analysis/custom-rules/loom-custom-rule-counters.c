/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-counters.h"

#include <string.h>

#include "loom-track-rank.h"

/* Name of a counter's series if the counter has only one series. Chrome trace events use this name; importers of other
 * formats do the same. */
#define PLAIN_SERIES "value"

typedef struct {
  const LoomDataFrame *frame;
  GArray *counters;
  GPtrArray *nodes; /* const char *: the nodes that have counters but are not hosts of the frame */
  LoomCustomRuleCountersWant wants;
  gpointer data; /* passed to `wants` */
} Listing;

static void
clear_counter (gpointer counter)
{
  g_free (((LoomCustomRuleCounter *) counter)->own_dimension);
  g_free (((LoomCustomRuleCounter *) counter)->own_time_ns);
}

static const char *
get_text (const char *text)
{
  return text != NULL ? text : "";
}

static void
add_metrics (Listing *self)
{
  const LoomDataFrame *frame = self->frame;
  for (guint i = 0; i < frame->n_series; i++) {
    const LoomSampleSeries *series = &frame->series[i];
    LoomCustomRuleCounter counter = { .node = loom_data_frame_get_host (frame, series->host_id),
                                      .node_id = series->host_id,
                                      .type = series->type,
                                      .name = series->name,
                                      .dimension = series->dimension,
                                      .rank = -1,
                                      .time_ns = series->time_ns,
                                      .value = series->value,
                                      .n = series->n };
    if (series->n > 0 && self->wants (&counter, self->data))
      g_array_append_val (self->counters, counter);
  }
}

/* Returns the id of the node among the hosts of the frame. If the node is not a host of the frame, returns a number
 * that is greater than all ids of hosts. */
static guint
find_node (Listing *self, const char *node)
{
  guint i;
  for (i = 0; i < self->frame->n_hosts; i++)
    if (strcmp (loom_data_frame_get_host (self->frame, i), node) == 0)
      return i;
  if (!g_ptr_array_find_with_equal_func (self->nodes, node, g_str_equal, &i)) {
    i = self->nodes->len;
    g_ptr_array_add (self->nodes, (gpointer) node);
  }
  return self->frame->n_hosts + i;
}

/* Returns the name of a counter, followed by the name of the series. The name of the series is omitted if it is empty,
 * PLAIN_SERIES or equal to the name of the counter. Owned by the caller. */
static char *
dup_dimension (const LoomTrack *track, const LoomSeries *series)
{
  if (series->name[0] == '\0' || strcmp (series->name, PLAIN_SERIES) == 0 || strcmp (series->name, track->name) == 0)
    return g_strdup (track->name);
  return g_strdup_printf ("%s %s", track->name, series->name);
}

/* Adds a series with its samples in the range of the frame. Skips the series if self->wants returns FALSE for it, or if
 * it has no samples in the range. self->wants is called before the samples are read, because a file may have millions
 * of samples that no rule needs. */
static void
add_series (Listing *self, const LoomTrack *track, const LoomSeries *series, const LoomClockMap *map)
{
  LoomRange range = self->frame->range;
  g_autofree char *dimension = dup_dimension (track, series);
  LoomCustomRuleCounter counter = { .node = get_text (track->node),
                                    .type = get_text (track->category),
                                    .name = get_text (track->process),
                                    .dimension = dimension,
                                    .rank = track->rank,
                                    .is_process = loom_track_rank_is_process (track, track->format) };
  if (!self->wants (&counter, self->data))
    return;
  g_autofree gint64 *times = g_new (gint64, MAX (series->n, 1));
  for (guint32 i = 0; i < series->n; i++) {
    gint64 time_ns = loom_clock_map_to_timeline (map, series->time_ns[i]);
    if (time_ns < range.begin_ns || time_ns > range.end_ns)
      continue;
    counter.value = counter.n > 0 ? counter.value : &series->value[i];
    times[counter.n++] = time_ns;
  }
  if (counter.n == 0)
    return;
  counter.node_id = find_node (self, counter.node);
  counter.own_dimension = g_steal_pointer (&dimension);
  counter.time_ns = counter.own_time_ns = g_steal_pointer (&times);
  g_array_append_val (self->counters, counter);
}

static void
add_trace (Listing *self, guint number, GCancellable *cancellable)
{
  LoomTimeline *timeline = self->frame->timeline;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace) && !g_cancellable_is_cancelled (cancellable); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_COUNTER || strcmp (track->format, "smdebug-system") == 0)
      continue;
    for (guint32 k = 0; k < track->n_series; k++)
      add_series (self, track, loom_trace_get_series (trace, track->first_series + k),
                  loom_timeline_get_map (timeline, number, track->clock));
  }
}

GArray *
loom_custom_rule_counters_list (const LoomDataFrame *frame, LoomCustomRuleCountersWant wants, gpointer data,
                                GCancellable *cancellable)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  Listing self = { frame, g_array_new (FALSE, FALSE, sizeof (LoomCustomRuleCounter)), nodes, wants, data };
  g_array_set_clear_func (self.counters, clear_counter);
  add_metrics (&self);
  for (guint t = 0; t < loom_run_get_n_traces (loom_timeline_get_run (frame->timeline)); t++)
    if (frame->numbers != LOOM_NUMBER_CONVENTION_SMDEBUG)
      add_trace (&self, t, cancellable);
  return self.counters;
}
