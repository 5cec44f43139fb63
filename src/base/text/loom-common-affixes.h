/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens long names for a narrow column: removes the prefix and the suffix that all names share, to keep the part
 * that differs. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  /* Lengths in bytes. `head`: length of the common prefix, up to and including its last word separator. `tail`: length
   * of the common suffix, from its first word separator on. */
  gsize head, tail;
} LoomCommonAffixes;

/* Finds the common prefix and the common suffix of the names. For a single name, both lengths are 0. */
LoomCommonAffixes loom_common_affixes_find (const char *const *names, guint n);

/* Returns `name` (UTF-8), shortened to at most `most_letters` characters. `ends` must have been computed for a list
 * that contains `name`. If the name is longer, the result contains the part that differs from the other names, and as
 * many whole words around this part as fit. An ellipsis replaces each removed part. Owned by the caller. */
char *loom_common_affixes_cut (LoomCommonAffixes ends, const char *name, glong most_letters);
