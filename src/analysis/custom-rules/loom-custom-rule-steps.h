/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the room. The windows of steps of all workers, listed in one pass over the rows. Immutable, any thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _LoomCustomRuleSteps LoomCustomRuleSteps;

/* Collects the steps of the frame; times are timeline ns. The result does not refer to the frame. O(steps · log
 * steps). */
LoomCustomRuleSteps *loom_custom_rule_steps_new (const LoomDataFrame *frame);
void loom_custom_rule_steps_free (LoomCustomRuleSteps *self);

/* Returns the steps of a worker; G_MAXUINT32: those of the worker of the first step row. LoomRange in order of time,
 * without overlap, because a step that two sources record is one window. Borrowed; NULL: none. */
const GArray *loom_custom_rule_steps_get (const LoomCustomRuleSteps *self, guint32 worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCustomRuleSteps, loom_custom_rule_steps_free)
