/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-kernel-launches.h"

#include "loom-kernel-format.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-span-walk.h"

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
add_kernel (LoomKernelLaunches *launches, guint32 launch, gint64 device_ns, LoomFloatType format)
{
  LoomKernelLaunch one = { launch, 1, device_ns, format };
  if (launch != G_MAXUINT32) {
    g_array_append_val (launches->launches, one);
    return;
  }
  launches->n_unlinked++;
  launches->unlinked_ns = loom_time_add (launches->unlinked_ns, device_ns);
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
      all[n - 1].format = MIN (all[n - 1].format, all[i].format); /* shorter formats come first */
      all[n - 1].device_ns = loom_time_add (all[n - 1].device_ns, all[i].device_ns);
    } else
      all[n++] = all[i];
  }
  g_array_set_size (launches, n);
}

void
loom_kernel_launches_init (LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, LoomRange range)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  LoomLaunchWalk walk;
  guint32 span, launch;
  g_autofree guint8 *formats = find_formats (own);
  loom_launch_walk_init (&walk, own);
  *launches = (LoomKernelLaunches) { .launches = g_array_new (FALSE, FALSE, sizeof (LoomKernelLaunch)) };
  for (guint i = 0; i < loom_trace_get_n_tracks (own); i++) {
    const LoomTrack *track = loom_trace_get_track (own, i);
    LoomRange local = loom_span_walk_get_local (timeline, trace, track, range);
    loom_launch_walk_begin (&walk);
    loom_launch_walk_add_track (&walk, track, local);
    while (loom_launch_walk_next (&walk, &span, &launch))
      add_kernel (launches, launch, loom_span_walk_clip (walk.spans, span, local), formats[walk.spans->name_id[span]]);
  }
  join (launches->launches);
  loom_launch_walk_clear (&walk);
}

void
loom_kernel_launches_clear (LoomKernelLaunches *launches)
{
  g_clear_pointer (&launches->launches, g_array_unref);
}

LoomRange
loom_kernel_launches_extend (const LoomKernelLaunches *launches, LoomTimeline *timeline, guint trace, LoomRange range)
{
  for (guint i = 0; i < launches->launches->len; i++) {
    gint64 start_ns, end_ns;
    guint32 span = g_array_index (launches->launches, LoomKernelLaunch, i).span;
    loom_timeline_get_span (timeline, (LoomSpanId) { trace, span }, &start_ns, &end_ns);
    range.begin_ns = MIN (range.begin_ns, start_ns);
    range.end_ns = MAX (range.end_ns, loom_time_add (start_ns, 1));
  }
  return range;
}
