/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests sorting of the arrows of flows (pairs of spans): compares with qsort(), for any number of arrows, threads and
 * buckets.
 */
#include "loom-flow-arrows.h"

#include <stdlib.h>

typedef struct {
  const char *name;
  guint32 n, n_spans, n_sources; /* sources and targets are among the first `n_spans` spans */
} Case;

static const Case cases[] = {
  { "none", 0, 10, 10 },
  { "no-spans-but-one", 3, 1, 1 },
  { "one-bucket", 5000, 3000, 3000 },
  { "many-buckets", 200000, 1 << 22, 1 << 22 },
  { "one-span", 100000, 1 << 20, 1 },
  { "few-spans", 150000, 1 << 20, 7 },
  { "last-spans", 70000, 70000, 70000 },
};

static int
compare_sources (const void *a, const void *b)
{
  const LoomArrow *first = a, *second = b;
  if (first->from != second->from)
    return first->from < second->from ? -1 : 1;
  if (first->to != second->to)
    return first->to < second->to ? -1 : 1;
  return first->name_id < second->name_id ? -1 : first->name_id > second->name_id;
}

static LoomArrow *
make_arrows (const Case *drawn, GRand *rand)
{
  LoomArrow *arrows = g_new (LoomArrow, MAX (drawn->n, 1));
  for (guint32 i = 0; i < drawn->n; i++)
    arrows[i] =
      (LoomArrow) { g_rand_int (rand) % drawn->n_sources, g_rand_int (rand) % drawn->n_sources, g_rand_int (rand) % 5 };
  if (drawn->n > 1)
    arrows[0].from = arrows[1].to = drawn->n_spans - 1;
  return arrows;
}

static void
check (const Case *drawn, LoomArrow *arrows, guint n_threads)
{
  LoomTrace trace = { .spans.n = drawn->n_spans };
  LoomArrows parts[] = { { arrows, drawn->n / 3 }, { NULL, 0 }, { arrows + drawn->n / 3, drawn->n - drawn->n / 3 } };
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof *parts);
  g_array_append_vals (found, parts, G_N_ELEMENTS (parts));
  loom_flow_arrows_keep (&trace, found, n_threads);
  g_assert_cmpuint (trace.n_arrows, ==, drawn->n);
  g_autofree LoomArrow *wanted = g_memdup2 (arrows, drawn->n * sizeof *arrows);
  if (drawn->n > 0)
    qsort (wanted, drawn->n, sizeof *wanted, compare_sources);
  for (guint32 i = 0; i < drawn->n; i++)
    g_assert_cmpint (compare_sources (&trace.arrows[i], &wanted[i]), ==, 0);
  for (guint32 i = 1; i < drawn->n; i++) {
    guint32 before = trace.arrows_by_target[i - 1], here = trace.arrows_by_target[i];
    g_assert_true (trace.arrows[before].to < trace.arrows[here].to ||
                   (trace.arrows[before].to == trace.arrows[here].to && before < here));
  }
  g_free (trace.arrows);
  g_free (trace.arrows_by_target);
}

static void
test_case (gconstpointer data)
{
  const Case *drawn = data;
  GRand *rand = g_rand_new_with_seed (11);
  g_autofree LoomArrow *arrows = make_arrows (drawn, rand);
  for (guint n_threads = 1; n_threads <= 5; n_threads += 2)
    check (drawn, arrows, n_threads);
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("/model/flow-arrows/%s", cases[i].name);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  return g_test_run ();
}
