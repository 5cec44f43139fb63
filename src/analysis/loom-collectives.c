/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-collectives.h"

#include <string.h>

#include "loom-matching.h"

/* Between looks at the cancellable. */
#define CANCEL_EVERY 4096

struct _LoomCollectives {
  gatomicrefcount refs;
  LoomTimeline *timeline;
  GArray *all;        /* LoomCollective, by arrival */
  GArray *members;    /* LoomCollectiveMember */
  GArray *stragglers; /* LoomStraggler */
};

static const LoomMeeting *
meeting_of (const LoomCollectives *self, const LoomMatchMember *member)
{
  guint32 n;
  return &loom_trace_get_meetings (loom_run_get_trace (loom_timeline_get_run (self->timeline), member->trace), &n)[member->meeting];
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static LoomCollectiveMember
make_member (const LoomCollectives *self, const LoomMatchMember *match)
{
  const LoomMeeting *meeting = meeting_of (self, match);
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (self->timeline), match->clock)->map;
  return (LoomCollectiveMember) { match->rank, match->trace, meeting->track, match->clock,
                                  loom_clock_map_to_timeline (map, meeting->start_ns), loom_clock_map_to_timeline (map, meeting->end_ns), 0 };
}

static int
compare_arrivals (gconstpointer x, gconstpointer y)
{
  const LoomCollectiveMember *a = x, *b = y;
  if (a->arrival_ns != b->arrival_ns)
    return a->arrival_ns < b->arrival_ns ? -1 : 1;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int
compare_times (gconstpointer x, gconstpointer y)
{
  gint64 a = *(const gint64 *) x, b = *(const gint64 *) y;
  return a < b ? -1 : a > b;
}

static gint64
median_end (const LoomCollectiveMember *members, guint n)
{
  g_autofree gint64 *ends_ns = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    ends_ns[i] = members[i].end_ns;
  qsort (ends_ns, n, sizeof *ends_ns, compare_times);
  return n % 2 == 1 ? ends_ns[n / 2] : ends_ns[n / 2 - 1] + loom_time_sub (ends_ns[n / 2], ends_ns[n / 2 - 1]) / 2;
}

static void
add_collective (LoomCollectives *self, const LoomMatchMember *like, GArray *found)
{
  LoomCollectiveMember *members = (LoomCollectiveMember *) (gpointer) found->data;
  const LoomMeeting *meeting = meeting_of (self, like);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), like->trace);
  if (found->len < 2)
    return;
  qsort (members, found->len, sizeof *members, compare_arrivals);
  LoomCollective collective = { .name = loom_trace_get_meeting_text (trace, meeting->name), .group = loom_trace_get_meeting_text (trace, meeting->group),
                                .sequence = meeting->sequence, .first = self->members->len, .n = found->len,
                                .arrival_ns = members[found->len - 1].arrival_ns, .end_ns = median_end (members, found->len) };
  collective.transfer_ns = MAX (loom_time_sub (collective.end_ns, collective.arrival_ns), 0);
  collective.late_by_ns = loom_time_sub (collective.arrival_ns, members[found->len - 2].arrival_ns);
  for (guint i = 0; i < found->len; i++)
    members[i].wait_ns = loom_time_sub (collective.arrival_ns, members[i].arrival_ns);
  g_array_append_vals (self->members, members, found->len);
  g_array_append_val (self->all, collective);
}

/* Who was refused by the fit shares a name with the others, not a moment. */
static guint
run_of (const LoomCollectives *self, const LoomMatchMember *member)
{
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (self->timeline), member->clock);
  if (fit->component != LOOM_COMPONENT_NONE)
    return fit->component;
  return fit->verdict == LOOM_VERDICT_REFUSED ? G_MAXUINT - 1 - member->clock : LOOM_COMPONENT_NONE;
}

static gboolean
has_rank (const GArray *found, gint rank)
{
  for (guint i = 0; rank >= 0 && i < found->len; i++)
    if (g_array_index (found, LoomCollectiveMember, i).rank == rank)
      return TRUE;
  return FALSE;
}

/* The members of one match, run by run; a rank that stands there twice is of another run that nothing told apart. */
static void
add_match (LoomCollectives *self, const LoomMatchMember *members, guint n, GArray *found)
{
  g_autofree gboolean *done = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++) {
    gboolean doubled = FALSE;
    g_array_set_size (found, 0);
    for (guint j = i; j < n && !done[i]; j++) {
      if (done[j] || run_of (self, &members[j]) != run_of (self, &members[i]))
        continue;
      LoomCollectiveMember member = make_member (self, &members[j]);
      doubled |= has_rank (found, member.rank);
      g_array_append_val (found, member);
      done[j] = j > i;
    }
    if (!doubled)
      add_collective (self, &members[i], found);
  }
}

static int
compare_collectives (gconstpointer x, gconstpointer y)
{
  const LoomCollective *a = x, *b = y;
  if (a->arrival_ns != b->arrival_ns)
    return a->arrival_ns < b->arrival_ns ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

/* FALSE when cancelled. */
static gboolean
collect (LoomCollectives *self, GCancellable *cancellable)
{
  g_autoptr (LoomMatching) matching = loom_matching_new (loom_timeline_get_run (self->timeline));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMember));
  const LoomMatchMember *members = (const LoomMatchMember *) (gpointer) matching->members->data;
  for (guint i = 0; i < matching->matches->len; i++) {
    const LoomMatch *match = &g_array_index (matching->matches, LoomMatch, i);
    if (match->n > 1)
      add_match (self, members + match->first, match->n, found);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  g_array_sort (self->all, compare_collectives);
  return TRUE;
}

/* --- stragglers --------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomStraggler straggler;
  GArray *late_ns;      /* gint64 */
  GHashTable *before;   /* name → time in ns, as a pointer */
} Tally;

static void
free_tally (gpointer data)
{
  Tally *tally = data;
  g_array_unref (tally->late_ns);
  g_hash_table_unref (tally->before);
  g_free (tally);
}

static Tally *
tally_of (GHashTable *tallies, const LoomCollectiveMember *member)
{
  gint64 key = member->rank >= 0 ? member->rank : -1 - (gint64) member->trace;
  Tally *tally = g_hash_table_lookup (tallies, &key);
  if (tally != NULL)
    return tally;
  tally = g_new0 (Tally, 1);
  tally->straggler = (LoomStraggler) { .rank = member->rank, .trace = member->trace };
  tally->late_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  tally->before = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (tallies, g_memdup2 (&key, sizeof key), tally);
  return tally;
}

static void
add_overlap (Tally *tally, const char *name, gint64 ns)
{
  gint64 sum_ns = GPOINTER_TO_SIZE (g_hash_table_lookup (tally->before, name));
  g_hash_table_insert (tally->before, (gpointer) name, GSIZE_TO_POINTER (sum_ns + ns));
}

/* What a row did in a local range. */
static void
add_row (Tally *tally, const LoomTrace *trace, const LoomRow *row, LoomRange local)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 end = loom_row_lower_bound (trace, row, local.end_ns);
  for (guint32 i = loom_row_first_ending_after (trace, row, local.begin_ns); i < end; i++) {
    guint32 span = row->first + i;
    gint64 begin_ns = MAX (spans->start_ns[span], local.begin_ns);
    gint64 end_ns = MIN (loom_time_add (spans->start_ns[span], spans->dur_ns[span]), local.end_ns);
    if (end_ns > begin_ns)
      add_overlap (tally, loom_trace_get_name (trace, spans->name_id[span])->text, end_ns - begin_ns);
  }
}

/* What the devices of a late rank did while the others waited; outermost work only. */
static void
look_before (const LoomCollectives *self, Tally *tally, const LoomCollectiveMember *late, gint64 late_by_ns)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), late->trace);
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (self->timeline), late->clock)->map;
  LoomRange local = { loom_clock_map_to_local (map, loom_time_sub (late->arrival_ns, late_by_ns)), loom_clock_map_to_local (map, late->arrival_ns) };
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    gboolean is_own = track->rank == late->rank || track->rank < 0;
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & LOOM_TRACK_DEVICE) == 0 || (track->flags & LOOM_TRACK_DERIVED) != 0 || !is_own)
      continue;
    for (guint32 r = 0; r < track->n_rows; r++) {
      const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
      if (row->depth == 0)
        add_row (tally, trace, row, local);
    }
  }
}

static void
count_collective (const LoomCollectives *self, GHashTable *tallies, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (self, collective);
  const LoomCollectiveMember *last = &members[collective->n - 1];
  for (guint i = 0; i < collective->n; i++) {
    LoomStraggler *straggler = &tally_of (tallies, &members[i])->straggler;
    straggler->n++;
    straggler->wait_ns = loom_time_add (straggler->wait_ns, members[i].wait_ns);
  }
  if (collective->late_by_ns == 0)
    return; /* two were last */
  Tally *tally = tally_of (tallies, last);
  tally->straggler.n_last++;
  tally->straggler.late_ns = loom_time_add (tally->straggler.late_ns, collective->late_by_ns);
  g_array_append_val (tally->late_ns, collective->late_by_ns);
  look_before (self, tally, last, collective->late_by_ns);
}

/* Of equally long ones the first by name, so that two runs say the same. */
static void
finish_tally (Tally *tally)
{
  LoomStraggler *straggler = &tally->straggler;
  GHashTableIter iter;
  gpointer name, ns;
  g_array_sort (tally->late_ns, compare_times);
  if (tally->late_ns->len > 0) {
    straggler->late_median_ns = g_array_index (tally->late_ns, gint64, (tally->late_ns->len - 1) / 2);
    straggler->late_max_ns = g_array_index (tally->late_ns, gint64, tally->late_ns->len - 1);
  }
  g_hash_table_iter_init (&iter, tally->before);
  while (g_hash_table_iter_next (&iter, &name, &ns)) {
    gint64 sum_ns = GPOINTER_TO_SIZE (ns);
    if (sum_ns < straggler->before_ns || (sum_ns == straggler->before_ns && straggler->before != NULL && strcmp (name, straggler->before) > 0))
      continue;
    straggler->before_ns = sum_ns;
    straggler->before = name;
  }
}

static int
compare_stragglers (gconstpointer x, gconstpointer y)
{
  const LoomStraggler *a = x, *b = y;
  if (a->late_ns != b->late_ns)
    return a->late_ns > b->late_ns ? -1 : 1;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return a->trace < b->trace ? -1 : a->trace > b->trace;
}

static gboolean
find_stragglers (LoomCollectives *self, GCancellable *cancellable)
{
  g_autoptr (GHashTable) tallies = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_tally);
  GHashTableIter iter;
  gpointer tally;
  for (guint i = 0; i < self->all->len; i++) {
    count_collective (self, tallies, &g_array_index (self->all, LoomCollective, i));
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  g_hash_table_iter_init (&iter, tallies);
  while (g_hash_table_iter_next (&iter, NULL, &tally)) {
    finish_tally (tally);
    g_array_append_val (self->stragglers, ((Tally *) tally)->straggler);
  }
  g_array_sort (self->stragglers, compare_stragglers);
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

LoomCollectives *
loom_collectives_new (LoomTimeline *timeline, GCancellable *cancellable)
{
  LoomCollectives *self = g_new0 (LoomCollectives, 1);
  g_atomic_ref_count_init (&self->refs);
  self->timeline = loom_timeline_ref (timeline);
  self->all = g_array_new (FALSE, FALSE, sizeof (LoomCollective));
  self->members = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMember));
  self->stragglers = g_array_new (FALSE, FALSE, sizeof (LoomStraggler));
  if (!collect (self, cancellable) || !find_stragglers (self, cancellable))
    g_clear_pointer (&self, loom_collectives_unref);
  return self;
}

LoomCollectives *
loom_collectives_ref (LoomCollectives *collectives)
{
  g_atomic_ref_count_inc (&collectives->refs);
  return collectives;
}

void
loom_collectives_unref (LoomCollectives *collectives)
{
  if (collectives == NULL || !g_atomic_ref_count_dec (&collectives->refs))
    return;
  g_array_unref (collectives->all);
  g_array_unref (collectives->members);
  g_array_unref (collectives->stragglers);
  loom_timeline_unref (collectives->timeline);
  g_free (collectives);
}

const LoomCollective *
loom_collectives_get (const LoomCollectives *collectives, guint *n)
{
  *n = collectives->all->len;
  return (const LoomCollective *) (gpointer) collectives->all->data;
}

const LoomCollectiveMember *
loom_collectives_get_members (const LoomCollectives *collectives, const LoomCollective *collective)
{
  return &g_array_index (collectives->members, LoomCollectiveMember, collective->first);
}

const LoomStraggler *
loom_collectives_get_stragglers (const LoomCollectives *collectives, guint *n)
{
  *n = collectives->stragglers->len;
  return (const LoomStraggler *) (gpointer) collectives->stragglers->data;
}
