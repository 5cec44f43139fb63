/* SPDX-License-Identifier: Apache-2.0
 *
 * A window to write profiler configurations in: the fields of the SDK's classes, what the SDK refuses and what the reader in
 * the container makes of the rest, the text of every kind. A file that is there can be opened; what no field knows stays in
 * it. Main thread.
 */
#pragma once

#include "loom-config-form.h"
#include "loom-config-text.h"

G_BEGIN_DECLS

#define LOOM_TYPE_CONFIG_EDITOR (loom_config_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomConfigEditor, loom_config_editor, LOOM, CONFIG_EDITOR, AdwWindow)

/* With every default. Show it with gtk_window_present(). */
LoomConfigEditor *loom_config_editor_new (GtkWindow *parent);

/* Both without a question: what a person does instead, and closing, asks about what was changed and not saved. */
void loom_config_editor_open (LoomConfigEditor *editor, const char *path);
/* Instead of what is there; copied. */
void loom_config_editor_set_plan (LoomConfigEditor *editor, const LoomConfigPlan *plan);

LoomConfigForm *loom_config_editor_get_form (LoomConfigEditor *editor);
LoomConfigText *loom_config_editor_get_text (LoomConfigEditor *editor);
gboolean loom_config_editor_is_changed (LoomConfigEditor *editor);
gboolean loom_config_editor_is_busy (LoomConfigEditor *editor);

/* For tests: lines of what is said of the file as it was opened, of what would be written, and what that does. */
char *loom_config_editor_dup_opened (LoomConfigEditor *editor);
char *loom_config_editor_dup_notes (LoomConfigEditor *editor);
char *loom_config_editor_dup_effect (LoomConfigEditor *editor);

G_END_DECLS
