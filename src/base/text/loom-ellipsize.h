/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens texts for display: an ellipsis replaces the removed part. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns `text` (UTF-8), shortened to at most `max_letters` characters. An ellipsis replaces the beginning of a
 * longer text. Used for paths, because paths usually differ at their ends. Owned by the caller. */
char *loom_ellipsize_head (const char *text, glong max_letters);

/* Like loom_ellipsize_head(), but the ellipsis replaces the middle. Used for texts that are not paths, and for
 * messages that quote long texts. */
char *loom_ellipsize_middle (const char *text, glong max_letters);

/* Maximum size, in characters per line and in lines, of a text for display. It is limited because the time that GTK
 * needs to wrap a word grows with the square of the word's length. */
#define LOOM_SHOWN_LETTERS 1000 /* maximum number of characters of a line */
#define LOOM_SHOWN_LINES 200

/* Returns `text` (UTF-8) for display. An ellipsis replaces the middle of a line that is longer than
 * LOOM_SHOWN_LETTERS, and the middle of a text that has more than LOOM_SHOWN_LINES lines. O(bytes). Owned by the
 * caller. */
char *loom_ellipsize_shown (const char *text);
/* Shortens `text` like loom_ellipsize_shown(), and then escapes it for Pango markup. Owned by the caller. */
char *loom_ellipsize_markup (const char *text);
