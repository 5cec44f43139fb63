/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: computes the work of matrix products of the backward pass whose shapes are not recorded. A
 * node of the backward pass has a sequence number: that of the operator of the forward pass whose gradient it computes.
 * If this operator is a product [M, K] · [K, N], both of its gradients are products with the same three sizes:
 *
 *   left   [M, N] · [N, K]
 *   right  [K, M] · [M, N]
 *
 * So each of them has as many operations (2MNK), and reads and writes as many bytes, as the product without its bias.
 */
#pragma once

#include <gio/gio.h>

#include "loom-work-reader.h"

/* Finds those matrix products of the backward pass that are in the range and have no element in `works`. Adds them to
 * `works` (LoomSpanShape, sorted by span; `shape` is an index in reader->works). Adds their work to reader->works, with
 * the shape of the product of the forward pass and " (gradient)". Products whose forward pass is before the range are
 * not added. `formulas`: [name id] formula of the operator; NULL: none. `wanted`: [name id] 1 if calls of this name are
 * read. FALSE only when cancelled. O(spans + flows between the passes); without flows, about 1 µs per operator in the
 * range (loom-backward-links.h). */
gboolean loom_work_forward_add (LoomWorkReader *reader, GArray *works, LoomTimeline *timeline, guint number,
                                LoomRange range, const LoomOperatorFormula *const *formulas, const guint8 *wanted,
                                GCancellable *cancellable);
