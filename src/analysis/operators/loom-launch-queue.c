/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-launch-queue.h"

#include "loom-time-sort.h"
#include "loom-time.h"

void
loom_launch_queue_init (LoomLaunchQueue *queue)
{
  queue->launches = g_array_new (FALSE, FALSE, sizeof (gint64));
  queue->begins = g_array_new (FALSE, FALSE, sizeof (gint64));
}

void
loom_launch_queue_clear (LoomLaunchQueue *queue)
{
  g_clear_pointer (&queue->launches, g_array_unref);
  g_clear_pointer (&queue->begins, g_array_unref);
}

void
loom_launch_queue_reset (LoomLaunchQueue *queue)
{
  g_array_set_size (queue->launches, 0);
  g_array_set_size (queue->begins, 0);
}

void
loom_launch_queue_add (LoomLaunchQueue *queue, gint64 launch_ns, gint64 begin_ns)
{
  begin_ns = MAX (begin_ns, launch_ns);
  g_array_append_val (queue->launches, launch_ns);
  g_array_append_val (queue->begins, begin_ns);
}

static gint64 *
sort (GArray *times)
{
  gint64 *all = (gint64 *) (gpointer) times->data;
  loom_time_sort (all, times->len);
  return all;
}

/* State while launches and starts of kernels are processed in order of time. `area` is the integral of the length of
 * the queue over time; its type is wide enough for 2^32 kernels and 2^63 ns. */
typedef struct {
  const gint64 *launches, *begins; /* times of the launches and of the starts of kernels, each sorted */
  guint n, launched, begun;
  gint64 time_ns;
  __int128 area;
} Sweep;

/* Processes the next launch or start of a kernel. If both have the same time, the launch comes first. */
static void
step (Sweep *sweep, LoomLaunchQueueLength *length)
{
  gboolean is_launch = sweep->launched < sweep->n && sweep->launches[sweep->launched] <= sweep->begins[sweep->begun];
  gint64 time_ns = is_launch ? sweep->launches[sweep->launched] : sweep->begins[sweep->begun];
  gint64 passed_ns = loom_time_sub (time_ns, sweep->time_ns);
  guint n = sweep->launched - sweep->begun;
  sweep->area += (__int128) passed_ns * n;
  if (passed_ns > 0)
    length->longest = MAX (length->longest, n);
  if (n > 0)
    length->queued_ns = loom_time_add (length->queued_ns, passed_ns);
  if (n >= LOOM_LAUNCH_QUEUE_FULL)
    length->full_ns = loom_time_add (length->full_ns, passed_ns);
  sweep->time_ns = time_ns;
  *(is_launch ? &sweep->launched : &sweep->begun) += 1;
}

LoomLaunchQueueLength
loom_launch_queue_get_length (LoomLaunchQueue *queue)
{
  LoomLaunchQueueLength length = { 0 };
  Sweep sweep = { .launches = sort (queue->launches), .begins = sort (queue->begins), .n = queue->launches->len };
  if (sweep.n == 0)
    return length;
  sweep.time_ns = sweep.launches[0];
  while (sweep.begun < sweep.n)
    step (&sweep, &length);
  gint64 all_ns = loom_time_sub (sweep.time_ns, sweep.launches[0]);
  length.mean = all_ns > 0 ? (double) sweep.area / (double) all_ns : 0;
  return length;
}
