/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-device-rows.h"

#include <glib/gi18n.h>
#include <string.h>

#define CANCEL_EVERY 65536

struct _LoomDeviceRows {
  LoomTimeline *timeline;
  GPtrArray *groups; /* LoomDeviceRowGroup */
  GPtrArray *works;  /* tables of work kinds that the rows borrow */
};

/* State while the rows of one trace are gathered. */
typedef struct {
  LoomDeviceRows *lanes;
  gboolean by_device;
  GCancellable *cancellable;
  guint number;
  LoomTrace *trace;
  /* work kinds of the names on other rows [0] and on rows of devices [1]; NULL: no device work */
  guint8 *works[2];
} Gathering;

static void
group_free (gpointer data)
{
  LoomDeviceRowGroup *group = data;
  g_array_unref (group->rows);
  g_array_unref (group->windows);
  g_array_unref (group->sources);
  g_free (group);
}

static guint8 *
find_works (LoomDeviceRows *lanes, const LoomTrace *trace, gboolean device)
{
  guint8 *works = loom_work_kind_of_names (trace, device);
  g_ptr_array_add (lanes->works, works);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    if (works[i] < LOOM_N_DEVICE_WORK)
      return works;
  return NULL;
}

/* --- groups ----------------------------------------------------------------------------------------------------- */

/* Returns TRUE if a track belongs to a group. If its rank is unknown, the trace distinguishes groups. */
static gboolean
is_group_of (const Gathering *at, const LoomDeviceRowGroup *group, const LoomTrack *track)
{
  if (group->rank != track->rank || g_strcmp0 (group->node, track->node) != 0)
    return FALSE;
  if (track->rank < 0 && g_array_index (group->windows, LoomDeviceWindow, 0).trace != at->number)
    return FALSE;
  return !at->by_device || strcmp (group->device, track->process) == 0;
}

static LoomDeviceRowGroup *
group_of (Gathering *at, const LoomTrack *track)
{
  GPtrArray *groups = at->lanes->groups;
  for (guint i = groups->len; i-- > 0;)
    if (is_group_of (at, groups->pdata[i], track))
      return groups->pdata[i];
  LoomDeviceRowGroup *group = g_new0 (LoomDeviceRowGroup, 1);
  group->node = track->node;
  group->rank = track->rank;
  group->device = at->by_device ? track->process : NULL;
  group->rows = g_array_new (FALSE, FALSE, sizeof (LoomDeviceRow));
  group->windows = g_array_new (FALSE, FALSE, sizeof (LoomDeviceWindow));
  group->sources = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (groups, group);
  return group;
}

static void
add_source (LoomDeviceRowGroup *group, guint source)
{
  guint at = 0;
  while (at < group->sources->len && g_array_index (group->sources, guint, at) < source)
    at++;
  if (at == group->sources->len || g_array_index (group->sources, guint, at) != source)
    g_array_insert_val (group->sources, at, source);
}

/* The sources of a trace follow one another, so a row contains all sources from that of its first span to that of its
 * last. */
static void
add_sources (Gathering *at, LoomDeviceRowGroup *group, const LoomDeviceRow *row)
{
  const LoomRef *ref = loom_trace_get_spans (at->trace)->ref;
  guint first = loom_run_get_first_source (loom_timeline_get_run (at->lanes->timeline), at->number);
  guint from = loom_source_ref_source (ref[row->first]), to = loom_source_ref_source (ref[row->end - 1]);
  for (guint i = MIN (from, to); i <= MAX (from, to) && i < loom_trace_get_n_sources (at->trace); i++)
    add_source (group, first + i);
}

static void
widen_window (Gathering *at, LoomDeviceRowGroup *group, const LoomDeviceRow *row)
{
  LoomTimeline *timeline = at->lanes->timeline;
  LoomRange range;
  gint64 other;
  loom_timeline_get_span (timeline, (LoomSpanId) { at->number, row->first }, &range.begin_ns, &other);
  loom_timeline_get_span (timeline, (LoomSpanId) { at->number, row->end - 1 }, &other, &range.end_ns);
  LoomDeviceWindow *last =
    group->windows->len > 0 ? &g_array_index (group->windows, LoomDeviceWindow, group->windows->len - 1) : NULL;
  if (last != NULL && last->trace == at->number) {
    last->range.begin_ns = MIN (last->range.begin_ns, range.begin_ns);
    last->range.end_ns = MAX (last->range.end_ns, range.end_ns);
    return;
  }
  LoomDeviceWindow window = { at->number, range };
  g_array_append_val (group->windows, window);
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

/* Removes other spans from both ends of the row; returns FALSE if no device work is left, or when cancelled. */
static gboolean
trim (Gathering *at, LoomDeviceRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (at->trace);
  for (; row->first < row->end && !loom_device_rows_is_work (row, spans, row->first); row->first++)
    if (row->first % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (at->cancellable))
      return FALSE;
  while (row->end > row->first && !loom_device_rows_is_work (row, spans, row->end - 1))
    row->end--;
  return row->first < row->end;
}

static void
gather_track (Gathering *at, const LoomTrack *track)
{
  const guint8 *works = at->works[loom_work_kind_is_device_track (track)];
  if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0 ||
      works == NULL)
    return;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (at->trace, track->first_row + k);
    LoomDeviceRow found = { at->number, row->first, row->first + row->n, works,
                            loom_timeline_get_map (at->lanes->timeline, at->number, track->clock) };
    if (!trim (at, &found))
      continue;
    LoomDeviceRowGroup *group = group_of (at, track);
    widen_window (at, group, &found);
    add_sources (at, group, &found);
    g_array_append_val (group->rows, found);
  }
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const LoomDeviceRowGroup *x = *(LoomDeviceRowGroup *const *) a, *y = *(LoomDeviceRowGroup *const *) b;
  int nodes = g_strcmp0 (x->node, y->node);
  if (nodes != 0)
    return nodes;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  guint32 first = g_array_index (x->windows, LoomDeviceWindow, 0).trace,
          second = g_array_index (y->windows, LoomDeviceWindow, 0).trace;
  if (first != second)
    return first < second ? -1 : 1;
  return g_strcmp0 (x->device, y->device);
}

LoomDeviceRows *
loom_device_rows_new (LoomTimeline *timeline, gboolean by_device, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomDeviceRows) lanes = g_new0 (LoomDeviceRows, 1);
  lanes->timeline = loom_timeline_ref (timeline);
  lanes->groups = g_ptr_array_new_with_free_func (group_free);
  lanes->works = g_ptr_array_new_with_free_func (g_free);
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    Gathering at = { lanes, by_device, cancellable,
                     i,     trace,     { find_works (lanes, trace, FALSE), find_works (lanes, trace, TRUE) } };
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++)
      gather_track (&at, loom_trace_get_track (trace, k));
    if (g_cancellable_is_cancelled (cancellable))
      return NULL;
  }
  g_ptr_array_sort (lanes->groups, compare_groups);
  return g_steal_pointer (&lanes);
}

void
loom_device_rows_free (LoomDeviceRows *lanes)
{
  if (lanes == NULL)
    return;
  g_ptr_array_unref (lanes->groups);
  g_ptr_array_unref (lanes->works);
  loom_timeline_unref (lanes->timeline);
  g_free (lanes);
}

guint
loom_device_rows_get_n (const LoomDeviceRows *lanes)
{
  return lanes->groups->len;
}

const LoomDeviceRowGroup *
loom_device_rows_get (const LoomDeviceRows *lanes, guint i)
{
  return lanes->groups->pdata[i];
}

LoomTimeline *
loom_device_rows_get_timeline (const LoomDeviceRows *lanes)
{
  return lanes->timeline;
}

const char *
loom_device_rows_why_nothing (const LoomDeviceRows *lanes)
{
  return lanes->groups->len > 0 ? _ ("No kernels or copies of a device are in this range")
                                : _ ("These files hold no kernels or copies of a device");
}
