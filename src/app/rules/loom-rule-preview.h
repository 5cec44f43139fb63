/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that evaluates the rules of the rule editor on the open run. It lists how often and where each rule has
 * findings. A worker thread evaluates the rules; a change of the rules or of the range cancels a running evaluation. As
 * long as the preview exists, the places of the findings are marked on the timeline of the run. Called on the main
 * thread.
 *
 * Activating a finding or an element of its explanation shows it on the timeline of the run.
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
/* Sets the rules; takes a reference. NULL means that the text of the rules has an error; then the results of the
 * previous rules stay visible, but dimmed. */
void loom_rule_preview_set_rules (LoomRulePreview *self, GPtrArray *rules);

gboolean loom_rule_preview_is_working (LoomRulePreview *self);
/* returns a borrowed object; NULL if the rules have not been evaluated */
LoomFindings *loom_rule_preview_get_findings (LoomRulePreview *self);
