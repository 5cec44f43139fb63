/* SPDX-License-Identifier: Apache-2.0
 *
 * A planned configuration as the text that would be written: which kind, the text, and ways to copy and save it. Main
 * thread.
 *
 * Signals: "kind-changed"; "saving" before a place is asked for; "saved" once the text is there.
 */
#pragma once

#include "loom-config-write.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_CONFIG_TEXT (loom_config_text_get_type ())
G_DECLARE_FINAL_TYPE (LoomConfigText, loom_config_text, LOOM, CONFIG_TEXT, GtkWidget)

GtkWidget *loom_config_text_new (void);

/* Prints the plan, keeping what `base` (may be NULL) has besides; nothing when the plan is refused. NULL, or why there is no text.
 * Owned. */
char *loom_config_text_show (LoomConfigText *text, const LoomConfigPlan *plan, const LoomConfig *base, gboolean refused);

LoomConfigKind loom_config_text_get_kind (LoomConfigText *text);
void loom_config_text_set_kind (LoomConfigText *text, LoomConfigKind kind);
/* What would be copied; owned. */
char *loom_config_text_dup (LoomConfigText *text);

/* Bound to the text: insensitive while there is none. For a header bar. */
GtkWidget *loom_config_text_new_copy_button (LoomConfigText *text);
GtkWidget *loom_config_text_new_save_button (LoomConfigText *text);
/* As the button does: asks for a place. Nothing while there is no text. */
void loom_config_text_save (LoomConfigText *text);
gboolean loom_config_text_has_text (LoomConfigText *text);
/* The name that is proposed, and the folder; NULL: by the kind, any. */
void loom_config_text_set_path (LoomConfigText *text, const char *path);

G_END_DECLS
