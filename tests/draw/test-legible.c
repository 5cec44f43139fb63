/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that small details are visible in every theme: scales of counters that are drawn over others, marks of lanes
 * for overlapping spans, the outline of selected spans, values at close times, and notes close to one another or to the
 * edge.
 */
#include <string.h>

#include "fake-run.h"
#include "golden.h"
#include "loom-timeline-painter.h"
#include "loom-trace-builder.h"

#define S LOOM_NS_PER_S
#define WIDTH 400
#define HEIGHT 300

typedef struct {
  LoomTraceBuilder *builder;
  guint source;
  guint32 process;
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomTextCache *text;
} Run;

static void
begin (Run *run)
{
  LoomSource *info = loom_source_new ("a.json");
  info->format = "chrome";
  run->builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (run->builder);
  run->source = loom_trace_builder_add_source (run->builder, info, clock);
  run->process = loom_trace_builder_process (run->builder, run->source, "1", 1);
}

static void
add_counter (Run *run, const char *name, const char *unit, double high)
{
  guint32 counter = loom_trace_builder_counter (run->builder, run->process, "", 0, name, strlen (name), "", 0);
  guint32 series = loom_trace_builder_series (run->builder, counter, "", 0);
  loom_trace_builder_series_set_unit (run->builder, series, unit);
  loom_trace_builder_sample (run->builder, series, FAKE_BEGIN_NS, 0, LOOM_REF_NONE);
  loom_trace_builder_sample (run->builder, series, FAKE_BEGIN_NS + 5 * S, high, LOOM_REF_NONE);
}

static void
add_spans (Run *run, const char *thread, const gint64 *begin_ms, guint n)
{
  guint32 to = loom_trace_builder_thread (run->builder, run->process, thread, strlen (thread));
  guint32 name = loom_trace_builder_name (run->builder, "work", 4, "", 0, "", 0);
  for (guint i = 0; i < n; i++)
    loom_trace_builder_span (run->builder, to, FAKE_BEGIN_NS + begin_ms[i] * LOOM_NS_PER_MS, 2 * S, name,
                             loom_source_ref_make (run->source, 0, i));
}

static void
end (Run *run)
{
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 10 * S, WIDTH, HEIGHT, 0 };
  run->timeline = fake_timeline_of (loom_trace_builder_freeze (run->builder, 1, NULL));
  run->outline = loom_row_list_new ();
  run->list = loom_draw_list_new ();
  run->text = loom_text_cache_new ("DejaVu Sans");
  loom_row_list_set_timeline (run->outline, run->timeline);
  loom_row_list_fold_all (run->outline, FALSE);
  loom_draw_list_build (run->list, run->outline, &view, NULL);
}

static void
drop (Run *run)
{
  loom_draw_list_free (run->list);
  loom_row_list_free (run->outline);
  loom_text_cache_free (run->text);
  loom_timeline_unref (run->timeline);
}

static guint
row_of (const Run *run, const char *label)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (run->outline); i++)
    if (g_str_has_suffix (loom_row_list_get_row (run->outline, i)->label, label))
      return i;
  g_assert_not_reached ();
}

typedef void (*Paint) (cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options);

static void
paint_headers (cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options)
{
  loom_timeline_painter_paint_headers (cr, list, LOOM_HEADER_PX, options);
}

static void
paint_tracks (cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options)
{
  loom_timeline_painter_paint (cr, list, NULL, options);
}

static cairo_surface_t *
take (Paint paint, const LoomDrawList *list, const LoomPaintOptions *options)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  paint (cr, list, options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static LoomColor
pixel_at (cairo_surface_t *surface, int x, int y)
{
  const guint8 *row = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
  return 0xFF000000u | ((const guint32 *) (gconstpointer) row)[x];
}

static guint
count (cairo_surface_t *surface, LoomColor color, double x0, double x1, double y0, double y1)
{
  guint n = 0;
  for (int y = (int) y0; y < (int) y1; y++)
    for (int x = (int) x0; x < (int) x1; x++)
      n += pixel_at (surface, x, y) == color;
  return n;
}

/* Returns a bit set of the series whose colour is shown next to a scale in the header of the row. */
static guint
find_scales (Run *run, const char *label, const LoomPaintOptions *options)
{
  guint number = row_of (run, label), found = 0;
  double top = loom_row_list_row_top (run->outline, number, 0);
  cairo_surface_t *surface = take (paint_headers, run->list, options);
  for (guint i = 0; i < LOOM_N_SERIES_COLORS; i++)
    if (count (surface, options->theme->series[i], LOOM_HEADER_PX / 2.0, LOOM_HEADER_PX, top, top + 27) >= 49)
      found |= 1u << i;
  cairo_surface_destroy (surface);
  return found;
}

static void
lay (Run *run, const char *host, const char *guest)
{
  g_autofree char *key = g_strdup (loom_row_list_get_row (run->outline, row_of (run, host))->key);
  g_autofree char *over = g_strdup (loom_row_list_get_row (run->outline, row_of (run, guest))->key);
  g_assert_true (loom_row_list_set_guest (run->outline, key, over, TRUE));
}

/* A plot of several counters shows a scale in the colour of each counter, or one scale for counters with the same unit.
 * If there is too little room, at least the first two scales are shown. */
static void
test_scales (void)
{
  Run run;
  begin (&run);
  add_counter (&run, "bytes", "B", 100);
  add_counter (&run, "other", "B", 70);
  add_counter (&run, "share", "%", 50);
  add_counter (&run, "depth", "", 7);
  end (&run);
  for (LoomThemeKind kind = 0; kind < LOOM_N_THEMES; kind++) {
    LoomPaintOptions options;
    loom_timeline_painter_init_options (&options, loom_theme_get (kind), run.text);
    g_autoptr (GVariant) before = loom_row_list_save (run.outline);
    g_assert_cmphex (find_scales (&run, "bytes", &options), ==, 0);
    lay (&run, "bytes", "other");
    g_assert_cmphex (find_scales (&run, "bytes", &options), ==, 0);
    lay (&run, "bytes", "share");
    g_assert_cmphex (find_scales (&run, "bytes", &options), ==, 0x5);
    lay (&run, "bytes", "depth");
    g_assert_cmphex (find_scales (&run, "bytes", &options), ==, 0x5);
    loom_row_list_restore (run.outline, before);
  }
  drop (&run);
}

/* The label of a row with strips for overlapping spans says so: without words, the strips look like nested spans. */
static void
test_lanes (void)
{
  static const gint64 crossing[] = { 0, 1000, 1500 }, plain[] = { 0, 3000 };
  Run run;
  begin (&run);
  add_spans (&run, "crossing", crossing, G_N_ELEMENTS (crossing));
  add_spans (&run, "plain", plain, G_N_ELEMENTS (plain));
  end (&run);
  const LoomTimelineRow *first = loom_row_list_get_row (run.outline, row_of (&run, "crossing (overlapping)")),
                        *second = loom_row_list_get_row (run.outline, row_of (&run, "plain"));
  g_assert_cmpuint (first->n_strips, ==, 3);
  g_assert_cmpuint (second->n_strips, ==, 1);
  drop (&run);
}

/* In the outline of a selected span, each line differs in colour from the next one and from the fill of the span. */
static void
test_outline (void)
{
  static const gint64 at[] = { 2000 };
  Run run;
  begin (&run);
  add_spans (&run, "main", at, 1);
  end (&run);
  LoomSpanId span = { 0, 0 };
  double top = loom_row_list_row_top (run.outline, row_of (&run, "main"), 0) + LOOM_ROW_PADDING_PX, px = WIDTH / 10.0;
  for (LoomThemeKind kind = 0; kind < LOOM_N_THEMES; kind++) {
    LoomPaintOptions options;
    loom_timeline_painter_init_options (&options, loom_theme_get (kind), run.text);
    options.selected = &span;
    options.n_selected = 1;
    cairo_surface_t *surface = take (paint_tracks, run.list, &options);
    int y = (int) top + 8, x = (int) (2 * px);
    LoomColor edge = pixel_at (surface, x - 1, y), inside = pixel_at (surface, x + 1, y),
              fill = pixel_at (surface, (int) (4 * px) - 6, y);
    double sharpest = MAX (loom_color_contrast (edge, inside), loom_color_contrast (edge, fill));
    g_test_message ("theme %u: %.1f", kind, sharpest);
    g_assert_cmpfloat (sharpest, >=, 3);
    cairo_surface_destroy (surface);
  }
  drop (&run);
}

/* Finds the frames around the values at the cursor, by comparing pictures with and without values. Stores their left
 * and right edges, and asserts that they are in ascending order and do not overlap. */
static guint
find_tags (Run *run, LoomPaintOptions *options, double edges[2 * 8])
{
  cairo_surface_t *tagged = take (paint_tracks, run->list, options);
  guint n_tags = options->n_tags, n = 0;
  options->n_tags = 0;
  cairo_surface_t *plain = take (paint_tracks, run->list, options);
  options->n_tags = n_tags;
  int y = (int) (loom_row_list_row_top (run->outline, row_of (run, "depth"), 0) + 24);
  gboolean in = FALSE;
  for (int x = 0; x < WIDTH; x++) {
    gboolean differs = pixel_at (tagged, x, y) != pixel_at (plain, x, y);
    if (differs != in && n < 16)
      edges[n++] = x;
    in = differs;
  }
  cairo_surface_destroy (tagged);
  cairo_surface_destroy (plain);
  return n / 2;
}

/* If values are shown at two close times, the first is drawn to the left of its time and the second to the right. Of
 * three close times, the middle one shows no value. */
static void
test_tags (void)
{
  static const struct {
    gint64 at_ms[3];
    guint n, n_shown;
  } cases[] = { { { 5000, 0, 0 }, 1, 1 },
                { { 5000, 5200, 0 }, 2, 2 },
                { { 5000, 5100, 5200 }, 3, 2 },
                { { 1500, 5000, 8000 }, 3, 3 },
                { { 9900, 0, 0 }, 1, 1 } };
  Run run;
  double width = 0; /* width of the frame of one value, which is the same for all, because all values have one digit */
  begin (&run);
  add_counter (&run, "depth", "", 7);
  end (&run);
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    LoomPaintOptions options;
    gint64 tags_ns[3];
    double edges[16];
    for (guint i = 0; i < cases[k].n; i++)
      tags_ns[i] = FAKE_BEGIN_NS + cases[k].at_ms[i] * LOOM_NS_PER_MS;
    loom_timeline_painter_init_options (&options, loom_theme_get (LOOM_THEME_LIGHT), run.text);
    options.tags_ns = tags_ns;
    options.n_tags = cases[k].n;
    guint n = find_tags (&run, &options, edges);
    g_assert_cmpuint (n, ==, cases[k].n_shown);
    width = k == 0 ? edges[1] - edges[0] : width;
    for (guint i = 0; i < n; i++) {
      g_assert_cmpfloat (edges[2 * i + 1] - edges[2 * i], ==, width);
      for (guint t = 0; t < cases[k].n; t++) { /* no frame of a value may cover the vertical line at any of the times */
        double x = (double) cases[k].at_ms[t] * WIDTH / 10000;
        g_assert_true (x < edges[2 * i] || x > edges[2 * i + 1]);
      }
    }
  }
  drop (&run);
}

/* Returns the range of x in px that the flag and the note of a mark cover. */
static void
find_mark (const LoomPaintOptions *options, guint mark, int *x0, int *x1)
{
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 10 * S, WIDTH, HEIGHT, 0 };
  *x0 = WIDTH, *x1 = -1;
  for (int x = 0; x < WIDTH; x++)
    if (loom_timeline_painter_find_marker (&view, options, x) == &options->marks[mark]) {
      *x0 = MIN (*x0, x);
      *x1 = x;
    }
}

/* The note of a mark is drawn to its right. If another mark or the edge is close, the note is shortened, reduced to a
 * flag, or drawn to the left. */
static void
test_notes (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new ("DejaVu Sans");
  LoomPaintOptions options;
  LoomMarker marks[] = { { .label = (char *) "the first note" }, { .label = (char *) "the second" } };
  int at[2], end[2];
  static const gint64 at_ms[][2] = { { 2000, 8000 }, { 4000, 5500 }, { 4000, 4500 }, { 4500, 9900 }, { 9800, 9900 } };
  for (guint k = 0; k < G_N_ELEMENTS (at_ms); k++) {
    loom_timeline_painter_init_options (&options, loom_theme_get (LOOM_THEME_LIGHT), text);
    options.marks = marks;
    options.n_marks = 2;
    for (guint i = 0; i < 2; i++) {
      marks[i].time_ns = FAKE_BEGIN_NS + at_ms[k][i] * LOOM_NS_PER_MS;
      at[i] = (int) at_ms[k][i] * WIDTH / 10000;
    }
    int x0, whole, second;
    find_mark (&options, 0, &x0, &end[0]);
    find_mark (&options, 1, &second, &end[1]);
    whole = (int) loom_text_cache_width (text, LOOM_TEXT_SMALL, marks[0].label);
    g_assert_cmpint (end[0], <, k == 3 ? second + 1 : at[1]);
    g_assert_cmpint (end[1], <, WIDTH);
    if (k == 0 || k == 3)
      g_assert_cmpint (end[0] - at[0], >=, whole);
    else
      g_assert_cmpint (end[0] - at[0], <, whole);
    if (k == 2)
      g_assert_cmpint (end[0] - at[0], <=, 10); /* only a flag has room */
    if (k == 3)
      g_assert_cmpint (second, <, at[1] - 40);
  }
}

/* The legend below the title of a plot has as many lines as its names and values need, but only one if there is no more
 * room. */
static void
test_legend (void)
{
  static const char *const suffixes[] = { "light", "dark", "light-contrast", "dark-contrast" };
  static const char *const parts[] = { "heap bytes", "cache bytes", "mapped bytes" };
  Run run;
  begin (&run);
  for (guint k = 0; k < 2; k++) {
    const char *name = k == 0 ? "low" : "tall";
    guint32 counter = loom_trace_builder_counter (run.builder, run.process, "", 0, name, strlen (name), "", 0);
    for (guint i = 0; i < 3; i++)
      loom_trace_builder_sample (run.builder,
                                 loom_trace_builder_series (run.builder, counter, parts[i], strlen (parts[i])),
                                 FAKE_BEGIN_NS, 1.17e8 * (i + 1), LOOM_REF_NONE);
  }
  end (&run);
  g_autofree char *tall = g_strdup (loom_row_list_get_row (run.outline, row_of (&run, "tall"))->key);
  loom_row_list_set_row_height (run.outline, tall, 90);
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 10 * S, WIDTH, HEIGHT, 0 };
  loom_draw_list_build (run.list, run.outline, &view, NULL);
  for (LoomThemeKind kind = 0; kind < LOOM_N_THEMES; kind++) {
    LoomPaintOptions options;
    loom_timeline_painter_init_options (&options, loom_theme_get (kind), run.text);
    options.cursor_ns = FAKE_BEGIN_NS + S;
    cairo_surface_t *surface = take (paint_headers, run.list, &options);
    g_autofree char *name = g_strconcat ("legend-", suffixes[kind], NULL);
    golden_compare (surface, name);
    cairo_surface_destroy (surface);
  }
  drop (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/legible/scales", test_scales);
  g_test_add_func ("/draw/legible/lanes", test_lanes);
  g_test_add_func ("/draw/legible/outline", test_outline);
  g_test_add_func ("/draw/legible/tags", test_tags);
  g_test_add_func ("/draw/legible/notes", test_notes);
  g_test_add_func ("/draw/legible/legend", test_legend);
  return g_test_run ();
}
