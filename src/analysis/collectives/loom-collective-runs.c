/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-collective-runs.h"

#include "loom-clock-fit.h"
#include "loom-int64-hash.h"

static const LoomClockFit *
get_fit (const LoomTimeline *timeline, guint clock)
{
  return loom_alignment_get (loom_timeline_get_alignment (timeline), clock);
}

guint
loom_collective_runs_of_clock (const LoomTimeline *timeline, guint clock)
{
  const LoomClockFit *fit = get_fit (timeline, clock);
  if (fit->component != LOOM_COMPONENT_NONE)
    return fit->component;
  gboolean differs =
    fit->verdict == LOOM_FIT_QUALITY_REFUSED && (!fit->anchored || fit->pairs >= LOOM_CLOCK_FITS_OFFSET_PAIRS);
  return differs ? G_MAXUINT - 1 - clock : LOOM_COMPONENT_NONE;
}

/* `run`: result of loom_collective_runs_of_clock(). Returns TRUE if this run consists of clocks that were aligned with
 * each other. Returns FALSE if `run` is LOOM_COMPONENT_NONE, or if the run consists of a single clock whose alignment
 * was refused. */
static gboolean
is_component (guint run)
{
  return run <= G_MAXINT;
}

gboolean
loom_collective_runs_are_aligned (const LoomTimeline *timeline, guint a, guint b)
{
  guint x = loom_collective_runs_of_clock (timeline, a), y = loom_collective_runs_of_clock (timeline, b);
  if (a == b || (x == y && is_component (x)))
    return TRUE;
  gboolean are_anchored = get_fit (timeline, a)->anchored && get_fit (timeline, b)->anchored;
  return are_anchored && (x == LOOM_COMPONENT_NONE || y == LOOM_COMPONENT_NONE) &&
         (x == LOOM_COMPONENT_NONE || is_component (x)) && (y == LOOM_COMPONENT_NONE || is_component (y));
}

/* --- runs of anchored clocks with too few common events ----------------------------------------------------------- */

/* The recordings (runs) to which the members of one matched collective belong. */
typedef struct {
  /* guint: the runs of the members whose clocks are anchored (LoomClockFit.anchored); each run once, in the order of
   * the members */
  GArray *anchored;
  GHashTable *ranks; /* set of the keys get_key (run, rank) of the members that have a run */
} MatchRuns;

static gint64
get_key (guint run, gint rank)
{
  return (gint64) ((guint64) run << 32 | (guint32) rank);
}

static void
note_member (MatchRuns *self, const LoomTimeline *timeline, const LoomCollectiveMatchMember *member, guint run)
{
  gint64 key = get_key (run, member->rank), known = get_key (run, G_MININT);
  g_hash_table_add (self->ranks, g_memdup2 (&key, sizeof key));
  if (!is_component (run) || !get_fit (timeline, member->clock)->anchored ||
      !g_hash_table_add (self->ranks, g_memdup2 (&known, sizeof known)))
    return;
  g_array_append_val (self->anchored, run);
}

static gboolean
has_rank (const MatchRuns *self, guint run, gint rank)
{
  gint64 key = get_key (run, rank);
  return rank >= 0 && g_hash_table_contains (self->ranks, &key);
}

static guint
find_run (const MatchRuns *self, const LoomTimeline *timeline, const LoomCollectiveMatchMember *member)
{
  const LoomClockFit *fit = get_fit (timeline, member->clock);
  guint compared = get_fit (timeline, fit->reference)->component, found = LOOM_COMPONENT_NONE;
  for (guint i = 0; fit->anchored && i < self->anchored->len; i++) {
    guint run = g_array_index (self->anchored, guint, i);
    if (has_rank (self, run, member->rank))
      continue;
    if (run == compared)
      return run;
    found = found == LOOM_COMPONENT_NONE ? run : found;
  }
  return found;
}

void
loom_collective_runs_assign (const LoomTimeline *timeline, const LoomCollectiveMatchMember *members, guint n,
                             guint *runs)
{
  guint n_without = 0;
  for (guint i = 0; i < n; i++) {
    runs[i] = loom_collective_runs_of_clock (timeline, members[i].clock);
    n_without += runs[i] == LOOM_COMPONENT_NONE;
  }
  if (n_without == 0 || n_without == n)
    return;
  MatchRuns self = { g_array_new (FALSE, FALSE, sizeof (guint)),
                     g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL) };
  for (guint i = 0; i < n; i++)
    if (runs[i] != LOOM_COMPONENT_NONE)
      note_member (&self, timeline, &members[i], runs[i]);
  for (guint i = 0; i < n; i++)
    if (runs[i] == LOOM_COMPONENT_NONE) {
      runs[i] = find_run (&self, timeline, &members[i]);
      note_member (&self, timeline, &members[i], runs[i]);
    }
  g_array_unref (self.anchored);
  g_hash_table_unref (self.ranks);
}

/* --- jobs: runs that are connected by nodes ----------------------------------------------------------------------- */

/* Returns the root of a clock in a union-find forest of jobs, and shortens the path from the clock to the root.
 * parents[c] is a clock of the same job as clock c; the root of a job is its own parent. */
static guint
find_root (guint *parents, guint clock)
{
  while (parents[clock] != clock)
    clock = parents[clock] = parents[parents[clock]];
  return clock;
}

/* Joins the set of a clock in the union-find forest `parents` with the set of the first clock that has this key.
 * `firsts`: key → 1 + first clock with this key. The key is a run or a node. */
static void
join (guint *parents, GHashTable *firsts, gpointer key, guint clock)
{
  guint first = GPOINTER_TO_UINT (g_hash_table_lookup (firsts, key));
  if (first > 0)
    parents[find_root (parents, clock)] = find_root (parents, first - 1);
  else
    g_hash_table_insert (firsts, key, GUINT_TO_POINTER (clock + 1));
}

guint *
loom_collective_runs_find_jobs (const LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  guint n = loom_timeline_get_alignment (timeline)->n_clocks, *jobs = g_new (guint, MAX (n, 1));
  g_autoptr (GHashTable) by_node = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) by_run = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++)
    jobs[i] = i;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    guint clock = loom_run_get_clock_of_source (run, i), own = loom_collective_runs_of_clock (timeline, clock);
    const char *node = loom_run_get_source (run, i)->node;
    if (is_component (own))
      join (jobs, by_run, GUINT_TO_POINTER (own), clock);
    if (node != NULL && (is_component (own) || own == LOOM_COMPONENT_NONE))
      join (jobs, by_node, (gpointer) node, clock);
  }
  for (guint i = 0; i < n; i++)
    jobs[i] = find_root (jobs, i);
  return jobs;
}
