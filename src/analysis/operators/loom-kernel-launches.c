/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-kernel-launches.h"

#include "loom-merge-sort.h"
#include "loom-span-walk.h"
#include "loom-work-kind.h"

typedef struct {
  LoomKernelLaunches *launches;
  const LoomTrace *trace;
  const LoomSpans *spans;
  const LoomArrow *arrows;
  const guint32 *by_target;
  guint32 n_arrows;
  guint8 *device_works, *host_works; /* LoomWorkKind by name id */
  LoomRange local;                   /* the range in the time of the row */
} Collector;

/* The first arrow (of those sorted by target) whose target is not before the span. O(log n). */
static guint32
find_arrow (const Collector *collector, guint32 span)
{
  guint32 low = 0, high = collector->n_arrows;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (collector->arrows[collector->by_target[middle]].to < span)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the span that launched `span`, among the arrows to it, from `*arrow` on: the last call of a runtime; if there
 * is none, the last span; G_MAXUINT32 if there are no arrows. */
static guint32
find_launch (const Collector *collector, guint32 *arrow, guint32 span)
{
  guint32 launch = G_MAXUINT32;
  gboolean is_call = FALSE;
  while (*arrow < collector->n_arrows && collector->arrows[collector->by_target[*arrow]].to < span)
    ++*arrow;
  for (; *arrow < collector->n_arrows && collector->arrows[collector->by_target[*arrow]].to == span; ++*arrow) {
    guint32 from = collector->arrows[collector->by_target[*arrow]].from;
    gboolean call = collector->host_works[collector->spans->name_id[from]] == LOOM_WORK_KIND_RUNTIME;
    if (call || !is_call)
      launch = from;
    is_call |= call;
  }
  return launch;
}

static void
add_row (Collector *collector, const LoomRow *row)
{
  guint32 first = row->first + loom_trace_row_first_ending_after (collector->trace, row, collector->local.begin_ns),
          end = row->first + loom_trace_row_lower_bound (collector->trace, row, collector->local.end_ns);
  guint32 arrow = find_arrow (collector, first);
  for (guint32 i = first; i < end; i++) {
    if (collector->device_works[collector->spans->name_id[i]] >= LOOM_WORK_KIND_DEVICE_OTHER ||
        (loom_source_ref_flags (collector->spans->ref[i]) & LOOM_REF_SUSPECT) != 0)
      continue;
    gint64 device_ns = loom_span_walk_clip (collector->spans, i, collector->local);
    LoomKernelLaunch launch = { find_launch (collector, &arrow, i), 1, device_ns };
    if (launch.span != G_MAXUINT32) {
      g_array_append_val (collector->launches->launches, launch);
      continue;
    }
    collector->launches->n_unlinked++;
    collector->launches->unlinked_ns = loom_time_add (collector->launches->unlinked_ns, device_ns);
  }
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
  Collector collector = { .launches = launches,
                          .trace = own,
                          .spans = loom_trace_get_spans (own),
                          .device_works = loom_work_kind_of_names (own, TRUE),
                          .host_works = loom_work_kind_of_names (own, FALSE) };
  collector.arrows = loom_trace_get_arrows (own, &collector.n_arrows);
  collector.by_target = loom_trace_get_arrows_by_target (own);
  *launches = (LoomKernelLaunches) { .launches = g_array_new (FALSE, FALSE, sizeof (LoomKernelLaunch)) };
  for (guint i = 0; i < loom_trace_get_n_tracks (own); i++) {
    const LoomTrack *track = loom_trace_get_track (own, i);
    if (track->kind != LOOM_TRACK_SPANS || !loom_work_kind_is_device_track (track))
      continue;
    collector.local = loom_span_walk_get_local (timeline, trace, track, range);
    for (guint k = 0; k < track->n_rows; k++)
      add_row (&collector, loom_trace_get_row (own, track->first_row + k));
  }
  join (launches->launches);
  g_free (collector.device_works);
  g_free (collector.host_works);
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
