/* SPDX-License-Identifier: Apache-2.0
 *
 * Short labels for the names of GPU kernels that are C++ templates. Many kernels of PyTorch have the same function name
 * and differ only in the functor: a template argument that describes what is computed. Therefore, a label contains the
 * functor. For example, the following name has this label of at most 37 characters:
 *
 *   vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >(int, …)
 *   → "vectorized_elementwise_ker…AddFunctor"
 *
 * Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the functor of a kernel, without the functor's namespace and arguments. To find it, takes the first template
 * argument that contains a function or a template; the functor is the innermost function or template in this argument.
 * Returns NULL if there is none. O(bytes). Owned by the caller. */
char *loom_kernel_label_dup_functor (const char *name);

/* Returns "FUNCTION…FUNCTOR", in at most `most` characters; the name of the function is truncated. If `word` is
 * neither NULL nor the functor, the result is "FUNCTION…FUNCTOR, WORD". Returns NULL if the kernel has no functor,
 * or if fewer than 4 characters of the function would remain. O(bytes). Owned by the caller. */
char *loom_kernel_label_dup (const char *name, const char *word, glong most);

/* Finds a word that distinguishes `names[i]` from other names with the same label. Among these names, takes the one
 * that has the longest common beginning with `names[i]`. Returns the word of `names[i]` at the first difference between
 * the two names; NULL if no other name has the same label. `labels`: for each name, its label. O(bytes of the names
 * with the same label). Owned by the caller. */
char *loom_kernel_label_dup_difference (const char *const *names, const char *const *labels, guint n, guint i);
