/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flight-dump.h"

#include <stdlib.h>
#include <string.h>

LoomFlightDump *
loom_flight_dump_new (void)
{
  LoomFlightDump *self = g_new0 (LoomFlightDump, 1);
  self->rank = -1;
  self->version = self->nccl_version = "";
  self->groups = g_array_new (FALSE, FALSE, sizeof (LoomFlightGroup));
  self->entries = g_array_new (FALSE, FALSE, sizeof (LoomFlightEntry));
  self->texts = g_string_chunk_new (4096);
  self->members = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
loom_flight_dump_free (LoomFlightDump *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->groups);
  g_array_unref (self->entries);
  g_string_chunk_free (self->texts);
  g_ptr_array_unref (self->members);
  g_free (self);
}

const char *
loom_flight_dump_keep (LoomFlightDump *self, const char *text)
{
  return text != NULL && text[0] != '\0' ? g_string_chunk_insert_const (self->texts, text) : "";
}

static int
compare_ranks (const void *a, const void *b)
{
  gint first = *(const gint *) a, second = *(const gint *) b;
  return (first > second) - (first < second);
}

guint
loom_flight_dump_add_group (LoomFlightDump *self, const char *name, const char *purpose, const gint *ranks,
                            guint n_ranks)
{
  gint *copy = g_new (gint, n_ranks + 1);
  if (n_ranks > 0)
    memcpy (copy, ranks, n_ranks * sizeof (gint));
  qsort (copy, n_ranks, sizeof (gint), compare_ranks);
  g_ptr_array_add (self->members, copy);
  LoomFlightGroup group = { .name = loom_flight_dump_keep (self, name),
                            .purpose = loom_flight_dump_keep (self, purpose),
                            .ranks = copy,
                            .n_ranks = n_ranks,
                            .enqueued = LOOM_FLIGHT_UNKNOWN,
                            .completed = LOOM_FLIGHT_UNKNOWN };
  g_array_append_val (self->groups, group);
  return self->groups->len - 1;
}

guint
loom_flight_dump_find_group (const LoomFlightDump *self, const char *name)
{
  for (guint i = 0; i < self->groups->len; i++)
    if (strcmp (g_array_index (self->groups, LoomFlightGroup, i).name, name) == 0)
      return i;
  return G_MAXUINT;
}

gint64
loom_flight_dump_get_end (const LoomFlightDump *self)
{
  gint64 end_ns = 0;
  for (guint i = 0; i < self->entries->len; i++) {
    const LoomFlightEntry *entry = &g_array_index (self->entries, LoomFlightEntry, i);
    end_ns = MAX (end_ns, MAX (entry->created_ns, MAX (entry->started_ns, entry->completed_ns)));
  }
  return end_ns;
}
