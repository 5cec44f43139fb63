/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the rules: one value of a whole node per snapshot, out of the samples of its devices.
 */
#pragma once

#include "loom-rule-private.h"

G_BEGIN_DECLS

typedef gboolean (*LoomSeriesFilter) (const LoomSampleSeries *series);

/* Per snapshot of the host in which a wanted series has a sample: the mean over the samples, or their sum; negative samples
 * count as 0 with `clamp`. Owned array of double; empty when no series is wanted. O(samples of the host). */
GArray *loom_rule_node_values (const LoomDataFrame *frame, guint32 host_id, LoomSeriesFilter filter, gboolean sum,
                               gboolean clamp);

G_END_DECLS
