/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the time of frames of the timeline without a display: the painters draw a fixed sequence of zooms and pans,
 * from the whole run to a few µs and back, at 1920 × 1080. Prints the median, p99 and maximum of whole frames and of
 * their parts, as wall time and as the minimum over several passes. Then measures actions on rows (folding, pinning,
 * scrolling, filtering), each with the frame that shows its result.
 *
 * Usage: bench-frames [THOUSANDS_OF_SPANS_PER_RANK [RANKS [critical-path]]]
 *        bench-frames PATH     the run at PATH in place of a generated one
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake-run.h"
#include "loom-load.h"
#include "loom-timeline-image.h"

#define WIDTH 1920
#define HEIGHT 1080
#define N_FRAMES 400
#define N_FLIGHTS 3
#define N_DEEDS 50

enum { PART_BUILD, PART_RULER, PART_HEADERS, PART_TRACKS, PART_OVERVIEW, PART_ALL, PART_PROCESSOR, N_PARTS };

static const char *const part_names[N_PARTS] = { "draw list", "ruler", "headers",  "tracks",
                                                 "overview",  "frame", "processor" };

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomRuler *ruler;
  LoomMinimapData *overview;
  LoomOverviewPicture *picture; /* kept from frame to frame, as in the window */
  LoomTextCache *text;
  LoomRange extent;
  LoomLaneShares *lane_shares;
  LoomPathOverlay *path; /* NULL: no critical path is drawn */
  cairo_surface_t *surface;
  double us[N_PARTS][N_FRAMES];
  guint n_marks_most;
} Bench;

/* --- clocks --- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static gint64
read_clock (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return now.tv_sec * LOOM_NS_PER_S + now.tv_nsec;
}

/* Returns the wall time. The processor time of this thread would be too short, because a frame waits for other
 * threads. */
static gint64
now_ns (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

/* Returns the processor time of all threads of this process. A frame takes at most this long on an idle machine; unlike
 * the wall time, it does not depend on other programs. */
static gint64
processor_ns (void)
{
  return read_clock (CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the time since `since` in µs, and sets `since` to now. */
static double
lap (gint64 *since)
{
  gint64 now = now_ns (), ns = now - *since;
  *since = now;
  return (double) ns / 1000;
}

/* Keeps the minimum over all passes for a part of a frame. Passes draw the same frames, so a longer time was caused by
 * other programs. */
static void
note (Bench *bench, guint part, guint number, double us)
{
  double *least = &bench->us[part][number];
  *least = *least == 0 ? us : MIN (*least, us);
}

static void
frame (Bench *bench, const LoomViewport *view, guint number)
{
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (LOOM_THEME_DARK), bench->text);
  options.overview_picture = bench->picture;
  gint64 since = now_ns (), begin = since, used_ns = processor_ns ();
  cairo_t *cr = cairo_create (bench->surface);
  const LoomDrawOptions drawn = { .path = bench->path, .lane_shares = bench->lane_shares };
  loom_draw_list_build (bench->list, bench->outline, view, &drawn);
  note (bench, PART_BUILD, number, lap (&since));
  loom_ruler_update (bench->ruler, bench->timeline, NULL, view, LOOM_RULER_UNIT_SINCE_START, bench->text);
  cairo_translate (cr, LOOM_HEADER_PX, LOOM_OVERVIEW_PX);
  loom_timeline_painter_paint_ruler (cr, bench->ruler, view, &options);
  note (bench, PART_RULER, number, lap (&since));
  cairo_translate (cr, -LOOM_HEADER_PX, LOOM_RULER_PX);
  loom_timeline_painter_paint_headers (cr, bench->list, LOOM_HEADER_PX, &options);
  note (bench, PART_HEADERS, number, lap (&since));
  cairo_translate (cr, LOOM_HEADER_PX, 0);
  loom_timeline_painter_paint (cr, bench->list, bench->ruler, &options);
  note (bench, PART_TRACKS, number, lap (&since));
  cairo_identity_matrix (cr);
  loom_timeline_painter_paint_overview (cr, bench->overview, WIDTH, LOOM_OVERVIEW_PX, view, &options);
  note (bench, PART_OVERVIEW, number, lap (&since));
  cairo_destroy (cr);
  note (bench, PART_ALL, number, (double) (now_ns () - begin) / 1000);
  note (bench, PART_PROCESSOR, number, (double) (processor_ns () - used_ns) / 1000);
  guint n;
  loom_draw_list_get_marks (bench->list, &n);
  bench->n_marks_most = MAX (bench->n_marks_most, n);
}

/* Draws one pass: zooms in to a few µs around a moving place and out again, while the rows are scrolled. */
static void
fly (Bench *bench)
{
  LoomViewport view;
  loom_viewport_init (&view, bench->extent, WIDTH - LOOM_HEADER_PX, HEIGHT - LOOM_OVERVIEW_PX - LOOM_RULER_PX);
  double factor = 0.945, pinned = loom_row_list_get_pinned_height (bench->outline);
  for (guint i = 0; i < N_FRAMES; i++) {
    frame (bench, &view, i);
    loom_viewport_zoom (&view, bench->extent, 600 + i % 7 * 30, i < N_FRAMES / 2 ? factor : 1 / factor);
    loom_viewport_pan (&view, bench->extent, i % 5 * 4.0 - 6);
    loom_viewport_scroll (&view, loom_row_list_get_height (bench->outline), pinned, i % 50 < 25 ? 23 : -23);
  }
}

static void
print_times (const char *name, double *us, guint n)
{
  qsort (us, n, sizeof *us, compare_doubles);
  g_print ("%-10s median %6.2f ms   p99 %6.2f ms   max %6.2f ms\n", name, us[n / 2] / 1000, us[n * 99 / 100] / 1000,
           us[n - 1] / 1000);
}

static void
run (Bench *bench, const char *title)
{
  fly (bench); /* not measured: fills the cache of texts */
  memset (bench->us, 0, sizeof bench->us);
  for (guint i = 0; i < N_FLIGHTS; i++)
    fly (bench);
  g_print ("%s, at most %u marks\n", title, bench->n_marks_most);
  for (guint i = 0; i < N_PARTS; i++)
    print_times (part_names[i], bench->us[i], N_FRAMES);
}

/* --- a critical path --- */

#define TURN_NS (100 * LOOM_NS_PER_US)

static void
add_spans (LoomTimeline *timeline, guint number, GArray *stretches)
{
  LoomRun *loom_run = loom_timeline_get_run (timeline);
  const LoomTrace *trace = loom_run_get_trace (loom_run, number);
  for (guint32 i = 0; i < loom_trace_get_spans (trace)->n; i++) {
    LoomPathStretch stretch = { .kind = LOOM_PATH_KIND_HOST, .span = { number, i } };
    loom_timeline_get_span (timeline, stretch.span, &stretch.range.begin_ns, &stretch.range.end_ns);
    guint64 turn = (guint64) (stretch.range.begin_ns - FAKE_BEGIN_NS) / TURN_NS;
    if (turn % loom_run_get_n_traces (loom_run) == number)
      g_array_append_val (stretches, stretch);
  }
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const LoomPathStretch *) a)->range.begin_ns, y = ((const LoomPathStretch *) b)->range.begin_ns;
  return x < y ? -1 : x > y;
}

/* Builds a critical path from the spans of all rows of all traces, which is longer than the path of any real run. */
static LoomPathOverlay *
new_path (LoomTimeline *timeline)
{
  LoomCriticalPath path = { .stretches = g_array_new (FALSE, FALSE, sizeof (LoomPathStretch)) };
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (timeline)); i++)
    add_spans (timeline, i, path.stretches);
  g_array_sort (path.stretches, compare_begins);
  gint64 since = now_ns ();
  LoomPathOverlay *overlay = loom_path_overlay_new (timeline, &path, NULL);
  g_print ("critical path of %u pieces, prepared in %.1f ms\n", path.stretches->len, lap (&since) / 1000);
  g_array_unref (path.stretches);
  return overlay;
}

/* --- actions on rows --- */

static double
scroll_end (const Bench *bench, const LoomViewport *view)
{
  return MAX (loom_row_list_get_height (bench->outline) - view->height_px, 1);
}

/* Returns the first foldable row in the lower half of the view: a group if `group` is TRUE, otherwise a row that is not
 * a group. Returns NULL if there is none. */
static const LoomTimelineRow *
row_in_view (const Bench *bench, const LoomViewport *view, gboolean group)
{
  guint n = loom_row_list_get_n_rows (bench->outline);
  for (guint i = loom_row_list_row_at (bench->outline, view->height_px / 2, view->scroll_px); i < n; i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (bench->outline, i);
    if (row->foldable && (row->kind == LOOM_ROW_GROUP) == group)
      return row;
  }
  return NULL;
}

static void
fold_one (Bench *bench, const LoomViewport *view, gboolean group)
{
  const LoomTimelineRow *row = row_in_view (bench, view, group);
  if (row != NULL)
    loom_row_list_set_folded (bench->outline, row->key, !row->folded);
}

static void
fold_row (Bench *bench, LoomViewport *view, guint number)
{
  fold_one (bench, view, FALSE);
}

static void
fold_group (Bench *bench, LoomViewport *view, guint number)
{
  fold_one (bench, view, TRUE);
}

static void
fold_all (Bench *bench, LoomViewport *view, guint number)
{
  loom_row_list_fold_all (bench->outline, number % 2 == 0);
}

/* Pins five rows in turn, then releases five pinned rows. */
static void
pin (Bench *bench, LoomViewport *view, guint number)
{
  const LoomTimelineRow *row =
    number % 10 < 5 ? row_in_view (bench, view, FALSE) : loom_row_list_get_row (bench->outline, 0);
  if (row != NULL)
    loom_row_list_set_pinned (bench->outline, row->key, number % 10 < 5);
}

static void
page (Bench *bench, LoomViewport *view, guint number)
{
  view->scroll_px = MIN (view->scroll_px + view->height_px, scroll_end (bench, view));
}

/* Moves the scroll bar to a distant place. */
static void
leap (Bench *bench, LoomViewport *view, guint number)
{
  view->scroll_px = scroll_end (bench, view) * (number * 31 % N_DEEDS) / N_DEEDS;
}

/* Lengthens the filter text by one letter, up to 8 letters, then clears it. */
static void
filter (Bench *bench, LoomViewport *view, guint number)
{
  g_autofree char *text = g_strndup ("rank 999", number % 9);
  loom_row_list_set_filter (bench->outline, text);
  view->scroll_px = MIN (view->scroll_px, scroll_end (bench, view));
}

static const struct {
  const char *name;
  void (*act) (Bench *bench, LoomViewport *view, guint number);
} deeds[] = { { "fold row", fold_row }, { "fold group", fold_group },
              { "fold all", fold_all }, { "pin", pin },
              { "page", page },         { "leap", leap },
              { "filter", filter } };

/* Measures one action N_DEEDS times, on a view that shows half of the run. After the last time, the rows are as at the
 * begin. */
static void
do_all (Bench *bench, guint deed, double *us, double *processor_us)
{
  LoomViewport view;
  loom_viewport_init (&view, bench->extent, WIDTH - LOOM_HEADER_PX, HEIGHT - LOOM_OVERVIEW_PX - LOOM_RULER_PX);
  loom_viewport_zoom (&view, bench->extent, 600, 0.5);
  view.scroll_px = scroll_end (bench, &view) / 2;
  for (guint i = 0; i < N_DEEDS; i++) {
    gint64 since = now_ns (), used_ns = processor_ns ();
    deeds[deed].act (bench, &view, i);
    g_variant_unref (loom_row_list_save (bench->outline)); /* also measured, because the window saves the state of the
                                                            * rows for undo */
    frame (bench, &view, 0);
    double taken = lap (&since);
    double used = (double) (processor_ns () - used_ns) / 1000;
    us[i] = us[i] == 0 ? taken : MIN (us[i], taken);
    processor_us[i] = processor_us[i] == 0 ? used : MIN (processor_us[i], used);
  }
  loom_row_list_set_filter (bench->outline, NULL);
}

static void
run_deeds (Bench *bench)
{
  g_print ("what is done to %u rows, each with its frame\n", loom_row_list_get_n_rows (bench->outline));
  for (guint deed = 0; deed < G_N_ELEMENTS (deeds); deed++) {
    double us[N_DEEDS] = { 0 }, processor_us[N_DEEDS] = { 0 };
    for (guint i = 0; i < N_FLIGHTS; i++)
      do_all (bench, deed, us, processor_us);
    print_times (deeds[deed].name, us, N_DEEDS);
    print_times ("  processor", processor_us, N_DEEDS);
  }
}

/* --- runs --- */

static LoomTimeline *
load_run (const char *path)
{
  const char *const paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) loaded = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  if (loaded == NULL || loom_run_get_n_traces (loaded) == 0)
    g_error ("%s: %s", path, error != NULL ? error->message : "no traces");
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (loaded, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (loaded, alignment);
}

static LoomTimeline *
make_run (guint thousands, guint ranks)
{
  /* The numbers from which the number of steps is computed: each operator has about 3 spans, so a layer of 20 operators
   * has about 20 × 3 spans; a step has 24 layers in the forward pass and 24 in the backward pass. */
  const FakeShape shape = { MAX (ranks / 8, 1), MIN (ranks, 8), MAX (thousands * 1000 / 2900, 1), 24, 20, TRUE };
  return fake_run_new (&shape);
}

static void
print_size (LoomRun *loom_run, double seconds)
{
  guint64 n_spans = 0;
  guint n = loom_run_get_n_traces (loom_run);
  for (guint i = 0; i < n; i++)
    n_spans += loom_trace_get_spans (loom_run_get_trace (loom_run, i))->n;
  g_print ("%u traces, %" G_GUINT64_FORMAT " spans (%" G_GUINT64_FORMAT " events), made in %.1f s\n", n, n_spans,
           loom_run_get_n_events (loom_run), seconds);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  gboolean is_generated = argc < 2 || g_ascii_isdigit (argv[1][0]);
  g_autofree Bench *bench = g_new0 (Bench, 1);
  gint64 since = now_ns ();
  bench->timeline = !is_generated
                      ? load_run (argv[1])
                      : make_run (argc > 1 ? (guint) atoi (argv[1]) : 16, argc > 2 ? (guint) atoi (argv[2]) : 64);
  print_size (loom_timeline_get_run (bench->timeline), lap (&since) / 1e6);
  bench->outline = loom_row_list_new ();
  loom_row_list_set_timeline (bench->outline, bench->timeline);
  g_print ("outline %.1f ms\n", lap (&since) / 1000);
  bench->overview = loom_minimap_data_new (bench->timeline, NULL, NULL);
  g_print ("overview %.1f ms\n", lap (&since) / 1000);
  bench->lane_shares = loom_lane_shares_new (bench->timeline, NULL, NULL, NULL);
  g_print ("shares of lanes %.1f ms\n", lap (&since) / 1000);
  bench->picture = loom_overview_picture_new ();
  bench->list = loom_draw_list_new ();
  bench->ruler = loom_ruler_new ();
  bench->text = loom_text_cache_new (NULL);
  bench->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_assert_true (loom_timeline_get_extent (bench->timeline, &bench->extent));
  if (argc > 3)
    bench->path = new_path (bench->timeline);
  run (bench, "as it opens");
  loom_row_list_fold_all (bench->outline, FALSE);
  run (bench, "all unfolded");
  run_deeds (bench);
  loom_draw_list_free (bench->list);
  g_clear_pointer (&bench->lane_shares, loom_lane_shares_free);
  loom_path_overlay_unref (bench->path);
  loom_row_list_free (bench->outline);
  loom_ruler_free (bench->ruler);
  loom_overview_picture_free (bench->picture);
  loom_minimap_data_unref (bench->overview);
  loom_text_cache_free (bench->text);
  loom_timeline_unref (bench->timeline);
  cairo_surface_destroy (bench->surface);
  return 0;
}
