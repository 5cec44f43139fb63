/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: adds up the time on a critical path for each parallel axis and for each class of modules.
 * Also finds the work that belongs to each axis and class, because replays make this work faster to compute savings.
 * The work of an axis consists of the transfers of its collectives and messages. The work of a class of modules
 * ("Linear") is all work launched inside its modules and inside modules nested in them, and the time that the host
 * spends there (loom-path-modules.h).
 */
#pragma once

#include "loom-critical-path.h"
#include "loom-path-graph.h"
#include "loom-path-modules.h"

typedef struct {
  const LoomPathGraph *graph; /* borrowed */
  guint8 *axis_of_join;       /* [join: a collective or message] LoomParallelAxis of this join */
  /* [index in LoomPathItems.works] the modules around the call that launched this kernel or copy, as a node of
   * LoomPathModules.sets; NULL: no modules are recorded */
  guint32 *set_of_work;
  LoomPathModules modules;
  gint64 axes_ns[LOOM_N_PARALLEL_AXES];
  gboolean has_axis[LOOM_N_PARALLEL_AXES];
  GArray *sets_ns; /* gint64: [node of LoomPathModules.sets] time on the path */
  /* [node of LoomPathModules.sets] mask of the classes of modules of this node. Only the classes with the most time on
   * the path have a bit. NULL until loom_path_sets_choose() creates this array. */
  guint32 *bits;
} LoomPathSets;

/* Finds the parallel axis of each join (collective or message), and the modules of each kernel and copy. Returns FALSE
 * when cancelled; the sets must be cleared in any case. `collectives` may be NULL. O(joins + kernels · log m), where
 * m is the number of spans of modules. */
gboolean loom_path_sets_init (LoomPathSets *sets, const LoomPathGraph *graph, const LoomRunNames *names,
                              const LoomCollectives *collectives, GCancellable *cancellable);
void loom_path_sets_clear (LoomPathSets *sets);

/* The sums of time on the path that one thread computes. */
typedef struct {
  gint64 axes_ns[LOOM_N_PARALLEL_AXES];
  gint64 *sets_ns; /* [node of LoomPathModules.sets] time on the path */
} LoomPathSetTimes;

void loom_path_sets_init_times (const LoomPathSets *sets, LoomPathSetTimes *times);
/* Adds the sums of a thread to those of `sets`, and frees the members of `times`. */
void loom_path_sets_take_times (LoomPathSets *sets, LoomPathSetTimes *times);

/* The next two functions add time on the path to `times`. The first one adds it to the axis and the modules of a kernel
 * or copy; the second one adds it to the modules around a span of the host. Several threads may call them at the same
 * time, each with its own `times`. */
void loom_path_sets_add_work (const LoomPathSets *sets, LoomPathSetTimes *times, guint32 work, LoomPathKind kind,
                              gint64 path_ns);
void loom_path_sets_add_host (const LoomPathSets *sets, LoomPathSetTimes *times, LoomSpanId span, gint64 path_ns);

/* Fills path->axes and path->modules, without savings. Assigns a bit to each axis, and to the classes of modules with
 * the most time on the path. Call this once, after all time was added. Returns FALSE when cancelled. */
gboolean loom_path_sets_choose (LoomPathSets *sets, LoomCriticalPath *path, GCancellable *cancellable);

/* The next two functions return the bit of an axis, and the bit of the class of modules path->modules[module], where
 * `module` must be less than LOOM_CRITICAL_PATH_MOST_CHANGES. */
static inline guint32
loom_path_sets_get_axis_bit (LoomParallelAxis axis)
{
  return 1u << axis;
}

static inline guint32
loom_path_sets_get_module_bit (guint module)
{
  return 1u << (LOOM_N_PARALLEL_AXES + module);
}

static inline gboolean
loom_path_sets_has_module_bit (guint32 bits)
{
  return bits >> LOOM_N_PARALLEL_AXES != 0;
}

/* The next two functions return a mask of bits. For a kernel or copy, these are the bits of its axis and of its classes
 * of modules; for a span of the host, the bits of the classes of modules around the span. */
guint32 loom_path_sets_get_bits_of_work (const LoomPathSets *sets, guint32 work, LoomPathKind kind);
guint32 loom_path_sets_get_bits_of_host (const LoomPathSets *sets, LoomSpanId span);
