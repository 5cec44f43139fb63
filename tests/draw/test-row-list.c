/* SPDX-License-Identifier: Apache-2.0 */
#include <libintl.h>
#include <string.h>

#include "fake-run.h"
#include "loom-locale.h"
#include "loom-row-list-private.h"
#include "loom-trace-builder.h"
#include "rows-fixture.h"

#define RANK(n)                                                                                               \
  "v rank " n "\n GPU 0 · stream 7\n GPU 0 · stream 20\n v python\n  v thread 1042 (python)\n   instants\n" \
  "  v thread 1393 (pt_autograd_0)\n"

/* Builds the tree of rows. If a run has only one node, the node has no row of its own. */
static void
test_tree (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  rows_fixture_assert (outline, RANK ("0") RANK ("1"));
}

/* The row "instants" is below the spans of its thread; without spans, it has the name of the thread. */
static void
test_lone_instants (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source =
    loom_trace_builder_add_source (builder, loom_source_new ("a.json"), loom_trace_builder_add_clock (builder));
  guint32 process = loom_trace_builder_process (builder, source, "1", 1),
          name = loom_trace_builder_name (builder, "work", 4, "", 0, "", 0);
  guint32 reader = rows_fixture_add_thread (builder, process, "1", "reader"),
          ticks = rows_fixture_add_thread (builder, process, "2", "ticks");
  loom_trace_builder_span (builder, reader, 0, 10, name, loom_source_ref_make (source, 0, 0));
  for (guint i = 0; i < 3; i++) { /* three markers, because rows of up to two are hidden */
    loom_trace_builder_instant (builder, source, process, reader, 5 + i, name, 'i', 't',
                                loom_source_ref_make (source, 0, 1 + i));
    loom_trace_builder_instant (builder, source, process, ticks, 5 + i, name, 'i', 't',
                                loom_source_ref_make (source, 0, 4 + i));
  }
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  rows_fixture_assert (outline, "v 1\n reader\n  instants\n ticks\n");
  g_autofree char *spans = rows_fixture_dup_key (outline, "reader"),
                  *instants = rows_fixture_dup_key (outline, "instants");
  g_assert_cmpstr (rows_fixture_find (outline, "instants")->detail, ==, "1, reader, instants");
  loom_row_list_set_pinned (outline, spans, TRUE);
  /* the label includes the name of the thread, because the row of the thread is pinned elsewhere */
  g_assert_nonnull (rows_fixture_find (outline, "reader · instants"));
  loom_row_list_set_pinned (outline, spans, FALSE);
  loom_row_list_set_hidden (outline, spans, TRUE);
  rows_fixture_assert (outline, "v 1\n reader · instants\n ticks\n");
  loom_row_list_set_hidden (outline, spans, FALSE);
  g_assert_true (loom_row_list_move (outline, instants, NULL));
  rows_fixture_assert (outline, "v 1\n reader\n ticks\n reader · instants\n");
}

static void
test_nodes_and_metrics (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new (2, 5, TRUE);
  rows_fixture_assert (
    outline, "v algo-1\n GPU utilization\n CPU utilization\n > more metrics\n > rank 0\n > rank 1\n > rank 2\n"
             " > rank 3\n > rank 4\nv algo-2\n GPU utilization\n CPU utilization\n > more metrics\n > rank 5\n"
             " > rank 6\n > rank 7\n > rank 8\n > rank 9\n");
  const LoomTimelineRow *gpu = rows_fixture_find (outline, "GPU utilization"),
                        *cpu = rows_fixture_find (outline, "CPU utilization");
  g_assert_cmpuint (gpu->n_series, ==, 5);
  g_assert_cmpstr (gpu->series[3].label, ==, "gpu3");
  g_assert_cmpint (gpu->parts->kind, ==, LOOM_PLOT_LINES);
  g_assert_cmpfloat (gpu->parts->scale.max, ==, 100);
  g_assert_cmpstr (gpu->unit, ==, "%");
  g_assert_cmpuint (cpu->n_series, ==, 12);
  g_assert_cmpstr (cpu->series[11].label, ==, "cpu11");
  g_assert_cmpint (cpu->parts->kind, ==, LOOM_PLOT_MEAN);
}

static void
test_several_ranks_fold (void)
{
  g_autoptr (LoomRowList) few = rows_fixture_new (1, 1, FALSE), many = rows_fixture_new (1, 4, FALSE);
  g_assert_false (rows_fixture_find (few, "rank 0")->folded);
  g_assert_true (rows_fixture_find (many, "rank 0")->folded);
  /* the row of a folded rank shows the spans of its accelerator */
  const LoomTimelineRow *rank = rows_fixture_find (many, "rank 3");
  g_assert_cmpuint (rank->n_tracks, ==, 2);
  LoomTrace *trace =
    loom_run_get_trace (loom_timeline_get_run (loom_row_list_get_timeline (many)), rank->tracks[0].trace);
  g_assert_true (loom_trace_get_track (trace, rank->tracks[0].track)->flags & LOOM_TRACK_DEVICE);
}

/* Asserts that rows are adjacent, and that every y belongs to a row. */
static void
assert_layout (const LoomRowList *outline, double scroll)
{
  double y = 0;
  guint n_pinned = loom_row_list_get_n_pinned (outline), sticky = loom_row_list_get_sticky (outline, scroll);
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    if (i == n_pinned)
      y = 0;
    g_assert_cmpfloat (row->y, ==, y);
    g_assert_true (row->pinned == (i < n_pinned));
    y += row->height;
    g_assert_cmpuint (loom_row_list_find (outline, row->key), ==, i);
    double top = loom_row_list_row_top (outline, i, scroll) + 0.01;
    double bottom = top + row->height - 0.02;
    if (row->pinned || top >= loom_row_list_get_cover (outline, scroll))
      g_assert_cmpuint (loom_row_list_row_at (outline, top, scroll), ==, i);
    if (row->pinned || bottom >= loom_row_list_get_cover (outline, scroll) || sticky == i)
      g_assert_cmpuint (loom_row_list_row_at (outline, bottom, scroll), ==, i);
  }
  g_assert_cmpfloat (loom_row_list_get_height (outline), ==, y);
  double pinned = loom_row_list_get_pinned_height (outline), below = MAX (pinned + y - scroll, pinned) + 0.01;
  g_assert_cmpuint (loom_row_list_row_at (outline, below, scroll), ==, G_MAXUINT);
  g_assert_cmpuint (loom_row_list_row_at (outline, -1, scroll), ==, G_MAXUINT);
}

static void
test_layout (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (2, 3, TRUE);
  for (int i = 0; i < 200; i++) {
    guint row = (guint) g_test_rand_int_range (0, (gint) loom_row_list_get_n_rows (outline));
    g_autofree char *key = g_strdup (loom_row_list_get_row (outline, row)->key);
    if (g_test_rand_bit ())
      loom_row_list_set_folded (outline, key, g_test_rand_bit ());
    else
      loom_row_list_set_pinned (outline, key, g_test_rand_bit ());
    assert_layout (outline, 0);
    assert_layout (outline, g_test_rand_double_range (0, 300));
  }
}

static double
height_of (const LoomRowList *outline, const char *label)
{
  return rows_fixture_find (outline, label)->height;
}

/* The lanes of folded ranks are higher if the view has free height, up to a maximum. Unfolding one rank does not change
 * the lanes of other ranks. */
static void
test_lanes_fill_room (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new (1, 4, FALSE), one = rows_fixture_new (1, 1, FALSE);
  g_assert_cmpfloat (height_of (outline, "rank 0"), ==, LOOM_GROUP_PX);
  g_assert_true (loom_row_list_set_room (outline, 4 * 50 + 3));
  g_assert_false (loom_row_list_set_room (outline, 4 * 50 + 2));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (loom_row_list_get_row (outline, i)->height, ==, 50);
  g_autofree char *first = rows_fixture_dup_key (outline, "rank 0");
  loom_row_list_set_folded (outline, first, FALSE);
  g_assert_cmpfloat (height_of (outline, "rank 0"), ==, LOOM_GROUP_PX);
  g_assert_cmpfloat (height_of (outline, "rank 1"), ==, 50);
  loom_row_list_set_room (outline, 2000);
  g_assert_cmpfloat (height_of (outline, "rank 1"), ==, LOOM_LANE_MAX_PX);
  loom_row_list_set_room (outline, 20);
  g_assert_cmpfloat (height_of (outline, "rank 1"), ==, LOOM_GROUP_PX);
  g_assert_false (loom_row_list_set_room (one, 2000));
  loom_row_list_set_least_lane (outline, 15);
  g_assert_cmpfloat (height_of (outline, "rank 1"), ==, 15);
}

/* The row of an unfolded rank stays at the top while the rank's rows are scrolled, until the next rank pushes it out of
 * view. */
static void
test_sticky (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  guint first = loom_row_list_find (outline, rows_fixture_find (outline, "rank 0")->key),
        next = loom_row_list_find (outline, rows_fixture_find (outline, "rank 1")->key);
  double end = loom_row_list_get_row (outline, next)->y;
  g_assert_cmpuint (loom_row_list_get_sticky (outline, 0), ==, G_MAXUINT);
  g_assert_cmpuint (loom_row_list_get_sticky (outline, 1), ==, first);
  g_assert_cmpuint (loom_row_list_get_sticky (outline, 40), ==, first);
  g_assert_cmpfloat (loom_row_list_row_top (outline, first, 40), ==, 0);
  g_assert_cmpuint (loom_row_list_row_at (outline, LOOM_GROUP_PX - 1, 40), ==, first);
  g_assert_cmpfloat (loom_row_list_get_cover (outline, 40), ==, LOOM_GROUP_PX);
  g_assert_cmpfloat (loom_row_list_row_top (outline, first, end - 10), ==, 10 - LOOM_GROUP_PX);
  g_assert_cmpfloat (loom_row_list_get_cover (outline, end - 10), ==, 10);
  g_assert_cmpuint (loom_row_list_get_sticky (outline, end + 1), ==, next);
  g_assert_cmpfloat (loom_row_list_get_cover_of_row (outline, first), ==, 0);
  g_assert_cmpfloat (loom_row_list_get_cover_of_row (outline, first + 1), ==, LOOM_GROUP_PX);
}

/* Threads that hardly work are in a folded group below the other threads; a span in the group can still be shown. The
 * row of a marker of the whole process is hidden until the user shows all rows; a session stores this choice. */
static void
test_idle_threads (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source =
    loom_trace_builder_add_source (builder, loom_source_new ("a.json"), loom_trace_builder_add_clock (builder));
  guint32 process = loom_trace_builder_process (builder, source, "1", 1),
          mark = loom_trace_builder_name (builder, "begin", 5, "", 0, "", 0);
  guint32 idle = rows_fixture_add_thread (builder, process, "2", "a");
  rows_fixture_add_span (builder, rows_fixture_add_thread (builder, process, "3", "b"), 0, 100);
  rows_fixture_add_span (builder, idle, 400, 1);
  rows_fixture_add_span (builder, rows_fixture_add_thread (builder, process, "1", "main"), 0, 1000000);
  loom_trace_builder_instant (builder, source, process, G_MAXUINT32, 5, mark, 'i', 'p',
                              loom_source_ref_make (source, 0, 2));
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  rows_fixture_assert (outline, "v 1\n main\n > 2 idle threads\n");
  loom_row_list_reveal_span (outline, (LoomSpanId) { 0, 1 });
  rows_fixture_assert (outline, "v 1\n main\n v 2 idle threads\n  a\n  b\n");
  g_assert_cmpuint (loom_row_list_get_n_hidden (outline), ==, 1);
  g_assert_false (loom_row_list_leaves_out (outline));
  loom_row_list_show_all_hidden (outline);
  rows_fixture_assert (outline, "v 1\n main\n v 2 idle threads\n  a\n  b\n instants\n");
  g_assert_cmpuint (loom_row_list_get_n_hidden (outline), ==, 0);
  g_autofree char *instants = rows_fixture_dup_key (outline, "instants");
  g_autoptr (GVariant) saved = loom_row_list_save (outline);
  loom_row_list_set_hidden (outline, instants, TRUE);
  rows_fixture_assert (outline, "v 1\n main\n v 2 idle threads\n  a\n  b\n");
  loom_row_list_restore (outline, saved);
  rows_fixture_assert (outline, "v 1\n main\n v 2 idle threads\n  a\n  b\n instants\n");
}

/* Spans in which a device waits for its streams are in a folded group of the device, below its streams. */
static void
test_waits (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source =
    loom_trace_builder_add_source (builder, loom_source_new ("a.sqlite"), loom_trace_builder_add_clock (builder));
  guint32 host = loom_trace_builder_process (builder, source, "1", 1);
  rows_fixture_add_span (builder, rows_fixture_add_thread (builder, host, "1", "main"), 0, 1000);
  for (guint i = 0; i < 2; i++) {
    g_autofree char *name = g_strdup_printf ("GPU %u", i);
    guint32 device = loom_trace_builder_process (builder, source, name, strlen (name));
    loom_trace_builder_process_set_label (builder, device, name);
    loom_trace_builder_process_set_sort (builder, device, i);
    loom_trace_builder_process_add_flags (builder, device, LOOM_TRACK_DEVICE);
    const char *const labels[] = { "stream 7", "stream 7 sync", "stream 9 sync" };
    for (guint k = 0; k < G_N_ELEMENTS (labels); k++) {
      guint32 thread = rows_fixture_add_thread (builder, device, labels[k], labels[k]);
      loom_trace_builder_thread_add_flags (builder, thread, k > 0 && i == 0 ? LOOM_TRACK_COLLAPSED : 0);
      loom_trace_builder_thread_set_sort (builder, thread, 7 + k);
      rows_fixture_add_span (builder, thread, 10 * k, 500);
    }
  }
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  rows_fixture_assert (outline, "v GPU 0\n stream 7\n > waits for streams\n"
                                "GPU 1 · stream 7\nGPU 1 · stream 7 sync\nGPU 1 · stream 9 sync\n1\n");
}

static void
test_folding (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  g_autofree char *rank = rows_fixture_dup_key (outline, "rank 0"),
                  *thread = rows_fixture_dup_key (outline, "thread 1042 (python)");
  const LoomTimelineRow *row = rows_fixture_find (outline, "thread 1042 (python)");
  guint n_strips = row->n_strips;
  g_assert_cmpuint (n_strips, >, 3);
  g_assert_cmpfloat (row->height, ==, n_strips * LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX);
  loom_row_list_set_folded (outline, thread, TRUE);
  g_assert_cmpuint (rows_fixture_find (outline, "thread 1042 (python)")->n_strips, ==, 1);
  loom_row_list_set_folded (outline, rank, TRUE);
  rows_fixture_assert (outline, "> rank 0\n" RANK ("1"));
  loom_row_list_fold_all (outline, TRUE);
  rows_fixture_assert (outline, "> rank 0\n> rank 1\n");
}

static void
test_state_survives_a_new_timeline (void)
{
  FakeShape small = { 1, 2, 3, 3, 4, FALSE }, large = { 1, 3, 3, 3, 4, FALSE };
  g_autoptr (LoomTimeline) first = fake_run_new (&small), second = fake_run_new (&large);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  rows_fixture_assert (outline, "");
  loom_row_list_set_timeline (outline, first);
  g_autofree char *rank = rows_fixture_dup_key (outline, "rank 1");
  loom_row_list_set_folded (outline, rank, FALSE);
  loom_row_list_set_timeline (outline, second);
  rows_fixture_assert (outline, "> rank 0\n" RANK ("1") "> rank 2\n");
  loom_row_list_set_timeline (outline, NULL);
  rows_fixture_assert (outline, "");
}

/* Rows can be prepared before a row list exists. The first row list uses them; rows that were prepared with other names
 * of sources, and unused rows, are freed. */
static void
test_prepared (void)
{
  FakeShape shape = { 1, 2, 3, 3, 4, FALSE };
  for (guint named = 0; named < 2; named++) {
    g_autoptr (LoomTimeline) timeline = fake_run_new (&shape), unused = fake_run_new (&shape);
    g_autoptr (LoomRowList) plain = rows_fixture_new (1, 2, FALSE), first = loom_row_list_new (),
                            second = loom_row_list_new ();
    g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
    const char *path = loom_run_get_source (loom_timeline_get_run (timeline), 1)->path;
    loom_source_overrides_change (edits, path)->name = g_strdup ("the slow one");
    const LoomRowTree *prepared = loom_row_tree_prepare (timeline, edits);
    loom_row_list_prepare (unused, NULL);
    if (named)
      loom_row_list_set_names (first, edits);
    loom_row_list_set_timeline (first, timeline);
    loom_row_list_set_timeline (second, timeline);
    g_assert_true (!named || (first->tree == prepared && second->tree != prepared));
    g_autofree char *rows = rows_fixture_draw (plain), *others = rows_fixture_draw (first);
    g_assert_true ((strcmp (rows, others) == 0) == !named);
    g_assert_true ((strstr (others, "the slow one") != NULL) == named);
    rows_fixture_assert (second, rows);
  }
}

static void
test_pin_hide_move_filter (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  g_autofree char *stream = rows_fixture_dup_key (outline, "GPU 0 · stream 7"),
                  *rank1 = rows_fixture_dup_key (outline, "rank 1"), *rank0 = rows_fixture_dup_key (outline, "rank 0"),
                  *python = rows_fixture_dup_key (outline, "python");
  loom_row_list_set_filter (outline, "STREAM");
  rows_fixture_assert (
    outline, "v rank 0\n GPU 0 · stream 7\n GPU 0 · stream 20\nv rank 1\n GPU 0 · stream 7\n GPU 0 · stream 20\n");
  loom_row_list_set_pinned (outline, stream, TRUE);
  g_assert_cmpuint (loom_row_list_get_n_pinned (outline), ==, 1);
  g_assert_cmpstr (loom_row_list_get_row (outline, 0)->detail, ==, "rank 0, GPU 0 · stream 7");
  loom_row_list_set_filter (outline, "rank 0");
  loom_row_list_set_hidden (outline, python, TRUE);
  rows_fixture_assert (outline, "!GPU 0 · stream 7\nv rank 0\n GPU 0 · stream 20\n");
  g_assert_cmpuint (loom_row_list_get_n_hidden (outline), ==, 1);
  loom_row_list_set_filter (outline, NULL);
  g_assert_true (loom_row_list_move (outline, rank1, rank0));
  g_assert_false (loom_row_list_move (outline, rank1, stream));
  rows_fixture_assert (outline, "!GPU 0 · stream 7\n" RANK ("1") "v rank 0\n GPU 0 · stream 20\n");
  loom_row_list_show_all_hidden (outline);
  loom_row_list_set_pinned (outline, stream, FALSE);
  rows_fixture_assert (outline, RANK ("1") RANK ("0"));
  g_assert_true (loom_row_list_move (outline, rank1, NULL));
  rows_fixture_assert (outline, RANK ("0") RANK ("1"));
}

static void
test_save_and_restore (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (2, 2, TRUE), other = rows_fixture_new_open (2, 2, TRUE);
  g_autofree char *stream = rows_fixture_dup_key (outline, "GPU 0 · stream 7"),
                  *gpu = rows_fixture_dup_key (outline, "GPU utilization"),
                  *rank = rows_fixture_dup_key (outline, "rank 1"),
                  *cpu = rows_fixture_dup_key (outline, "CPU utilization");
  loom_row_list_set_pinned (outline, stream, TRUE);
  loom_row_list_set_pinned (outline, gpu, TRUE);
  loom_row_list_set_folded (outline, rank, TRUE);
  loom_row_list_set_row_height (outline, gpu, 96);
  loom_row_list_set_overlay (outline, gpu, TRUE);
  loom_row_list_set_hidden (outline, cpu, TRUE);
  g_autoptr (GVariant) state = loom_row_list_save (outline);
  loom_row_list_restore (other, state);
  g_autofree char *expected = rows_fixture_draw (outline);
  rows_fixture_assert (other, expected);
  const LoomTimelineRow *row = loom_row_list_get_row (other, 1);
  g_assert_true (row->overlay);
  g_assert_cmpfloat (row->height, ==, 96);
  g_autoptr (GVariant) again = loom_row_list_save (other);
  g_assert_true (g_variant_equal (state, again));
}

/* A restored state replaces all changes, including changes that the rows had before and that the state does not
 * contain. Changes that are made afterwards are shown, even for a row that had no changes before. */
static void
test_restore_replaces (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  g_autofree char *rank0 = rows_fixture_dup_key (outline, "rank 0"), *rank1 = rows_fixture_dup_key (outline, "rank 1"),
                  *rows = rows_fixture_draw (outline);
  g_autoptr (GVariant) open = loom_row_list_save (outline);
  loom_row_list_set_hidden (outline, rank0, TRUE);
  loom_row_list_set_folded (outline, rank1, TRUE);
  rows_fixture_assert (outline, "> rank 1\n");
  loom_row_list_restore (outline, open);
  rows_fixture_assert (outline, rows);
  loom_row_list_set_hidden (outline, rank1, TRUE);
  rows_fixture_assert (outline, RANK ("0"));
  loom_row_list_set_hidden (outline, rank0, TRUE);
  rows_fixture_assert (outline, "");
  loom_row_list_show_all_hidden (outline);
  rows_fixture_assert (outline, rows);
  g_autoptr (GVariant) nothing = g_variant_ref_sink (g_variant_new ("a{sa{sv}}", NULL));
  loom_row_list_set_hidden (outline, rank0, TRUE);
  loom_row_list_restore (outline, nothing);
  rows_fixture_assert (outline, "> rank 0\n> rank 1\n");
}

/* Asserts that a saved state of the rows is equal after it is restored and saved again. */
static void
assert_saved (LoomRowList *outline)
{
  g_autoptr (LoomRowList) fresh = rows_fixture_new_open (2, 2, TRUE);
  g_autoptr (GVariant) state = loom_row_list_save (outline);
  loom_row_list_restore (fresh, state);
  g_autofree char *expected = rows_fixture_draw (outline);
  rows_fixture_assert (fresh, expected);
  g_autoptr (GVariant) anew = loom_row_list_save (fresh), again = loom_row_list_save (outline);
  g_assert_true (g_variant_equal (state, anew));
  g_assert_true (state == again);
}

static void
test_save_again (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (2, 2, TRUE);
  g_autofree char *stream = rows_fixture_dup_key (outline, "GPU 0 · stream 7"),
                  *gpu = rows_fixture_dup_key (outline, "GPU utilization"),
                  *rank = rows_fixture_dup_key (outline, "rank 1"),
                  *cpu = rows_fixture_dup_key (outline, "CPU utilization");
  assert_saved (outline);
  loom_row_list_set_pinned (outline, stream, TRUE);
  loom_row_list_set_pinned (outline, gpu, TRUE);
  loom_row_list_set_hidden (outline, cpu, TRUE);
  assert_saved (outline);
  loom_row_list_set_pinned (outline, stream, FALSE); /* unpinned at the end, to check that its former place is
                                                      * restored */
  assert_saved (outline);
  loom_row_list_set_folded (outline, rank, TRUE);
  assert_saved (outline);
  g_autoptr (GVariant) folded = loom_row_list_save (outline);
  loom_row_list_show_all_hidden (outline);
  assert_saved (outline);
  loom_row_list_set_folded (outline, rank, FALSE);
  loom_row_list_set_row_height (outline, gpu, 96);
  assert_saved (outline);
  loom_row_list_restore (outline, folded);
  assert_saved (outline);
  g_autoptr (GVariant) again = loom_row_list_save (outline);
  g_assert_true (g_variant_equal (folded, again));
}

static void
test_finding_spans (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  LoomTimeline *timeline = loom_row_list_get_timeline (outline);
  LoomSpanId kernel = fake_run_find (timeline, "multi_tensor_apply_kernel<adam>"),
             layer = fake_run_find (timeline, "forward");
  g_autofree char *rank = rows_fixture_dup_key (outline, "rank 0");
  guint row, strip;
  g_assert_true (loom_row_list_find_span (outline, kernel, &row, &strip));
  g_assert_cmpstr (loom_row_list_get_row (outline, row)->label, ==, "GPU 0 · stream 7");
  g_assert_cmpuint (strip, ==, 0);
  g_assert_true (loom_row_list_find_span (outline, layer, &row, &strip));
  g_assert_cmpuint (strip, ==, 1);
  loom_row_list_set_folded (outline, rank, TRUE);
  g_assert_false (loom_row_list_find_span (outline, kernel, &row, &strip));
  g_assert_cmpstr (loom_row_list_get_row (outline, row)->label, ==, "rank 0");
  loom_row_list_set_filter (outline, "nothing is called so");
  g_assert_false (loom_row_list_find_span (outline, kernel, &row, &strip));
  g_assert_cmpuint (row, ==, G_MAXUINT);
  loom_row_list_reveal_span (outline, kernel);
  g_assert_true (loom_row_list_find_span (outline, kernel, &row, &strip));
}

static void
test_sources (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 3, FALSE);
  const char *const only[] = { "run/rank-1.pt.trace.json", NULL };
  loom_row_list_set_sources (outline, only);
  rows_fixture_assert (outline, RANK ("1"));
  loom_row_list_set_sources (outline, NULL);
  rows_fixture_assert (outline, RANK ("0") RANK ("1") RANK ("2"));
}

/* The name that the user gave to a file is shown beside its rank; a folded rank stays folded. */
static void
test_names (void)
{
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
  g_autofree char *rank = rows_fixture_dup_key (outline, "rank 1");
  loom_row_list_set_folded (outline, rank, TRUE);
  g_assert_false (loom_row_list_set_names (outline, edits));
  loom_source_overrides_change (edits, "run/rank-1.pt.trace.json")->name = g_strdup ("the slow one");
  g_assert_true (loom_row_list_set_names (outline, edits));
  rows_fixture_assert (outline, RANK ("0") "> rank 1 · the slow one\n");
  g_assert_false (loom_row_list_set_names (outline, edits));
  g_clear_pointer (&loom_source_overrides_change (edits, "run/rank-1.pt.trace.json")->name, g_free);
  g_assert_true (loom_row_list_set_names (outline, edits));
  rows_fixture_assert (outline, RANK ("0") "> rank 1\n");
}

/* In rows of files without a rank, the name that the user gave replaces the file name; if there is only one file, it
 * precedes the name of the process. */
static void
test_names_of_files (void)
{
  for (guint n = 1; n <= 2; n++) {
    g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
    LoomTrace *traces[2];
    for (guint i = 0; i < n; i++) {
      LoomTraceBuilder *builder = loom_trace_builder_new ();
      LoomSource *info = loom_source_new (i == 0 ? "a.json" : "b.json");
      info->format = "chrome";
      guint source = loom_trace_builder_add_source (builder, info, loom_trace_builder_add_clock (builder));
      guint32 process = loom_trace_builder_process (builder, source, "1", 1),
              name = loom_trace_builder_name (builder, "work", 4, "", 0, "", 0);
      loom_trace_builder_span (builder, rows_fixture_add_thread (builder, process, "1", "reader"), 0, 10, name,
                               loom_source_ref_make (source, 0, 0));
      loom_trace_builder_span (builder, rows_fixture_add_thread (builder, process, "2", "writer"), 0, 10, name,
                               loom_source_ref_make (source, 0, 1));
      traces[i] = loom_trace_builder_freeze (builder, 1, NULL);
    }
    g_autoptr (LoomRun) run = loom_run_new (traces, n);
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
    g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
    g_autoptr (LoomRowList) outline = loom_row_list_new ();
    loom_source_overrides_change (edits, "a.json")->name = g_strdup ("added");
    loom_row_list_set_names (outline, edits);
    loom_row_list_set_timeline (outline, timeline);
    for (guint i = 0; i < n; i++)
      loom_trace_unref (traces[i]);
    rows_fixture_assert (outline, n == 1 ? "v added · 1\n reader\n writer\n"
                                         : "v added\n reader\n writer\nv b.json\n reader\n writer\n");
  }
}

/* The parts of a row's path are joined by the list separator of the language. */
static void
test_language (void)
{
  g_setenv ("LANGUAGE", "ja", TRUE);
  textdomain (GETTEXT_PACKAGE); /* after LANGUAGE changes, gettext uses it only when a text domain is set */
  g_autoptr (LoomRowList) outline = rows_fixture_new_open (1, 2, FALSE);
  const LoomTimelineRow *row = rows_fixture_find (outline, "GPU 0 · stream 7");
  g_assert_nonnull (row);
  g_assert_cmpstr (row->detail, ==, "ランク 0、GPU 0 · stream 7");
  g_unsetenv ("LANGUAGE");
  textdomain (GETTEXT_PACKAGE);
}

/* If a run has several devices with many rows, each device is shown as one folded lane. When a device is unfolded, its
 * stream that only repeats the work of other streams is still folded. A process without threads is labelled only with
 * its name. */
static void
test_many_devices (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source =
    loom_trace_builder_add_source (builder, loom_source_new ("a.pb"), loom_trace_builder_add_clock (builder));
  guint32 tensor = loom_trace_builder_process (builder, source, "tensor", 6);
  loom_trace_builder_process_set_label (builder, tensor, "grad_0");
  rows_fixture_add_span (builder, loom_trace_builder_thread (builder, tensor, "", 0), 0, 1000);
  for (guint i = 0; i < 5; i++) {
    g_autofree char *name = g_strdup_printf ("GPU %u", i);
    guint32 device = loom_trace_builder_process (builder, source, name, strlen (name));
    loom_trace_builder_process_set_label (builder, device, name);
    loom_trace_builder_process_set_sort (builder, device, i);
    loom_trace_builder_process_add_flags (builder, device, LOOM_TRACK_DEVICE);
    for (guint k = 0; k < 5; k++) {
      g_autofree char *label = g_strdup_printf ("stream %u", k);
      guint32 thread = rows_fixture_add_thread (builder, device, label, label);
      loom_trace_builder_thread_add_flags (builder, thread, k == 4 ? LOOM_TRACK_DERIVED : 0);
      rows_fixture_add_span (builder, thread, 0, 500);
      rows_fixture_add_span (builder, thread, 0, 400);
    }
  }
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  rows_fixture_assert (outline, "> GPU 0\n> GPU 1\n> GPU 2\n> GPU 3\n> GPU 4\ngrad_0\n");
  g_autofree char *device = rows_fixture_dup_key (outline, "GPU 4");
  loom_row_list_set_folded (outline, device, FALSE);
  rows_fixture_assert (outline, "> GPU 0\n> GPU 1\n> GPU 2\n> GPU 3\nv GPU 4\n v stream 0\n v stream 1\n"
                                " v stream 2\n v stream 3\n > stream 4\ngrad_0\n");
}

/* A stream that only waits for others is below the streams that compute, although its number is lower. */
static void
test_stream_of_waits (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source =
    loom_trace_builder_add_source (builder, loom_source_new ("a.json"), loom_trace_builder_add_clock (builder));
  guint32 gpu = loom_trace_builder_process (builder, source, "0", 1),
          gemm = loom_trace_builder_name (builder, "gemm", 4, "kernel", 6, "", 0),
          wait = loom_trace_builder_name (builder, "Stream Wait Event", 17, "cuda_sync", 9, "", 0);
  loom_trace_builder_process_set_label (builder, gpu, "GPU 0");
  loom_trace_builder_process_add_flags (builder, gpu, LOOM_TRACK_DEVICE);
  guint32 first = rows_fixture_add_thread (builder, gpu, "0", "stream 0"),
          second = rows_fixture_add_thread (builder, gpu, "7", "stream 7");
  loom_trace_builder_span (builder, first, 0, 10, wait, loom_source_ref_make (source, 0, 0));
  loom_trace_builder_span (builder, second, 0, 10, gemm, loom_source_ref_make (source, 0, 1));
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) rows = loom_row_list_new ();
  loom_row_list_set_timeline (rows, timeline);
  rows_fixture_assert (rows, "GPU 0 · stream 7\nGPU 0 · stream 0\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  loom_locale_bind ("");
  g_test_add_func ("/draw/row-list/tree", test_tree);
  g_test_add_func ("/draw/row-list/lone-instants", test_lone_instants);
  g_test_add_func ("/draw/row-list/nodes-and-metrics", test_nodes_and_metrics);
  g_test_add_func ("/draw/row-list/several-ranks-fold", test_several_ranks_fold);
  g_test_add_func ("/draw/row-list/layout", test_layout);
  g_test_add_func ("/draw/row-list/lanes-fill-room", test_lanes_fill_room);
  g_test_add_func ("/draw/row-list/sticky", test_sticky);
  g_test_add_func ("/draw/row-list/idle-threads", test_idle_threads);
  g_test_add_func ("/draw/row-list/folding", test_folding);
  g_test_add_func ("/draw/row-list/waits", test_waits);
  g_test_add_func ("/draw/row-list/state-survives-a-new-timeline", test_state_survives_a_new_timeline);
  g_test_add_func ("/draw/row-list/pin-hide-move-filter", test_pin_hide_move_filter);
  g_test_add_func ("/draw/row-list/save-and-restore", test_save_and_restore);
  g_test_add_func ("/draw/row-list/restore-replaces", test_restore_replaces);
  g_test_add_func ("/draw/row-list/save-again", test_save_again);
  g_test_add_func ("/draw/row-list/finding-spans", test_finding_spans);
  g_test_add_func ("/draw/row-list/sources", test_sources);
  g_test_add_func ("/draw/row-list/prepared", test_prepared);
  g_test_add_func ("/draw/row-list/names", test_names);
  g_test_add_func ("/draw/row-list/names-of-files", test_names_of_files);
  g_test_add_func ("/draw/row-list/stream-of-waits", test_stream_of_waits);
  g_test_add_func ("/draw/row-list/many-devices", test_many_devices);
  g_test_add_func ("/draw/row-list/language", test_language);
  return g_test_run ();
}
