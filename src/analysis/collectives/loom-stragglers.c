/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-stragglers.h"

#include <math.h>

#include "loom-statistics.h"
#include "loom-straggler-work.h"
#include "loom-wait-attribution.h"
#include "loom-work-kind.h"

/* Number of collectives processed between two checks of the cancellable. */
#define CANCEL_EVERY 1024

/* Two shares. If the extra time of the devices is below this share of how far a rank was behind, the devices don't
 * explain its lateness. A member that is less than this share as far behind as the last member was not late together
 * with it. */
#define MOSTLY 0.5

struct _LoomStragglers {
  LoomCollectives *collectives;
  GArray *all; /* LoomStraggler */
  gint64 wait_ns, transfer_ns;
  guint n_traces;
  guint8 **works[2]; /* [on host][trace]: loom_work_kind_of_names(); NULL until needed */
};

typedef struct {
  LoomStraggler straggler;
  GArray *late_ns;            /* gint64 */
  double others_ns, worst_ns; /* others' waits for this rank: total, and the most in one collective */
  gboolean looked_at;
  gint64 behind_ns; /* sum over the collectives for which earlier work was compared */
  LoomNameTimes *on_device, *on_host;
  gint64 last_end_ns; /* end of the rank's previous collective; LOOM_TIME_NONE: none yet */
  /* Sums for the correlation; x: how long `before` ran, y: how far the rank was behind, in s. */
  double n, x, y, xx, yy, xy;
} Tally;

static void
free_tally (gpointer data)
{
  Tally *tally = data;
  g_array_unref (tally->late_ns);
  g_hash_table_unref (tally->on_device);
  g_hash_table_unref (tally->on_host);
  g_free (tally);
}

static gint64
key_of (const LoomCollectiveMember *member)
{
  return member->rank >= 0 ? member->rank : -1 - (gint64) member->trace;
}

static Tally *
tally_of (GHashTable *tallies, const LoomCollectiveMember *member)
{
  gint64 key = key_of (member);
  Tally *tally = g_hash_table_lookup (tallies, &key);
  if (tally != NULL)
    return tally;
  tally = g_new0 (Tally, 1);
  tally->straggler =
    (LoomStraggler) { .rank = member->rank, .trace = member->trace, .worst = G_MAXUINT, .correlation = NAN };
  tally->late_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  tally->on_device = loom_straggler_work_new_name_times ();
  tally->on_host = loom_straggler_work_new_name_times ();
  tally->last_end_ns = LOOM_TIME_NONE;
  g_hash_table_insert (tallies, g_memdup2 (&key, sizeof key), tally);
  return tally;
}

static LoomStragglerWork
work_of (const LoomStragglers *self, const LoomCollectiveMember *member, gboolean on_host)
{
  const LoomTimeline *timeline = loom_collectives_get_timeline (self->collectives);
  guint8 **works = &self->works[on_host != FALSE][member->trace];
  if (*works == NULL)
    *works = loom_work_kind_of_names (loom_run_get_trace (loom_timeline_get_run (timeline), member->trace), !on_host);
  return (LoomStragglerWork) { timeline, member->trace, member->clock, member->rank, on_host, *works };
}

static void
add_work (const LoomStragglers *self, Tally *tally, const LoomCollectiveMember *member, gint64 since_ns, gint sign)
{
  LoomStragglerWork device = work_of (self, member, FALSE), host = work_of (self, member, TRUE);
  LoomRange range = { since_ns, member->arrival_ns };
  if (range.end_ns <= range.begin_ns)
    return;
  loom_straggler_work_add (&device, range, sign, tally->on_device);
  loom_straggler_work_add (&host, range, sign, tally->on_host);
}

/* Clamps a time to the range, so that differences of clamped times count only what lies in the range. */
static gint64
cut (const LoomStragglers *self, gint64 time_ns)
{
  LoomRange range = loom_collectives_get_range (self->collectives);
  return CLAMP (time_ns, range.begin_ns, range.end_ns);
}

/* The part of the time between two instants that lies in the range. */
static gint64
time_in_range (const LoomStragglers *self, gint64 begin_ns, gint64 end_ns)
{
  return loom_time_sub (cut (self, end_ns), cut (self, begin_ns));
}

static void
count_late (const LoomStragglers *self, GHashTable *tallies, const LoomCollective *collective,
            const LoomCollectiveMember *members)
{
  LoomStraggler *straggler = &tally_of (tallies, &members[collective->n - 1])->straggler;
  if (collective->late_by_ns == 0)
    return; /* two members arrived last at the same time */
  straggler->n_last++;
  straggler->late_ns = loom_time_add (
    straggler->late_ns, time_in_range (self, members[collective->n - 2].arrival_ns, collective->arrival_ns));
  straggler->late_max_ns = MAX (straggler->late_max_ns, collective->late_by_ns);
  g_array_append_val (tally_of (tallies, &members[collective->n - 1])->late_ns, collective->late_by_ns);
}

static void
count_share (Tally *tally, double share_ns, guint number)
{
  tally->others_ns += share_ns;
  if (share_ns <= tally->worst_ns)
    return;
  tally->worst_ns = share_ns;
  tally->straggler.worst = number;
}

/* Others' waits for each member, in the range. Owned by the caller. */
static double *
dup_shares (const LoomStragglers *self, const LoomCollectiveMember *members, guint n)
{
  g_autofree LoomCollectiveMember *moved = g_memdup2 (members, n * sizeof *members);
  double *shares = g_new (double, n);
  for (guint i = 0; i < n; i++)
    moved[i].arrival_ns = cut (self, members[i].arrival_ns);
  loom_wait_attribution (moved, n, shares);
  return shares;
}

static void
count_collective (LoomStragglers *self, GHashTable *tallies, const LoomCollective *collective, guint number)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, collective);
  gint64 transfer_ns =
    time_in_range (self, collective->arrival_ns, loom_time_add (collective->arrival_ns, collective->transfer_ns));
  g_autofree double *shares = dup_shares (self, members, collective->n);
  count_late (self, tallies, collective, members);
  for (guint i = 0; i < collective->n; i++) {
    Tally *tally = tally_of (tallies, &members[i]);
    tally->straggler.n++;
    count_share (tally, shares[i], number);
    tally->straggler.latest_ns =
      MAX (tally->straggler.latest_ns, loom_time_sub (members[i].arrival_ns, members[0].arrival_ns));
    gint64 wait_ns = time_in_range (self, members[i].arrival_ns, collective->arrival_ns);
    tally->straggler.wait_ns = loom_time_add (tally->straggler.wait_ns, wait_ns);
    tally->straggler.transfer_ns = loom_time_add (tally->straggler.transfer_ns, transfer_ns);
    self->wait_ns = loom_time_add (self->wait_ns, wait_ns);
    self->transfer_ns = loom_time_add (self->transfer_ns, transfer_ns);
  }
}

static void
finish_tally (Tally *tally)
{
  LoomStraggler *straggler = &tally->straggler;
  straggler->others_ns = (gint64) CLAMP (round (tally->others_ns), 0, 9e18);
  g_array_sort (tally->late_ns, loom_statistics_compare_times);
  if (tally->late_ns->len > 0)
    straggler->late_median_ns = g_array_index (tally->late_ns, gint64, (tally->late_ns->len - 1) / 2);
}

static int
compare_stragglers (gconstpointer x, gconstpointer y)
{
  const LoomStraggler *a = x, *b = y;
  if (a->others_ns != b->others_ns)
    return a->others_ns > b->others_ns ? -1 : 1;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return a->trace < b->trace ? -1 : a->trace > b->trace;
}

/* Returns FALSE if cancelled. */
static gboolean
count_all (LoomStragglers *self, GHashTable *tallies, GCancellable *cancellable)
{
  guint n;
  const LoomCollective *all = loom_collectives_get (self->collectives, &n);
  for (guint i = 0; i < n; i++) {
    count_collective (self, tallies, &all[i], i);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  GHashTableIter iter;
  gpointer tally;
  g_hash_table_iter_init (&iter, tallies);
  while (g_hash_table_iter_next (&iter, NULL, &tally)) {
    finish_tally (tally);
    g_array_append_val (self->all, ((Tally *) tally)->straggler);
  }
  g_array_sort (self->all, compare_stragglers);
  return TRUE;
}

/* --- what they did before ----------------------------------------------------------------------------------------- */

static Tally *
find_tally (GHashTable *tallies, const LoomStraggler *straggler)
{
  gint64 key = key_of (&(LoomCollectiveMember) { .rank = straggler->rank, .trace = straggler->trace });
  return g_hash_table_lookup (tallies, &key);
}

/* Begin of the recording of a member's clock, timeline. */
static gint64
begin_of (const LoomStragglers *self, const LoomCollectiveMember *member)
{
  const LoomTimeline *timeline = loom_collectives_get_timeline (self->collectives);
  LoomRun *run = loom_timeline_get_run (timeline);
  LoomRange local;
  if (!loom_trace_get_extent (loom_run_get_trace (run, member->trace),
                              member->clock - loom_run_get_first_clock (run, member->trace), &local))
    return member->arrival_ns;
  return loom_clock_map_to_timeline (&loom_alignment_get (loom_timeline_get_alignment (timeline), member->clock)->map,
                                     local.begin_ns);
}

/* Adds what a late member did since its previous collective, and subtracts what the middle member did since its own. */
static void
look_before (const LoomStragglers *self, Tally *late, const LoomCollectiveMember *member, const Tally *other,
             const LoomCollectiveMember *middle)
{
  gint64 since_ns = late->last_end_ns, middle_since_ns = other->last_end_ns;
  /* compare only the time that both have recorded */
  if (since_ns == LOOM_TIME_NONE || middle_since_ns == LOOM_TIME_NONE)
    since_ns = middle_since_ns = MAX (begin_of (self, member), begin_of (self, middle));
  late->behind_ns = loom_time_add (late->behind_ns, loom_time_sub (member->arrival_ns, middle->arrival_ns));
  add_work (self, late, member, since_ns, 1);
  add_work (self, late, middle, middle_since_ns, -1);
}

static void
look_back (const LoomStragglers *self, GHashTable *tallies, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, collective),
                             *middle = &members[(collective->n - 1) / 2];
  double least_ns = MOSTLY * (double) loom_time_sub (collective->arrival_ns, middle->arrival_ns);
  for (guint i = 0; i < collective->n; i++) {
    Tally *tally = tally_of (tallies, &members[i]);
    double behind_ns = (double) loom_time_sub (members[i].arrival_ns, middle->arrival_ns);
    if (tally->looked_at && behind_ns > 0 && behind_ns >= least_ns)
      look_before (self, tally, &members[i], tally_of (tallies, middle), middle);
  }
  for (guint i = 0; i < collective->n; i++) {
    Tally *tally = tally_of (tallies, &members[i]);
    tally->last_end_ns = MAX (tally->last_end_ns, members[i].end_ns);
  }
}

static void
tell_before (LoomStraggler *straggler, Tally *tally)
{
  straggler->before = loom_straggler_work_find_largest (tally->on_device, &straggler->before_ns);
  if ((double) straggler->before_ns >= MOSTLY * (double) tally->behind_ns)
    return;
  gint64 host_ns;
  const char *host = loom_straggler_work_find_largest (tally->on_host, &host_ns);
  if (host == NULL || host_ns <= straggler->before_ns)
    return;
  straggler->before = host;
  straggler->before_ns = host_ns;
  straggler->on_host = TRUE;
}

/* Returns FALSE if cancelled. */
static gboolean
look_back_all (LoomStragglers *self, GHashTable *tallies, GCancellable *cancellable)
{
  guint n, n_looked_at = MIN (self->all->len, LOOM_STRAGGLERS_LOOKED_AT);
  const LoomCollective *all = loom_collectives_get (self->collectives, &n);
  for (guint i = 0; i < n_looked_at; i++)
    find_tally (tallies, &g_array_index (self->all, LoomStraggler, i))->looked_at = TRUE;
  for (guint i = 0; i < n; i++) {
    look_back (self, tallies, &all[i]);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  for (guint i = 0; i < self->all->len; i++) {
    LoomStraggler *straggler = &g_array_index (self->all, LoomStraggler, i);
    Tally *tally = find_tally (tallies, straggler);
    tell_before (straggler, tally);
    tally->straggler = *straggler;
    tally->last_end_ns = LOOM_TIME_NONE; /* reset for the second pass, which computes the correlation */
  }
  return TRUE;
}

/* --- correlation -------------------------------------------------------------------------------------------------- */

static gint64
time_before (const LoomStragglers *self, const Tally *tally, const LoomCollectiveMember *member, gint64 since_ns)
{
  LoomStragglerWork work = work_of (self, member, tally->straggler.on_host);
  g_autoptr (GHashTable) times = loom_straggler_work_new_name_times ();
  loom_straggler_work_add (&work, (LoomRange) { since_ns, member->arrival_ns }, 1, times);
  return (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (times, tally->straggler.before));
}

static void
correlate_member (const LoomStragglers *self, Tally *tally, const LoomCollectiveMember *member, gint64 median_ns)
{
  gint64 since_ns = tally->last_end_ns != LOOM_TIME_NONE ? tally->last_end_ns : begin_of (self, member);
  if (since_ns < member->arrival_ns) {
    double x = (double) time_before (self, tally, member, since_ns) / (double) LOOM_NS_PER_S;
    double y = (double) loom_time_sub (member->arrival_ns, median_ns) / (double) LOOM_NS_PER_S;
    tally->n++;
    tally->x += x;
    tally->y += y;
    tally->xx += x * x;
    tally->yy += y * y;
    tally->xy += x * y;
  }
  tally->last_end_ns = MAX (tally->last_end_ns, member->end_ns);
}

static double
correlation_of (const Tally *tally)
{
  double xx = tally->n * tally->xx - tally->x * tally->x, yy = tally->n * tally->yy - tally->y * tally->y;
  double least = 1e-12; /* relative to the sums: variances below it are rounding errors of equal values */
  if (tally->n < LOOM_STRAGGLERS_LEAST || xx <= least * tally->n * tally->xx || yy <= least * tally->n * tally->yy)
    return NAN;
  return CLAMP ((tally->n * tally->xy - tally->x * tally->y) / sqrt (xx * yy), -1, 1);
}

/* Computes the correlation of the ranks with a known `before`. */
static gboolean
correlate (LoomStragglers *self, GHashTable *tallies, GCancellable *cancellable)
{
  guint n;
  const LoomCollective *all = loom_collectives_get (self->collectives, &n);
  for (guint i = 0; i < n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, &all[i]);
    for (guint k = 0; k < all[i].n; k++) {
      Tally *tally = tally_of (tallies, &members[k]);
      if (tally->straggler.before != NULL)
        correlate_member (self, tally, &members[k], members[(all[i].n - 1) / 2].arrival_ns);
    }
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  for (guint i = 0; i < self->all->len; i++) {
    LoomStraggler *straggler = &g_array_index (self->all, LoomStraggler, i);
    straggler->correlation = correlation_of (find_tally (tallies, straggler));
  }
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

LoomStragglers *
loom_stragglers_new (LoomCollectives *collectives, GCancellable *cancellable)
{
  g_autoptr (GHashTable) tallies = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_tally);
  LoomStragglers *self = g_new0 (LoomStragglers, 1);
  self->collectives = loom_collectives_ref (collectives);
  self->all = g_array_new (FALSE, FALSE, sizeof (LoomStraggler));
  self->n_traces = loom_run_get_n_traces (loom_timeline_get_run (loom_collectives_get_timeline (collectives)));
  for (guint i = 0; i < G_N_ELEMENTS (self->works); i++)
    self->works[i] = g_new0 (guint8 *, self->n_traces + 1);
  if (!count_all (self, tallies, cancellable) || !look_back_all (self, tallies, cancellable) ||
      !correlate (self, tallies, cancellable))
    g_clear_pointer (&self, loom_stragglers_free);
  return self;
}

void
loom_stragglers_free (LoomStragglers *stragglers)
{
  if (stragglers == NULL)
    return;
  g_array_unref (stragglers->all);
  for (guint i = 0; i < G_N_ELEMENTS (stragglers->works); i++) {
    for (guint t = 0; t < stragglers->n_traces; t++)
      g_free (stragglers->works[i][t]);
    g_free (stragglers->works[i]);
  }
  loom_collectives_unref (stragglers->collectives);
  g_free (stragglers);
}

const LoomStraggler *
loom_stragglers_get (const LoomStragglers *stragglers, guint *n)
{
  *n = stragglers->all->len;
  return (const LoomStraggler *) (gpointer) stragglers->all->data;
}

LoomCollectives *
loom_stragglers_get_collectives (const LoomStragglers *stragglers)
{
  return stragglers->collectives;
}

gint64
loom_stragglers_get_wait (const LoomStragglers *stragglers)
{
  return stragglers->wait_ns;
}

gint64
loom_stragglers_get_transfer (const LoomStragglers *stragglers)
{
  return stragglers->transfer_ns;
}
