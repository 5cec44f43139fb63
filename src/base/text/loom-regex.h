/* SPDX-License-Identifier: Apache-2.0
 *
 * Regular expressions that several threads can use at the same time. GLib completes the compilation of an optimized
 * expression only during its first match, and without a lock. Therefore, these functions make a first match before they
 * return an expression.
 */
#pragma once

#include <glib.h>

/* Compiles an optimized expression. On failure, returns NULL and sets an error of the domain G_REGEX_ERROR. */
GRegex *loom_regex_new (const char *pattern, GRegexCompileFlags flags, GError **error);

/* Returns the compiled expression for a constant, valid pattern. The first call compiles the expression and stores
 * it in `kept`, which must be a static variable with the initial value 0. The expression is never freed. Borrowed;
 * any thread. */
const GRegex *loom_regex_get (gsize *kept, const char *pattern, GRegexCompileFlags flags);
