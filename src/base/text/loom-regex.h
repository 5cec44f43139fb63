/* SPDX-License-Identifier: Apache-2.0
 *
 * Regular expressions that several threads may use at once. GLib finishes compiling an optimized expression during its
 * first match, without a lock; these functions therefore make one match before they return it.
 */
#pragma once

#include <glib.h>

/* Compiles an optimized expression. Returns NULL with G_REGEX_ERROR. */
GRegex *loom_regex_new (const char *pattern, GRegexCompileFlags flags, GError **error);

/* Returns the compiled expression for a constant pattern, which must be valid. The first call compiles the expression
 * and stores it in `kept`, a static variable initialised to 0; it is never freed. Borrowed; any thread. */
const GRegex *loom_regex_get (gsize *kept, const char *pattern, GRegexCompileFlags flags);
