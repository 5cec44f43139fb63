/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the load of experts for runs in which a rank misses an all-to-all collective, or in which an all-to-all has all
 * ranks of the job instead of one expert group.
 */
#include "job-run.h"
#include "loom-axis-order.h"
#include "loom-expert-load.h"

#define MS LOOM_NS_PER_MS
#define N_LAYERS 6

/* Makes a rank of an expert group of four ranks. Each layer takes 20 ms and consists of an all-to-all, the work of the
 * experts, and a second all-to-all. The work of a rank takes 1 ms longer than that of the rank before it, and the ranks
 * take turns in arriving first. */
static LoomTrace *
new_rank (gint number, const char *group, gboolean misses_first, gboolean meets_all)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  if (meets_all)
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "all", "all_to_all", 0, 1 * MS, 2 * MS);
  for (gint64 i = 0; i < N_LAYERS; i++) {
    gint64 zero_ns = (20 * i + 10) * MS, early_ns = i % 4 == number % 4 ? MS / 2 : 0;
    if (i > 0 || !misses_first)
      job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, group, "all_to_all", 2 * i, zero_ns - early_ns, zero_ns + MS);
    job_rank_work (&rank, "gemm", zero_ns + 2 * MS, zero_ns + (3 + number % 4) * MS);
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, group, "all_to_all", 2 * i + 1, zero_ns + 10 * MS - early_ns,
                   zero_ns + 11 * MS);
  }
  return job_rank_end (&rank);
}

static LoomExpertLoad *
load_of (LoomTrace **traces, guint n, GArray **order)
{
  g_autoptr (LoomRun) run = job_run_new (traces, n);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomParallelAxes) axes = loom_parallel_axes_new (collectives, NULL);
  g_assert_cmpuint (axes->sizes[LOOM_PARALLEL_AXIS_EXPERT].n_groups, >, 1);
  *order = loom_axis_order_new (axes, LOOM_PARALLEL_AXIS_EXPERT);
  return loom_expert_load_new (collectives, axes, NULL);
}

/* Rank 3 misses the first all-to-all. The three ranks that take part in it do not form a second group. */
static void
test_missed (void)
{
  g_autoptr (GArray) order = NULL;
  LoomTrace *traces[] = { new_rank (0, "a", FALSE, FALSE), new_rank (1, "a", FALSE, FALSE),
                          new_rank (2, "a", FALSE, FALSE), new_rank (3, "a", TRUE, FALSE) };
  g_autoptr (LoomExpertLoad) load = load_of (traces, 4, &order);
  g_assert_cmpuint (load->groups->len, ==, 1);
  const LoomExpertGroup *group = &g_array_index (load->groups, LoomExpertGroup, 0);
  const LoomExpertRank *ranks = &g_array_index (load->ranks, LoomExpertRank, group->first_rank);
  g_assert_cmpuint (group->n_ranks, ==, 4);
  g_assert_cmpuint (group->n_layers, ==, N_LAYERS);
  for (gint i = 0; i < 4; i++) {
    g_assert_cmpint (ranks[i].rank, ==, i);
    g_assert_cmpint (ranks[i].load_ns, ==, (i < 3 ? N_LAYERS : N_LAYERS - 1) * (1 + i) * MS);
    g_assert_cmpint (g_array_index (order, gint, i), ==, i);
  }
  /* rank 2 is the busiest only in the first layer, in which rank 3 does not take part */
  g_assert_cmpuint (ranks[2].n_busiest, ==, 1);
  g_assert_cmpuint (ranks[3].n_busiest, ==, N_LAYERS - 1);
  /* greatest − mean load: 3 − 2 ms in the first layer, 4 − 2.5 ms in the others */
  g_assert_cmpint (group->cost_ns, ==, MS + (N_LAYERS - 1) * 3 * MS / 2);
}

/* An all-to-all of all ranks belongs to no expert group: it begins no layer, and does not change which all-to-alls of a
 * group form a pair. */
static void
test_all (void)
{
  g_autoptr (GArray) order = NULL;
  LoomTrace *traces[8];
  for (gint i = 0; i < 8; i++)
    traces[i] = new_rank (i, i < 4 ? "a" : "b", FALSE, TRUE);
  g_autoptr (LoomExpertLoad) load = load_of (traces, 8, &order);
  g_assert_cmpuint (load->groups->len, ==, 2);
  g_assert_cmpuint (load->ranks->len, ==, 8);
  for (guint i = 0; i < 2; i++) {
    const LoomExpertGroup *group = &g_array_index (load->groups, LoomExpertGroup, i);
    g_assert_cmpuint (group->n_layers, ==, N_LAYERS);
    g_assert_cmpint (group->cost_ns, ==, N_LAYERS * 3 * MS / 2);
    g_assert_cmpint (loom_expert_load_get_busiest (load, group)->rank, ==, 4 * i + 3);
  }
  g_assert_cmpint (load->cost_ns, ==, N_LAYERS * 3 * MS / 2); /* the mean of both groups, not the sum */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/expert-load/missed", test_missed);
  g_test_add_func ("/analysis/expert-load/all", test_all);
  return g_test_run ();
}
