/* SPDX-License-Identifier: Apache-2.0 */
#include "query-fixture.h"

#include "job-run.h"

#define US LOOM_NS_PER_US
#define MS LOOM_NS_PER_MS
#define N_ROUNDS 60

/* Returns the time of a rank's clock, which runs fast by 50 ppm times the number of the rank. */
static gint64
skew (gint rank, gint64 time_ns)
{
  return time_ns + time_ns / 20000 * rank;
}

static LoomTrace *
new_rank (gint number)
{
  JobRank rank = job_rank_begin (number, number == 0 ? LOOM_CLOCK_EXACT : LOOM_CLOCK_NONE);
  for (gint64 i = 0; i < N_ROUNDS; i++) {
    gint64 begin_ns = i * 1000 * MS;
    job_rank_step (&rank, "step", skew (number, begin_ns), skew (number, begin_ns + 9 * MS));
    job_rank_step (&rank, "forward", skew (number, begin_ns), skew (number, begin_ns + 4 * MS));
    job_rank_step (&rank, "matmul", skew (number, begin_ns + MS), skew (number, begin_ns + 2 * MS + i * US));
    job_rank_step (&rank, "empty", skew (number, begin_ns + 4 * MS), skew (number, begin_ns + 4 * MS));
    job_rank_work (&rank, i % 3 == 0 ? "kernel" : "a_b%kernel", skew (number, begin_ns + MS),
                   skew (number, begin_ns + 3 * MS));
    job_rank_mark (&rank, "mark", skew (number, begin_ns + 5 * MS));
    job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i,
                   skew (number, begin_ns + 5 * MS + number * US), skew (number, begin_ns + 6 * MS));
  }
  return job_rank_end (&rank);
}

LoomQueryRun *
query_fixture_new (void)
{
  LoomTrace *traces[] = { new_rank (0), new_rank (1), new_rank (2) };
  g_autoptr (LoomRun) run = job_run_new (traces, 3);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_query_run_new (timeline);
}

char *
query_fixture_ask (LoomQueryRun *run, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 0, NULL, &error);
  GString *text = g_string_new (NULL);
  LoomQueryOutcome outcome;
  g_assert_no_error (error);
  while ((outcome = loom_query_next (query, &error)) == LOOM_QUERY_ROW) {
    for (guint i = 0; i < loom_query_get_n_columns (query); i++)
      g_string_append_printf (text, "%s%s", i > 0 ? "|" : "",
                              loom_query_get_type (query, i) == LOOM_QUERY_NULL ? "NULL"
                                                                                : loom_query_get_text (query, i, NULL));
    g_string_append_c (text, '\n');
  }
  g_assert_no_error (error);
  g_assert_cmpint (outcome, ==, LOOM_QUERY_DONE);
  return g_string_free (text, FALSE);
}
