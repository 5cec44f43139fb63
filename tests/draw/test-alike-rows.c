/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests folding of similar ranks: ranks that do the same work are represented by the row of one of them.
 */
#include "fake-run.h"
#include "rows-fixture.h"

/* The row of one rank represents the ranks that do the same work. The others get rows when the user shows them, when a
 * search finds events of them, or when the representative is hidden. */
static void
test_alike (void)
{
  const gint ranks[] = { 1, 2 }, others[] = { 0, 0 };
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 3, FALSE), second = rows_fixture_new_open (1, 3, FALSE);
  g_autofree char *first = rows_fixture_dup_key (outline, "rank 0"), *last = rows_fixture_dup_key (outline, "rank 2");
  loom_row_list_fold_all (outline, TRUE);
  loom_row_list_fold_alike (outline, ranks, others, 2);
  rows_fixture_assert (outline, "> rank 0 (+2 similar)\n");
  g_assert_cmpuint (loom_row_list_get_n_alike (outline), ==, 2);
  g_autoptr (GVariant) saved = loom_row_list_save (outline);
  loom_row_list_restore (second, saved);
  rows_fixture_assert (second, "> rank 0 (+2 similar)\n");
  loom_row_list_reveal (outline, last);
  rows_fixture_assert (outline, "> rank 0 (+1 similar)\n> rank 2\n");
  loom_row_list_show_alike (outline, first);
  rows_fixture_assert (outline, "> rank 0\n> rank 1\n> rank 2\n");
  loom_row_list_set_hidden (second, first, TRUE);
  rows_fixture_assert (second, "> rank 1\n> rank 2\n");
}

/* The number of similar ranks that a row states does not include ranks that the user hid, or whose files are not
 * shown. */
static void
test_alike_hidden (void)
{
  const gint ranks[] = { 1, 2, 3 }, others[] = { 0, 0, 0 };
  const char *shown[] = { "run/rank-0.pt.trace.json", "run/rank-1.pt.trace.json", "run/rank-3.pt.trace.json", NULL };
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 4, FALSE);
  g_autofree char *last = rows_fixture_dup_key (outline, "rank 3");
  loom_row_list_fold_all (outline, TRUE);
  loom_row_list_fold_alike (outline, ranks, others, 3);
  rows_fixture_assert (outline, "> rank 0 (+3 similar)\n");
  loom_row_list_set_sources (outline, shown);
  rows_fixture_assert (outline, "> rank 0 (+2 similar)\n");
  loom_row_list_set_hidden (outline, last, TRUE);
  rows_fixture_assert (outline, "> rank 0 (+1 similar)\n");
  g_assert_cmpuint (loom_row_list_get_n_alike (outline), ==, 1);
  loom_row_list_set_sources (outline, NULL);
  rows_fixture_assert (outline, "> rank 0 (+2 similar)\n");
}

/* A rank whose file or node is not shown does not represent other ranks, so that they get rows of their own. */
static void
test_alike_without_representative (void)
{
  const gint ranks[] = { 1, 2, 3 }, others[] = { 0, 0, 0 };
  const char *second[] = { "run/rank-1.pt.trace.json", NULL },
             *muted[] = { "run/rank-1.pt.trace.json", "run/rank-2.pt.trace.json", "run/rank-3.pt.trace.json", NULL };
  g_autoptr (LoomRowList) outline = rows_fixture_new (2, 2, FALSE);
  g_autofree char *node = rows_fixture_dup_key (outline, "algo-1"), *first = rows_fixture_dup_key (outline, "rank 0");
  loom_row_list_fold_alike (outline, ranks, others, 3);
  rows_fixture_assert (outline, "v algo-1\n > rank 0 (+3 similar)\n");
  loom_row_list_set_sources (outline, second);
  rows_fixture_assert (outline, "v algo-1\n > rank 1\n");
  loom_row_list_set_sources (outline, muted);
  rows_fixture_assert (outline, "v algo-1\n > rank 1\nv algo-2\n > rank 2\n > rank 3\n");
  g_assert_cmpuint (loom_row_list_get_n_alike (outline), ==, 0);
  loom_row_list_set_sources (outline, NULL);
  rows_fixture_assert (outline, "v algo-1\n > rank 0 (+3 similar)\n");
  loom_row_list_set_hidden (outline, node, TRUE);
  rows_fixture_assert (outline, "v algo-2\n > rank 2\n > rank 3\n");
  loom_row_list_set_hidden (outline, node, FALSE);
  loom_row_list_set_hidden (outline, first, TRUE);
  rows_fixture_assert (outline, "v algo-1\n > rank 1\nv algo-2\n > rank 2\n > rank 3\n");
}

static LoomTrace *
make_trace_of_rank (const char *path, const char *node, gint rank)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomSource *info = loom_source_new (path);
  info->node = g_strdup (node);
  info->rank = rank;
  guint source = loom_trace_builder_add_source (builder, info, loom_trace_builder_add_clock (builder));
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  loom_trace_builder_process_set_place (builder, process, node, rank);
  rows_fixture_add_span (builder, rows_fixture_add_thread (builder, process, "1", "main"), 0, 10);
  rows_fixture_add_span (builder, rows_fixture_add_thread (builder, process, "2", "other"), 0, 10);
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* If a rank has rows below two nodes, as when a job restarts on another node, all of these count as one rank. */
static void
test_alike_of_two_nodes (void)
{
  const gint rank = 1, other = 0;
  LoomTrace *traces[] = { make_trace_of_rank ("a.json", "a", 0), make_trace_of_rank ("b.json", "a", 1),
                          make_trace_of_rank ("c.json", "b", 1) };
  g_autoptr (LoomRun) run = loom_run_new (traces, G_N_ELEMENTS (traces));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    loom_trace_unref (traces[i]);
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, FALSE);
  rows_fixture_assert (outline, "v a\n v rank 0\n  main\n  other\n v rank 1\n  main\n  other\n"
                                "v b\n v rank 1\n  main\n  other\n");
  loom_row_list_fold_alike (outline, &rank, &other, 1);
  rows_fixture_assert (outline, "v a\n v rank 0 (+1 similar)\n  main\n  other\n");
  g_assert_cmpuint (loom_row_list_get_n_alike (outline), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/alike-rows/folded", test_alike);
  g_test_add_func ("/draw/alike-rows/hidden", test_alike_hidden);
  g_test_add_func ("/draw/alike-rows/without-representative", test_alike_without_representative);
  g_test_add_func ("/draw/alike-rows/of-two-nodes", test_alike_of_two_nodes);
  return g_test_run ();
}
