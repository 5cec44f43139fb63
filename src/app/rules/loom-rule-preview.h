/* SPDX-License-Identifier: Apache-2.0
 *
 * What rules that are being written would find in the run that is open: how often each fires, where, and what it looked at.
 * Evaluated by a worker; a newer question drops the one under way. Main thread.
 *
 * A finding, or an element of its explanation, that is activated is shown on the timeline of the run.
 *
 * Signals: "shows" before it shows something there; "previewed" when there is another answer, or none any more.
 */
#pragma once

#include "loom-finding-row.h"
#include "loom-run-state.h"

#define LOOM_TYPE_RULE_PREVIEW (loom_rule_preview_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulePreview, loom_rule_preview, LOOM, RULE_PREVIEW, GtkBox)

/* Sets the run on which the rules are tried, and clears the findings in the previous run. */
void loom_rule_preview_set_run (LoomRulePreview *self, LoomRunState *run, LoomRenderContext *scene);
/* Sets the rules, taking a reference; NULL while the text has an error: the last results stay, greyed. */
void loom_rule_preview_set_rules (LoomRulePreview *self, LoomCustomRules *rules);

gboolean loom_rule_preview_is_working (LoomRulePreview *self);
LoomFindings *loom_rule_preview_get_findings (LoomRulePreview *self); /* borrowed; NULL none */
/* The ranges in which the rules fire: LoomRange, ascending, not overlapping. Owned. */
GArray *loom_rule_preview_dup_places (LoomRulePreview *self);
