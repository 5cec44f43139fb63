/* SPDX-License-Identifier: Apache-2.0 */
#include "fake-clocks.h"

#include <math.h>

gint64
fake_clocks_read (const FakeClocks *fake, guint rank, double rel_ns)
{
  return FAKE_BASE_NS + llround (rel_ns) + llround (rel_ns * fake->drift[rank] + fake->offset_ns[rank]);
}

static double
within (GRand *rand, double most)
{
  return most > 0 ? g_rand_double_range (rand, -most, most) : 0;
}

static void
read_step (FakeClocks *fake, GRand *rand, guint group, guint step, double begin_ns, double end_ns)
{
  const FakeJob *job = &fake->job;
  gboolean draws = step % MAX (job->n_alike, 1) == 0;
  loom_evidence_begin (fake->evidence, LOOM_EVIDENCE_COLLECTIVES, LOOM_NS_PER_US);
  for (guint rank = 0; rank < job->n_ranks; rank++) {
    double late_ns = rank > 0 && g_rand_double (rand) < job->corrupt ? g_rand_double_range (rand, 1e5, 2e7) : 0;
    gboolean missed = (step < job->n_late && rank % 3 == 2) || g_rand_double (rand) < job->missing;
    fake->jitter_ns[rank] = draws ? within (rand, job->jitter_ns) : fake->jitter_ns[rank];
    double leaves_ns = end_ns + fake->jitter_ns[rank] + late_ns;
    if (rank * job->n_groups / job->n_ranks == group && !missed)
      loom_evidence_read (fake->evidence, rank, fake_clocks_read (fake, rank, leaves_ns),
                          fake_clocks_read (fake, rank, begin_ns));
  }
  loom_evidence_end (fake->evidence);
}

FakeClocks *
fake_clocks_new (const FakeJob *job)
{
  FakeClocks *fake = g_new0 (FakeClocks, 1);
  GRand *rand = g_rand_new_with_seed (job->seed);
  fake->job = *job;
  fake->job.n_groups = MAX (job->n_groups, 1);
  fake->offset_ns = g_new0 (double, job->n_ranks);
  fake->drift = g_new0 (double, job->n_ranks);
  fake->jitter_ns = g_new0 (double, job->n_ranks);
  fake->clocks = g_new0 (LoomClockFitClock, job->n_ranks);
  fake->evidence = loom_evidence_new (job->n_ranks);
  for (guint i = 0; i < job->n_ranks; i++) {
    fake->clocks[i] = (LoomClockFitClock) { (gint) i, TRUE, 0 };
    fake->offset_ns[i] = i > 0 ? within (rand, job->offset_ns) : 0;
    fake->drift[i] = i > 0 ? within (rand, job->drift) : 0;
  }
  double now_ns = 1e6;
  for (guint step = 0; step < job->n_steps; step++) {
    double begin_ns = now_ns + 1e6 + g_rand_double_range (rand, 0, 2e5); /* time at which the last rank arrives at the
                                                                          * collective */
    for (guint group = 0; group < fake->job.n_groups; group++)
      read_step (fake, rand, group, step, begin_ns, begin_ns + 1.2e5);
    now_ns = begin_ns + (double) job->step_ns;
  }
  g_rand_free (rand);
  return fake;
}

void
fake_clocks_free (FakeClocks *fake)
{
  loom_evidence_free (fake->evidence);
  g_free (fake->offset_ns);
  g_free (fake->drift);
  g_free (fake->jitter_ns);
  g_free (fake->clocks);
  g_free (fake);
}

void
fake_clocks_errors (const FakeClocks *fake, const LoomFittedClock *fitted, guint rank, double until_ns,
                    double *offset_ns, double *drift_ppb)
{
  guint reference = fitted->reference;
  *offset_ns = 0;
  for (guint i = 0; i <= 4; i++) {
    double rel_ns = until_ns * i / 4;
    gint64 want_ns = fake_clocks_read (fake, reference, rel_ns),
           got_ns = loom_robust_line_map (&fitted->line, fake_clocks_read (fake, rank, rel_ns));
    *offset_ns = MAX (*offset_ns, fabs ((double) (got_ns - want_ns)));
  }
  *drift_ppb = fabs (fitted->line.drift - ((1 + fake->drift[reference]) / (1 + fake->drift[rank]) - 1)) * 1e9;
}
