/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-kernel-launches.h"

#include "loom-kernel-format.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-span-walk.h"
#include "loom-work-kind.h"

/* Returns an array: [name id] the LoomFloatType in which a kernel of this name multiplies. Owned by the caller. */
static guint8 *
find_formats (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  guint8 *formats = g_new0 (guint8, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    formats[i] = (guint8) loom_kernel_format_find (loom_trace_get_name (trace, i)->text);
  return formats;
}

static void
add_kernel (LoomKernelLaunches *launches, guint32 launch, gint64 device_ns, gint64 compute_ns, LoomFloatType format)
{
  LoomKernelLaunch one = { launch, 1, device_ns, compute_ns, format };
  if (launch != G_MAXUINT32) {
    g_array_append_val (launches->launches, one);
    return;
  }
  launches->n_unlinked++;
  launches->unlinked_ns = loom_time_add (launches->unlinked_ns, device_ns);
  launches->unlinked_compute_ns = loom_time_add (launches->unlinked_compute_ns, compute_ns);
}

#define IS_BEFORE(a, b) ((a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_launches, LoomKernelLaunch, IS_BEFORE)

static void
join (GArray *launches)
{
  LoomKernelLaunch *all = (LoomKernelLaunch *) (gpointer) launches->data;
  guint n = 0;
  sort_launches (all, launches->len);
  for (guint i = 0; i < launches->len; i++) {
    if (n > 0 && all[n - 1].span == all[i].span) {
      all[n - 1].n += all[i].n;
      /* formats are sorted by length, so MIN() returns the shorter one */
      all[n - 1].format = MIN (all[n - 1].format, all[i].format);
      all[n - 1].device_ns = loom_time_add (all[n - 1].device_ns, all[i].device_ns);
      all[n - 1].compute_ns = loom_time_add (all[n - 1].compute_ns, all[i].compute_ns);
    } else
      all[n++] = all[i];
  }
  g_array_set_size (launches, n);
}

static void
add_start (LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, guint32 span)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, (LoomSpanId) { trace, span }, &start_ns, &end_ns);
  launches->starts.begin_ns = MIN (launches->starts.begin_ns, start_ns);
  launches->starts.end_ns = MAX (launches->starts.end_ns, loom_time_add (start_ns, 1));
}

static void
find_starts (LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  const gint64 *starts_ns = loom_trace_get_spans (own)->start_ns;
  const LoomKernelLaunch *all = (const LoomKernelLaunch *) (gpointer) launches->launches->data;
  guint n = launches->launches->len, first = 0, last = 0;
  launches->starts = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < n && loom_trace_get_n_clocks (own) == 1; i++) {
    first = starts_ns[all[i].span] < starts_ns[all[first].span] ? i : first;
    last = starts_ns[all[i].span] > starts_ns[all[last].span] ? i : last;
  }
  if (n > 0 && loom_trace_get_n_clocks (own) == 1) {
    add_start (launches, timeline, trace, all[first].span);
    add_start (launches, timeline, trace, all[last].span);
    return;
  }
  for (guint i = 0; i < n; i++)
    add_start (launches, timeline, trace, all[i].span);
}

void
loom_kernel_launches_init (LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, LoomRange range)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  LoomLaunchWalk walk;
  guint32 span, launch;
  g_autofree guint8 *formats = find_formats (own);
  const guint8 *kinds = loom_work_kind_of_names (own, TRUE);
  loom_launch_walk_init (&walk, own);
  *launches = (LoomKernelLaunches) { .launches = g_array_new (FALSE, FALSE, sizeof (LoomKernelLaunch)) };
  for (guint i = 0; i < loom_trace_get_n_tracks (own); i++) {
    const LoomTrack *track = loom_trace_get_track (own, i);
    LoomRange local = loom_span_walk_get_local (timeline, trace, track, range);
    loom_launch_walk_begin (&walk);
    loom_launch_walk_add_track (&walk, track, local);
    while (loom_launch_walk_next (&walk, &span, &launch)) {
      guint32 name = walk.spans->name_id[span];
      gint64 ns = loom_span_walk_clip (walk.spans, span, local);
      add_kernel (launches, launch, ns, kinds[name] == LOOM_WORK_KIND_COMPUTE ? ns : 0, formats[name]);
    }
  }
  join (launches->launches);
  find_starts (launches, timeline, trace);
  loom_launch_walk_clear (&walk);
}

void
loom_kernel_launches_clear (LoomKernelLaunches *launches)
{
  g_clear_pointer (&launches->launches, g_array_unref);
}

static void
add_unlinked (const LoomKernelLaunches *of_whole, LoomTimeline *timeline, guint trace, LoomRange range,
              LoomKernelTime *time)
{
  LoomKernelLaunches launches;
  if (of_whole->unlinked_ns == 0 || range.begin_ns >= range.end_ns)
    return;
  loom_kernel_launches_init (&launches, timeline, trace, range);
  *time = (LoomKernelTime) { launches.unlinked_ns, launches.unlinked_compute_ns };
  loom_kernel_launches_clear (&launches);
}

LoomKernelTime
loom_kernel_launches_sum (const LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, LoomRange range)
{
  LoomKernelTime time = { 0 };
  add_unlinked (launches, timeline, trace, range, &time);
  for (guint i = 0; i < launches->launches->len; i++) {
    const LoomKernelLaunch *launch = &g_array_index (launches->launches, LoomKernelLaunch, i);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, (LoomSpanId) { trace, launch->span }, &start_ns, &end_ns);
    if (start_ns < range.begin_ns || start_ns >= range.end_ns)
      continue;
    time.all_ns = loom_time_add (time.all_ns, launch->device_ns);
    time.compute_ns = loom_time_add (time.compute_ns, launch->compute_ns);
  }
  return time;
}

LoomRange
loom_kernel_launches_extend (const LoomKernelLaunches *launches, LoomRange range)
{
  return (LoomRange) { MIN (range.begin_ns, launches->starts.begin_ns), MAX (range.end_ns, launches->starts.end_ns) };
}
