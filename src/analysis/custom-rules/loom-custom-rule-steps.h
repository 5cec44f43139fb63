/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules. Lists the time ranges of the training steps of each worker (rank), in one
 * pass over the rows of a LoomDataFrame, for custom rules whose windows are training steps. Immutable, any thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _LoomCustomRuleSteps LoomCustomRuleSteps;

/* Collects the steps that lie inside the range of the LoomDataFrame. If the user has chosen steps by number, steps that
 * are partly inside are clipped to the range. If numbers are computed as smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG),
 * collects all steps. Times are timeline ns. The result does not keep a reference to the LoomDataFrame. O(steps · log
 * steps). */
LoomCustomRuleSteps *loom_custom_rule_steps_new (const LoomDataFrame *frame);
void loom_custom_rule_steps_free (LoomCustomRuleSteps *self);

/* Returns the steps (LoomRange) of a worker or, if `worker` is G_MAXUINT32, of the worker that has the first step. The
 * steps are in order of time and do not overlap: a step that two sources record is returned only once. Borrowed; NULL:
 * the worker has no steps. */
const GArray *loom_custom_rule_steps_get (const LoomCustomRuleSteps *self, guint32 worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCustomRuleSteps, loom_custom_rule_steps_free)
