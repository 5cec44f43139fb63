/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens the names of C++ functions, such as the names of CUDA kernels, which have long template arguments. Any
 * thread.
 */
#pragma once

#include <glib.h>

/* Returns the name of a function without its return type, namespaces (also those in template arguments) and
 * parameters: "vectorized_kernel<4, GeluFunctor>" for "void at::native::vectorized_kernel<4,
 * at::native::GeluFunctor>(int)". Other texts are returned unchanged. Different names may have the same short form.
 * O(bytes). Owned by the caller. */
char *loom_cxx_name_dup_short (const char *text);

/* Returns the short form of a name for a sentence, in at most `most` characters. If the short form is longer, its
 * template arguments are removed; if it is then still longer, an ellipsis replaces its middle. Owned by the caller. */
char *loom_cxx_name_dup_brief (const char *text, glong most);
