/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with the limits of a rule. Each limit is shown with the value of the run that the rule compared with it; the
 * values are updated after each evaluation. Called on the main thread.
 */
#pragma once

#include "loom-run-state.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_LIMITS_DIALOG (loom_rule_limits_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleLimitsDialog, loom_rule_limits_dialog, LOOM, RULE_LIMITS_DIALOG, AdwWindow)

/* Makes the window for a rule that was evaluated for the run. The caller presents it. Takes a reference to the run. */
GtkWindow *loom_rule_limits_dialog_new (GtkWindow *parent, LoomRunState *run, const LoomRuleResult *result);
