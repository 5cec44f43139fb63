/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the number format in which a kernel multiplies matrices, according to its name. Operators record only the types
 * of their inputs, but a product of float32 may be computed in a shorter format, which is many times as fast. Any
 * thread.
 */
#pragma once

#include "loom-float-type.h"

/* Returns LOOM_FLOAT_TYPE_16 or LOOM_FLOAT_TYPE_TF32 (also for XF32 of AMD); LOOM_FLOAT_TYPE_NONE if the name states
 * none of these formats. O(length of the name). */
LoomFloatType loom_kernel_format_find (const char *name);
