/* SPDX-License-Identifier: Apache-2.0
 *
 * A window to write rules of one's own in: the JSON of a rule file, what is wrong with it in the line where it is, and what
 * the rules would find in the run that is open. New from nothing or from the examples; opened, saved, saved under another
 * name. Main thread.
 *
 * Signals: those of its preview; "saved" (const char *path).
 */
#pragma once

#include "loom-rule-preview.h"

#include <adwaita.h>

#define LOOM_TYPE_RULE_EDITOR (loom_rule_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomRuleEditor, loom_rule_editor, LOOM, RULE_EDITOR, AdwWindow)

/* Makes an editor with a first rule as an example. Show it with gtk_window_present(). */
LoomRuleEditor *loom_rule_editor_new (GtkWindow *parent, LoomRunState *run, LoomRenderContext *scene);

/* Opens the file, after asking about unsaved changes. */
void loom_rule_editor_open (LoomRuleEditor *self, const char *path);
/* Begins a new file with the text of the file at `path`; NULL: with a first rule as an example. */
void loom_rule_editor_start_from (LoomRuleEditor *self, const char *path);
void loom_rule_editor_save (LoomRuleEditor *self, const char *path);

LoomRulePreview *loom_rule_editor_get_preview (LoomRuleEditor *self);
gboolean loom_rule_editor_is_busy (LoomRuleEditor *self); /* a file is being read or written */
gboolean loom_rule_editor_is_changed (LoomRuleEditor *self);
