/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens texts for display: an ellipsis replaces the part that is cut.
 */
#pragma once

#include <glib.h>

/* Returns `text` (UTF-8) in at most `max_letters` characters. If it is longer, an ellipsis replaces its beginning. Used
 * for paths, because paths differ in their ends. Owned. */
char *loom_ellipsize_head (const char *text, glong max_letters);

/* Like loom_ellipsize_head(), but the ellipsis replaces the middle. Used for text that is not a path, and for messages
 * that quote long text. */
char *loom_ellipsize_middle (const char *text, glong max_letters);

/* Maximum size of a text that is laid out, in characters and lines: the time that GTK needs to wrap a word grows with
 * the square of its length. */
#define LOOM_SHOWN_LETTERS 1000 /* maximum number of characters of a line */
#define LOOM_SHOWN_LINES 200

/* Returns `text` (UTF-8) for display: an ellipsis replaces the middle of lines longer than LOOM_SHOWN_LETTERS, and of
 * texts with more than LOOM_SHOWN_LINES lines. O(bytes). Owned. */
char *loom_ellipsize_shown (const char *text);
/* Shortens `text` like loom_ellipsize_shown(), then escapes it for Pango markup. Owned. */
char *loom_ellipsize_markup (const char *text);
