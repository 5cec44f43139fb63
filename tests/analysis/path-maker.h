/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds small runs for the tests of the critical path, and checks properties that every critical path must have, for
 * example that its segments have no gaps. Times in µs.
 */
#pragma once

#include "loom-critical-path.h"
#include "loom-path-replay.h"
#include "trace-maker.h"

#define US 1000
#define WHOLE maker_range (-1000 * US, 1000000 * US)

typedef struct {
  Maker maker;
  guint32 host, stream, other;
} Rank;

static inline Rank
make_rank (gint rank)
{
  const char *paths[] = { "a.json", "b.json" };
  Rank made = { .maker = maker_new (paths[rank], "kineto") };
  made.host = maker_thread (&made.maker, "python", rank, "1", 0);
  made.stream = maker_thread (&made.maker, "GPU 0", rank, "7", LOOM_TRACK_DEVICE);
  made.other = maker_thread (&made.maker, "GPU 0", rank, "20", LOOM_TRACK_DEVICE);
  return made;
}

/* Adds a kernel [begin, end) on `stream`, and the call [call, call_end) on the host that launches it. */
static inline void
add_kernel (Rank *rank, guint32 stream, const char *name, gint64 call, gint64 call_end, gint64 begin, gint64 end)
{
  static guint64 id = 100;
  maker_span (&rank->maker, rank->host, "cudaLaunchKernel", "cuda_runtime", call * US, (call_end - call) * US);
  maker_span (&rank->maker, stream, name, "kernel", begin * US, (end - begin) * US);
  maker_launch_flow (&rank->maker, rank->host, call * US, stream, begin * US, id++);
}

/* Makes a stream wait for an event of CUDA: adds the call at `record` that records the event, the call at `call` that
 * makes `stream` wait for it, and the wait, which names the stream on which the event was recorded. */
static inline void
add_stream_wait (Rank *rank, gint64 record, gint64 call, guint32 stream, gint64 awaited_stream)
{
  LoomSyncEvent events[] = {
    { .start_ns = MAKER_BEGIN + record * US, .kind = LOOM_SYNC_EVENT_DEVICE_CALL, .call = 51, .bytes = -1 },
    { .start_ns = MAKER_BEGIN + call * US, .kind = LOOM_SYNC_EVENT_DEVICE_CALL, .call = 52, .bytes = -1 },
    { .start_ns = MAKER_BEGIN + call * US,
      .kind = LOOM_SYNC_EVENT_DEVICE_WAIT,
      .call = 52,
      .sequence = 51,
      .bytes = awaited_stream },
  };
  const char *names[] = { "cudaEventRecord", "cudaStreamWaitEvent", "Stream Wait Event" };
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    loom_trace_builder_sync_event (rank->maker.builder, i < 2 ? rank->host : stream, &events[i], "", names[i]);
}

/* Adds a kernel of collective `number`, in which both ranks take part and whose group belongs to the parallel axis
 * `axis`. */
static inline void
add_collective_along (Rank *rank, LoomParallelAxis axis, gint64 number, gint64 call, gint64 begin, gint64 end)
{
  guint32 stream = rank->stream;
  guint64 n = loom_trace_builder_get_n_events (rank->maker.builder);
  add_kernel (rank, stream, "ncclDevKernel_AllReduce", call, call + 1, begin, end);
  LoomSyncEvent event = { .start_ns = MAKER_BEGIN + begin * US,
                          .end_ns = MAKER_BEGIN + end * US,
                          .sequence = number,
                          .axis = axis,
                          .kind = LOOM_SYNC_EVENT_COLLECTIVE };
  event.ref = loom_source_ref_make (0, 0, n + 1); /* add_kernel() adds the call first, so the kernel is the second event
   * that it adds */
  loom_trace_builder_sync_event (rank->maker.builder, stream, &event, axis == LOOM_PARALLEL_AXIS_DATA ? "1" : "0",
                                 "allreduce");
}

static inline void
add_collective (Rank *rank, gint64 call, gint64 begin, gint64 end)
{
  add_collective_along (rank, LOOM_PARALLEL_AXIS_UNKNOWN, 1, call, begin, end);
}

/* Checks the savings of each share: work that takes no time saves at most the time that it has on the path, because the
 * other work takes as long as before; work that is only faster saves at most as much as work that takes no time. */
static inline void
assert_savings (const GArray *shares)
{
  for (guint i = 0; i < shares->len; i++) {
    const LoomPathShare *share = &g_array_index (shares, LoomPathShare, i);
    g_assert_cmpint (share->saving_ns[LOOM_PATH_CHANGE_FREE], <=, share->path_ns);
    g_assert_cmpint (share->saving_ns[LOOM_PATH_CHANGE_FASTER], <=, share->saving_ns[LOOM_PATH_CHANGE_FREE]);
  }
}

static inline LoomCriticalPath *
compute (LoomTimeline *timeline, LoomRange range)
{
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomPathGraph) graph = loom_path_graph_new (timeline, range, collectives, steps, NULL);
  g_assert_cmpuint (loom_path_replay_count_wrong (graph), ==, 0);
  LoomCriticalPath *path = loom_critical_path_new (timeline, range, collectives, steps, NULL);
  gint64 sum_ns = 0, cursor_ns = path->range.begin_ns;
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++)
    sum_ns += path->kinds_ns[i];
  g_assert_cmpint (sum_ns, ==, loom_critical_path_get_length (path));
  for (guint i = 0; i < path->stretches->len; i++) { /* the segments of the path follow each other without gaps and
   * overlaps */
    const LoomPathStretch *stretch = &g_array_index (path->stretches, LoomPathStretch, i);
    g_assert_cmpint (stretch->range.begin_ns, ==, cursor_ns);
    cursor_ns = stretch->range.end_ns;
  }
  g_assert_cmpint (cursor_ns, ==, path->range.end_ns);
  for (guint i = 0; i < path->names->len; i++) { /* the time of each name is the sum of its segments */
    const LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    gint64 own_ns = 0;
    for (guint k = 0; k < path->stretches->len; k++) {
      const LoomPathStretch *stretch = &g_array_index (path->stretches, LoomPathStretch, k);
      g_assert_true (stretch->name != i || stretch->kind == name->kind);
      own_ns += stretch->name == i ? stretch->range.end_ns - stretch->range.begin_ns : 0;
    }
    g_assert_cmpint (own_ns, ==, name->path_ns);
  }
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++)
    g_assert_cmpint (path->kind_saving_ns[i][LOOM_PATH_CHANGE_FREE], <=, path->kinds_ns[i]);
  for (guint i = 0; i < path->names->len; i++) {
    const LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    g_assert_cmpint (name->saving_ns[LOOM_PATH_CHANGE_FREE], <=, name->path_ns);
  }
  assert_savings (path->axes);
  assert_savings (path->modules);
  return path;
}

static inline void
assert_kind (const LoomCriticalPath *path, LoomPathKind kind, gint64 wanted_us)
{
  g_assert_cmpint (path->kinds_ns[kind], ==, wanted_us * US);
}

static inline const LoomPathName *
find (const LoomCriticalPath *path, LoomPathKind kind, const char *name)
{
  for (guint i = 0; i < path->names->len; i++) {
    const LoomPathName *own = &g_array_index (path->names, LoomPathName, i);
    if (own->kind == kind && strcmp (own->name, name) == 0)
      return own;
  }
  return NULL;
}
