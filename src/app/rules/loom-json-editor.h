/* SPDX-License-Identifier: Apache-2.0
 *
 * A text to be written by hand: line numbers, the line that is wrong marked, and below what is wrong with it, which leads
 * there. Main thread.
 *
 * Signal: "edited" once a person has stopped typing for a moment; not for loom_json_editor_set_text().
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_JSON_EDITOR (loom_json_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomJsonEditor, loom_json_editor, LOOM, JSON_EDITOR, GtkBox)

/* Replaces the text and clears the undo history; the cursor is at the start. */
void loom_json_editor_set_text (LoomJsonEditor *self, const char *text);
char *loom_json_editor_dup_text (LoomJsonEditor *self); /* owned */
GtkTextView *loom_json_editor_get_view (LoomJsonEditor *self);

/* Shows a message below the text; `line`, from 1 on, is marked as wrong; 0: none. */
void loom_json_editor_show_problem (LoomJsonEditor *self, guint line, const char *message);
void loom_json_editor_show_good (LoomJsonEditor *self, const char *message);
