/* SPDX-License-Identifier: Apache-2.0
 *
 * A window for writing custom rules (rules that users define in JSON files). It edits the text of a rule file, marks
 * the line of an error, and previews the findings of the rules in the open run. New files can be based on an example.
 * Called on the main thread.
 *
 * Signals: "shows" before a finding is shown on the timeline of the run; "saved" (const char *path) when the file was
 * saved.
 */
#pragma once

#include "loom-rule-preview.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_EDITOR (loom_rule_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleEditor, loom_rule_editor, LOOM, RULE_EDITOR, AdwWindow)

/* Makes an editor for a new file, which contains one rule as an example. Show it with gtk_window_present(). */
LoomRuleEditor *loom_rule_editor_new (GtkWindow *parent, LoomRunState *run, LoomRenderContext *scene);

/* Sets the run on which the editor evaluates the rules to preview their findings. */
void loom_rule_editor_set_run (LoomRuleEditor *self, LoomRunState *run, LoomRenderContext *scene);

/* Opens the file, after asking about unsaved changes. */
void loom_rule_editor_open (LoomRuleEditor *self, const char *path);
/* Begins a new file with the text of the file at `path` or, if `path` is NULL, with one rule as an example. */
void loom_rule_editor_start_from (LoomRuleEditor *self, const char *path);
void loom_rule_editor_save (LoomRuleEditor *self, const char *path);

LoomRulePreview *loom_rule_editor_get_preview (LoomRuleEditor *self);
gboolean loom_rule_editor_is_busy (LoomRuleEditor *self); /* returns TRUE while a file is being read or written */
gboolean loom_rule_editor_is_changed (LoomRuleEditor *self);
