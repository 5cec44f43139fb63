/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the user the text of a source at the place of a problem: a line or a part of a line, of limited length, in
 * which all characters except plain ones are escaped.
 */
#pragma once

#include "loom-byte-source.h"

/* Maximum numbers of bytes of an excerpt: before the place of the problem (BEFORE), and from this place on (AFTER). */
#define LOOM_EXCERPT_BEFORE 40
#define LOOM_EXCERPT_AFTER 100

/* Returns the text around a place in the source, as one line of UTF-8. Control and invisible characters, bytes that are
 * not UTF-8, and backslashes are written as \n, \t, \x1b, \u200b, \xff and \\; an ellipsis marks where the line was
 * cut. `at` (may be NULL) receives the byte index of the place in the result; if the text ends at the place, this is
 * the length of the result. Returns NULL with `error` if the source can no longer be read. May unpack a part of a
 * compressed source, so it should be called on a worker thread. */
char *loom_excerpt_read (LoomByteSource *text, guint64 offset, gsize *at, GError **error);
