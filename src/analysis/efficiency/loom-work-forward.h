/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the work of matrix products of the backward pass whose shapes are not recorded. A node of
 * the backward pass has the sequence number of the operator of the forward pass whose gradient it computes. If that
 * operator is a product [M, K] · [K, N], both of its gradients are products of the same three sizes:
 *
 *   left   [M, N] · [N, K]
 *   right  [K, M] · [M, N]
 *
 * so each of them has as many operations (2MNK), and reads and writes as many bytes, as the product without its bias.
 */
#pragma once

#include <gio/gio.h>

#include "loom-work-reader.h"

/* Adds to `works` (LoomSpanShape, sorted by span; the `shape` is an index in reader->works) the calls in nodes of the
 * backward pass that have no element in it, and to reader->works their works, with the shape of the product of the
 * forward pass and " (gradient)". `formulas`: [name id] formula of the operator, NULL: none; `wanted`: [name id] 1 if
 * calls of this name are read. Calls whose product is before the range are not added. FALSE only when cancelled.
 * O(spans + flows between the passes); without flows, about 1 µs per operator in the range (loom-backward-links.h). */
gboolean loom_work_forward_add (LoomWorkReader *reader, GArray *works, LoomTimeline *timeline, guint number,
                                LoomRange range, const LoomOperatorFormula *const *formulas, const guint8 *wanted,
                                GCancellable *cancellable);
