/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of floating-point numbers for which devices have different speeds.
 */
#pragma once

/* Floating-point types by their size and precision; a device has a separate peak for each of them. LOOM_FLOAT_TYPE_16,
 * LOOM_FLOAT_TYPE_TF32 and LOOM_FLOAT_TYPE_NONE also state in which format a kernel multiplies float32; _NONE then
 * means that it uses no shorter format. Shorter formats have lower values, so MIN() of two values is the shorter
 * format. */
typedef enum {
  LOOM_FLOAT_TYPE_8,  /* 1 byte: float8_e4m3fn, float8_e5m2 and their variants */
  LOOM_FLOAT_TYPE_16, /* 2 bytes: float16 and bfloat16 */
  LOOM_FLOAT_TYPE_32,
  LOOM_FLOAT_TYPE_TF32, /* float32 that a kernel multiplies in a shorter format: TF32 of NVIDIA, XF32 of AMD */
  LOOM_FLOAT_TYPE_64,
  LOOM_N_FLOAT_TYPES,
  LOOM_FLOAT_TYPE_NONE = LOOM_N_FLOAT_TYPES, /* integers, booleans, complex numbers and unknown types */
} LoomFloatType;
