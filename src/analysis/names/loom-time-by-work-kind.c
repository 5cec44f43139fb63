/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the statistics of names separately for device tracks and for host tracks, because a name can be one kind of
 * work on a device and another on a host. Then adds up the statistics for each kind of work.
 */
#include "loom-time-by-work-kind.h"

#include <glib/gi18n.h>

#include "loom-statistics.h"

static gboolean
is_counted (const LoomTrack *track, gboolean device)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DERIVED) == 0 &&
         loom_trace_track_is_device (track) == device;
}

/* Returns those of `tracks` that are device tracks (if `device` is TRUE) or host tracks (if it is FALSE). If `tracks`
 * is NULL, chooses from all tracks, except host tracks of traces that are read from an index file. Owned by the
 * caller. */
static GArray *
choose_tracks (LoomRun *run, const LoomTrackId *tracks, gsize n_tracks, gboolean device)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  for (gsize i = 0; tracks != NULL && i < n_tracks; i++)
    if (is_counted (loom_trace_get_track (loom_run_get_trace (run, tracks[i].trace), tracks[i].track), device))
      g_array_append_val (chosen, tracks[i]);
  for (guint i = 0; tracks == NULL && i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    gboolean is_kept = device || !loom_trace_is_index (trace);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      LoomTrackId id = { i, k };
      if (is_kept && is_counted (loom_trace_get_track (trace, k), device))
        g_array_append_val (chosen, id);
    }
  }
  return chosen;
}

static void
add_name (LoomTimeByWorkKind *times, LoomKindTime *kinds, const LoomNameStats *name, gboolean device)
{
  LoomWorkKind work = loom_work_kind_classify (name->name, name->category, device);
  kinds[work].count += name->count;
  kinds[work].n_names++;
  kinds[work].in_range_ns = loom_time_add (kinds[work].in_range_ns, name->in_range_ns);
  kinds[work].self_ns = loom_time_add (kinds[work].self_ns, name->self_in_range_ns);
  LoomKernel kernel = { work, *name };
  if (work < LOOM_N_DEVICE_WORK)
    g_array_append_val (times->all_kernels, kernel);
}

static gboolean
is_device_work (LoomWorkKind work)
{
  return work < LOOM_N_DEVICE_WORK;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const LoomKindTime *x = a, *y = b;
  if (is_device_work (x->work) != is_device_work (y->work))
    return is_device_work (x->work) ? -1 : 1;
  if (x->self_ns != y->self_ns)
    return x->self_ns > y->self_ns ? -1 : 1;
  return x->work < y->work ? -1 : x->work > y->work;
}

static int
compare_kernels (gconstpointer a, gconstpointer b)
{
  const LoomKernel *x = a, *y = b;
  if (x->stats.self_in_range_ns != y->stats.self_in_range_ns)
    return x->stats.self_in_range_ns > y->stats.self_in_range_ns ? -1 : 1;
  int order = g_strcmp0 (x->stats.name, y->stats.name);
  return order != 0 ? order : g_strcmp0 (x->stats.category, y->stats.category);
}

static void
finish (LoomTimeByWorkKind *times, LoomKindTime *kinds)
{
  double sides[2] = { 0, 0 };
  for (guint work = 0; work < LOOM_WORK_KIND_NONE; work++)
    sides[is_device_work (work)] += (double) kinds[work].self_ns;
  for (guint work = 0; work < LOOM_WORK_KIND_NONE; work++) {
    double side = sides[is_device_work (work)];
    kinds[work].work = work;
    kinds[work].share = side > 0 ? (double) kinds[work].self_ns / side : 0;
    if (kinds[work].count > 0)
      g_array_append_val (times->all_times, kinds[work]);
  }
  for (guint i = 0; i < times->all_kernels->len; i++) {
    LoomNameStats *stats = &g_array_index (times->all_kernels, LoomKernel, i).stats;
    stats->share = sides[TRUE] > 0 ? (double) stats->self_in_range_ns / sides[TRUE] : 0;
  }
  g_array_sort (times->all_times, compare_times);
  g_array_sort (times->all_kernels, compare_kernels);
}

static void
join_sources (LoomTimeByWorkKind *times)
{
  for (guint side = 0; side < 2; side++) {
    const guint *sources = times->tables[side]->sources;
    for (guint i = 0; i < times->tables[side]->n_sources; i++)
      loom_statistics_insert_number (times->all_sources, sources[i]);
  }
}

LoomTimeByWorkKind *
loom_time_by_work_kind_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range, const LoomTrackId *tracks,
                            gsize n_tracks, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  static const LoomTrackId none;
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (LoomRunNames) joined = names != NULL ? loom_run_names_ref (names) : loom_run_names_new (run);
  g_autoptr (LoomTimeByWorkKind) times = g_new0 (LoomTimeByWorkKind, 1);
  LoomKindTime kinds[LOOM_N_WORK] = { 0 };
  times->all_times = g_array_new (FALSE, FALSE, sizeof (LoomKindTime));
  times->all_kernels = g_array_new (FALSE, FALSE, sizeof (LoomKernel));
  times->all_sources = g_array_new (FALSE, FALSE, sizeof (guint));
  times->lacks_hosts = tracks == NULL && loom_run_has_index (run);
  for (guint device = 0; device < 2; device++) {
    g_autoptr (GArray) chosen = choose_tracks (run, tracks, n_tracks, device == 1);
    const LoomTrackId *ids = chosen->len > 0 ? (const LoomTrackId *) (gpointer) chosen->data : &none;
    times->tables[device] =
      loom_range_statistics_new_with_names (timeline, joined, range, ids, chosen->len, cancellable);
    if (times->tables[device] == NULL)
      return NULL;
    const LoomNameStats *rows = times->tables[device]->names;
    for (guint i = 0; i < times->tables[device]->n_names; i++)
      add_name (times, kinds, &rows[i], device == 1);
  }
  finish (times, kinds);
  join_sources (times);
  times->times = (const LoomKindTime *) (gpointer) times->all_times->data;
  times->n_times = times->all_times->len;
  times->kernels = (const LoomKernel *) (gpointer) times->all_kernels->data;
  times->n_kernels = times->all_kernels->len;
  times->sources = (const guint *) (gpointer) times->all_sources->data;
  times->n_sources = times->all_sources->len;
  return g_steal_pointer (&times);
}

void
loom_time_by_work_kind_free (LoomTimeByWorkKind *times)
{
  if (times == NULL)
    return;
  loom_range_statistics_free (times->tables[0]);
  loom_range_statistics_free (times->tables[1]);
  g_array_unref (times->all_times);
  g_array_unref (times->all_kernels);
  g_array_unref (times->all_sources);
  g_free (times);
}

const char *
loom_time_by_work_kind_get_missing (const LoomTimeByWorkKind *times)
{
  if (times->lacks_hosts)
    return _ ("Index files contain only sums of what the host did: open the trace files themselves to see its work.");
  return times->all_times->len > 0 ? NULL : _ ("No work was recorded in this range");
}

const char *
loom_time_by_work_kind_get_missing_kernels (const LoomTimeByWorkKind *times)
{
  return times->all_kernels->len > 0 ? NULL : _ ("There are no device kernels or device copies in this range");
}
