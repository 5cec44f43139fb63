/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes how many floating-point operations a call of an operator of PyTorch performs, and how many bytes it reads
 * and writes at least. The inputs' shapes and types determine both. A multiplication and an addition count as two
 * operations. The bytes of each input and output count once, as if caches were perfect. Each line states the number of
 * operations and, after "bytes:", the number of bytes; b is the number of bytes of an element, Π the product of sizes.
 *
 *   mm [M,K]·[K,N]      2MNK; bytes: b(MK + KN + MN)
 *   addmm, linear       as mm; with a bias, MN operations more; bytes: as mm, and b · bias
 *   bmm, baddbmm        B times mm; bytes: B times mm
 *   grouped products    2MNK, where M is the number of tokens of all groups; bytes: b(MK + GKN + MN) for G groups
 *   convolution         2 · Π output · Π weight[1:]; transposed: 2 · Π input · Π weight[1:]; with a bias, Π output
 *                       operations more; bytes: b(input + weight + output + bias)
 *   convolution, backward pass
 *                       as many as the forward pass for the gradient of the input, and again for the gradient of the
 *                       weight, if these are computed; Π output for the gradient of the bias; bytes: b(output + input
 *                       + weight) for each of the first two gradients, b · output for the gradient of the bias
 *   attention           2·B·H·Nq·Nk·(d + dv); causal: only the visible pairs of query and key, which are half of all
 *                       pairs if Nq = Nk; bytes: b(q + k + v + output)
 *   attention, backward pass
 *                       5/2 times the forward pass for flash attention, which computes the scores again; else twice the
 *                       forward pass; bytes: b(2q + 2k + 2v + output)
 *   elementwise         one per element of the output; bytes: inputs as stored + output
 *   reduction           one per element of the input; bytes: input + output
 *
 * Sources: TraceLens (AMD-AGI, commit 171dd74721ca, TraceLens/PerfModel/perf_model.py), and the signatures of the
 * operators in PyTorch (aten/src/ATen/native/native_functions.yaml). The work is unknown for attention over several
 * sequences that are packed into one, because their lengths are not recorded, and for convolutions without a backward
 * pass in traces of versions of PyTorch that do not record strides ("Concrete Inputs"). Any thread.
 */
#pragma once

#include <glib.h>

#include "loom-float-type.h"

typedef enum {
  LOOM_OPERATOR_KIND_PRODUCT, /* matrix products */
  LOOM_OPERATOR_KIND_CONVOLUTION,
  LOOM_OPERATOR_KIND_ATTENTION,
  LOOM_OPERATOR_KIND_REDUCTION,
  LOOM_OPERATOR_KIND_ELEMENTWISE,
  LOOM_N_OPERATOR_KINDS,
} LoomOperatorKind;

/* A mask with a bit for each kind of operator that computes sums of products. Only with such operators can devices
 * reach their peak. */
#define LOOM_OPERATOR_MATRIX_KINDS \
  (1u << LOOM_OPERATOR_KIND_PRODUCT | 1u << LOOM_OPERATOR_KIND_CONVOLUTION | 1u << LOOM_OPERATOR_KIND_ATTENTION)

/* Returns the name of a kind for JSON and CSV output, such as "product". The names are not translated and never
 * change. */
const char *loom_operator_work_kind_to_string (LoomOperatorKind kind);

typedef struct {
  guint64 flop, bytes; /* flop: floating-point operations of one call; bytes: bytes that one call reads and writes */
  LoomFloatType type;  /* type of the numbers that are multiplied or added; determines the peak of the device */
} LoomOperatorWork;

typedef struct _LoomOperatorFormula LoomOperatorFormula;
struct _LoomOperatorInputs; /* defined in loom-operator-inputs.h */

/* Returns the formula of an operator, such as "aten::mm"; static. NULL: there is no formula for it. O(log formulas). */
const LoomOperatorFormula *loom_operator_work_find (const char *name);
LoomOperatorKind loom_operator_work_get_kind (const LoomOperatorFormula *formula);

/* Computes the work of a call. Appends to `shape` the sizes of those inputs that determine the work, such as "[141,
 * 512], [512, 512]"; for convolutions, also the size of the output. Returns FALSE if the inputs do not determine the
 * work, if they contradict each other, if the numbers are not floating-point numbers, or if a result exceeds 64
 * bits. */
gboolean loom_operator_work_compute (const LoomOperatorFormula *formula, const struct _LoomOperatorInputs *inputs,
                                     LoomOperatorWork *work, GString *shape);
