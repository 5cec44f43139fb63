/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens long names in a narrow column: the prefix and suffix that all names share are cut in favour of the part that
 * differs.
 */
#pragma once

#include <glib.h>

typedef struct {
  /* lengths in bytes: `head`: common prefix up to the last word separator; `tail`: common suffix from the first word
   * separator */
  gsize head, tail;
} LoomCommonAffixes;

/* Finds the common prefix and suffix of the names. For a single name both are 0. */
LoomCommonAffixes loom_common_affixes_find (const char *const *names, guint n);

/* Returns `name` (UTF-8) in at most `most_letters` characters. `name` must be one of the names for which `ends` was
 * computed. If it is too long, keeps the part that differs from the other names, and as many whole words around it as
 * there is room for; an ellipsis marks each cut. Owned by the caller. */
char *loom_common_affixes_cut (LoomCommonAffixes ends, const char *name, glong most_letters);
