/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the times of operators on the host and on devices: by name, by name and shape of the inputs, and by module.
 * The definitions are those of PyTorch's plugin for TensorBoard (torch-tb-profiler, node.py and op_agg.py). Each line
 * states a member of LoomOperator, its name in TensorBoard, and its definition:
 *   calls           Calls: number of spans of the operator
 *   host_ns         Host Total Duration: duration of these spans
 *   host_self_ns    Host Self Duration: host_ns without nested operators and runtime calls
 *   device_ns       Device Total Duration: time of the kernels and copies launched inside these spans
 *   device_self_ns  Device Self Duration: like device_ns, but without kernels and copies launched in a nested operator
 * A kernel belongs to the operators around its launch, however late it runs.
 *
 * Differences from TensorBoard:
 *   recursion   TensorBoard counts the time of an operator twice if it is nested in an operator of the same name. Here,
 *               totals count only the outer operator.
 *   modules     TensorBoard adds the kernels of the backward pass to the modules of the forward pass. Here a module has
 *               the kernels launched inside its spans.
 *   range       Only the parts of spans and kernels inside the range are added. An operator that ended before the range
 *               has no calls in the range, but its kernels that run in the range count.
 * Times of operators in several threads, and of kernels on several streams, are added even if they run at the same
 * time. The sum of the device self times of all operators is the time of all kernels that have a launch, minus
 * LoomOperators.outside_ns.
 *
 * Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-recording-advice.h"
#include "loom-run-names.h"
#include "loom-timeline.h"

/* Maximum number of calls whose shapes are read. Each shape must be read from the file again, which is slow. */
#define LOOM_OPERATORS_MOST_SHAPES 200000
/* Maximum number of calls in LoomOperator.spans. */
#define LOOM_OPERATORS_MOST_SPANS 512

typedef struct {
  const char *name, *category; /* borrowed from the run */
  /* shapes of the inputs, such as "[2048, 2048], [2048, 6144]"; "": the row is for all shapes, or the shape is not
   * recorded */
  const char *shape;
  guint64 calls; /* number of calls that touch the range */
  gint64 host_ns, host_self_ns, device_ns, device_self_ns;
  /* number of kernels that touch the range and were launched by this operator itself and not by a nested one */
  guint64 n_kernels;
  /* mean duration of the calls, including their parts outside the range, rounded to ns; 0 if there are no calls */
  gint64 mean_ns;
  /* the longest call; if several are equally long, the first of them; LOOM_SPAN_ID_NONE: there are no calls */
  LoomSpanId longest;
  /* LoomSpanId: the first LOOM_OPERATORS_MOST_SPANS calls; set only in LoomOperators.shapes, else NULL */
  GArray *spans;
} LoomOperator;

typedef struct {
  GArray *names, *shapes, *modules; /* LoomOperator, sorted by device time, then by time of the host, longest first */
  guint64 n_kernels;                /* number of kernels and copies that touch the range */
  gint64 kernels_ns;
  guint64 n_unlinked; /* number of kernels and copies that touch the range and whose launch is not in the file */
  gint64 unlinked_ns;
  gint64 outside_ns; /* time of kernels and copies launched outside of all operators */
  guint64 n_calls;   /* number of calls of all operators */
  /* number of calls whose shapes were read; less than n_calls if there are too many calls */
  guint64 n_shapes_read;
  gboolean has_shapes;   /* TRUE if any call has recorded shapes */
  LoomRecorder recorder; /* the profiler that recorded the run */
  gboolean has_index;    /* TRUE if a source of the run is an index file, which does not contain operators */
  gboolean has_modules;  /* TRUE if the run has spans of modules */
  LoomStringPool *texts; /* private: owns the texts of shapes */
  LoomRunNames *joined;  /* private: reference to the names of the run */
} LoomOperators;

/* Adds up the times of the operators in the range. `names`: the names of the run; if NULL, this function lists them.
 * O(spans in the range + kernels · log kernels), plus the time to read the shapes; several traces are processed in
 * parallel. NULL only when cancelled. */
LoomOperators *loom_operators_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                   GCancellable *cancellable);
void loom_operators_free (LoomOperators *operators);

/* Returns TRUE if the run has spans of operators. O(names up to the first operator). */
gboolean loom_operators_are_recorded (LoomRun *run);

/* Returns TRUE if a span of this name is the forward pass of a module, which PyTorch's profiler records with its
 * options with_modules or with_stack. */
gboolean loom_operators_is_module (const char *text);
/* Returns the class of a module, such as "Linear" for "nn.Module: Linear_3". If `text` is not the name of a module, as
 * for "Optimizer.step#Adam.step", returns `text` without the number at its end, if it ends with a number. Owned by the
 * caller. */
char *loom_operators_dup_class (const char *text);
/* Returns TRUE if spans of this name on the host are operators. */
gboolean loom_operators_is_operator (const LoomName *name);

/* The next three functions return NULL if there are rows, else a translated sentence that states which data is missing
 * and how to record it. Static. */
const char *loom_operators_get_missing (const LoomOperators *operators);
const char *loom_operators_get_missing_shapes (const LoomOperators *operators);
const char *loom_operators_get_missing_modules (const LoomOperators *operators);
/* The next three functions return a translated text that states how to record the missing data; NULL: nothing is
 * missing, or recording would not help. Static. */
const char *loom_operators_get_advice (const LoomOperators *operators);
const char *loom_operators_get_advice_shapes (const LoomOperators *operators);
const char *loom_operators_get_advice_modules (const LoomOperators *operators);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomOperators, loom_operators_free)
