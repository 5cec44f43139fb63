/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds mismatches: collectives with equal group and sequence number that are not the same collective on all ranks.
 * This happens if the program calls collectives in different orders or with different sizes.
 */
#include "loom-hang-private.h"

#include <string.h>

typedef struct {
  gint64 sequence;
  guint rank;
  const LoomFlightEntry *entry;
} Call;

/* Returns TRUE for collectives to which all ranks must pass the same sizes. In other collectives, such as an
 * all_to_all, each rank may send a different number of bytes. */
static gboolean
has_equal_sizes (const char *name)
{
  static const char *const names[] = { "all_reduce",       "broadcast",      "all_gather",
                                       "_all_gather_base", "reduce_scatter", "_reduce_scatter_base" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
differ (const LoomFlightEntry *first, const LoomFlightEntry *second)
{
  if (strcmp (first->name, second->name) != 0)
    return TRUE;
  return has_equal_sizes (first->name) && strcmp (first->sizes, second->sizes) != 0;
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const Call *first = a, *second = b;
  if (first->sequence != second->sequence)
    return first->sequence < second->sequence ? -1 : 1;
  return (first->rank > second->rank) - (first->rank < second->rank);
}

static void
add_calls (const LoomHang *self, const LoomHangMember *member, GArray *calls)
{
  guint source = loom_hang_rank (self, member->rank)->source;
  const LoomFlightDump *dump = source != G_MAXUINT ? loom_run_get_source (self->run, source)->flight : NULL;
  for (guint i = 0; dump != NULL && i < dump->entries->len; i++) {
    const LoomFlightEntry *entry = &g_array_index (dump->entries, LoomFlightEntry, i);
    if (entry->is_message || entry->group == G_MAXUINT || entry->group != member->number)
      continue;
    Call call = { entry->sequence, member->rank, entry };
    g_array_append_val (calls, call);
  }
}

/* For each collective of the group, adds a LoomHangMismatch for the first rank whose call differs from that of the
 * lowest rank. */
static void
compare_group (LoomHang *self, guint number)
{
  const LoomHangGroup *group = loom_hang_group (self, number);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (Call));
  for (guint i = 0; i < group->n; i++)
    add_calls (self, loom_hang_member (self, group->first + i), calls);
  g_array_sort (calls, compare_calls);
  const Call *first = (const Call *) (gpointer) calls->data, *all = first;
  gboolean is_noted = FALSE;
  for (guint i = 1; i < calls->len && self->mismatches->len < LOOM_HANG_MAX_MISMATCHES; i++) {
    if (all[i].sequence != first->sequence) {
      first = &all[i];
      is_noted = FALSE;
    } else if (!is_noted && differ (first->entry, all[i].entry)) {
      LoomHangMismatch mismatch = {
        number, first->sequence, { first->rank, all[i].rank }, { first->entry, all[i].entry }
      };
      g_array_append_val (self->mismatches, mismatch);
      is_noted = TRUE;
    }
  }
}

void
loom_hang_find_mismatches (LoomHang *self)
{
  for (guint i = 0; i < self->groups->len; i++)
    compare_group (self, i);
}
