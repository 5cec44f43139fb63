/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rule files are evaluated with a run besides those that always are: chosen from a dialog or from the recent ones,
 * taken off the list again, opened in the editor. Main thread.
 *
 * Signal: "changed" when files were chosen or taken off by a person.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_RULES_BUTTON (loom_rules_button_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulesButton, loom_rules_button, LOOM, RULES_BUTTON, GtkWidget)

/* Absolute paths, NULL-terminated; borrowed, never NULL. Replacing copies; NULL: none. */
const char *const *loom_rules_button_get_files (LoomRulesButton *button);
void loom_rules_button_set_files (LoomRulesButton *button, const char *const *paths);

/* As if a person had chosen the file, or taken it off. */
void loom_rules_button_add (LoomRulesButton *button, const char *path);
void loom_rules_button_remove (LoomRulesButton *button, const char *path);

G_END_DECLS
