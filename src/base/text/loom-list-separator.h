/* SPDX-License-Identifier: Apache-2.0
 *
 * The separator between the items of a list in a sentence, such as ", ", and functions to join names with it. Any
 * thread.
 */
#pragma once

#include <glib.h>

/* Returns the separator in the user's language, including a space if the language writes one. Static. */
const char *loom_list_separator (void);
/* Returns a list with the first `n_most` names for a sentence: "a, b and 5 more". `names` (char *): at least one.
 * Owned by the caller. O(n_most). */
char *loom_list_separator_join (const GPtrArray *names, guint n_most);
/* Returns a list with all names for a sentence: "a, b and c". `names` (char *): at least one. Owned by the caller.
 * O(names). */
char *loom_list_separator_join_all (const GPtrArray *names);
/* Returns a list of names for a sentence. If there are at most `n_most` names, the list contains all of them, as with
 * loom_list_separator_join_all(). If there are more, it contains the first `n_most` names, as with
 * loom_list_separator_join(). Owned by the caller. */
char *loom_list_separator_join_most (const GPtrArray *names, guint n_most);
