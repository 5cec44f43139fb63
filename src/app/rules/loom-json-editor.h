/* SPDX-License-Identifier: Apache-2.0
 *
 * An editor for JSON or another language, with line numbers and highlighting. It marks the line of an error and shows a
 * message below the text; a click on the message moves the cursor to the error. Called on the main thread.
 *
 * Property: "language", the id of the language in GtkSourceView, initially "json".
 *
 * Signal: "edited" 300 ms after the user stopped typing, but not when the program sets the text.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_JSON_EDITOR (loom_json_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomJsonEditor, loom_json_editor, LOOM, JSON_EDITOR, GtkBox)

/* Replaces the text and clears the undo history; the cursor is at the start. */
void loom_json_editor_set_text (LoomJsonEditor *self, const char *text);
/* Replaces the text. The user can undo this in one step. */
void loom_json_editor_replace_text (LoomJsonEditor *self, const char *text);
char *loom_json_editor_dup_text (LoomJsonEditor *self); /* returns a text owned by the caller */
GtkTextView *loom_json_editor_get_view (LoomJsonEditor *self);

/* Shows a message about an error below the text, and marks a line. `line`: number of the line, counted from 1; 0 to
 * mark no line. */
void loom_json_editor_show_problem (LoomJsonEditor *self, guint line, const char *message);
/* Shows a message about an error at an offset in the text. Marks the line, and underlines the word at the offset.
 * `byte`: the offset in bytes; −1 if the offset is unknown; then only the message is shown. */
void loom_json_editor_show_problem_at (LoomJsonEditor *self, gint64 byte, const char *message);
/* Shows a message that is not an error; "" hides the message. */
void loom_json_editor_show_good (LoomJsonEditor *self, const char *message);
