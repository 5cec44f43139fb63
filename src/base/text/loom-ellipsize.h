/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts where room is short. Of a path the end tells files apart.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `text` (UTF-8) in at most `max_letters` letters, a cut beginning said by an ellipsis; owned. */
char *loom_ellipsize_head (const char *text, glong max_letters);

/* The same with both ends kept: of a path that is none, and of a message that quotes something long. */
char *loom_ellipsize_middle (const char *text, glong max_letters);

/* At most so much of a text is laid out: GTK's time for a word that is wrapped grows with the square of its letters. */
#define LOOM_SHOWN_LETTERS 1000 /* of a line */
#define LOOM_SHOWN_LINES 200

/* `text` (UTF-8) as it is shown: lines and letters in the middle that are beyond the limits give way to an ellipsis. Takes time in
 * proportion to the bytes. Owned. */
char *loom_ellipsize_shown (const char *text);
/* `text` cut in the same way where it is longer than a line may be, then escaped for Pango markup. Owned. */
char *loom_ellipsize_markup (const char *text);

G_END_DECLS
