/* SPDX-License-Identifier: Apache-2.0
 *
 * Long names in a narrow column: what all of them begin and end with gives way to what tells them apart.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize head, tail; /* bytes that all have in common, up to the last and from the first sign between words */
} LoomCommonAffixes;

/* Of one name nothing is shared. */
LoomCommonAffixes loom_common_affixes_find (const char *const *names, guint n);

/* One of the names (UTF-8): whole in so many letters or fewer, else its own part with as many whole words about it as there is room
 * for; what is missing is an ellipsis. Owned by the caller. */
char *loom_common_affixes_cut (LoomCommonAffixes ends, const char *name, glong most_letters);

G_END_DECLS
