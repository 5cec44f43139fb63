/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the alignment of clocks in a pipeline with known true offsets: ranks of a stage share collectives, but between
 * stages there are only messages. Messages are slower in one direction than in the other, by an amount that cannot be
 * measured.
 */
#include "fixture.h"
#include "job-run.h"

#include "loom-alignment.h"
#include "loom-clock-fit.h"

#include <math.h>

#define US LOOM_NS_PER_US
#define N_STAGES 4u
#define N_LANES 2u
#define N_RANKS (N_STAGES * N_LANES)
#define N_MICRO 8
/* Number of random pipelines for each test. The build with the address sanitizer tries fewer, because every seed runs
 * the same code and the build is slow. */
#ifdef __SANITIZE_ADDRESS__
#define N_SEEDS 10
#else
#define N_SEEDS 40
#endif

typedef struct {
  gint64 length_ns;
  guint n_steps;
  double drift;        /* maximum drift of a clock */
  gint64 offset_ns;    /* maximum offset of a clock */
  gint64 least_ns[2];  /* minimum time of a message to the next stage and of one back; 0: random */
  gint64 wrong_ns;     /* additional offset of all clocks of the second stage */
  double shared_drift; /* additional drift of all clocks of the second stage */
  gint64 late_ns;      /* time at which the recording of the third rank begins, which is the first rank of the second
                        * stage */
  guint no_epoch;      /* rank whose clock declares no epoch; 0: none */
  gboolean is_wide;    /* TRUE: the second and third stage share collectives */
} PipelineCase;

typedef struct {
  GRand *rand;
  JobRank ranks[N_RANKS];
  gint64 offset_ns[N_RANKS];
  double drift[N_RANKS];
  gint64 late_ns;
  gboolean is_wide;
  gint64 least_ns[N_RANKS][2]; /* for each rank of the earlier stage: minimum time of a message to the later stage and
                                * of one back */
} Pipeline;

static gint64
read_clock (const Pipeline *self, guint rank, gint64 true_ns)
{
  return true_ns + self->offset_ns[rank] + llround (self->drift[rank] * (double) true_ns);
}

static void
meet (Pipeline *self, guint rank, LoomSyncEventKind kind, const char *group, const char *name, gint64 start_ns,
      gint64 end_ns)
{
  if (rank == N_LANES && start_ns < self->late_ns)
    return;
  job_rank_meet (&self->ranks[rank], kind, group, name, start_ns, read_clock (self, rank, start_ns),
                 read_clock (self, rank, end_ns));
}

/* Adds a message with a random delay, because in real runs most messages wait for other work. */
static void
send_message (Pipeline *self, guint from, guint to, gint64 at_ns)
{
  g_autofree char *group = g_strdup_printf ("pp%u", MIN (from, to));
  gint64 end_ns =
    at_ns + self->least_ns[MIN (from, to)][from > to] + llround (-300e3 * log (1 - g_rand_double (self->rand)));
  meet (self, from, LOOM_SYNC_EVENT_SEND, group, from < to ? "forward" : "backward", at_ns, end_ns);
  meet (self, to, LOOM_SYNC_EVENT_RECEIVE, group, from < to ? "forward" : "backward", at_ns, end_ns);
}

static void
run_step (Pipeline *self, gint64 at_ns, gint64 micro_ns)
{
  for (guint i = 0; i < N_MICRO; i++, at_ns += micro_ns) {
    for (guint rank = 0; rank < N_RANKS; rank++) {
      guint stage = rank / N_LANES;
      g_autofree char *group = g_strdup_printf ("tp%u", self->is_wide && stage == 2 ? 1 : stage);
      meet (self, rank, LOOM_SYNC_EVENT_COLLECTIVE, group, "allreduce", at_ns,
            at_ns + 50 * US + g_rand_int_range (self->rand, 0, 2000));
    }
    for (guint rank = 0; rank + N_LANES < N_RANKS; rank++) {
      send_message (self, rank, rank + N_LANES, at_ns + 100 * US);
      send_message (self, rank + N_LANES, rank, at_ns + 150 * US);
    }
  }
}

static LoomRun *
run_pipeline (Pipeline *self, const PipelineCase *c, guint32 seed)
{
  LoomTrace *traces[N_RANKS];
  self->rand = g_rand_new_with_seed (seed);
  self->late_ns = c->late_ns;
  self->is_wide = c->is_wide;
  for (guint i = 0; i < N_RANKS; i++) {
    self->ranks[i] = job_rank_begin ((gint) i, i > 0 && i == c->no_epoch ? LOOM_CLOCK_NONE : LOOM_CLOCK_EXACT);
    self->offset_ns[i] =
      g_rand_int_range (self->rand, 0, (gint32) c->offset_ns + 1) + (i / N_LANES == 1 ? c->wrong_ns : 0);
    self->drift[i] = i > 0 && c->drift > 0 ? g_rand_double_range (self->rand, -c->drift, c->drift) : 0;
    self->drift[i] += i / N_LANES == 1 ? c->shared_drift : 0;
    for (guint way = 0; way < 2; way++)
      self->least_ns[i][way] = c->least_ns[way] > 0 ? c->least_ns[way] : g_rand_int_range (self->rand, 20000, 200000);
  }
  for (guint i = 0; i < c->n_steps; i++)
    run_step (self, c->length_ns / c->n_steps * i, c->length_ns / c->n_steps / (N_MICRO + 2));
  for (guint i = 0; i < N_RANKS; i++)
    traces[i] = job_rank_end (&self->ranks[i]);
  g_rand_free (self->rand);
  return job_run_new (traces, N_RANKS);
}

/* Returns the error of the fitted line of a rank at the begin of the run, in ns. */
static double
error_of (const Pipeline *self, const LoomFittedClock *fitted, guint rank)
{
  gint64 local_ns = read_clock (self, rank, 0), target_ns = read_clock (self, 0, 0);
  return fabs (loom_robust_line_residual (&fitted->line, JOB_BASE_NS + local_ns, JOB_BASE_NS + target_ns));
}

/* Over all seeds and ranks, at least 95 % of the errors are smaller than the error that the fit states, and the stated
 * error is at most the duration of a few messages. */
static void
test_stated (gconstpointer data)
{
  const PipelineCase *c = data;
  LoomClockFitClock clocks[N_RANKS];
  guint n = 0, n_within = 0;
  double worst_ns = 0, sum_ns = 0;
  for (guint i = 0; i < N_RANKS; i++)
    clocks[i] = (LoomClockFitClock) { (gint) i, TRUE, 0 };
  for (guint32 seed = 1; seed <= N_SEEDS; seed++) {
    Pipeline pipeline;
    g_autoptr (LoomRun) run = run_pipeline (&pipeline, c, seed);
    g_autoptr (LoomEvidence) evidence = loom_evidence_new_of_run (run);
    g_autoptr (LoomClockFits) fit = loom_clock_fit_new (evidence, clocks, 1, NULL);
    g_assert_cmpuint (fit->n_components, ==, 1);
    for (guint i = 1; i < N_RANKS; i++, n++) {
      const LoomFittedClock *fitted = &fit->clocks[i];
      double error_ns = error_of (&pipeline, fitted, i),
             stated_ns = loom_robust_line_error_at (&fitted->error, fitted->epoch_ns);
      g_assert_cmpuint (fitted->component, ==, 0);
      n_within += error_ns <= stated_ns;
      worst_ns = MAX (worst_ns, stated_ns);
      sum_ns += stated_ns;
    }
  }
  g_test_message ("within ± %.1f %% of %u; ± %.1f µs on average, %.1f at most", 100.0 * n_within / n, n,
                  sum_ns / n / 1e3, worst_ns / 1e3);
  g_assert_cmpuint (n, ==, N_SEEDS * (N_RANKS - 1));
  g_assert_cmpuint (n_within * 100, >=, n * 95);
  g_assert_cmpfloat (sum_ns / n, <, 1e6);
}

/* Returns the error of the clock map that the timeline uses for a rank, in ns. */
static gint64
map_error_of (const Pipeline *self, const LoomAlignment *alignment, guint rank)
{
  gint64 local_ns = self->ranks[rank].zero_ns + LOOM_NS_PER_S + self->offset_ns[rank];
  return loom_clock_map_to_timeline (&loom_alignment_get (alignment, rank)->map, local_ns) -
         (JOB_BASE_NS + LOOM_NS_PER_S);
}

/* Ranks of a stage are aligned to each other by their collectives, even if messages hardly limit the offset of the
 * stage to other stages. */
static void
test_stage (gconstpointer data)
{
  for (guint32 seed = 1; seed <= N_SEEDS; seed++) {
    Pipeline pipeline;
    g_autoptr (LoomRun) run = run_pipeline (&pipeline, data, seed);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    for (guint i = 0; i < N_RANKS; i += N_LANES)
      g_assert_cmpint (ABS (map_error_of (&pipeline, alignment, i) - map_error_of (&pipeline, alignment, i + 1)), <,
                       20 * US);
  }
}

/* Declared clocks that are correct are within the limits that messages set, so they are not changed. */
static void
test_right (gconstpointer data)
{
  for (guint32 seed = 1; seed <= N_SEEDS; seed++) {
    Pipeline pipeline;
    g_autoptr (LoomRun) run = run_pipeline (&pipeline, data, seed);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    g_assert_cmpuint (alignment->n_components, ==, 1);
    for (guint i = 0; i < N_RANKS; i++)
      g_assert_cmpint (map_error_of (&pipeline, alignment, i), ==, 0);
  }
}

/* Clocks with a drift that is within the limits that messages set are not changed, whenever their recording begins. */
static void
test_stay (gconstpointer data)
{
  for (guint32 seed = 1; seed <= N_SEEDS; seed++) {
    Pipeline pipeline;
    g_autoptr (LoomRun) run = run_pipeline (&pipeline, data, seed);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    for (guint i = 0; i < N_RANKS; i++)
      g_assert_false (loom_alignment_get (alignment, i)->fitted);
  }
}

/* A clock without an epoch is placed by the collectives that its rank shares with other ranks. The clocks of these
 * other ranks are not changed, and the stated error of each fitted line stays below 1 ms. */
static void
test_no_epoch (gconstpointer data)
{
  const PipelineCase *c = data;
  for (guint32 seed = 1; seed <= N_SEEDS; seed++) {
    Pipeline pipeline;
    g_autoptr (LoomRun) run = run_pipeline (&pipeline, c, seed);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    for (guint i = 0; i < N_RANKS; i++) {
      const LoomClockFit *fit = loom_alignment_get (alignment, i);
      g_assert_cmpint (fit->fitted, ==, i == c->no_epoch);
      g_assert_cmpint (ABS (map_error_of (&pipeline, alignment, i)), <=, i == c->no_epoch ? 2 * US : 0);
      g_assert_cmpfloat (fit->line_error_ns, <, 1e6);
    }
  }
}

/* Only clocks that are outside the limits that messages set are fitted. */
static void
test_wrong (gconstpointer data)
{
  for (guint32 seed = 1; seed <= N_SEEDS; seed++) {
    Pipeline pipeline;
    g_autoptr (LoomRun) run = run_pipeline (&pipeline, data, seed);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
    for (guint i = 0; i < N_RANKS; i++)
      g_assert_cmpint (loom_alignment_get (alignment, i)->fitted, ==, i / N_LANES == 1);
  }
}

int
main (int argc, char **argv)
{
  static const PipelineCase
    short_run = { 2 * LOOM_NS_PER_S, 20, 0, 10 * LOOM_NS_PER_MS },
    run = { 8 * LOOM_NS_PER_S, 40, 0, 10 * LOOM_NS_PER_MS },
    drifting = { 30 * LOOM_NS_PER_S, 60, 5e-6, 10 * LOOM_NS_PER_MS }, near = { 2 * LOOM_NS_PER_S, 20, 0, 300 * US },
    right = { 2 * LOOM_NS_PER_S, 20, 0, 0 }, one_sided = { 8 * LOOM_NS_PER_S, 40, 0, 0, { 400 * US, US / 2 } },
    one_sided_long = { 30 * LOOM_NS_PER_S, 60, 0, 0, { 400 * US, US / 2 } },
    late = { 30 * LOOM_NS_PER_S, 60, 0, 0, { 300 * US, 300 * US }, 0, 5e-6, 12 * LOOM_NS_PER_S },
    no_epoch = { 30 * LOOM_NS_PER_S, 60, .least_ns = { 400 * US, US / 2 }, .no_epoch = 3 },
    no_root_epoch = { 30 * LOOM_NS_PER_S, 60, .least_ns = { 400 * US, US / 2 }, .no_epoch = 2 },
    wide = { 30 * LOOM_NS_PER_S, 60, .least_ns = { 400 * US, US / 2 }, .no_epoch = 2, .is_wide = TRUE },
    wrong = { 30 * LOOM_NS_PER_S, 60, 0, 0, { 400 * US, US / 2 }, 60 * US },
    wrong_few = { 12 * LOOM_NS_PER_S, 12, 0, 0, { 400 * US, US / 2 }, 100 * US };
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/clock/messages/stated", &run, test_stated);
  g_test_add_data_func ("/clock/messages/short", &short_run, test_stated);
  g_test_add_data_func ("/clock/messages/drifting", &drifting, test_stated);
  g_test_add_data_func ("/clock/messages/stage", &short_run, test_stage);
  g_test_add_data_func ("/clock/messages/near-stage", &near, test_stage);
  g_test_add_data_func ("/clock/messages/right", &right, test_right);
  g_test_add_data_func ("/clock/messages/one-sided", &one_sided, test_right);
  g_test_add_data_func ("/clock/messages/one-sided-stated", &one_sided, test_stated);
  g_test_add_data_func ("/clock/messages/one-sided-long", &one_sided_long, test_right);
  g_test_add_data_func ("/clock/messages/one-sided-long-stated", &one_sided_long, test_stated);
  g_test_add_data_func ("/clock/messages/late", &late, test_stay);
  g_test_add_data_func ("/clock/messages/no-epoch", &no_epoch, test_no_epoch);
  g_test_add_data_func ("/clock/messages/no-root-epoch", &no_root_epoch, test_no_epoch);
  g_test_add_data_func ("/clock/messages/no-root-epoch-wide", &wide, test_no_epoch);
  g_test_add_data_func ("/clock/messages/wrong", &wrong, test_wrong);
  g_test_add_data_func ("/clock/messages/wrong-few", &wrong_few, test_wrong);
  return g_test_run ();
}
