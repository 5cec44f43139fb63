/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Gives each distinct name of events a number; a name is the triple of text, category and colour
 * name. Finding the number of a known name costs one hash and one probe of the table. Name 0 is the triple of three
 * empty texts.
 */
#pragma once

#include "loom-string-pool.h"

typedef struct {
  const char *text, *category, *cname; /* stored in `texts` */
  guint32 text_length, category_length, cname_length;
  guint32 text_id, category_id; /* ids of text and category; equal texts have equal ids */
  guint32 hash;
} LoomNameEntry;

typedef struct {
  LoomStringPool *texts; /* owned; the texts, categories and colour names of all entries */
  GArray *entries;       /* LoomNameEntry elements, indexed by the number of the name */
  guint32 *slots;
  guint32 mask;
} LoomNameInterner;

void loom_name_interner_init (LoomNameInterner *names);
void loom_name_interner_clear (LoomNameInterner *names);

guint32 loom_name_interner_intern (LoomNameInterner *names, const char *text, gsize length, const char *category,
                                   gsize category_length, const char *cname, gsize cname_length);

static inline const LoomNameEntry *
loom_name_interner_get (const LoomNameInterner *names, guint32 id)
{
  return &g_array_index (names->entries, LoomNameEntry, id);
}
