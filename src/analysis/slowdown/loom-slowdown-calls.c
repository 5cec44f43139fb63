/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-calls.h"

#include "loom-slowdown-joins.h"
#include "loom-time.h"

#define MOST_WAITS 3
/* Upper limit, in ns, of three members of LoomSlowdownCalls: least_launch_ns, least_gap_ns and least_return_ns. Each of
 * them is the shortest delay of its kind in the trace. If even the shortest delay exceeds this limit, it includes a
 * wait for something else; then the limit is used instead. */
#define MOST_LEAST_NS 50000

/* An operation for which a later operation may have waited. `before`: index of the earlier operation; `end_ns`: end of
 * the earlier operation; `least_ns`: minimum delay from `end_ns` to the start of the later operation. */
typedef struct {
  guint32 before;
  gint64 end_ns, least_ns;
} Wait;

void
loom_slowdown_calls_init (LoomSlowdownCalls *calls)
{
  *calls = (LoomSlowdownCalls) { .kernels = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownKernel)),
                                 .streams = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref),
                                 .events = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownCall)) };
}

void
loom_slowdown_calls_clear (LoomSlowdownCalls *calls)
{
  g_clear_pointer (&calls->kernels, g_array_unref);
  g_clear_pointer (&calls->streams, g_ptr_array_unref);
  g_clear_pointer (&calls->events, g_array_unref);
}

LoomSlowdownKernel *
loom_slowdown_calls_get_kernel (const LoomSlowdownCalls *calls, guint32 i)
{
  return &g_array_index (calls->kernels, LoomSlowdownKernel, i);
}

static void
take_least (gint64 *least_ns, gint64 time_ns)
{
  if (time_ns >= 0)
    *least_ns = MIN (*least_ns, time_ns);
}

static void
find_least (LoomSlowdownCalls *calls)
{
  calls->least_launch_ns = calls->least_gap_ns = calls->least_return_ns = MOST_LEAST_NS;
  for (guint k = 0; k < calls->streams->len; k++) {
    const GArray *stream = calls->streams->pdata[k];
    for (guint i = 0; i < stream->len; i++) {
      const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (calls, g_array_index (stream, guint32, i));
      if (kernel->launch_ns != LOOM_TIME_NONE)
        take_least (&calls->least_launch_ns, kernel->begin_ns - kernel->launch_ns);
      if (i > 0)
        take_least (&calls->least_gap_ns,
                    kernel->begin_ns -
                      loom_slowdown_calls_get_kernel (calls, g_array_index (stream, guint32, i - 1))->end_ns);
    }
  }
}

/* --- waits between calls and kernels ------------------------------------------------------------------------------ */

/* Adds the waits of an operation that starts at `begin_ns`. The wait with the largest end_ns + least_ns determined this
 * start, so its lag (LoomSlowdownWait.lag_ns) is `begin_ns` − end_ns. The lag of every other wait is the smaller of two
 * times: its least_ns, and `begin_ns` − its end_ns. */
static void
add_waits (LoomSlowdownReplay *replay, guint32 operation, gint64 begin_ns, const Wait *waits, guint n)
{
  guint binding = 0;
  for (guint i = 1; i < n; i++)
    if (waits[i].end_ns + waits[i].least_ns > waits[binding].end_ns + waits[binding].least_ns)
      binding = i;
  for (guint i = 0; i < n; i++) {
    gint64 delay_ns = loom_time_sub (begin_ns, waits[i].end_ns);
    loom_slowdown_replay_wait (replay, operation, waits[i].before,
                               i == binding ? delay_ns : MIN (delay_ns, waits[i].least_ns));
  }
}

static Wait
wait_for_kernel (const LoomSlowdownCalls *calls, guint32 kernel, gint64 least_ns)
{
  return (Wait) { calls->first_kernel + kernel, loom_slowdown_calls_get_kernel (calls, kernel)->end_ns, least_ns };
}

/* Returns the kernel on another stream for which `kernel` may have waited; LOOM_SLOWDOWN_NONE: there is none. On each
 * other stream, there is one candidate: the last kernel that ends before `kernel` starts. It counts only if it was not
 * launched after `kernel`, and ends at most LOOM_SLOWDOWN_AWAITED_NS before `kernel` starts. If several candidates
 * count, returns the one that ends last. `places`: array: [stream] number of kernels that end before `kernel` starts.
 * Each call updates `places`, so the function must be called for the kernels in the order of their starts. */
static guint32
find_awaited (const LoomSlowdownCalls *calls, const LoomSlowdownKernel *kernel, guint32 *places)
{
  guint32 found = LOOM_SLOWDOWN_NONE;
  for (guint i = 0; i < calls->streams->len; i++) {
    const GArray *stream = calls->streams->pdata[i];
    if (i == kernel->stream)
      continue;
    while (places[i] < stream->len &&
           loom_slowdown_calls_get_kernel (calls, g_array_index (stream, guint32, places[i]))->end_ns <=
             kernel->begin_ns + LOOM_SLOWDOWN_CLOCK_ERROR_NS)
      places[i]++;
    guint32 last = places[i] > 0 ? g_array_index (stream, guint32, places[i] - 1) : LOOM_SLOWDOWN_NONE;
    if (last == LOOM_SLOWDOWN_NONE || loom_slowdown_calls_get_kernel (calls, last)->launch_ns > kernel->launch_ns ||
        loom_slowdown_calls_get_kernel (calls, last)->begin_ns >= kernel->begin_ns ||
        kernel->begin_ns - loom_slowdown_calls_get_kernel (calls, last)->end_ns > LOOM_SLOWDOWN_AWAITED_NS)
      continue;
    if (found == LOOM_SLOWDOWN_NONE ||
        loom_slowdown_calls_get_kernel (calls, last)->end_ns > loom_slowdown_calls_get_kernel (calls, found)->end_ns)
      found = last;
  }
  return found;
}

static void
connect_kernels (const LoomSlowdownCalls *calls, LoomSlowdownReplay *replay)
{
  g_autofree guint32 *places = g_new0 (guint32, calls->streams->len + 1);
  g_autofree guint32 *last = g_new (guint32, calls->streams->len + 1);
  for (guint i = 0; i < calls->streams->len; i++)
    last[i] = LOOM_SLOWDOWN_NONE;
  for (guint32 i = 0; i < calls->kernels->len; i++) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (calls, i);
    guint32 awaited = find_awaited (calls, kernel, places);
    Wait waits[MOST_WAITS];
    guint n = 0;
    if (last[kernel->stream] != LOOM_SLOWDOWN_NONE)
      waits[n++] = wait_for_kernel (calls, last[kernel->stream], calls->least_gap_ns);
    if (awaited != LOOM_SLOWDOWN_NONE)
      waits[n++] = wait_for_kernel (calls, awaited, calls->least_gap_ns);
    if (kernel->call != LOOM_SLOWDOWN_NONE)
      waits[n++] = (Wait) { calls->first_event + kernel->call, kernel->launch_ns, calls->least_launch_ns };
    add_waits (replay, calls->first_kernel + i, kernel->begin_ns, waits, n);
    last[kernel->stream] = i;
  }
}

/* Returns the index of a kernel in `stream`: among the kernels that were launched before a call began and ended before
 * this call returned, the last one. LOOM_SLOWDOWN_NONE: there is no such kernel. `event`: the event for the return of
 * the call. */
static guint32
find_last_launched (const LoomSlowdownCalls *calls, const GArray *stream, const LoomSlowdownCall *event)
{
  guint low = 0, high = stream->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (loom_slowdown_calls_get_kernel (calls, g_array_index (stream, guint32, middle))->end_ns <=
        event->time_ns + LOOM_SLOWDOWN_CLOCK_ERROR_NS)
      low = middle + 1;
    else
      high = middle;
  }
  while (low > 0) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (calls, g_array_index (stream, guint32, low - 1));
    if (kernel->launch_ns <= event->since_ns)
      return g_array_index (stream, guint32, low - 1);
    low--;
  }
  return LOOM_SLOWDOWN_NONE;
}

/* Adds the waits of an operation that is the return of a call. The return waits for `before`, the previous event of the
 * host. If the call made a copy, the return also waits for the end of this copy. Otherwise, it also waits for the end
 * of a kernel: find_last_launched() returns one kernel for each stream, and the return waits for the one of them that
 * ended last. */
static void
connect_return (const LoomSlowdownCalls *calls, LoomSlowdownReplay *replay, guint32 operation,
                const LoomSlowdownCall *event, const Wait *before)
{
  guint32 found = event->kernel;
  for (guint i = 0; i < calls->streams->len && event->kernel == LOOM_SLOWDOWN_NONE; i++) {
    guint32 last = find_last_launched (calls, calls->streams->pdata[i], event);
    if (last != LOOM_SLOWDOWN_NONE &&
        (found == LOOM_SLOWDOWN_NONE ||
         loom_slowdown_calls_get_kernel (calls, last)->end_ns > loom_slowdown_calls_get_kernel (calls, found)->end_ns))
      found = last;
  }
  Wait waits[MOST_WAITS] = { *before };
  guint n = 1;
  if (found != LOOM_SLOWDOWN_NONE)
    waits[n++] = wait_for_kernel (calls, found, 0);
  add_waits (replay, operation, event->time_ns, waits, n);
}

static void
connect_events (const LoomSlowdownCalls *calls, LoomSlowdownReplay *replay)
{
  for (guint32 i = 1; i < calls->events->len; i++) {
    const LoomSlowdownCall *event = &g_array_index (calls->events, LoomSlowdownCall, i), *last = event - 1;
    guint32 operation = calls->first_event + i;
    const Wait before = { operation - 1, last->time_ns, 0 };
    if (event->type == LOOM_SLOWDOWN_CALL_RETURNS)
      connect_return (calls, replay, operation, event, &before);
    else /* a barrier ends when all members of its group have started, so the time inside the barrier is not a lag */
      loom_slowdown_replay_wait (replay, operation, before.before,
                                 event->type == LOOM_SLOWDOWN_BARRIER_ENDS ? 0 : event->time_ns - last->time_ns);
  }
}

void
loom_slowdown_calls_connect (LoomSlowdownCalls *calls, LoomSlowdownReplay *replay)
{
  find_least (calls);
  connect_kernels (calls, replay);
  connect_events (calls, replay);
}
