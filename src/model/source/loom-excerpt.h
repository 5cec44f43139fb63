/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands at a place of a source's text, so that a person can see what was wrong there: a line or a part of one,
 * bounded, with everything that is no plain letter written out.
 */
#pragma once

#include "loom-byte-source.h"

G_BEGIN_DECLS

/* At most so many bytes of the source before and from the place. */
#define LOOM_EXCERPT_BEFORE 40
#define LOOM_EXCERPT_AFTER 100

/* One line of UTF-8. Control and invisible letters, bytes that are no UTF-8, and backslashes are written as \n, \t, \x1b,
 * \u200b, \xff and \\; an ellipsis stands where a line was cut. `at` (may be NULL) is where the place is in it, in bytes;
 * the length when the text ends there. NULL with `error` when the source cannot be read any more. Reading a compressed
 * source may unpack a piece of it: for a worker. */
char *loom_excerpt_read (LoomByteSource *text, guint64 offset, gsize *at, GError **error);

G_END_DECLS
