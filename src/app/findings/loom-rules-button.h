/* SPDX-License-Identifier: Apache-2.0
 *
 * A button whose popover lists the rule files that the user added to the run. The user can add files with a file dialog
 * or from a list of recent files, remove them, and open them in the rule editor. Called on the main thread.
 */
#pragma once

#include "loom-run-rules.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RULES_BUTTON (loom_rules_button_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulesButton, loom_rules_button, LOOM, RULES_BUTTON, GtkWidget)

/* Sets the rule files that the button shows and changes, and takes a reference. May be called only once. */
void loom_rules_button_set_rules (LoomRulesButton *self, LoomRunRules *rules);
