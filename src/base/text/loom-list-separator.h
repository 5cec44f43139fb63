/* SPDX-License-Identifier: Apache-2.0
 *
 * Provides the separator between the items of a list in a sentence, such as ", ".
 */
#pragma once

#include <glib.h>

/* Returns the separator in the user's language, including its space. Static. Any thread. */
const char *loom_list_separator (void);
/* Returns a list of names for a sentence, of which it names the first `n_most`: "a, b and 5 more". `names`: char *, at
 * least one. Owned by the caller. Any thread. O(n_most). */
char *loom_list_separator_join (const GPtrArray *names, guint n_most);
/* Returns a complete list of names for a sentence: "a, b and c". `names`: char *, at least one. Owned by the caller. Any
 * thread. O(names). */
char *loom_list_separator_join_all (const GPtrArray *names);
/* Returns the result of loom_list_separator_join_all() or, if there are more than `n_most` names, of
 * loom_list_separator_join(). Owned by the caller. Any thread. */
char *loom_list_separator_join_most (const GPtrArray *names, guint n_most);
