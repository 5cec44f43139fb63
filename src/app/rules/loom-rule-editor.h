/* SPDX-License-Identifier: Apache-2.0
 *
 * A window for writing custom rules, which are rules that users define in JSON files. The user edits the text of a rule
 * file; the window marks the line of an error, and previews the findings of the rules in the open run. A new file can
 * be based on an example. Called on the main thread.
 *
 * Signals: "shows" before a finding is shown on the timeline of the run; "saved" (const char *path) when the file was
 * saved.
 */
#pragma once

#include "loom-rule-preview.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_EDITOR (loom_rule_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleEditor, loom_rule_editor, LOOM, RULE_EDITOR, AdwWindow)

/* Makes an editor for a new file, which contains one rule as an example. Call gtk_window_present() to show it. */
LoomRuleEditor *loom_rule_editor_new (GtkWindow *parent, LoomRunState *run, LoomRenderContext *scene);

/* Sets the run for which the editor previews the findings of the rules. */
void loom_rule_editor_set_run (LoomRuleEditor *self, LoomRunState *run, LoomRenderContext *scene);

/* Opens a file. If the editor has unsaved changes, first asks the user what to do with them. */
void loom_rule_editor_open (LoomRuleEditor *self, const char *path);
/* Begins a new file. Its text is that of the file at `path` or, if `path` is NULL, one rule as an example. */
void loom_rule_editor_start_from (LoomRuleEditor *self, const char *path);
void loom_rule_editor_save (LoomRuleEditor *self, const char *path);

LoomRulePreview *loom_rule_editor_get_preview (LoomRuleEditor *self);
gboolean loom_rule_editor_is_busy (LoomRuleEditor *self); /* returns TRUE while a file is being read or written */
gboolean loom_rule_editor_is_changed (LoomRuleEditor *self);
