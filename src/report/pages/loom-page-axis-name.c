/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-private.h"

#include <glib/gi18n.h>

const char *
loom_page_get_axis_name (LoomParallelAxis axis)
{
  switch (axis) {
  case LOOM_PARALLEL_AXIS_TENSOR: return C_ ("parallel axis", "tensor");
  case LOOM_PARALLEL_AXIS_CONTEXT: return C_ ("parallel axis", "context");
  case LOOM_PARALLEL_AXIS_EXPERT: return C_ ("parallel axis", "expert");
  case LOOM_PARALLEL_AXIS_DATA: return C_ ("parallel axis", "data");
  case LOOM_PARALLEL_AXIS_PIPELINE: return C_ ("parallel axis", "pipeline");
  case LOOM_PARALLEL_AXIS_WORLD: return C_ ("parallel axis", "all ranks");
  case LOOM_PARALLEL_AXIS_UNKNOWN:
  case LOOM_N_PARALLEL_AXES: break;
  }
  return C_ ("parallel axis", "unknown");
}
