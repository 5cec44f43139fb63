/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: hash tables whose keys are numbers from a Perfetto trace. The author of a hostile file could
 * choose such numbers so that their hashes are equal, if the hash function were known; a table would then take
 * quadratic time. Therefore the hashes depend on a random number of this process. The order of iteration is random,
 * too, so these tables must not be iterated. Keys are compared as a whole, so different keys are never confused.
 */
#pragma once

#include <glib.h>

/* Returns a table without entries. `free_value`: frees a value; NULL: values are not freed. */
GHashTable *loom_perfetto_ids_new (GDestroyNotify free_value);

/* Returns the value for a key of three numbers; NULL if there is none. Keys with fewer numbers use 0 for the others. */
gpointer loom_perfetto_ids_find (GHashTable *ids, guint64 a, guint64 b, guint64 c);
/* Sets the value for a key. Frees the earlier value. */
void loom_perfetto_ids_insert (GHashTable *ids, guint64 a, guint64 b, guint64 c, gpointer value);

/* Returns a table whose keys are texts, which the table owns. Values are not freed. */
GHashTable *loom_perfetto_ids_new_by_text (void);
