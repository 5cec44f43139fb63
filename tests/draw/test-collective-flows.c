/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how the timeline shows the collectives of three ranks that wait for one another: arrows from the rank that
 * arrives last, the text that describes the wait, hatching of the waiting part of spans, rows of ranks sorted by
 * lateness, and marks of late ranks. Also tests the waits for data in the lanes of ranks.
 */
#include "job-run.h"
#include "loom-collective-flows.h"
#include "loom-minimap-data.h"
#include "loom-rank-order.h"
#include "loom-timeline-painter.h"

#include <math.h>
#include <string.h>

#define MS LOOM_NS_PER_MS
#define WIDTH 1000
#define HEIGHT 400

static LoomTimeline *
join (LoomTrace **traces, guint n)
{
  g_autoptr (LoomRun) run = job_run_new (traces, n);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  return loom_timeline_new (run, alignment);
}

/* Returns a timeline with two collectives of 10 ms, at 0 and 20 ms. Rank r arrives late_ms[i][r] late for collective i;
 * in the default case, rank 1 is 4 ms late for the first one, and rank 2 is 7 ms late for the second one. */
static LoomTimeline *
new_timeline_of (const gint64 late_ms[2][3])
{
  LoomTrace *traces[3];
  for (gint number = 0; number < 3; number++) {
    JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
    job_rank_step (&rank, "step", -MS, 40 * MS);
    for (gint64 i = 0; i < 2; i++)
      job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, (20 * i + late_ms[i][number]) * MS,
                     (20 * i + 10) * MS);
    traces[number] = job_rank_end (&rank);
  }
  return join (traces, 3);
}

static LoomTimeline *
new_timeline (void)
{
  static const gint64 late_ms[2][3] = { { 0, 4, 1 }, { 1, 0, 7 } };
  return new_timeline_of (late_ms);
}

static LoomSpanId
span_of (LoomCollectives *collectives, guint number, gint rank)
{
  const LoomCollective *collective = &collectives->all[number];
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  for (guint i = 0; i < collective->n; i++)
    if (members[i].rank == rank)
      return loom_collectives_get_span (collectives, &members[i]);
  g_assert_not_reached ();
}

static void
test_arrows (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline (), other = new_timeline ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  LoomSpanId waits = span_of (collectives, 0, 2), last = span_of (collectives, 0, 1);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  loom_collective_flows_of_span (collectives, timeline, waits, 10, lines);
  g_assert_cmpuint (lines->len, ==, 2);
  const LoomFlowLine *own = &g_array_index (lines, LoomFlowLine, 0);
  g_assert_true (loom_timeline_span_id_equal (own->from, last));
  g_assert_true (loom_timeline_span_id_equal (own->to, waits)); /* the first arrow is the one that leads to the
                                                                 * requested span */
  g_assert_true (own->at_once);
  g_assert_cmpint (own->at_ns, ==, JOB_BASE_NS + 4 * MS);
  g_assert_true (loom_timeline_span_id_equal (g_array_index (lines, LoomFlowLine, 1).to, span_of (collectives, 0, 0)));
  g_array_set_size (lines, 0);
  loom_collective_flows_of_span (collectives, timeline, last, 1, lines);
  g_assert_cmpuint (lines->len, ==, 1); /* the number of arrows is limited by the argument */
  g_array_set_size (lines, 0);
  loom_collective_flows_of_span (collectives, other, last, 10, lines); /* these collectives belong to another run, so no
                                                                        * arrows are added */
  loom_collective_flows_of_span (NULL, timeline, last, 10, lines);
  loom_collective_flows_of_span (collectives, timeline, LOOM_SPAN_ID_NONE, 10, lines);
  g_assert_cmpuint (lines->len, ==, 0);
}

static void
test_words (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autofree char *waits = loom_collective_flows_dup_words (collectives, timeline, span_of (collectives, 1, 0));
  g_autofree char *last = loom_collective_flows_dup_words (collectives, timeline, span_of (collectives, 1, 2));
  g_assert_cmpstr (waits, ==, "waits 6.00 ms for rank 2, then transfers for 3.00 ms");
  g_assert_cmpstr (last, ==, "arrived last, 6.00 ms after the second-to-last rank; then transfers for 3.00 ms");
  g_assert_null (loom_collective_flows_dup_words (collectives, timeline, LOOM_SPAN_ID_NONE));
}

/* A rank that arrives at the same time as the last rank does not wait. */
static void
test_words_together (void)
{
  static const gint64 late_ms[2][3] = { { 0, 4, 4 }, { 0, 0, 0 } };
  g_autoptr (LoomTimeline) timeline = new_timeline_of (late_ms);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  guint n_waiting = 0;
  for (gint rank = 0; rank < 3; rank++) {
    g_autofree char *words = loom_collective_flows_dup_words (collectives, timeline, span_of (collectives, 0, rank));
    n_waiting += g_str_has_prefix (words, "does not wait; then transfers ") ? 1 : 0;
    g_assert_null (strstr (words, "waits 0 ns"));
  }
  g_assert_cmpuint (n_waiting, ==, 1);
}

/* Returns the numbers of the ranks in the order of their rows, from top to bottom, as text. */
static char *
dup_ranks (const LoomRowList *outline)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    if (row->kind == LOOM_ROW_GROUP && g_str_has_prefix (row->label, "rank "))
      g_string_append (text, row->label + strlen ("rank "));
  }
  return g_string_free (text, FALSE);
}

static void
test_order (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (GArray) ranks = loom_rank_order_by_lateness (collectives);
  g_assert_cmpuint (ranks->len, ==, 3); /* sorted by the time for which others waited for a rank: 13, 6.5 and 0.5 ms */
  g_assert_cmpint (g_array_index (ranks, gint, 0), ==, 2);
  g_assert_cmpint (g_array_index (ranks, gint, 1), ==, 1);
  g_assert_cmpint (g_array_index (ranks, gint, 2), ==, 0);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  g_autofree char *before = dup_ranks (outline);
  loom_row_list_order_ranks (outline, (const gint *) (gpointer) ranks->data, ranks->len);
  g_autofree char *late = dup_ranks (outline);
  loom_row_list_order_ranks (outline, NULL, 0);
  g_autofree char *after = dup_ranks (outline);
  g_assert_cmpstr (before, ==, "012");
  g_assert_cmpstr (late, ==, "210");
  g_assert_cmpstr (after, ==, "012");
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

/* Adds up bars in the lane of rank `rank`: those that show waiting if `waiting` is TRUE, otherwise all others. Returns
 * the sum of (width of a bar in ms × its fraction of the lane's height), in ms. */
static double
get_area (const LoomDrawList *list, guint rank, gboolean waiting, double ms_per_px)
{
  guint n_marks, n_strips;
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n_marks);
  const LoomDepthRow *strips = loom_draw_list_get_strips (list, &n_strips);
  double area = 0;
  g_assert_cmpuint (n_strips, >, rank);
  for (guint i = strips[rank].first; i < strips[rank].first + strips[rank].n; i++)
    if (((marks[i].flags & LOOM_DRAW_ITEM_WAITING) != 0) == waiting)
      area += (double) (marks[i].x1 - marks[i].x0) * marks[i].fill / 255.0 * ms_per_px;
  return area;
}

/* The lane of a folded rank divides the time of collectives into waiting and transferring. The shares of both do not
 * depend on the width of the view. */
static void
test_lanes (void)
{
  static const double waits_ms[] = { 10, 7, 3 }, transfers_ms[] = { 9, 9, 9 };
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  const LoomDrawOptions options = { .collectives = collectives };
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, TRUE);
  for (double width = 100; width <= 1600; width *= 2) {
    LoomViewport view = { JOB_BASE_NS, JOB_BASE_NS + 40 * MS, width, HEIGHT, 0 };
    loom_draw_list_build (list, outline, &view, &options);
    for (guint rank = 0; rank < 3; rank++) {
      g_assert_cmpfloat (fabs (get_area (list, rank, TRUE, 40 / width) - waits_ms[rank]), <, 0.2);
      g_assert_cmpfloat (fabs (get_area (list, rank, FALSE, 40 / width) - transfers_ms[rank]), <, 0.2);
    }
    /* without data about collectives, the lane shows the whole time of the ranks' collective spans as communication */
    loom_draw_list_build (list, outline, &view, NULL);
    g_assert_cmpfloat (get_area (list, 0, TRUE, 40 / width), ==, 0);
    g_assert_cmpfloat (fabs (get_area (list, 0, FALSE, 40 / width) - 19), <, 0.4);
  }
}

/* Returns a timeline with `n` collectives of 100 µs, one each 1.03 ms; rank 1 arrives 80 µs late for each. */
static LoomTimeline *
new_short_collectives (gint64 n)
{
  const gint64 us = LOOM_NS_PER_US;
  LoomTrace *traces[2];
  for (gint number = 0; number < 2; number++) {
    JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
    job_rank_step (&rank, "step", -MS, 1030 * n * us);
    for (gint64 i = 0; i < n; i++)
      job_rank_meet (&rank, LOOM_SYNC_EVENT_COLLECTIVE, "dp", "allreduce", i, (1030 * i + 80 * number) * us,
                     (1030 * i + 100) * us);
    traces[number] = job_rank_end (&rank);
  }
  return join (traces, 2);
}

/* Collectives that are shorter than the smallest time a lane distinguishes are divided, too: their waits and transfers
 * are right on average. 500 collectives are drawn over 130 px, so this smallest time is 124 µs. */
static void
test_short_collectives (void)
{
  const double width = 130, n = 500;
  g_autoptr (LoomTimeline) timeline = new_short_collectives ((gint64) n);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  const LoomDrawOptions options = { .collectives = collectives };
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, TRUE);
  LoomViewport view = { JOB_BASE_NS, JOB_BASE_NS + 1030 * 500 * LOOM_NS_PER_US, width, HEIGHT, 0 };
  loom_draw_list_build (list, outline, &view, &options);
  double ms_per_px = 1.03 * n / width;
  g_assert_cmpfloat_with_epsilon (get_area (list, 0, TRUE, ms_per_px), 0.08 * n, 4);
  g_assert_cmpfloat_with_epsilon (get_area (list, 0, FALSE, ms_per_px), 0.02 * n, 4);
  g_assert_cmpfloat_with_epsilon (get_area (list, 1, TRUE, ms_per_px), 0, 0.01);
}

/* Returns a timeline of three ranks. Rank 0 sends three messages to rank 1. Each send begins 6 ms before the receive,
 * because rank 1 is late, and both end 10 ms after the send began. Rank 2 only receives messages, whose senders are not
 * in these files. */
static LoomTimeline *
new_messages (void)
{
  LoomTrace *traces[3];
  for (gint number = 0; number < 3; number++) {
    JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
    job_rank_step (&rank, "step", -MS, 40 * MS);
    for (gint64 i = 0; i < 3; i++)
      job_rank_meet (&rank, number == 0 ? LOOM_SYNC_EVENT_SEND : LOOM_SYNC_EVENT_RECEIVE, number == 2 ? "far" : "pp",
                     "SendRecv", i, (12 * i + (number == 1 ? 6 : 0)) * MS, (12 * i + 10) * MS);
    traces[number] = job_rank_end (&rank);
  }
  return join (traces, 3);
}

/* The lane of a folded rank and the overview divide messages into waiting and transferring, too. */
static void
test_messages (void)
{
  static const double waits_ms[] = { 18, 0, 0 }, transfers_ms[] = { 12, 12, 30 };
  g_autoptr (LoomTimeline) timeline = new_messages ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomMinimapData) overview = loom_minimap_data_new (timeline, collectives, NULL);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  const LoomDrawOptions options = { .collectives = collectives };
  LoomViewport view = { JOB_BASE_NS, JOB_BASE_NS + 40 * MS, 800, HEIGHT, 0 };
  double waits = 0;
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, TRUE);
  loom_draw_list_build (list, outline, &view, &options);
  for (guint rank = 0; rank < 3; rank++) {
    g_assert_cmpfloat (fabs (get_area (list, rank, TRUE, 40.0 / 800) - waits_ms[rank]), <, 0.2);
    g_assert_cmpfloat (fabs (get_area (list, rank, FALSE, 40.0 / 800) - transfers_ms[rank]), <, 0.2);
  }
  for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++)
    waits += (double) overview->part[LOOM_MINIMAP_WAITING][i];
  g_assert_cmpfloat (waits, >, 0);
}

/* The overview divides communication into waiting and transferring, like the lanes of folded ranks. Of the 47 ms that
 * the three ranks spend in collectives together, 20 ms are waiting and 27 ms are transferring. */
static void
test_overview (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomMinimapData) undivided = loom_minimap_data_new (timeline, NULL, NULL),
                              overview = loom_minimap_data_new (timeline, collectives, NULL);
  double all = 0, waits = 0, transfers = 0;
  for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++)
    all += (double) undivided->part[LOOM_MINIMAP_COMMUNICATION][i];
  for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++) {
    waits += (double) overview->part[LOOM_MINIMAP_WAITING][i];
    transfers += (double) overview->part[LOOM_MINIMAP_COMMUNICATION][i];
  }
  g_assert_cmpfloat (fabs (waits + transfers - all), <, 0.01);
  g_assert_cmpfloat (fabs (waits / all - 20.0 / 47), <, 0.02);
}

/* --- waits for data ----------------------------------------------------------------------------------------------- */

#define WAIT "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"

/* Returns a timeline of three ranks with devices that compute from 10 to 20 ms. Rank r waits for data from 4 to 4 + 4r
 * ms and for the last 2 ms. */
static LoomTimeline *
new_loading_ranks (void)
{
  LoomTrace *traces[3];
  for (gint number = 0; number < 3; number++) {
    JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
    if (number > 0)
      job_rank_step (&rank, WAIT, 4 * MS, (4 + 4 * number) * MS);
    job_rank_step (&rank, WAIT, 38 * MS, 40 * MS);
    job_rank_work (&rank, "gemm", 10 * MS, 20 * MS);
    traces[number] = job_rank_end (&rank);
  }
  return join (traces, 3);
}

/* Asserts that all bars that show waiting have the colour of data loading, and refer to a wait. */
static void
check_bars (const LoomDrawList *list, LoomTimeline *timeline)
{
  guint n, n_waits = 0;
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n);
  for (guint i = 0; i < n; i++) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), marks[i].span.trace);
    gboolean waits = (marks[i].flags & LOOM_DRAW_ITEM_WAITING) != 0;
    g_assert_cmpstr (loom_trace_get_name (trace, marks[i].name_id)->text, ==, waits ? WAIT : "gemm");
    g_assert_cmpuint (loom_trace_get_spans (trace)->name_id[marks[i].span.span], ==, marks[i].name_id);
    g_assert_true (!waits || loom_theme_family_of_index (marks[i].color) == LOOM_WORK_FAMILY_DATA);
    n_waits += waits;
  }
  g_assert_cmpuint (n_waits, >, 0);
}

/* The lane of a folded rank shows that the rank waits for data while its devices do nothing, at any width of the view.
 * The wait of rank 2 ends 2 ms after its device begins to compute; these 2 ms show the computation. */
static void
test_data_waits (void)
{
  static const double waits_ms[] = { 2, 6, 8 };
  g_autoptr (LoomTimeline) timeline = new_loading_ranks ();
  g_autoptr (LoomDataWaits) waits = loom_data_waits_new_of_run (timeline, NULL);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  const LoomDrawOptions options = { .data_waits = waits };
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, TRUE);
  for (double width = 100; width <= 1600; width *= 2) {
    LoomViewport view = { JOB_BASE_NS, JOB_BASE_NS + 40 * MS, width, HEIGHT, 0 };
    loom_draw_list_build (list, outline, &view, &options);
    check_bars (list, timeline);
    for (guint rank = 0; rank < 3; rank++) {
      g_assert_cmpfloat (fabs (get_area (list, rank, TRUE, 40 / width) - waits_ms[rank]), <, 0.2);
      g_assert_cmpfloat (fabs (get_area (list, rank, FALSE, 40 / width) - 10), <, 0.2);
    }
    loom_draw_list_build (list, outline, &view, NULL);
    g_assert_cmpfloat (get_area (list, 2, TRUE, 40 / width), ==, 0);
  }
}

/* The waits of a rank that touch a range are found, and summed up inside of it. */
static void
test_data_waits_in_range (void)
{
  g_autoptr (LoomTimeline) timeline = new_loading_ranks ();
  g_autoptr (LoomDataWaits) waits = loom_data_waits_new_of_run (timeline, NULL);
  const LoomDataRank *rank = loom_data_waits_find_rank (waits, NULL, 2);
  g_assert_nonnull (rank);
  g_assert_null (loom_data_waits_find_rank (waits, NULL, 3));
  g_assert_null (loom_data_waits_find_rank (waits, "node", 2));
  g_assert_cmpuint (loom_data_waits_first_ending_after (rank, JOB_BASE_NS), ==, 0);
  g_assert_cmpuint (loom_data_waits_first_ending_after (rank, JOB_BASE_NS + 11 * MS), ==, 0);
  g_assert_cmpuint (loom_data_waits_first_ending_after (rank, JOB_BASE_NS + 12 * MS), ==, 1);
  g_assert_cmpuint (loom_data_waits_first_ending_after (rank, JOB_BASE_NS + 40 * MS), ==, 2);
  LoomRange range = { JOB_BASE_NS + 6 * MS, JOB_BASE_NS + 39 * MS };
  g_assert_cmpint (loom_data_waits_sum_in_range (rank, range), ==, 7 * MS);
}

/* --- painting ----------------------------------------------------------------------------------------------------- */

static cairo_surface_t *
paint (const LoomDrawList *list, LoomTextCache *text, LoomThemeKind theme, const LoomCollectives *collectives)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (theme), text);
  options.collectives = collectives;
  loom_timeline_painter_paint (cr, list, NULL, &options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint
count_different (cairo_surface_t *a, cairo_surface_t *b, double x0, double x1, double y0, double y1)
{
  guint n = 0;
  for (int y = (int) y0; y < (int) y1; y++) {
    const guint32 *p =
      (const guint32 *) (gpointer) (cairo_image_surface_get_data (a) + y * cairo_image_surface_get_stride (a));
    const guint32 *q =
      (const guint32 *) (gpointer) (cairo_image_surface_get_data (b) + y * cairo_image_surface_get_stride (b));
    for (int x = (int) x0; x < (int) x1; x++)
      n += p[x] != q[x];
  }
  return n;
}

/* Asserts that names of spans are as legible on the hatched part of a span as on the rest. */
static void
check_names_read (const LoomDrawList *list, LoomTextCache *text, LoomThemeKind kind, const LoomCollectives *collectives)
{
  guint n, n_lines = 0;
  const LoomTheme *theme = loom_theme_get (kind);
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n);
  cairo_surface_t *plain = paint (list, text, kind, NULL), *hatched = paint (list, text, kind, collectives);
  for (int y = 0; y < HEIGHT; y++) {
    const guint32 *p =
      (const guint32 *) (gpointer) (cairo_image_surface_get_data (plain) + y * cairo_image_surface_get_stride (plain));
    const guint32 *q = (const guint32 *) (gpointer) (cairo_image_surface_get_data (hatched) +
                                                     y * cairo_image_surface_get_stride (hatched));
    for (int x = 0; x < WIDTH; x++)
      for (guint i = 0; i < n && p[x] != q[x]; i++)
        if (p[x] == theme->span[marks[i].color]) { /* the pixel belongs to the fill, not to a letter */
          LoomColor name = theme->span_text[marks[i].color];
          g_assert_cmpfloat (loom_color_contrast (q[x], name), >=, loom_color_contrast (p[x], name));
          n_lines++;
          break;
        }
  }
  g_assert_cmpuint (n_lines, >, 100);
  cairo_surface_destroy (plain);
  cairo_surface_destroy (hatched);
}

/* Only the time in which a rank waits is hatched: no part of the span of the rank that arrives last, and nothing after
 * its arrival. */
static void
test_painted (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  LoomViewport viewport;
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, FALSE);
  loom_viewport_init (&viewport, (LoomRange) { JOB_BASE_NS, JOB_BASE_NS + 40 * MS }, WIDTH, HEIGHT);
  viewport.begin_ns = JOB_BASE_NS;
  viewport.end_ns = JOB_BASE_NS + 40 * MS; /* so that 1 ms is 25 px wide */
  loom_draw_list_build (list, outline, &viewport, NULL);
  cairo_surface_t *plain = paint (list, text, LOOM_THEME_LIGHT, NULL),
                  *hatched = paint (list, text, LOOM_THEME_LIGHT, collectives);
  static const gint64 late_ms[3] = { 0, 4, 1 };
  for (gint rank = 0; rank < 3; rank++) {
    guint row, strip;
    g_assert_true (loom_row_list_find_span (outline, span_of (collectives, 0, rank), &row, &strip));
    double y0 = loom_row_list_row_top (outline, row, 0) + LOOM_ROW_PADDING_PX, x0 = 25 * (double) late_ms[rank],
           turn = 25 * 4;
    g_assert_cmpuint (count_different (plain, hatched, 0, x0, y0, y0 + LOOM_STRIP_PX), ==, 0);
    g_assert_cmpuint (count_different (plain, hatched, turn, 400, y0, y0 + LOOM_STRIP_PX), ==, 0);
    guint n = count_different (plain, hatched, x0, turn, y0, y0 + LOOM_STRIP_PX);
    g_test_message ("rank %d: %u pixels", rank, n);
    if (rank == 1)
      g_assert_cmpuint (n, ==, 0);
    else
      g_assert_cmpfloat (n, >, 0.2 * (turn - x0) * LOOM_STRIP_PX);
  }
  cairo_surface_destroy (plain);
  cairo_surface_destroy (hatched);
  for (LoomThemeKind theme = 0; theme < LOOM_N_THEMES; theme++)
    check_names_read (list, text, theme, collectives);
}

static guint
count_color (cairo_surface_t *surface, LoomColor color, double x0, double x1, double y0, double y1)
{
  guint n = 0;
  for (int y = (int) y0; y < (int) y1; y++) {
    const guint32 *line = (const guint32 *) (gpointer) (cairo_image_surface_get_data (surface) +
                                                        y * cairo_image_surface_get_stride (surface));
    for (int x = (int) x0; x < (int) x1; x++)
      n += line[x] == color;
  }
  return n;
}

/* A late rank has a bar at the lower edge of its lane where it is late, a bar and words in its header, and a sentence
 * for tooltips and screen readers. Other rows have neither. */
static void
test_late (void)
{
  static const LoomRange ranges[] = { { JOB_BASE_NS + 4 * MS, JOB_BASE_NS + 14 * MS } };
  static const LoomRowLateness late = { NULL, 1, "late by 4 ms", NULL, "The others wait for rank 1.", ranges, 1 };
  const LoomColor warning = loom_theme_get (LOOM_THEME_LIGHT)->role[LOOM_COLOR_ROLE_WARNING];
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  LoomViewport view = { JOB_BASE_NS, JOB_BASE_NS + 40 * MS, WIDTH, HEIGHT, 0 };
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, TRUE);
  loom_row_list_set_late (outline, &late, 1);
  loom_draw_list_build (list, outline, &view, NULL);
  cairo_surface_t *surface = paint (list, text, LOOM_THEME_LIGHT, NULL);
  for (guint i = 0; i < 3; i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    double top = loom_row_list_row_top (outline, i, 0), bottom = top + row->height;
    g_assert_true ((row->late != NULL) == (i == 1));
    g_assert_true ((strstr (row->detail, late.sentence) != NULL) == (i == 1));
    g_assert_cmpuint (count_color (surface, warning, 100, 350, top, bottom), ==, i == 1 ? 3 * 250 : 0); /* 25 px/ms */
    g_assert_cmpuint (count_color (surface, warning, 0, 100, top, bottom), ==, 0);
    g_assert_cmpuint (count_color (surface, warning, 350, WIDTH, top, bottom), ==, 0);
  }
  cairo_surface_destroy (surface);
  loom_row_list_set_late (outline, NULL, 0);
  g_assert_null (loom_row_list_get_row (outline, 1)->late);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/collective-flows/arrows", test_arrows);
  g_test_add_func ("/draw/collective-flows/words", test_words);
  g_test_add_func ("/draw/collective-flows/words-together", test_words_together);
  g_test_add_func ("/draw/collective-flows/order", test_order);
  g_test_add_func ("/draw/collective-flows/lanes", test_lanes);
  g_test_add_func ("/draw/collective-flows/short-collectives", test_short_collectives);
  g_test_add_func ("/draw/collective-flows/messages", test_messages);
  g_test_add_func ("/draw/collective-flows/overview", test_overview);
  g_test_add_func ("/draw/collective-flows/painted", test_painted);
  g_test_add_func ("/draw/collective-flows/data-waits", test_data_waits);
  g_test_add_func ("/draw/collective-flows/data-waits-in-range", test_data_waits_in_range);
  g_test_add_func ("/draw/collective-flows/late", test_late);
  return g_test_run ();
}
