/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the process groups of a job from the dumps of all flight recorders. All dumps are needed, because the dump
 * of a rank describes only the groups to which this rank belongs.
 */
#include "loom-hang-private.h"

#include "loom-time.h"

#include <string.h>

/* A group of ranks while groups are collected. Groups without open collectives are removed at the end. */
typedef struct {
  const char *purpose;
  /* LoomHangMember. Until all ranks are known, its `rank` is the number of the rank; afterwards, it is the index of the
   * rank in LoomHang.ranks. */
  GArray *members;
  gboolean is_open;
} Group;

typedef struct {
  LoomHang *hang;
  GHashTable *keys;  /* result of loom_hang_dup_group_key() → index in `groups`, plus 1 */
  GPtrArray *groups; /* Group *: the groups found so far */
  GHashTable *ranks; /* rank → index of the source with the rank's dump, plus 1; 0: the rank has no dump */
} Work;

static void
group_free (gpointer data)
{
  Group *group = data;
  g_array_unref (group->members);
  g_free (group);
}

/* --- dumps: the flight recorder files of the ranks ---------------------------------------------------------------- */

static const LoomFlightDump *
get_dump (const LoomHang *self, guint source)
{
  return loom_run_get_source (self->run, source)->flight;
}

/* Returns the rank of a source: the rank that the user has set, else the rank that the dump states. */
static gint
get_rank (const LoomHang *self, guint source)
{
  return loom_run_get_source (self->run, source)->rank;
}

static gint64
get_last_record (const LoomFlightDump *dump)
{
  return dump->entries->len > 0 ? g_array_index (dump->entries, LoomFlightEntry, dump->entries->len - 1).record : -1;
}

/* Returns TRUE if the dump `first` was written after the dump `second`. Both are dumps of one rank. */
static gboolean
is_newer (const LoomFlightDump *first, const LoomFlightDump *second)
{
  gint64 first_end = loom_flight_dump_get_end (first), second_end = loom_flight_dump_get_end (second);
  return first_end != second_end ? first_end > second_end : get_last_record (first) > get_last_record (second);
}

/* Chooses the newest dump of each rank. Ignores dumps whose rank is unknown. */
static void
choose_dumps (Work *work)
{
  LoomHang *self = work->hang;
  for (guint i = 0; i < loom_run_get_n_sources (self->run); i++) {
    const LoomFlightDump *dump = get_dump (self, i);
    gint rank = get_rank (self, i);
    if (dump == NULL || rank < 0)
      continue;
    guint other = GPOINTER_TO_UINT (g_hash_table_lookup (work->ranks, GINT_TO_POINTER (rank)));
    self->n_older += other > 0;
    self->n_dumps += other == 0;
    if (other == 0 || is_newer (dump, get_dump (self, other - 1)))
      g_hash_table_insert (work->ranks, GINT_TO_POINTER (rank), GUINT_TO_POINTER (i + 1));
  }
}

/* --- process groups and their collectives ------------------------------------------------------------------------- */

char *
loom_hang_dup_group_key (const LoomFlightGroup *group)
{
  GString *key = g_string_new (group->purpose);
  g_string_append_c (key, '\n');
  for (guint i = 0; i < group->n_ranks;
       /* digits are written without printf, which would be too slow: ten thousand dumps list ten thousand ranks each */
       i++) {
    char digits[24];
    gsize n = loom_time_write_int (group->ranks[i], digits);
    digits[n++] = ',';
    g_string_append_len (key, digits, (gssize) n);
  }
  if (group->n_ranks == 0)
    g_string_append (key, group->name);
  return g_string_free (key, FALSE);
}

static LoomHangMember *
find_member (Group *group, gint rank)
{
  for (guint i = 0; i < group->members->len; i++) {
    LoomHangMember *member = &g_array_index (group->members, LoomHangMember, i);
    if (member->rank == (guint) rank)
      return member;
  }
  return NULL;
}

static LoomHangMember *
add_member (Group *group, gint rank)
{
  LoomHangMember member = {
    .rank = (guint) rank, .number = G_MAXUINT, .enqueued = LOOM_FLIGHT_UNKNOWN, .completed = LOOM_FLIGHT_UNKNOWN
  };
  g_array_append_val (group->members, member);
  return &g_array_index (group->members, LoomHangMember, group->members->len - 1);
}

static Group *
intern_group (Work *work, const LoomFlightGroup *from)
{
  char *key = loom_hang_dup_group_key (from);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (work->keys, key));
  if (known > 0) {
    g_free (key);
    return work->groups->pdata[known - 1];
  }
  Group *group = g_new0 (Group, 1);
  group->purpose = from->purpose[0] != '\0' ? from->purpose : from->name;
  group->members = g_array_new (FALSE, FALSE, sizeof (LoomHangMember));
  for (guint i = 0; i < from->n_ranks; i++)
    if (i == 0 || from->ranks[i] != from->ranks[i - 1])
      add_member (group, from->ranks[i]);
  g_ptr_array_add (work->groups, group);
  g_hash_table_insert (work->keys, key, GUINT_TO_POINTER (work->groups->len));
  return group;
}

/* Returns TRUE if an entry is an open collective: its state is not "completed", and its sequence number is above that
 * of the group's last completed collective. */
static gboolean
is_open (const LoomFlightEntry *entry, const LoomHangMember *member)
{
  return !entry->is_message && entry->state != LOOM_FLIGHT_COMPLETED &&
         (member->completed == LOOM_FLIGHT_UNKNOWN || entry->sequence > member->completed);
}

static void
add_entries (const LoomFlightDump *dump, guint number, Group *group, LoomHangMember *member)
{
  for (guint i = 0; i < dump->entries->len; i++) {
    const LoomFlightEntry *entry = &g_array_index (dump->entries, LoomFlightEntry, i);
    if (entry->group != number || !is_open (entry, member))
      continue;
    member->n_open++;
    if (member->oldest == NULL || entry->record < member->oldest->record)
      member->oldest = entry;
    group->is_open = TRUE;
  }
}

static void
add_dump (Work *work, gint rank, const LoomFlightDump *dump)
{
  for (guint i = 0; i < dump->groups->len; i++) {
    const LoomFlightGroup *from = &g_array_index (dump->groups, LoomFlightGroup, i);
    Group *group = intern_group (work, from);
    LoomHangMember *member = find_member (group, rank);
    if (member == NULL)
      member = add_member (group, rank);
    member->number = i;
    member->enqueued = from->enqueued;
    member->completed = from->completed;
    add_entries (dump, i, group, member);
  }
}

/* --- ranks of the groups ------------------------------------------------------------------------------------------ */

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const LoomHangRank *first = a, *second = b;
  return (first->rank > second->rank) - (first->rank < second->rank);
}

static void
note_members (Work *work)
{
  for (guint i = 0; i < work->groups->len; i++) {
    const Group *group = work->groups->pdata[i];
    for (guint k = 0; k < group->members->len; k++) {
      gpointer rank = GINT_TO_POINTER ((gint) g_array_index (group->members, LoomHangMember, k).rank);
      if (!g_hash_table_contains (work->ranks, rank))
        g_hash_table_insert (work->ranks, rank, NULL);
    }
  }
}

/* Fills LoomHang.ranks, sorted by rank. Then changes the values of work->ranks: they were 1 + the index of a source,
 * and become indices in LoomHang.ranks. */
static void
list_ranks (Work *work)
{
  LoomHang *self = work->hang;
  GHashTableIter iter;
  gpointer rank, source;
  note_members (work);
  g_hash_table_iter_init (&iter, work->ranks);
  while (g_hash_table_iter_next (&iter, &rank, &source)) {
    LoomHangRank entry = { .rank = GPOINTER_TO_INT (rank),
                           .source = GPOINTER_TO_UINT (source) - 1,
                           .group = G_MAXUINT };
    if (source == NULL)
      entry.signs = LOOM_HANG_MISSING;
    else if (loom_run_get_source (self->run, entry.source)->incomplete)
      entry.signs = LOOM_HANG_INCOMPLETE;
    else if (get_dump (self, entry.source)->entries->len == 0)
      entry.signs = LOOM_HANG_SILENT;
    self->n_missing += source == NULL;
    self->n_incomplete += (entry.signs & LOOM_HANG_INCOMPLETE) != 0;
    g_array_append_val (self->ranks, entry);
  }
  g_array_sort (self->ranks, compare_ranks);
  for (guint i = 0; i < self->ranks->len; i++)
    g_hash_table_insert (work->ranks, GINT_TO_POINTER (loom_hang_rank (self, i)->rank), GUINT_TO_POINTER (i));
}

static void
take_group (Work *work, const Group *group)
{
  LoomHang *self = work->hang;
  LoomHangGroup entry = { group->purpose, self->members->len, group->members->len, LOOM_FLIGHT_UNKNOWN,
                          LOOM_FLIGHT_UNKNOWN };
  for (guint i = 0; i < group->members->len; i++) {
    LoomHangMember member = g_array_index (group->members, LoomHangMember, i);
    member.rank = GPOINTER_TO_UINT (g_hash_table_lookup (work->ranks, GUINT_TO_POINTER (member.rank)));
    entry.enqueued = MAX (entry.enqueued, member.enqueued);
    entry.completed = MAX (entry.completed, member.completed);
    loom_hang_rank (self, member.rank)->n_open += member.n_open;
    g_array_append_val (self->members, member);
  }
  g_array_append_val (self->groups, entry);
}

void
loom_hang_collect_groups (LoomHang *self)
{
  Work work = { .hang = self };
  work.keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  work.groups = g_ptr_array_new_with_free_func (group_free);
  work.ranks = g_hash_table_new (NULL, NULL);
  choose_dumps (&work);
  for (guint i = 0; i < loom_run_get_n_sources (self->run); i++)
    if (get_dump (self, i) != NULL && get_rank (self, i) >= 0 &&
        GPOINTER_TO_UINT (g_hash_table_lookup (work.ranks, GINT_TO_POINTER (get_rank (self, i)))) == i + 1)
      add_dump (&work, get_rank (self, i), get_dump (self, i));
  list_ranks (&work);
  for (guint i = 0; i < work.groups->len; i++)
    if (((const Group *) work.groups->pdata[i])->is_open)
      take_group (&work, work.groups->pdata[i]);
  g_hash_table_unref (work.keys);
  g_hash_table_unref (work.ranks);
  g_ptr_array_unref (work.groups);
}
