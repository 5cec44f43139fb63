/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes along which a job is split over ranks, such as tensor or pipeline parallelism. The ranks of a process group
 * differ along one axis. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_PARALLEL_AXIS_UNKNOWN,
  LOOM_PARALLEL_AXIS_WORLD, /* the group contains all ranks */
  LOOM_PARALLEL_AXIS_TENSOR,
  LOOM_PARALLEL_AXIS_CONTEXT,
  LOOM_PARALLEL_AXIS_EXPERT,
  LOOM_PARALLEL_AXIS_DATA,
  LOOM_PARALLEL_AXIS_PIPELINE,
  LOOM_N_PARALLEL_AXES,
} LoomParallelAxis;

/* Returns the name of an axis for JSON, untranslated: "unknown", "world", "tensor" … */
const char *loom_parallel_axis_to_string (LoomParallelAxis axis);

/* Returns the axis that the description of a process group states: names of Megatron ("TENSOR_MODEL_PARALLEL_GROUP"),
 * of PyTorch's device mesh ("mesh_tp", "dp_shard"), and "default_pg". Returns LOOM_PARALLEL_AXIS_UNKNOWN for other
 * texts, and for groups along two axes. `text` may contain any bytes. O(length). */
LoomParallelAxis loom_parallel_axis_from_text (const char *text, gsize length);
