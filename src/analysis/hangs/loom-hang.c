/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hang-private.h"

gboolean
loom_hang_is_recorded (const LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_run_get_source (run, i)->flight != NULL)
      return TRUE;
  return FALSE;
}

/* --- who waits for whom ------------------------------------------------------------------------------------------- */

/* Returns TRUE if a member has not called the collective with the number `sequence`. If the dump of the member's rank
 * does not state how many collectives were called, the member counts as having called none. Exception: if this dump is
 * incomplete, returns FALSE, because the missing part may contain the call. */
static gboolean
has_not_called (const LoomHang *self, const LoomHangMember *member, gint64 sequence)
{
  if (member->enqueued != LOOM_FLIGHT_UNKNOWN)
    return member->enqueued < sequence;
  return (loom_hang_rank (self, member->rank)->signs & LOOM_HANG_INCOMPLETE) == 0;
}

/* Returns TRUE if `member` waits for `other`, which is in the same group: `other` has not called the oldest open
 * collective of `member`. */
static gboolean
waits_for (const LoomHang *self, const LoomHangMember *member, const LoomHangMember *other)
{
  return member->oldest != NULL && member != other && has_not_called (self, other, member->oldest->sequence);
}

static void
sort_waits (LoomHang *self)
{
  guint n = 0;
  g_array_sort (self->waits, loom_hang_compare_waits);
  LoomHangWait *all = (LoomHangWait *) (gpointer) self->waits->data;
  for (guint i = 0; i < self->waits->len; i++)
    if (i == 0 || loom_hang_compare_waits (&all[i], &all[n - 1]) != 0)
      all[n++] = all[i];
  g_array_set_size (self->waits, n);
}

/* Adds a LoomHangWait for each member of the group that waits for `awaited`, and sets waits[rank] of these members. If
 * there are any, sets is_awaited[rank] of `awaited`. */
static void
mark_waits (LoomHang *self, const LoomHangGroup *group, const LoomHangMember *awaited, guint8 *waits,
            guint8 *is_awaited)
{
  for (guint i = group->first; i < group->first + group->n; i++) {
    const LoomHangMember *member = loom_hang_member (self, i);
    LoomHangWait wait = { member->rank, awaited->rank };
    if (!waits_for (self, member, awaited))
      continue;
    waits[member->rank] = is_awaited[awaited->rank] = TRUE;
    if (self->waits->len < LOOM_HANG_MAX_WAITS)
      g_array_append_val (self->waits, wait);
  }
}

/* Adds the waits between the members of a group: member a waits for member b if b has not called the oldest open
 * collective of a. If a member has called the oldest open collective of every other member, nobody waits for it, so it
 * is not examined as b. */
static void
look_at_group (LoomHang *self, const LoomHangGroup *group, guint8 *waits, guint8 *is_awaited)
{
  gint64 latest = G_MININT64;
  for (guint i = group->first; i < group->first + group->n; i++)
    if (loom_hang_member (self, i)->oldest != NULL)
      latest = MAX (latest, loom_hang_member (self, i)->oldest->sequence);
  for (guint i = group->first; i < group->first + group->n; i++) {
    const LoomHangMember *awaited = loom_hang_member (self, i);
    if (has_not_called (self, awaited, latest))
      mark_waits (self, group, awaited, waits, is_awaited);
  }
}

static void
look_at_progress (LoomHang *self, guint number)
{
  const LoomHangGroup *group = loom_hang_group (self, number);
  for (guint i = group->first; i < group->first + group->n; i++) {
    const LoomHangMember *member = loom_hang_member (self, i);
    LoomHangRank *rank = loom_hang_rank (self, member->rank);
    gint64 behind = member->enqueued != LOOM_FLIGHT_UNKNOWN ? group->enqueued - member->enqueued : 0;
    if (member->n_open > 0 && member->completed != LOOM_FLIGHT_UNKNOWN && member->completed < group->completed) {
      rank->signs |= LOOM_HANG_COMPLETES_LESS;
      rank->n_behind++;
    }
    if (rank->group == G_MAXUINT || behind > rank->behind) {
      rank->group = number;
      rank->behind = behind;
    }
  }
}

/* Adds a LoomHangStuck if the group has at least two members and all of them are in the same collective. */
static void
look_for_stuck (LoomHang *self, guint number)
{
  const LoomHangGroup *group = loom_hang_group (self, number);
  const LoomHangMember *first = loom_hang_member (self, group->first);
  if (group->n < 2)
    return;
  for (guint i = 0; i < group->n; i++)
    if (first[i].oldest == NULL || first[i].oldest->sequence != first->oldest->sequence)
      return;
  const LoomHangStuck stuck = { number, first->oldest };
  g_array_append_val (self->stuck, stuck);
}

/* --- ranks that are suspected to cause the hang ------------------------------------------------------------------- */

static int
compare_awaited (gconstpointer a, gconstpointer b)
{
  const LoomHangWait *first = a, *second = b;
  return (first->awaited > second->awaited) - (first->awaited < second->awaited);
}

/* Returns the index (in `by_awaited`) of the first wait for the rank `awaited`. `by_awaited`: LoomHangWait, sorted by
 * the awaited rank. */
static guint
find_first (const GArray *by_awaited, guint awaited)
{
  guint low = 0, high = by_awaited->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (by_awaited, LoomHangWait, middle).awaited < awaited)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the number of ranks that wait for a rank, directly or through other ranks. */
static guint
count_waiting (const LoomHang *self, const GArray *by_awaited, guint rank)
{
  g_autofree guint8 *is_seen = g_malloc0 (self->ranks->len);
  g_autofree guint *queue = g_new (guint, self->ranks->len);
  guint n = 1;
  queue[0] = rank;
  is_seen[rank] = TRUE;
  for (guint at = 0; at < n; at++) {
    const LoomHangWait *all = (const LoomHangWait *) (gconstpointer) by_awaited->data;
    for (guint i = find_first (by_awaited, queue[at]); i < by_awaited->len && all[i].awaited == queue[at]; i++)
      if (!is_seen[all[i].rank]) {
        is_seen[all[i].rank] = TRUE;
        queue[n++] = all[i].rank;
      }
  }
  return n - 1;
}

/* Sets is_suspect of the ranks. A rank without a complete dump is a suspect only if no other rank is a suspect, and if
 * most ranks have a dump. Otherwise it is not a suspect, because its dump may exist without being open in the
 * program. */
static void
choose_suspects (LoomHang *self)
{
  g_autoptr (GArray) by_awaited = g_array_copy (self->waits);
  gboolean any = FALSE;
  g_array_append_vals (by_awaited, self->message_waits->data, self->message_waits->len);
  g_array_sort (by_awaited, compare_awaited);
  for (guint i = 0; i < self->ranks->len; i++) {
    LoomHangRank *rank = loom_hang_rank (self, i);
    rank->is_suspect = (rank->signs & (LOOM_HANG_MISSING | LOOM_HANG_INCOMPLETE)) == 0 &&
                       (rank->signs & (LOOM_HANG_AWAITED | LOOM_HANG_COMPLETES_LESS)) != 0;
    any |= rank->is_suspect;
  }
  for (guint i = 0; i < self->ranks->len; i++) {
    LoomHangRank *rank = loom_hang_rank (self, i);
    rank->is_suspect |= !any && self->n_missing < self->n_dumps && (rank->signs & LOOM_HANG_AWAITED) != 0;
    self->n_suspects += rank->is_suspect;
    if (rank->is_suspect)
      rank->n_waiting = count_waiting (self, by_awaited, i);
  }
}

LoomHang *
loom_hang_new (LoomRun *run, GCancellable *cancellable)
{
  LoomHang *self = g_new0 (LoomHang, 1);
  self->run = loom_run_ref (run);
  self->ranks = g_array_new (FALSE, FALSE, sizeof (LoomHangRank));
  self->groups = g_array_new (FALSE, FALSE, sizeof (LoomHangGroup));
  self->members = g_array_new (FALSE, FALSE, sizeof (LoomHangMember));
  self->mismatches = g_array_new (FALSE, FALSE, sizeof (LoomHangMismatch));
  self->stuck = g_array_new (FALSE, FALSE, sizeof (LoomHangStuck));
  self->waits = g_array_new (FALSE, FALSE, sizeof (LoomHangWait));
  self->message_waits = g_array_new (FALSE, FALSE, sizeof (LoomHangWait));
  loom_hang_collect_groups (self);
  g_autofree guint8 *waits = g_malloc0 (self->ranks->len + 1), *is_awaited = g_malloc0 (self->ranks->len + 1);
  for (guint i = 0; i < self->groups->len && !g_cancellable_is_cancelled (cancellable); i++) {
    look_at_group (self, loom_hang_group (self, i), waits, is_awaited);
    look_at_progress (self, i);
    look_for_stuck (self, i);
  }
  for (guint i = 0; i < self->ranks->len; i++) {
    self->n_waiting += waits[i];
    loom_hang_rank (self, i)->signs |= is_awaited[i] && !waits[i] ? LOOM_HANG_AWAITED : 0;
  }
  sort_waits (self);
  loom_hang_find_message_waits (self);
  loom_hang_find_mismatches (self);
  choose_suspects (self);
  if (!g_cancellable_is_cancelled (cancellable))
    return self;
  loom_hang_free (self);
  return NULL;
}

void
loom_hang_free (LoomHang *self)
{
  loom_run_unref (self->run);
  g_array_unref (self->ranks);
  g_array_unref (self->groups);
  g_array_unref (self->members);
  g_array_unref (self->mismatches);
  g_array_unref (self->stuck);
  g_array_unref (self->waits);
  g_array_unref (self->message_waits);
  g_free (self);
}
