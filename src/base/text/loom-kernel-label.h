/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels for the names of kernels that are C++ templates. Many kernels of PyTorch have the same name and differ only in
 * the functor, the template argument that says what is computed. The label of such a name, in at most 37 characters:
 *
 *   vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >(int, …)
 *   → "vectorized_elementwise_ker…AddFunctor"
 *
 * Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the name of the functor of a kernel without its namespace and arguments: the innermost function or template
 * in the first template argument that contains one. NULL if there is none. O(bytes). Owned by the caller. */
char *loom_kernel_label_dup_functor (const char *name);

/* Returns "FUNCTION…FUNCTOR", or "FUNCTION…FUNCTOR, WORD" if `word` is neither NULL nor the functor, in at most `most`
 * characters; the name of the function is cut. NULL: the kernel has no functor, or less than 4 characters of the function would be
 * left. O(bytes). Owned by the caller. */
char *loom_kernel_label_dup (const char *name, const char *word, glong most);

/* Returns the word in which `names[i]` differs from that of the other names with the same label with which it shares
 * the longest beginning; NULL: no other name has the same label. `labels`: the label of each name. O(bytes of the names
 * with the same label). Owned by the caller. */
char *loom_kernel_label_dup_difference (const char *const *names, const char *const *labels, guint n, guint i);
