/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths where room is short: the end of a long one tells files apart.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `text` (UTF-8) in at most `max_letters` letters, a cut beginning said by an ellipsis; owned. */
char *loom_shorten_head (const char *text, glong max_letters);

G_END_DECLS
