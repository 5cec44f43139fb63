/* SPDX-License-Identifier: Apache-2.0
 *
 * The unpacked content of the compressed packets of a Perfetto trace that were used last. The interface is described in
 * loom-perfetto-unpacked.h.
 */
#include "loom-perfetto-unpacked.h"

#include <string.h>

#define MOST_BYTES (64u * 1024 * 1024)
#define MOST_PARTS 128

typedef struct {
  guint64 n_bytes;
  GByteArray *content; /* NULL: loom_perfetto_unpacked_get() was not called for the part yet */
  guint part;
} Entry;

struct _LoomPerfettoUnpacked {
  Entry entries[MOST_PARTS]; /* sorted by the time of their last use, the most recent one first */
  guint n;
  guint64 n_bytes;
};

LoomPerfettoUnpacked *
loom_perfetto_unpacked_new (void)
{
  return g_new0 (LoomPerfettoUnpacked, 1);
}

static void
remove_entry (LoomPerfettoUnpacked *self, guint number)
{
  Entry *entry = &self->entries[number];
  self->n_bytes -= entry->n_bytes;
  g_clear_pointer (&entry->content, g_byte_array_unref);
  memmove (entry, entry + 1, (--self->n - number) * sizeof *entry);
}

void
loom_perfetto_unpacked_free (LoomPerfettoUnpacked *self)
{
  if (self == NULL)
    return;
  while (self->n > 0)
    remove_entry (self, self->n - 1);
  g_free (self);
}

/* Returns the index of the entry of a part; `self->n` if there is none. */
static guint
find_entry (const LoomPerfettoUnpacked *self, guint part)
{
  guint number = 0;
  while (number < self->n && self->entries[number].part != part)
    number++;
  return number;
}

gboolean
loom_perfetto_unpacked_has (const LoomPerfettoUnpacked *self, guint part)
{
  return find_entry (self, part) < self->n;
}

gboolean
loom_perfetto_unpacked_use (LoomPerfettoUnpacked *self, guint part, guint64 n_bytes)
{
  Entry entry = { .n_bytes = n_bytes, .part = part };
  guint number = find_entry (self, part);
  gboolean is_known = number < self->n;
  if (is_known) {
    entry = self->entries[number];
  } else {
    while (self->n > 0 && (self->n == MOST_PARTS || self->n_bytes + n_bytes > MOST_BYTES))
      remove_entry (self, self->n - 1);
    number = self->n++;
    self->n_bytes += n_bytes;
  }
  memmove (&self->entries[1], self->entries, number * sizeof entry);
  self->entries[0] = entry;
  return is_known;
}

GByteArray *
loom_perfetto_unpacked_get (LoomPerfettoUnpacked *self)
{
  Entry *entry = &self->entries[0];
  if (entry->content == NULL)
    entry->content = g_byte_array_new ();
  return entry->content;
}

void
loom_perfetto_unpacked_forget (LoomPerfettoUnpacked *self)
{
  remove_entry (self, 0);
}
