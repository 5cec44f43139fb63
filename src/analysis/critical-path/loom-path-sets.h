/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the time on a critical path by parallel axis and by class of modules, and the work that
 * belongs to each axis and class. To compute savings, replays make this work faster. The work of an axis is the
 * transfers of its collectives and messages. The work of a class of modules ("Linear") is all work launched inside its
 * modules and inside modules nested in them, and the time that the host spends there (loom-path-modules.h).
 */
#pragma once

#include "loom-critical-path.h"
#include "loom-path-graph.h"
#include "loom-path-modules.h"

typedef struct {
  const LoomPathGraph *graph; /* borrowed */
  guint8 *axis_of_join;       /* [join] LoomParallelAxis of the join */
  /* [index in LoomPathItems.works] node of LoomPathModules.sets: the modules around the call that launched the
   * kernel or copy; NULL: no modules are recorded */
  guint32 *set_of_work;
  LoomPathModules modules;
  gint64 axes_ns[LOOM_N_PARALLEL_AXES];
  gboolean has_axis[LOOM_N_PARALLEL_AXES];
  GArray *sets_ns; /* gint64: [node of LoomPathModules.sets] time on the path */
  /* [set] mask of the classes of modules in the set. Only the classes with most time on the path have a bit in the
   * mask. NULL until loom_path_sets_choose() makes this array. */
  guint32 *bits;
} LoomPathSets;

/* Finds the axis of each join, and the modules of each kernel and copy. Returns FALSE when cancelled; the sets must be
 * cleared in any case. `collectives` may be NULL. O(joins + kernels · log m) for m spans of modules. */
gboolean loom_path_sets_init (LoomPathSets *sets, const LoomPathGraph *graph, const LoomRunNames *names,
                              const LoomCollectives *collectives, GCancellable *cancellable);
void loom_path_sets_clear (LoomPathSets *sets);

/* Time on the path that one thread has added up. */
typedef struct {
  gint64 axes_ns[LOOM_N_PARALLEL_AXES];
  gint64 *sets_ns; /* [node of LoomPathModules.sets] */
} LoomPathSetTimes;

void loom_path_sets_init_times (const LoomPathSets *sets, LoomPathSetTimes *times);
/* Adds the times of a thread to those of the sets, and frees the members of `times`. */
void loom_path_sets_take_times (LoomPathSets *sets, LoomPathSetTimes *times);

/* The next two functions add time on the path. The first one adds it to the axis and the modules of a kernel or copy;
 * the second one adds it to the modules around a span of the host. Several threads may call them at the same time, each
 * with its own `times`. */
void loom_path_sets_add_work (const LoomPathSets *sets, LoomPathSetTimes *times, guint32 work, LoomPathKind kind,
                              gint64 path_ns);
void loom_path_sets_add_host (const LoomPathSets *sets, LoomPathSetTimes *times, LoomSpanId span, gint64 path_ns);

/* Fills path->axes and path->modules, without savings, and assigns a bit to each axis and to the classes of modules
 * with most time on the path. Call it once, after all time was added. Returns FALSE when cancelled. */
gboolean loom_path_sets_choose (LoomPathSets *sets, LoomCriticalPath *path, GCancellable *cancellable);

/* The next two functions return the bit of an axis, and the bit of the class of modules path->modules[module]; `module`
 * must be < LOOM_CRITICAL_PATH_MOST_CHANGES. */
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

/* The next two functions return a mask. The first one returns the bits of the axis and the modules to which a kernel or
 * copy belongs; the second one returns the bits of the modules around a span of the host. */
guint32 loom_path_sets_get_bits_of_work (const LoomPathSets *sets, guint32 work, LoomPathKind kind);
guint32 loom_path_sets_get_bits_of_host (const LoomPathSets *sets, LoomSpanId span);
