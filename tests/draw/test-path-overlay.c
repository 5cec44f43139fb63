/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how the timeline shows the critical path: bars in the rows of spans and of folded groups, links between them,
 * texts, and golden pictures of two ranks.
 */
#include "golden.h"
#include "loom-timeline-image.h"
#include "trace-maker.h"

#define US 1000
#define WIDTH 800
#define HEIGHT 260

typedef struct {
  Maker maker;
  guint32 host, stream;
} Rank;

static Rank
make_rank (gint rank)
{
  const char *paths[] = { "a.json", "b.json" };
  Rank made = { .maker = maker_new (paths[rank], "kineto") };
  made.host = maker_thread (&made.maker, "python", rank, "1", 0);
  made.stream = maker_thread (&made.maker, "GPU 0", rank, "7", LOOM_TRACK_DEVICE);
  return made;
}

/* Adds a kernel in [begin, end), and the call of 10 µs at `call` that launches it. Times are in µs. */
static void
add_kernel (Rank *rank, const char *name, gint64 call, gint64 begin, gint64 end)
{
  static guint64 id = 100;
  maker_span (&rank->maker, rank->host, "cudaLaunchKernel", "cuda_runtime", call * US, 10 * US);
  maker_span (&rank->maker, rank->stream, name, "kernel", begin * US, (end - begin) * US);
  maker_launch_flow (&rank->maker, rank->host, call * US, rank->stream, begin * US, id++);
}

static void
add_collective (Rank *rank, gint64 call, gint64 begin, gint64 end)
{
  guint64 n = loom_trace_builder_get_n_events (rank->maker.builder);
  add_kernel (rank, "ncclDevKernel_AllReduce", call, begin, end);
  LoomSyncEvent event = { .start_ns = MAKER_BEGIN + begin * US,
                          .end_ns = MAKER_BEGIN + end * US,
                          .sequence = 1,
                          .kind = LOOM_SYNC_EVENT_COLLECTIVE };
  /* the reference to the event of the kernel, which add_kernel() adds after the event of the call */
  event.ref = loom_source_ref_make (0, 0, n + 1);
  loom_trace_builder_sync_event (rank->maker.builder, rank->stream, &event, "0", "allreduce");
}

/* Returns a timeline of two ranks that compute and then reduce. Rank 1 arrives at the collective 200 µs after rank 0;
 * the collective ends at 600 µs, then rank 0 runs the kernel "update". The critical path is: the operator and the
 * launch on rank 1, its kernel "matmul", the transfer on rank 0 from the arrival of rank 1 on, and "update". */
static LoomTimeline *
new_timeline (void)
{
  Rank ranks[2];
  for (guint i = 0; i < 2; i++) {
    ranks[i] = make_rank ((gint) i);
    maker_span (&ranks[i].maker, ranks[i].host, "aten::mm", "cpu_op", 0, 120 * US);
    add_kernel (&ranks[i], "matmul", 60, 100, i == 0 ? 200 : 400);
    add_collective (&ranks[i], 140, i == 0 ? 210 : 410, 600);
  }
  add_kernel (&ranks[0], "update", 160, 610, 800);
  maker_span (&ranks[0].maker, ranks[0].host, "cudaDeviceSynchronize", "cuda_runtime", 180 * US, 625 * US);
  return maker_timeline (&ranks[0].maker, &ranks[1].maker);
}

static LoomPathOverlay *
new_overlay (LoomTimeline *timeline)
{
  LoomRange extent;
  const char *missing;
  g_assert_true (loom_timeline_get_extent (timeline, &extent));
  LoomPathOverlay *overlay = loom_path_overlay_new_of_range (timeline, extent, NULL, &missing);
  g_assert_nonnull (overlay);
  g_assert_null (missing);
  return overlay;
}

static LoomSpanId
find_span (LoomTimeline *timeline, guint trace, const char *name)
{
  const LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  const LoomSpans *spans = loom_trace_get_spans (own);
  for (guint32 i = 0; i < spans->n; i++)
    if (strcmp (loom_trace_get_name (own, spans->name_id[i])->text, name) == 0)
      return (LoomSpanId) { trace, i };
  g_assert_not_reached ();
}

static void
test_words (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  g_autoptr (LoomPathOverlay) overlay = new_overlay (timeline);
  LoomSpanId late = find_span (timeline, 1, "matmul"), early = find_span (timeline, 0, "matmul");
  g_autofree char *on = loom_path_overlay_dup_words (overlay, late),
                  *off = loom_path_overlay_dup_words (overlay, early),
                  *none = loom_path_overlay_dup_words (overlay, LOOM_SPAN_ID_NONE),
                  *slack = loom_path_overlay_dup_slack (overlay, late);
  g_assert_cmpint (loom_path_overlay_get_span_ns (overlay, late), ==, 300 * US);
  g_assert_cmpint (loom_path_overlay_get_span_ns (overlay, early), ==, 0);
  g_assert_cmpstr (on, ==, "on the critical path for 300 µs");
  g_assert_cmpstr (off, ==, "not on the critical path, slack 200 µs"); /* the two pauses of 10 µs before the collective
                                                                        * do not count as slack */
  g_assert_cmpstr (slack, ==, "0 ns");
  g_assert_null (none);
}

static LoomTimeline *
new_nested (void)
{
  Rank rank = make_rank (0);
  maker_span (&rank.maker, rank.host, "outer", "cpu_op", 0, 400 * US);
  maker_span (&rank.maker, rank.host, "inner", "cpu_op", 200 * US, 195 * US);
  add_kernel (&rank, "matmul", 385, 405, 800);
  return maker_timeline (&rank.maker, NULL);
}

/* The critical path runs through an outer operator until it calls an inner one, which launches the kernel. The bar in
 * the row of the inner operator begins where the bar of the outer one ends, and the text about the outer one includes
 * the time of the inner one. */
static void
test_nested (void)
{
  g_autoptr (LoomTimeline) timeline = new_nested ();
  g_autoptr (LoomPathOverlay) overlay = new_overlay (timeline);
  LoomSpanId outer = find_span (timeline, 0, "outer"), inner = find_span (timeline, 0, "inner");
  LoomViewport view;
  LoomRange extent;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (LoomPathBar));
  g_assert_true (loom_timeline_get_extent (timeline, &extent));
  loom_viewport_init (&view, extent, WIDTH, HEIGHT);
  loom_path_overlay_add_row (overlay, &view, 0, outer.span, 1, bars);
  g_assert_cmpuint (bars->len, ==, 1);
  loom_path_overlay_add_row (overlay, &view, 0, inner.span, 1, bars);
  g_assert_cmpuint (bars->len, ==, 2);
  gint64 own_ns = loom_path_overlay_get_span_ns (overlay, outer),
         called_ns = loom_path_overlay_get_span_ns (overlay, inner);
  g_autofree char *words = loom_path_overlay_dup_words (overlay, outer),
                  *time = loom_time_format_duration (own_ns + called_ns),
                  *wanted = g_strdup_printf ("on the critical path for %s, including its callees", time);
  g_assert_cmpint (own_ns, ==, 200 * US);
  g_assert_cmpint (called_ns, >, 180 * US);
  g_assert_cmpstr (words, ==, wanted);
}

/* --- the draw list --------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomPathOverlay *overlay;
  LoomRowList *rows;
  LoomDrawList *list;
  LoomViewport view;
} Scene;

static void
set_up (Scene *scene, LoomTimeline *timeline, LoomPathOverlay *overlay, gint64 begin, gint64 end)
{
  LoomRange extent;
  *scene = (Scene) { timeline, overlay, loom_row_list_new (), loom_draw_list_new (), { 0 } };
  loom_timeline_get_extent (timeline, &extent);
  loom_row_list_set_timeline (scene->rows, timeline);
  loom_row_list_fold_all (scene->rows, FALSE);
  loom_viewport_init (&scene->view, extent, WIDTH, HEIGHT);
  scene->view.begin_ns = MAKER_BEGIN + begin;
  scene->view.end_ns = MAKER_BEGIN + end;
}

static void
tear_down (Scene *scene)
{
  loom_draw_list_free (scene->list);
  loom_row_list_free (scene->rows);
  loom_path_overlay_unref (scene->overlay);
  loom_timeline_unref (scene->timeline);
}

static void
build (Scene *scene)
{
  const LoomDrawOptions options = { .path = scene->overlay };
  loom_draw_list_build (scene->list, scene->rows, &scene->view, &options);
}

static const LoomDepthRow *
find_strip (Scene *scene, LoomSpanId span)
{
  guint row, index, n;
  gboolean itself = loom_row_list_find_span (scene->rows, span, &row, &index);
  const LoomDepthRow *strips = loom_draw_list_get_strips (scene->list, &n);
  for (guint i = 0; i < n; i++)
    if (strips[i].row == row && (!itself || strips[i].index == index))
      return &strips[i];
  g_assert_not_reached ();
}

static void
assert_bar (Scene *scene, const LoomDepthRow *strip, guint at, double x0, double x1, guint share)
{
  guint n;
  const LoomPathBar *bar = &loom_draw_list_get_path_bars (scene->list, &n)[strip->first_bar + at];
  g_assert_cmpuint (at, <, strip->n_bars);
  g_assert_cmpfloat_with_epsilon (bar->x0, x0, 0.01);
  g_assert_cmpfloat_with_epsilon (bar->x1, x1, 0.01);
  g_assert_cmpuint (bar->share, ==, share);
}

/* At 1 px per µs, the bars of the critical path are at the times of its parts. */
static void
test_bars (void)
{
  Scene scene;
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  set_up (&scene, loom_timeline_ref (timeline), new_overlay (timeline), 0, WIDTH * US);
  build (&scene);
  const LoomDepthRow *strip = find_strip (&scene, find_span (timeline, 1, "matmul"));
  g_assert_cmpuint (strip->n_bars, ==, 1);
  assert_bar (&scene, strip, 0, 100, 400, 255);
  strip = find_strip (&scene, find_span (timeline, 0, "update"));
  g_assert_cmpuint (strip->n_bars, ==, 2);
  assert_bar (&scene, strip, 0, 410, 600, 255); /* the transfer begins when the last rank arrives */
  assert_bar (&scene, strip, 1, 610, 800, 255);
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (scene.list, &n) + strip->first;
  g_assert_cmpuint (strip->n, ==, 3); /* of the three spans, matmul is not on the critical path and update is */
  g_assert_cmpuint (marks[0].flags & LOOM_DRAW_ITEM_PATH, ==, 0);
  g_assert_cmpuint (marks[2].flags & LOOM_DRAW_ITEM_PATH, ==, LOOM_DRAW_ITEM_PATH);
  loom_row_list_set_pinned (scene.rows, loom_row_list_get_row (scene.rows, strip->row)->key, TRUE);
  build (&scene); /* only the order of rows has changed, so the bars are reused */
  strip = find_strip (&scene, find_span (timeline, 0, "update"));
  assert_bar (&scene, strip, strip->n_bars - 1, 610, 800, 255);
  tear_down (&scene);
}

/* The single row of a folded thread shows the path through spans of all depths, not only of the first depth. */
static void
test_fold_thread (void)
{
  Scene scene;
  g_autoptr (LoomTimeline) timeline = new_nested ();
  set_up (&scene, loom_timeline_ref (timeline), new_overlay (timeline), 0, WIDTH * US);
  build (&scene);
  const LoomDepthRow *strip = find_strip (&scene, find_span (timeline, 0, "outer"));
  assert_bar (&scene, strip, 0, 0, 200, 255);
  loom_row_list_set_folded (scene.rows, loom_row_list_get_row (scene.rows, strip->row)->key, TRUE);
  build (&scene);
  strip = find_strip (&scene, find_span (timeline, 0, "outer"));
  guint n;
  const LoomPathBar *bars = loom_draw_list_get_path_bars (scene.list, &n) + strip->first_bar;
  g_assert_cmpuint (strip->n_bars, >, 0);
  g_assert_cmpfloat (bars[strip->n_bars - 1].x1, >, 380);
  tear_down (&scene);
}

/* The lane of a folded rank shows the critical path through all its tracks. */
static void
test_folded (void)
{
  Scene scene;
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  set_up (&scene, loom_timeline_ref (timeline), new_overlay (timeline), 0, WIDTH * US);
  loom_row_list_fold_all (scene.rows, TRUE);
  build (&scene);
  const LoomDepthRow *strip = find_strip (&scene, find_span (timeline, 1, "matmul"));
  g_assert_true (strip->group);
  assert_bar (&scene, strip, 0, 0, 60, 255); /* the bar ends where the operator launches the kernel; then the path is in
                                              * no span until 100 µs */
  assert_bar (&scene, strip, 1, 100, 400, 255);
  guint n;
  const LoomPathLink *links = loom_draw_list_get_path_links (scene.list, &n);
  g_assert_cmpuint (n, ==, 3); /* two of the three links connect rows of the same rank: the launch on rank 1 and the
                                * return of the call on rank 0 */
  g_assert_cmpuint (links[n - 1].from.trace, ==, 1);
  g_assert_cmpuint (links[n - 1].to.trace, ==, 0);
  tear_down (&scene);
}

/* A critical path that was computed for another timeline is not drawn. */
static void
test_other (void)
{
  Scene scene;
  g_autoptr (LoomTimeline) other = new_timeline ();
  set_up (&scene, new_timeline (), new_overlay (other), 0, WIDTH * US);
  build (&scene);
  g_assert_false (loom_draw_list_has_path (scene.list));
  tear_down (&scene);
}

/* --- very many ------------------------------------------------------------------------------------------------------- */

#define MANY 200000

/* Returns a critical path of MANY spans of 1 µs, which alternate between two tracks of a rank. */
static LoomPathOverlay *
new_many (LoomTimeline **timeline)
{
  Rank rank = make_rank (0);
  for (guint i = 0; i < MANY; i++)
    maker_span (&rank.maker, i % 2 == 0 ? rank.host : rank.stream, "x", i % 2 == 0 ? "cpu_op" : "kernel",
                (gint64) i * US, US);
  *timeline = maker_timeline (&rank.maker, NULL);
  LoomCriticalPath path = { .stretches = g_array_new (FALSE, FALSE, sizeof (LoomPathStretch)) };
  for (guint i = 0; i < MANY; i++) { /* the trace stores all spans of the first track before those of the second, but in
                                      * time the two tracks alternate */
    LoomPathStretch stretch = { .kind = i % 2 == 0 ? LOOM_PATH_KIND_HOST : LOOM_PATH_KIND_COMPUTE };
    stretch.span = (LoomSpanId) { 0, i / 2 + (i % 2) * (MANY / 2) };
    loom_timeline_get_span (*timeline, stretch.span, &stretch.range.begin_ns, &stretch.range.end_ns);
    g_array_append_val (path.stretches, stretch);
  }
  LoomPathOverlay *overlay = loom_path_overlay_new (*timeline, &path, NULL);
  g_array_unref (path.stretches);
  g_assert_cmpuint (loom_path_overlay_get_n_pieces (overlay), ==, MANY);
  return overlay;
}

static void
test_many (void)
{
  Scene scene;
  LoomTimeline *timeline;
  LoomPathOverlay *overlay = new_many (&timeline);
  set_up (&scene, timeline, overlay, 0, (gint64) MANY * US);
  for (gint64 range_us = MANY; range_us > 4; range_us /= 3) {
    scene.view.end_ns = scene.view.begin_ns + range_us * US;
    build (&scene);
    guint n_strips, n_links, n_bars;
    const LoomDepthRow *strips = loom_draw_list_get_strips (scene.list, &n_strips);
    const LoomPathBar *bars = loom_draw_list_get_path_bars (scene.list, &n_bars);
    double sum = 0;
    for (guint i = 0; i < n_strips; i++) {
      g_assert_cmpuint (strips[i].n_bars, <=, 2 * WIDTH + 2);
      for (guint k = 0; !strips[i].group && k < strips[i].n_bars; k++) {
        const LoomPathBar *bar = &bars[strips[i].first_bar + k];
        sum += CLAMP (bar->x1, 0, WIDTH) - CLAMP (bar->x0, 0, WIDTH) >= 1
                 ? (CLAMP (bar->x1, 0, WIDTH) - CLAMP (bar->x0, 0, WIDTH)) * bar->share / 255.0
                 : bar->share / 255.0;
      }
    }
    g_assert_cmpfloat_with_epsilon (sum, WIDTH, WIDTH / 20.0); /* at any time the path runs through one of the rows, so
                                                                * their bars cover the whole width together */
    loom_draw_list_get_path_links (scene.list, &n_links);
    g_assert_cmpuint (n_links, <=, WIDTH / LOOM_PATH_OVERLAY_STAY_PX + 2);
    g_assert_cmpuint (n_links > 0, ==, WIDTH / range_us >= LOOM_PATH_OVERLAY_STAY_PX);
  }
  tear_down (&scene);
}

/* --- pictures -------------------------------------------------------------------------------------------------------- */

static void
draw (LoomThemeKind theme, gboolean folded, const char *name)
{
  Scene scene;
  g_autoptr (LoomTimeline) timeline = new_timeline ();
  set_up (&scene, loom_timeline_ref (timeline), new_overlay (timeline), -20 * US, 840 * US);
  loom_row_list_fold_all (scene.rows, folded);
  build (&scene);
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (theme), text);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  loom_timeline_painter_paint (cr, scene.list, NULL, &options);
  cairo_destroy (cr);
  golden_compare (surface, name);
  cairo_surface_destroy (surface);
  tear_down (&scene);
}

static void
test_pictures (void)
{
  draw (LOOM_THEME_LIGHT, FALSE, "critical-path-light");
  draw (LOOM_THEME_DARK, TRUE, "critical-path-folded-dark");
  draw (LOOM_THEME_LIGHT_CONTRAST, FALSE, "critical-path-light-contrast");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/path-overlay/words", test_words);
  g_test_add_func ("/draw/path-overlay/nested", test_nested);
  g_test_add_func ("/draw/path-overlay/bars", test_bars);
  g_test_add_func ("/draw/path-overlay/fold-thread", test_fold_thread);
  g_test_add_func ("/draw/path-overlay/folded", test_folded);
  g_test_add_func ("/draw/path-overlay/other", test_other);
  g_test_add_func ("/draw/path-overlay/many", test_many);
  g_test_add_func ("/draw/path-overlay/pictures", test_pictures);
  return g_test_run ();
}
