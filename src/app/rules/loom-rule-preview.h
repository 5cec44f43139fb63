/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that evaluates the rules of the rule editor on the open run, and lists how often and where each rule fires.
 * A worker evaluates the rules; a change of the rules or of the range cancels a running evaluation. While the preview
 * exists, the places where the rules fire are marked on the timeline of the run. Called on the main thread.
 *
 * Activating a finding, or an element of its explanation, shows it on the timeline of the run.
 *
 * Signal: "shows" before a finding or an element of its explanation is shown on the timeline.
 */
#pragma once

#include "loom-finding-row.h"
#include "loom-run-state.h"

#define LOOM_TYPE_RULE_PREVIEW (loom_rule_preview_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulePreview, loom_rule_preview, LOOM, RULE_PREVIEW, GtkBox)

/* Sets the run on which the rules are evaluated, and clears the findings for the previous run. */
void loom_rule_preview_set_run (LoomRulePreview *self, LoomRunState *run, LoomRenderContext *scene);
/* Sets the rules; takes a reference. NULL: the text has an error; the last results stay visible, in grey. */
void loom_rule_preview_set_rules (LoomRulePreview *self, GPtrArray *rules);

gboolean loom_rule_preview_is_working (LoomRulePreview *self);
LoomFindings *loom_rule_preview_get_findings (LoomRulePreview *self); /* returns a borrowed object; NULL: the rules were
                                                                       * not evaluated */
