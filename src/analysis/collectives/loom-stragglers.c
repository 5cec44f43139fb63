/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-stragglers.h"

#include <math.h>
#include <string.h>

#include "loom-counted-names.h"
#include "loom-main-thread.h"
#include "loom-name-times.h"
#include "loom-rank-key.h"
#include "loom-rank-order.h"
#include "loom-statistics.h"

/* Number of collectives processed between two checks of the cancellable. */
#define CANCEL_EVERY 1024

/* A share that is used in two tests. First, the extra work of a rank's devices explains the rank's lateness if the
 * extra work under one span name, or under all names together, is at least this share of the lateness. Second, a member
 * of a collective is late if its delay behind the median member is at least this share of the last member's delay. */
#define MOSTLY 0.5

typedef struct {
  LoomStraggler straggler;
  GArray *late_ns; /* gint64: LoomCollective.late_by_ns of each collective in which the rank arrived last */
  /* how long other ranks waited for this rank: `others_ns` in all collectives together, `worst_ns` in the collective
   * with the longest waits */
  double others_ns, worst_ns;
  gboolean looked_at;
  /* total time by which the rank arrived after the median rank; counts only the late arrivals for which look_before()
   * compared the preceding work */
  gint64 behind_ns;
  GHashTable *on_device, *on_host; /* name of a span → time in ns; filled by loom_name_times_add() */
  gint64 last_end_ns;              /* end of the rank's previous collective; LOOM_TIME_NONE: none yet */
  /* Sums for a correlation over the rank's collectives. x: time that the rank spent under the name straggler.before
   * since its previous collective, minus that of the median rank; y: time by which the rank arrived after the median
   * rank; both in s. */
  double n, xx, yy, xy;
} Tally;

/* --- time that a rank spends under each name ---------------------------------------------------------------------- */

/* The functions below read hash tables that loom_name_times_add() filled. Keys: names; equal names have equal pointers.
 * Values: times in ns, stored in the pointer itself. */

/* Returns the name with the most time, and sets `ns` to this time. Of several names with this time, returns the
 * alphabetically first. NULL: no name has a positive time. */
static const char *
find_largest (GHashTable *times, gint64 *ns)
{
  const char *most = NULL;
  GHashTableIter iter;
  gpointer name, value;
  *ns = 0;
  g_hash_table_iter_init (&iter, times);
  while (g_hash_table_iter_next (&iter, &name, &value)) {
    gint64 sum_ns = (gint64) GPOINTER_TO_SIZE (value);
    if (sum_ns <= 0 || sum_ns < *ns || (sum_ns == *ns && most != NULL && strcmp (name, most) > 0))
      continue;
    *ns = sum_ns;
    most = name;
  }
  return most;
}

/* Returns the sum of all times, and sets `n` to the number of names with a positive time. */
static gint64
sum_times (GHashTable *times, guint *n)
{
  gint64 sum_ns = 0;
  GHashTableIter iter;
  gpointer value;
  *n = 0;
  g_hash_table_iter_init (&iter, times);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    sum_ns = loom_time_add (sum_ns, (gint64) GPOINTER_TO_SIZE (value));
    *n += (gint64) GPOINTER_TO_SIZE (value) > 0;
  }
  return sum_ns;
}

/* --- tallies: waits and lateness of each rank --------------------------------------------------------------------- */

static void
free_tally (gpointer data)
{
  Tally *tally = data;
  g_array_unref (tally->late_ns);
  g_hash_table_unref (tally->on_device);
  g_hash_table_unref (tally->on_host);
  g_free (tally);
}

static Tally *
new_tally (const LoomRankKey *key, const LoomCollectiveMember *member)
{
  Tally *tally = g_new0 (Tally, 1);
  tally->straggler = (LoomStraggler) { .rank = key->rank,
                                       .node = key->node,
                                       .trace = member->trace,
                                       .rank_number = member->rank_number,
                                       .worst = G_MAXUINT,
                                       .correlation = NAN };
  tally->late_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  tally->on_device = g_hash_table_new (NULL, NULL);
  tally->on_host = g_hash_table_new (NULL, NULL);
  tally->last_end_ns = LOOM_TIME_NONE;
  return tally;
}

/* `tallies`: LoomRankKey → Tally */
static Tally *
tally_of (const LoomStragglers *self, GHashTable *tallies, const LoomCollectiveMember *member)
{
  Tally **tally = (Tally **) &self->by_number[member->rank_number];
  if (*tally != NULL)
    return *tally;
  LoomRankKey key = loom_rank_key_of_event (self->collectives->timeline, member->rank, member->trace, member->meeting);
  g_hash_table_insert (tallies, g_memdup2 (&key, sizeof key), *tally = new_tally (&key, member));
  return *tally;
}

struct _LoomStragglersMain {
  const LoomTrack *track; /* main thread of `rank`; NULL: there is none, or it was not searched yet */
  gint rank;
};

static const LoomTrack *
get_main (const LoomStragglers *self, const LoomCollectiveMember *member)
{
  struct _LoomStragglersMain *main = &self->mains[member->trace];
  if (main->track == NULL || main->rank != member->rank) {
    main->track = loom_main_thread_find (
      loom_run_get_trace (loom_timeline_get_run (self->collectives->timeline), member->trace), member->rank);
    main->rank = member->rank;
  }
  return main->track;
}

static LoomNameTimes
work_of (const LoomStragglers *self, const LoomCollectiveMember *member, gboolean on_host)
{
  const LoomTimeline *timeline = self->collectives->timeline;
  const char ***names = &self->names[on_host != FALSE][member->trace];
  if (*names == NULL)
    *names = loom_counted_names_list (self->texts, loom_run_get_trace (loom_timeline_get_run (timeline), member->trace),
                                      !on_host);
  return (LoomNameTimes) { timeline,     member->trace, member->clock,
                           member->rank, on_host,       on_host ? get_main (self, member) : NULL,
                           *names };
}

static void
add_work (const LoomStragglers *self, Tally *tally, const LoomCollectiveMember *member, gint64 since_ns, gint sign)
{
  LoomNameTimes device = work_of (self, member, FALSE), host = work_of (self, member, TRUE);
  LoomRange range = { since_ns, member->arrival_ns };
  if (range.end_ns <= range.begin_ns)
    return;
  loom_name_times_add (&device, range, sign, tally->on_device);
  loom_name_times_add (&host, range, sign, tally->on_host);
}

/* Clamps a time to the range of the collectives. The difference of two clamped times is the time between them that lies
 * inside the range. */
static gint64
cut (const LoomStragglers *self, gint64 time_ns)
{
  LoomRange range = self->collectives->range;
  return CLAMP (time_ns, range.begin_ns, range.end_ns);
}

/* Returns how many ns between two instants are inside the range of the collectives. */
static gint64
time_in_range (const LoomStragglers *self, gint64 begin_ns, gint64 end_ns)
{
  return loom_time_sub (cut (self, end_ns), cut (self, begin_ns));
}

static void
count_late (const LoomStragglers *self, GHashTable *tallies, const LoomCollective *collective,
            const LoomCollectiveMember *members)
{
  LoomStraggler *straggler = &tally_of (self, tallies, &members[collective->n - 1])->straggler;
  if (collective->late_by_ns == 0)
    return; /* two members arrived at the same time, so there is no single last rank */
  straggler->n_last++;
  straggler->late_ns = loom_time_add (
    straggler->late_ns, time_in_range (self, members[collective->n - 2].arrival_ns, collective->arrival_ns));
  straggler->late_max_ns = MAX (straggler->late_max_ns, collective->late_by_ns);
  g_array_append_val (tally_of (self, tallies, &members[collective->n - 1])->late_ns, collective->late_by_ns);
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

static void
count_collective (LoomStragglers *self, GHashTable *tallies, const LoomCollective *collective, guint number)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, collective);
  gint64 transfer_ns =
    time_in_range (self, collective->arrival_ns, loom_time_add (collective->arrival_ns, collective->transfer_ns));
  g_autofree double *shares = loom_rank_order_dup_shares (self->collectives, collective);
  count_late (self, tallies, collective, members);
  for (guint i = 0; i < collective->n; i++) {
    Tally *tally = tally_of (self, tallies, &members[i]);
    tally->straggler.n++;
    tally->straggler.n_others = MAX (tally->straggler.n_others, collective->n - 1);
    count_share (tally, shares[i], number);
    tally->straggler.latest_ns =
      MAX (tally->straggler.latest_ns, loom_time_sub (members[i].arrival_ns, members[0].arrival_ns));
    gint64 wait_ns = loom_rank_order_get_wait (self->collectives, collective, &members[i]);
    tally->straggler.wait_ns = loom_time_add (tally->straggler.wait_ns, wait_ns);
    tally->straggler.transfer_ns = loom_time_add (tally->straggler.transfer_ns, transfer_ns);
    self->wait_ns = loom_time_add (self->wait_ns, wait_ns);
    self->transfer_ns = loom_time_add (self->transfer_ns, transfer_ns);
  }
}

/* Returns the median of sorted times; of two middle times, their mean. */
static gint64
get_median (const GArray *sorted)
{
  gint64 low_ns = g_array_index (sorted, gint64, (sorted->len - 1) / 2),
         high_ns = g_array_index (sorted, gint64, sorted->len / 2);
  return low_ns + (high_ns - low_ns) / 2;
}

static void
finish_tally (Tally *tally)
{
  LoomStraggler *straggler = &tally->straggler;
  straggler->others_ns = (gint64) CLAMP (round (tally->others_ns), 0, 9e18);
  g_array_sort (tally->late_ns, loom_statistics_compare_times);
  if (tally->late_ns->len > 0)
    straggler->late_median_ns = get_median (tally->late_ns);
}

static int
compare_stragglers (gconstpointer x, gconstpointer y)
{
  const LoomStraggler *a = x, *b = y;
  if (a->others_ns != b->others_ns)
    return a->others_ns > b->others_ns ? -1 : 1;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  gint nodes = g_strcmp0 (a->node, b->node);
  if (nodes != 0)
    return nodes;
  return a->trace < b->trace ? -1 : a->trace > b->trace;
}

/* Adds the waits and the transfer times of all collectives to the tallies, which contain one Tally for each rank.
 * Returns FALSE if cancelled. */
static gboolean
count_all (LoomStragglers *self, GHashTable *tallies, GCancellable *cancellable)
{
  for (guint i = 0; i < self->collectives->n; i++) {
    count_collective (self, tallies, &self->collectives->all[i], i);
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
  self->ranks = (const LoomStraggler *) (gpointer) self->all->data;
  self->n_ranks = self->all->len;
  return TRUE;
}

/* --- work before a late arrival ----------------------------------------------------------------------------------- */

static Tally *
find_tally (GHashTable *tallies, const LoomStraggler *straggler)
{
  LoomRankKey key = loom_rank_key (straggler->node, straggler->rank, straggler->trace);
  return g_hash_table_lookup (tallies, &key);
}

/* Finds the time at which the recording of a member's rank starts, on the member's clock, and stores it in `local_ns`.
 * This is the start of the rank's earliest track with this clock or, if there is none, the start of the extent of the
 * clock. The tracks are preferred because a merged file has one clock for all ranks, whose recordings may start at
 * different times. Returns FALSE if nothing was recorded. O(tracks). */
static gboolean
find_local_begin (const LoomStragglers *self, const LoomCollectiveMember *member, gint64 *local_ns)
{
  LoomRun *run = loom_timeline_get_run (self->collectives->timeline);
  const LoomTrace *trace = loom_run_get_trace (run, member->trace);
  const LoomRankKey key =
    loom_rank_key_of_event (self->collectives->timeline, member->rank, member->trace, member->meeting);
  guint clock = member->clock - loom_run_get_first_clock (run, member->trace);
  LoomRange extent;
  gboolean found = FALSE;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    const LoomRankKey own = loom_rank_key (track->node, track->rank, member->trace);
    if (track->clock != clock || track->start_ns == LOOM_TIME_NONE || (track->flags & LOOM_TRACK_NO_EXTENT) != 0 ||
        !loom_rank_key_equal (&own, &key))
      continue;
    *local_ns = found ? MIN (*local_ns, track->start_ns) : track->start_ns;
    found = TRUE;
  }
  if (found || !loom_trace_get_extent (trace, clock, &extent))
    return found;
  *local_ns = extent.begin_ns;
  return TRUE;
}

/* Returns when the recording of a member's rank starts, on the timeline. If the range of the collectives starts later,
 * returns the start of the range. */
static gint64
begin_of (const LoomStragglers *self, const LoomCollectiveMember *member)
{
  const LoomTimeline *timeline = self->collectives->timeline;
  gint64 local_ns;
  if (!find_local_begin (self, member, &local_ns))
    return member->arrival_ns;
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (timeline), member->clock)->map;
  return MAX (loom_clock_map_to_timeline (map, local_ns), self->collectives->range.begin_ns);
}

/* Compares the work before the late arrival of `member` with the work before the arrival of `middle`, the median
 * member. For each span name, adds to late->on_device and late->on_host the time that the late rank spent since its
 * previous collective, and subtracts the time that the median rank spent since its own previous collective. `other`:
 * Tally of the median rank. */
static void
look_before (const LoomStragglers *self, Tally *late, const LoomCollectiveMember *member, const Tally *other,
             const LoomCollectiveMember *middle)
{
  gint64 since_ns = late->last_end_ns, middle_since_ns = other->last_end_ns;
  /* if one of the two members has no previous collective, compare the work since the time from which both ranks are
   * recorded */
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
    Tally *tally = tally_of (self, tallies, &members[i]);
    double behind_ns = (double) loom_time_sub (members[i].arrival_ns, middle->arrival_ns);
    if (tally->looked_at && behind_ns > 0 && behind_ns >= least_ns)
      look_before (self, tally, &members[i], tally_of (self, tallies, middle), middle);
  }
  for (guint i = 0; i < collective->n; i++) {
    Tally *tally = tally_of (self, tallies, &members[i]);
    tally->last_end_ns = MAX (tally->last_end_ns, members[i].end_ns);
  }
}

static void
tell_before (LoomStraggler *straggler, Tally *tally)
{
  straggler->behind_ns = tally->behind_ns;
  straggler->before = find_largest (tally->on_device, &straggler->before_ns);
  if ((double) straggler->before_ns >= MOSTLY * (double) tally->behind_ns)
    return;
  guint n_names;
  gint64 host_ns, devices_ns = sum_times (tally->on_device, &n_names);
  if (straggler->before != NULL && (double) devices_ns >= MOSTLY * (double) tally->behind_ns) {
    straggler->devices_ns = devices_ns;
    straggler->n_names = n_names;
    return;
  }
  const char *host = find_largest (tally->on_host, &host_ns);
  if (host == NULL || host_ns <= straggler->before_ns)
    return;
  straggler->before = host;
  straggler->before_ns = host_ns;
  straggler->on_host = TRUE;
}

/* For the first LOOM_STRAGGLERS_LOOKED_AT ranks, compares the work before each late arrival with the work of the
 * median rank, and sets LoomStraggler.before and the members that depend on it. Returns FALSE if cancelled. */
static gboolean
look_back_all (LoomStragglers *self, GHashTable *tallies, GCancellable *cancellable)
{
  guint n_looked_at = MIN (self->all->len, LOOM_STRAGGLERS_LOOKED_AT);
  for (guint i = 0; i < n_looked_at; i++)
    find_tally (tallies, &g_array_index (self->all, LoomStraggler, i))->looked_at = TRUE;
  for (guint i = 0; i < self->collectives->n; i++) {
    look_back (self, tallies, &self->collectives->all[i]);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  for (guint i = 0; i < self->all->len; i++) {
    LoomStraggler *straggler = &g_array_index (self->all, LoomStraggler, i);
    Tally *tally = find_tally (tallies, straggler);
    tell_before (straggler, tally);
    tally->straggler = *straggler;
    /* the correlation is computed in a second pass over the collectives; at the start of this pass, no rank has a
     * previous collective */
    tally->last_end_ns = LOOM_TIME_NONE;
  }
  return TRUE;
}

/* --- correlation of lateness with the work of a rank -------------------------------------------------------------- */

static gint64
time_before (const LoomStragglers *self, const LoomStraggler *straggler, const LoomCollectiveMember *member,
             gint64 since_ns)
{
  LoomNameTimes work = work_of (self, member, straggler->on_host);
  if (since_ns >= member->arrival_ns)
    return 0;
  return loom_name_times_get (&work, (LoomRange) { since_ns, member->arrival_ns }, straggler->before);
}

/* Adds a pair of values, x and y, to the sums (Tally.xx, yy, xy) from which the correlation of x and y is computed for
 * the rank of the member. x: time of the spans named straggler.before on the rank since its previous collective, minus
 * the same time of the median member. y: by how much the member arrived later than the median member. */
static void
correlate_member (const LoomStragglers *self, Tally *tally, const LoomCollectiveMember *member, const Tally *other,
                  const LoomCollectiveMember *middle)
{
  gint64 since_ns = tally->last_end_ns, middle_since_ns = other->last_end_ns;
  if (since_ns == LOOM_TIME_NONE || middle_since_ns == LOOM_TIME_NONE)
    since_ns = middle_since_ns = MAX (begin_of (self, member), begin_of (self, middle));
  if (since_ns >= member->arrival_ns)
    return;
  gint64 extra_ns = time_before (self, &tally->straggler, member, since_ns) -
                    time_before (self, &tally->straggler, middle, middle_since_ns);
  double x = (double) extra_ns / (double) LOOM_NS_PER_S;
  double y = (double) loom_time_sub (member->arrival_ns, middle->arrival_ns) / (double) LOOM_NS_PER_S;
  tally->n++;
  tally->xx += x * x;
  tally->yy += y * y;
  tally->xy += x * y;
}

static double
correlation_of (const Tally *tally)
{
  if (tally->n < LOOM_STRAGGLERS_LEAST || tally->xx <= 0 || tally->yy <= 0)
    return NAN;
  return CLAMP (tally->xy / sqrt (tally->xx * tally->yy), -1, 1);
}

/* Computes LoomStraggler.correlation for all ranks whose LoomStraggler.before is known. Returns FALSE if cancelled. */
static gboolean
correlate (LoomStragglers *self, GHashTable *tallies, GCancellable *cancellable)
{
  const LoomCollective *all = self->collectives->all;
  for (guint i = 0; i < self->collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (self->collectives, &all[i]);
    const LoomCollectiveMember *middle = &members[(all[i].n - 1) / 2];
    for (guint k = 0; k < all[i].n; k++) {
      Tally *tally = tally_of (self, tallies, &members[k]);
      if (tally->straggler.before != NULL)
        correlate_member (self, tally, &members[k], tally_of (self, tallies, middle), middle);
    }
    for (guint k = 0; k < all[i].n; k++) {
      Tally *tally = tally_of (self, tallies, &members[k]);
      tally->last_end_ns = MAX (tally->last_end_ns, members[k].end_ns);
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

/* --- public functions --------------------------------------------------------------------------------------------- */

LoomStragglers *
loom_stragglers_new (LoomCollectives *collectives, GCancellable *cancellable)
{
  g_autoptr (GHashTable) tallies = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, free_tally);
  LoomStragglers *self = g_new0 (LoomStragglers, 1);
  self->collectives = loom_collectives_ref (collectives);
  self->all = g_array_new (FALSE, FALSE, sizeof (LoomStraggler));
  self->n_traces = loom_run_get_n_traces (loom_timeline_get_run (collectives->timeline));
  self->texts = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_number = g_new0 (gpointer, (gsize) collectives->n_rank_numbers + 1);
  self->mains = g_new0 (struct _LoomStragglersMain, self->n_traces + 1);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    self->names[i] = g_new0 (const char **, self->n_traces + 1);
  if (!count_all (self, tallies, cancellable) || !look_back_all (self, tallies, cancellable) ||
      !correlate (self, tallies, cancellable))
    g_clear_pointer (&self, loom_stragglers_free);
  return self;
}

/* Data of loom_stragglers_sum_saving() while it goes through the collectives. */
typedef struct {
  const LoomStragglers *self;
  /* [rank number] the rank, if it is assumed to be repaired; NULL: it is not repaired */
  const LoomStraggler **repaired;
  gint64 *ends_ns; /* [rank number] end of the rank's previous collective; LOOM_TIME_NONE: there is none */
} Saving;

/* Compares the work of two members of a collective under the name that makes `late` late (LoomStraggler.before).
 * Returns by how many ns `late` worked longer than `other`. For each of them, only the work since its own previous
 * collective counts. */
static gint64
get_extra (const Saving *saving, const LoomCollectiveMember *late, const LoomCollectiveMember *other)
{
  const LoomStraggler *straggler = saving->repaired[late->rank_number];
  gint64 since_ns = saving->ends_ns[late->rank_number], other_since_ns = saving->ends_ns[other->rank_number];
  if (since_ns == LOOM_TIME_NONE || other_since_ns == LOOM_TIME_NONE)
    since_ns = other_since_ns = MAX (begin_of (saving->self, late), begin_of (saving->self, other));
  return loom_time_sub (time_before (saving->self, straggler, late, since_ns),
                        time_before (saving->self, straggler, other, other_since_ns));
}

/* Returns by how many ns a collective would begin earlier if some of its late ranks were repaired (saving->repaired).
 * These are the repaired ranks that arrive after all other members. After the repair, each of them would work only as
 * long as the last of the other members. Returns 0 if all members are repaired. */
static gint64
get_saving (const Saving *saving, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (saving->self->collectives, collective);
  guint n_late = 0;
  gint64 extra_ns = 0;
  while (n_late < collective->n && saving->repaired[members[collective->n - 1 - n_late].rank_number] != NULL)
    n_late++;
  if (n_late == collective->n)
    return 0;
  const LoomCollectiveMember *other = &members[collective->n - 1 - n_late];
  for (guint i = collective->n - n_late; i < collective->n; i++)
    extra_ns = MAX (extra_ns, get_extra (saving, &members[i], other));
  return MIN (extra_ns, time_in_range (saving->self, other->arrival_ns, collective->arrival_ns));
}

static void
note_ends (const Saving *saving, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (saving->self->collectives, collective);
  for (guint i = 0; i < collective->n; i++) {
    gint64 *end_ns = &saving->ends_ns[members[i].rank_number];
    *end_ns = MAX (*end_ns, members[i].end_ns);
  }
}

gint64
loom_stragglers_sum_saving (const LoomStragglers *stragglers, const LoomStraggler *const *ranks, guint n)
{
  g_return_val_if_fail (stragglers != NULL && (ranks != NULL || n == 0), 0);
  guint n_numbers = stragglers->collectives->n_rank_numbers;
  g_autofree const LoomStraggler **repaired = g_new0 (const LoomStraggler *, (gsize) n_numbers + 1);
  g_autofree gint64 *ends_ns = g_new (gint64, (gsize) n_numbers + 1);
  const Saving saving = { stragglers, repaired, ends_ns };
  gint64 sum_ns = 0;
  for (guint i = 0; i < n_numbers; i++)
    ends_ns[i] = LOOM_TIME_NONE;
  for (guint i = 0; i < n; i++)
    if (ranks[i]->before != NULL && ranks[i]->on_host)
      repaired[ranks[i]->rank_number] = ranks[i];
  for (guint i = 0; i < stragglers->collectives->n; i++) {
    sum_ns = loom_time_add (sum_ns, get_saving (&saving, &stragglers->collectives->all[i]));
    note_ends (&saving, &stragglers->collectives->all[i]);
  }
  return sum_ns;
}

void
loom_stragglers_free (LoomStragglers *stragglers)
{
  if (stragglers == NULL)
    return;
  g_array_unref (stragglers->all);
  g_free (stragglers->by_number);
  g_free (stragglers->mains);
  for (guint i = 0; i < G_N_ELEMENTS (stragglers->names); i++) {
    for (guint t = 0; t < stragglers->n_traces; t++)
      g_free (stragglers->names[i][t]);
    g_free (stragglers->names[i]);
  }
  g_hash_table_unref (stragglers->texts);
  loom_collectives_unref (stragglers->collectives);
  g_free (stragglers);
}
