/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the comparison of the kernels of a slow rank with those of other ranks. Four ranks run two steps; their sums can
 * be calculated by hand. Times in ns.
 */
#include "loom-slowdown-comparison.h"

#include <string.h>

#define N_RANKS 4
#define N_STEPS 2
#define RANK 1 /* the rank that is slow or late */

typedef struct {
  LoomSlowdownModel model;
  LoomSlowdown slowdown;
} Fixture;

/* Adds kernels of one name. `calls`, `duration_ns`: for each step, of the slow or late rank ([1]) and of each other rank
 * ([0]). */
static void
add_kernels (Fixture *self, const char *name, const guint *calls, const gint64 *duration_ns)
{
  const LoomSlowdownPart kind = { .name = name };
  g_array_append_val (self->model.kinds, kind);
  guint32 like = loom_slowdown_model_add_like (&self->model, self->model.kinds->len - 1, FALSE);
  g_array_index (self->model.likes, LoomSlowdownLike, like).is_kernel = TRUE;
  for (guint i = 0; i < N_RANKS * N_STEPS; i++) {
    guint is_own = i % N_RANKS == RANK;
    const LoomSlowdownOperation operation = { .duration_ns = duration_ns[is_own],
                                              .group = LOOM_SLOWDOWN_NONE,
                                              .like = like,
                                              .worker = i % N_RANKS,
                                              .step = i / N_RANKS };
    for (guint k = 0; k < calls[is_own]; k++)
      loom_slowdown_replay_add (&self->model.replay, &operation);
  }
}

/* Fills a model with the ranks and steps. `is_straggler`: TRUE: the rank is a straggler, in all steps. */
static void
init (Fixture *self, gboolean is_straggler)
{
  static const guint straggler = RANK;
  static double cells[N_RANKS * N_STEPS];
  memset (self, 0, sizeof *self);
  loom_slowdown_model_init (&self->model);
  for (guint i = 0; i < N_RANKS; i++) {
    const LoomSlowdownWorker worker = { .rank = (gint) i };
    g_array_append_val (self->model.workers, worker);
  }
  for (guint i = 0; i < N_STEPS; i++) {
    const LoomSlowdownStep step = { .range = { 10000 * i, 10000 * (i + 1) } };
    g_array_append_val (self->model.steps, step);
  }
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = i / N_STEPS == RANK ? 1.4 : 1;
  self->slowdown.cells = cells;
  self->slowdown.workers = self->model.workers;
  self->slowdown.steps = self->model.steps;
  self->slowdown.stragglers = g_array_new (FALSE, FALSE, sizeof (guint));
  if (is_straggler)
    g_array_append_val (self->slowdown.stragglers, straggler);
}

static void
clear (Fixture *self)
{
  g_array_unref (self->slowdown.stragglers);
  loom_slowdown_model_clear (&self->model);
}

/* Kernels of one name take 140 ns instead of 100 ns; those of the other name take as long. The names are added up one by
 * one, so that each has only its own kernels. */
static void
test_names (void)
{
  Fixture self;
  init (&self, TRUE);
  add_kernels (&self, "gemm", (guint[]) { 4, 4 }, (gint64[]) { 100, 140 });
  add_kernels (&self, "unused", (guint[]) { 0, 0 }, (gint64[]) { 0, 0 });
  add_kernels (&self, "gelu", (guint[]) { 3, 3 }, (gint64[]) { 50, 50 });
  g_autoptr (GArray) causes = loom_slowdown_comparison_run (&self.model, &self.slowdown, NULL);
  g_assert_cmpuint (causes->len, ==, 1);
  const LoomSlowdownCause *cause = &g_array_index (causes, LoomSlowdownCause, 0);
  g_assert_cmpint (cause->kind, ==, LOOM_SLOWDOWN_CAUSE_KERNELS);
  g_assert_cmpint (cause->longer_ns, ==, N_STEPS * 4 * 40);
  g_assert_cmpuint (cause->names->len, ==, 2);
  const LoomSlowdownCauseName *name = &g_array_index (cause->names, LoomSlowdownCauseName, 0);
  g_assert_cmpstr (name->name, ==, "gemm");
  g_assert_cmpuint (name->calls, ==, N_STEPS * 4);
  g_assert_cmpint (name->time_ns, ==, N_STEPS * 4 * 140);
  clear (&self);
}

/* Stragglers and a late rank are not compared after the operation was cancelled. */
static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  for (gboolean is_straggler = FALSE; is_straggler <= TRUE; is_straggler++) {
    Fixture self;
    init (&self, is_straggler);
    add_kernels (&self, "gemm", (guint[]) { 4, 4 }, (gint64[]) { 100, 500 });
    g_assert_null (loom_slowdown_comparison_run (&self.model, &self.slowdown, cancellable));
    clear (&self);
  }
}

/* A name that is alike counts with its share of all kernels of the rank, not only of the comparable ones. */
static void
test_partly_comparable (void)
{
  static const char *const names[] = { "a", "b", "c" };
  Fixture self;
  init (&self, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    add_kernels (&self, names[i], (guint[]) { 4, 4 }, (gint64[]) { 50, 65 });
  add_kernels (&self, "x", (guint[]) { 0, 4 }, (gint64[]) { 0, 195 });
  add_kernels (&self, "y", (guint[]) { 4, 0 }, (gint64[]) { 195, 0 });
  g_autoptr (GArray) causes = loom_slowdown_comparison_run (&self.model, &self.slowdown, NULL);
  const LoomSlowdownCause *cause = &g_array_index (causes, LoomSlowdownCause, 0);
  g_assert_cmpfloat_with_epsilon (cause->alike, 0.5, 1e-9);
  g_assert_cmpint (cause->kind, ==, LOOM_SLOWDOWN_CAUSE_KERNELS);
  clear (&self);
}

/* The rank runs many short kernels instead of few long ones. It runs more kernels, but they take less time, so they are
 * not the reason. */
static void
test_shorter_kernels (void)
{
  Fixture self;
  init (&self, TRUE);
  add_kernels (&self, "gemm", (guint[]) { 4, 4 }, (gint64[]) { 100, 90 });
  add_kernels (&self, "long", (guint[]) { 2, 1 }, (gint64[]) { 60, 60 });
  add_kernels (&self, "short", (guint[]) { 2, 7 }, (gint64[]) { 10, 10 });
  g_autoptr (GArray) causes = loom_slowdown_comparison_run (&self.model, &self.slowdown, NULL);
  const LoomSlowdownCause *cause = &g_array_index (causes, LoomSlowdownCause, 0);
  g_assert_cmpint (cause->longer_ns, ==, N_STEPS * 4 * -10);
  g_assert_cmpint (cause->more_ns, ==, N_STEPS * (5 * 10 - 60));
  g_assert_false (cause->has_more);
  g_assert_cmpfloat (cause->calls, ==, 1);
  clear (&self);
}

/* The late rank has `idle_ns` more idle time per step, and a kernel with too few calls to be compared, which takes 1,000
 * ns longer. */
static LoomSlowdownCauseKind
get_late_kind (gint64 idle_ns)
{
  Fixture self;
  init (&self, FALSE);
  add_kernels (&self, "gemm", (guint[]) { 4, 4 }, (gint64[]) { 100, 100 });
  add_kernels (&self, "once", (guint[]) { 1, 1 }, (gint64[]) { 100, 1100 });
  g_array_index (self.model.workers, LoomSlowdownWorker, RANK).idle_ns = idle_ns;
  g_autoptr (GArray) causes = loom_slowdown_comparison_run (&self.model, &self.slowdown, NULL);
  g_assert_cmpuint (causes->len, ==, 1);
  const LoomSlowdownCause *cause = &g_array_index (causes, LoomSlowdownCause, 0);
  g_assert_cmpint (cause->late_ns, ==, 1000 + idle_ns);
  g_assert_cmpint (cause->idle_ns, ==, idle_ns);
  LoomSlowdownCauseKind kind = cause->kind;
  clear (&self);
  return kind;
}

/* Idle time is the reason only if it is at least half of the time by which the rank is late. */
static void
test_idle (void)
{
  g_assert_cmpint (get_late_kind (1), ==, LOOM_SLOWDOWN_CAUSE_UNKNOWN);
  g_assert_cmpint (get_late_kind (999), ==, LOOM_SLOWDOWN_CAUSE_UNKNOWN);
  g_assert_cmpint (get_late_kind (1000), ==, LOOM_SLOWDOWN_CAUSE_IDLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slowdown-comparison/names", test_names);
  g_test_add_func ("/slowdown-comparison/cancelled", test_cancelled);
  g_test_add_func ("/slowdown-comparison/partly-comparable", test_partly_comparable);
  g_test_add_func ("/slowdown-comparison/shorter-kernels", test_shorter_kernels);
  g_test_add_func ("/slowdown-comparison/idle", test_idle);
  return g_test_run ();
}
