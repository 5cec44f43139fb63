/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts where room is short. Of a path the end tells files apart.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `text` (UTF-8) in at most `max_letters` letters, a cut beginning said by an ellipsis; owned. */
char *loom_shorten_head (const char *text, glong max_letters);

/* The same with both ends kept: of a path that is none, and of a message that quotes something long. */
char *loom_shorten_middle (const char *text, glong max_letters);

G_END_DECLS
