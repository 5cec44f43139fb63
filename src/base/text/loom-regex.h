/* SPDX-License-Identifier: Apache-2.0
 *
 * Regular expressions that several threads may use at once. GLib finishes compiling an optimized expression during its
 * first match, without a lock; these functions therefore make one match before they return it.
 */
#pragma once

#include <glib.h>

/* Compiles an optimized expression. Returns NULL with G_REGEX_ERROR. */
GRegex *loom_regex_new (const char *pattern, GRegexCompileFlags flags, GError **error);

/* Returns the expression for a valid constant pattern; compiles it on the first call and never frees it. `kept` is a
 * static variable initialised to 0. Borrowed; any thread. */
const GRegex *loom_regex_get (gsize *kept, const char *pattern, GRegexCompileFlags flags);
