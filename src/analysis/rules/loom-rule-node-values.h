/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the rules. Reduces the samples of a node's devices to one value per snapshot.
 */
#pragma once

#include "loom-rule-private.h"

typedef gboolean (*LoomSeriesFilter) (const LoomSampleSeries *series);

/* For each snapshot of the host in which a wanted series has a sample: the mean or the sum over these samples; with
 * `clamp`, negative samples count as 0. Returns an array of double, owned by the caller; empty if no series is wanted.
 * O(samples of the host). */
GArray *loom_rule_node_values (const LoomDataFrame *frame, guint32 host_id, LoomSeriesFilter filter, gboolean sum,
                               gboolean clamp);
