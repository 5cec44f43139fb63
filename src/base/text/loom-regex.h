/* SPDX-License-Identifier: Apache-2.0
 *
 * Regular expressions that several threads match with at a time. GLib compiles an optimized one to the end in its first
 * match, without a lock, so there is one match before anybody else has it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Optimized; NULL with G_REGEX_ERROR. */
GRegex *loom_regex_new (const char *pattern, GRegexCompileFlags flags, GError **error);

/* Of a pattern that stands in the source and is good: made when it is first asked for, and kept for good. `kept`: a static 0.
 * Borrowed; any thread. */
const GRegex *loom_regex_get (gsize *kept, const char *pattern, GRegexCompileFlags flags);

G_END_DECLS
