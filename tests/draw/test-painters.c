/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the painters of the timeline with golden pictures, and by properties that any picture must have.
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "fake-run.h"
#include "golden.h"
#include "loom-legend-painter.h"
#include "loom-rank-breakdown.h"
#include "loom-span-color-mode.h"
#include "loom-timeline-image.h"
#include "open-ranks.h"

#define WIDTH 640
#define HEIGHT 400
#define HEADER 160

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomRuler *ruler;
  LoomMinimapData *overview;
  LoomSteps *steps;
  LoomTextCache *text;
  LoomRange extent;
  LoomViewport view;
  LoomPaintOptions options;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  FakeShape shape = { 2, 2, 3, 6, 5, TRUE };
  fixture->timeline = fake_run_new (&shape);
  fixture->outline = loom_row_list_new ();
  fixture->list = loom_draw_list_new ();
  fixture->ruler = loom_ruler_new ();
  fixture->overview = loom_minimap_data_new (fixture->timeline, NULL, NULL);
  fixture->steps = loom_steps_new (fixture->timeline, NULL);
  fixture->text = loom_text_cache_new ("DejaVu Sans");
  loom_row_list_set_timeline (fixture->outline, fixture->timeline);
  open_ranks (fixture->outline);
  g_assert_true (loom_timeline_get_extent (fixture->timeline, &fixture->extent));
  loom_viewport_init (&fixture->view, fixture->extent, WIDTH - HEADER, HEIGHT - LOOM_OVERVIEW_PX - LOOM_RULER_PX);
  loom_timeline_painter_init_options (&fixture->options, loom_theme_get (LOOM_THEME_LIGHT), fixture->text);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  loom_draw_list_free (fixture->list);
  loom_row_list_free (fixture->outline);
  loom_ruler_free (fixture->ruler);
  loom_minimap_data_unref (fixture->overview);
  loom_steps_unref (fixture->steps);
  loom_text_cache_free (fixture->text);
  loom_timeline_unref (fixture->timeline);
}

static cairo_surface_t *
take (Fixture *fixture, LoomRulerUnit reading, const LoomDrawOptions *draw_options, double scale)
{
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (WIDTH * scale), (int) (HEIGHT * scale));
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  fixture->options.device_scale = scale;
  loom_draw_list_build (fixture->list, fixture->outline, &fixture->view, draw_options);
  loom_ruler_update (fixture->ruler, fixture->timeline, fixture->steps, &fixture->view, reading, fixture->text);
  LoomTimelineImage picture = { fixture->list, fixture->ruler, fixture->overview, HEADER, &fixture->options };
  loom_timeline_image_paint (cr, &picture);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  return surface;
}

static void
compare (Fixture *fixture, LoomRulerUnit reading, const LoomDrawOptions *draw_options, double scale, const char *name)
{
  cairo_surface_t *surface = take (fixture, reading, draw_options, scale);
  golden_compare (surface, name);
  cairo_surface_destroy (surface);
}

static void
test_all (Fixture *fixture, gconstpointer data)
{
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1, "all-light");
  fixture->options.theme = loom_theme_get (LOOM_THEME_DARK);
  compare (fixture, LOOM_RULER_UNIT_UTC, NULL, 1, "all-dark");
}

static void
test_folded (Fixture *fixture, gconstpointer data)
{
  loom_row_list_fold_all (fixture->outline, TRUE);
  g_autofree char *node = g_strdup (loom_row_list_get_row (fixture->outline, 0)->key);
  loom_row_list_set_folded (fixture->outline, node, FALSE);
  compare (fixture, LOOM_RULER_UNIT_STEP, NULL, 1, "folded-light");
}

static void
test_double_density (Fixture *fixture, gconstpointer data)
{
  loom_viewport_fit_range (&fixture->view, fixture->extent,
                           (LoomRange) { FAKE_BEGIN_NS + 130000000, FAKE_BEGIN_NS + 150000000 }, 0);
  fixture->options.theme = loom_theme_get (LOOM_THEME_DARK);
  fixture->view.scroll_px = 100;
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 2, "double-dark");
}

/* Compares golden pictures with a selection, a hovered span, marks, flows, the cursor, and a plot
 * that is pinned above the rows of its node. */
static void
test_busy (Fixture *fixture, gconstpointer data)
{
  gint64 begin = FAKE_BEGIN_NS + 125000000;
  g_autofree char *plot = g_strdup (loom_row_list_get_row (fixture->outline, 1)->key);
  g_autoptr (GArray) flows = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  LoomSpanId selected = fake_run_find (fixture->timeline, "flash_fwd_kernel");
  LoomMarker marks[] = { { begin + 9000000, "first", FALSE }, { begin + 36000000, NULL, TRUE } };
  loom_viewport_fit_range (&fixture->view, fixture->extent, (LoomRange) { begin, begin + 40000000 }, 0);
  loom_row_list_set_pinned (fixture->outline, plot, TRUE);
  loom_row_list_set_overlay (fixture->outline, plot, TRUE);
  loom_flow_lines_of_span (fixture->timeline, selected, 8, flows);
  fixture->options.selected = &selected;
  fixture->options.n_selected = 1;
  fixture->options.flows = (const LoomFlowLine *) (gpointer) flows->data;
  fixture->options.n_flows = flows->len;
  fixture->options.selection = (LoomRange) { begin + 12000000, begin + 24000000 };
  fixture->options.marks = marks;
  fixture->options.n_marks = G_N_ELEMENTS (marks);
  fixture->options.cursor_ns = begin + 30000000;
  fixture->options.hover_row = 4;
  fixture->options.focus_row = 5;
  compare (fixture, LOOM_RULER_UNIT_STEP, NULL, 1, "busy-light");
  fixture->options.theme = loom_theme_get (LOOM_THEME_DARK_CONTRAST);
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1, "busy-dark-contrast");
}

/* Compares golden pictures with all arrows of flows in view, below the arrows of the selection; the
 * colour of spans shows their duration. */
static void
test_arrows (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "arrows-light", "arrows-dark", "arrows-light-contrast", "arrows-dark-contrast" };
  g_autoptr (GArray) flows = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine)),
                     all = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  LoomDrawOptions options = { .color_by = LOOM_COLOR_BY_DURATION };
  loom_viewport_fit_range (&fixture->view, fixture->extent, (LoomRange) { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 110000000 },
                           0);
  fixture->view.scroll_px = 100;
  loom_draw_list_build (fixture->list, fixture->outline, &fixture->view, &options);
  g_assert_true (loom_span_color_mode_collect_flows (fixture->list, all));
  g_assert_cmpuint (all->len, >, 10);
  loom_flow_lines_of_span (fixture->timeline, g_array_index (all, LoomFlowLine, all->len / 2).from, 8, flows);
  for (LoomThemeKind kind = 0; kind < LOOM_N_THEMES; kind++) {
    fixture->options.theme = loom_theme_get (kind);
    fixture->options.all_flows = (const LoomFlowLine *) (gpointer) all->data;
    fixture->options.n_all_flows = all->len;
    fixture->options.flows = (const LoomFlowLine *) (gpointer) flows->data;
    fixture->options.n_flows = flows->len;
    compare (fixture, LOOM_RULER_UNIT_SINCE_START, &options, 1, names[kind]);
  }
}

/* Returns the number of pixels that differ clearly from the background in the first picture, but hardly in the
 * second. */
static guint
count_cleared (cairo_surface_t *before, cairo_surface_t *after, LoomColor background)
{
  const double wanted[] = { background & 0xff, background >> 8 & 0xff, background >> 16 & 0xff };
  guint n = 0;
  for (int y = 0; y < HEIGHT; y++) {
    const guint8 *p = cairo_image_surface_get_data (before) + y * cairo_image_surface_get_stride (before);
    const guint8 *q = cairo_image_surface_get_data (after) + y * cairo_image_surface_get_stride (after);
    for (int x = HEADER; x < WIDTH; x++) {
      double was = 0, is = 0;
      for (int c = 0; c < 3; c++) {
        was = MAX (was, fabs (p[4 * x + c] - wanted[c]));
        is = MAX (is, fabs (q[4 * x + c] - wanted[c]));
      }
      n += was > 60 && is < 20;
    }
  }
  return n;
}

/* In high contrast, spans may be nearly as dark or light as arrows, so arrows have an outline in the colour of the
 * background. */
static void
test_cased_arrows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  loom_viewport_fit_range (&fixture->view, fixture->extent, (LoomRange) { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 110000000 },
                           0);
  fixture->view.scroll_px = 100;
  loom_draw_list_build (fixture->list, fixture->outline, &fixture->view, NULL);
  g_assert_true (loom_span_color_mode_collect_flows (fixture->list, all));
  for (LoomThemeKind kind = 0; kind < LOOM_N_THEMES; kind++) {
    fixture->options.theme = loom_theme_get (kind);
    fixture->options.n_all_flows = 0;
    cairo_surface_t *before = take (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1);
    fixture->options.all_flows = (const LoomFlowLine *) (gpointer) all->data;
    fixture->options.n_all_flows = all->len;
    cairo_surface_t *after = take (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1);
    guint n = count_cleared (before, after, fixture->options.theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
    g_assert_cmpint (n > 50, ==, fixture->options.theme->contrast);
    cairo_surface_destroy (before);
    cairo_surface_destroy (after);
  }
}

#define BLOCK_PX 12 /* height of the test area, less than the height of a row of spans */

static gboolean
is_solid (cairo_surface_t *surface, int x0, int y0, LoomColor color)
{
  for (int y = y0; y < y0 + BLOCK_PX; y++)
    for (int x = x0; x < x0 + BLOCK_PX; x++) {
      guint32 pixel = *(guint32 *) (gpointer) (cairo_image_surface_get_data (surface) +
                                               y * cairo_image_surface_get_stride (surface) + 4 * x);
      if (((pixel ^ color) & 0xffffff) != 0)
        return FALSE;
    }
  return TRUE;
}

/* Selected spans that are too narrow for outlines of their own get a common outline, which must not hide them. */
static void
test_selected_crowd (Fixture *fixture, gconstpointer data)
{
  LoomRun *run = loom_timeline_get_run (fixture->timeline);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint k = 0; k < loom_run_get_n_traces (run); k++)
    for (guint32 i = 0; i < loom_trace_get_spans (loom_run_get_trace (run, k))->n; i++)
      g_array_append_vals (spans, &(LoomSpanId) { k, i }, 1);
  fixture->options.selected = (const LoomSpanId *) (gpointer) spans->data;
  fixture->options.n_selected = spans->len;
  cairo_surface_t *surface = take (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1);
  guint n_solid = 0;
  for (int y = LOOM_OVERVIEW_PX + LOOM_RULER_PX; y + BLOCK_PX < HEIGHT; y++)
    for (int x = HEADER; x + BLOCK_PX < WIDTH; x++)
      n_solid += is_solid (surface, x, y, fixture->options.theme->role[LOOM_COLOR_ROLE_ACCENT]);
  g_assert_cmpuint (n_solid, ==, 0);
  cairo_surface_destroy (surface);
}

/* Returns TRUE if the mark has the fill colour `wanted`. Looks at a pixel near the left edge of the mark and below its
 * name, where neither the outline nor the name covers the fill. */
static gboolean
has_fill (const Fixture *fixture, cairo_surface_t *surface, const LoomDepthRow *strip, const LoomDrawItem *mark,
          LoomColor wanted)
{
  int x = HEADER + (int) ceil (mark->x0) + 3, y = LOOM_OVERVIEW_PX + LOOM_RULER_PX + (int) strip->y + 2;
  const guint8 *row = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
  return ((((const guint32 *) (gconstpointer) row)[x] ^ wanted) & 0xffffff) == 0;
}

typedef struct {
  guint full, dim;
} Tones;

/* Counts the marks of single spans in view with their normal colour and those with the dimmed colour. Includes only
 * marks that are wide enough to have a pixel that belongs neither to the outline nor to the name. */
static Tones
count_tones (Fixture *fixture, LoomThemeDim dim)
{
  Tones tones = { 0, 0 };
  cairo_surface_t *surface = take (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1);
  const LoomTheme *theme = fixture->options.theme;
  guint n_strips, n_marks;
  const LoomDepthRow *strips = loom_draw_list_get_strips (fixture->list, &n_strips);
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture->list, &n_marks);
  for (guint i = 0; i < n_strips; i++)
    for (guint k = strips[i].first; k < strips[i].first + strips[i].n; k++) {
      gboolean inside = marks[k].x0 >= 1 && marks[k].x1 < WIDTH - HEADER - 8 && strips[i].y > 1;
      if (strips[i].group || strips[i].tangled || !inside || marks[k].x1 - marks[k].x0 < 8 ||
          strips[i].y + 20 > fixture->view.height_px || (marks[k].flags & LOOM_DRAW_ITEM_INSTANT) != 0)
        continue;
      tones.full += has_fill (fixture, surface, &strips[i], &marks[k], theme->span[marks[k].color]);
      tones.dim += has_fill (fixture, surface, &strips[i], &marks[k], theme->dim[dim][marks[k].color]);
    }
  cairo_surface_destroy (surface);
  return tones;
}

/* If nothing or one span is selected, no span is dimmed. If several are selected, these and the spans that their arrows
 * connect to are not dimmed. */
static void
test_selection_dims (Fixture *fixture, gconstpointer data)
{
  LoomSpanId selected[] = { fake_run_find (fixture->timeline, "forward"), { 1000, 0 } };
  for (LoomThemeKind kind = 0; kind < LOOM_N_THEMES; kind++) {
    fixture->options.theme = loom_theme_get (kind);
    fixture->options.n_selected = 0;
    Tones none = count_tones (fixture, LOOM_THEME_DIM_LIGHT);
    g_assert_cmpuint (none.full, >, 6);
    g_assert_cmpuint (none.dim, ==, 0);
    fixture->options.selected = selected;
    fixture->options.n_selected = 1;
    Tones one = count_tones (fixture, LOOM_THEME_DIM_LIGHT);
    g_assert_cmpuint (one.full, ==, none.full);
    g_assert_cmpuint (one.dim, ==, 0);
    fixture->options.n_selected = 2;
    Tones two = count_tones (fixture, LOOM_THEME_DIM_STRONG);
    g_assert_cmpuint (two.full, ==, 1);
    g_assert_cmpuint (two.dim, ==, none.full - 1);
    LoomFlowLine line = { .from = selected[0], .to = fake_run_find (fixture->timeline, "backward") };
    fixture->options.flows = &line;
    fixture->options.n_flows = 1;
    g_assert_cmpuint (count_tones (fixture, LOOM_THEME_DIM_STRONG).full, <=, 2);
    fixture->options.n_flows = 0;
  }
}

/* If many spans are selected, the other spans are dimmed more strongly. If a range is selected, the spans that do not
 * overlap the range are dimmed just as strongly. */
static void
test_many_dim_more (Fixture *fixture, gconstpointer data)
{
  LoomSpanId selected[] = { fake_run_find (fixture->timeline, "forward"), { 1000, 0 } };
  Tones none = count_tones (fixture, LOOM_THEME_DIM_LIGHT);
  fixture->options.selected = selected;
  fixture->options.n_selected = G_N_ELEMENTS (selected);
  Tones many = count_tones (fixture, LOOM_THEME_DIM_STRONG);
  g_assert_cmpuint (many.full, ==, 1);
  g_assert_cmpuint (many.dim, ==, none.full - 1);
  gint64 begin, end;
  loom_timeline_get_span (fixture->timeline, selected[0], &begin, &end);
  fixture->options.n_selected = 0;
  fixture->options.selection = (LoomRange) { end + 1, fixture->extent.end_ns + 1 };
  Tones range = count_tones (fixture, LOOM_THEME_DIM_LIGHT);
  g_assert_cmpuint (range.dim, >=, 1);
}

/* Returns TRUE if a pixel of the picture has the colour. */
static gboolean
has_color (cairo_surface_t *surface, LoomColor color)
{
  int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  cairo_surface_flush (surface);
  for (int y = 0; y < height; y++) {
    const guint8 *row = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
    for (int x = 0; x < width; x++)
      if (((((const guint32 *) (gconstpointer) row)[x] ^ color) & 0xffffff) == 0)
        return TRUE;
  }
  return FALSE;
}

/* The square of the legend for waits has the pale colour of waits, and lines in the colour of communication. */
static void
assert_waiting_is_hatched (const LoomPaintOptions *options)
{
  const LoomTheme *theme = options->theme;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 8, 14);
  cairo_t *cr = cairo_create (surface);
  loom_legend_painter_paint (cr, 1u << LOOM_N_FAMILIES, 400, 14, options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  LoomColor pale = loom_theme_waiting_color (theme, theme->role[LOOM_COLOR_ROLE_BACKGROUND_GROUP]);
  const guint32 *row = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                                          7 * cairo_image_surface_get_stride (surface));
  guint n_pale = 0, n_lines = 0;
  for (guint x = 0; x < 8; x++)
    if (((row[x] ^ pale) & 0xffffff) == 0)
      n_pale++;
    else
      n_lines++;
  g_assert_cmpuint (n_pale, >, 0);
  g_assert_cmpuint (n_lines, >, 0);
  cairo_surface_destroy (surface);
}

/* The legend shows the families of work in view, as many as the size of the window permits; without enough room it
 * shows none. */
static void
test_legend (Fixture *fixture, gconstpointer data)
{
  static const LoomWorkFamily shown[] = { LOOM_WORK_FAMILY_COMPUTE, LOOM_WORK_FAMILY_COMMUNICATION };
  loom_draw_list_build (fixture->list, fixture->outline, &fixture->view, NULL);
  guint families = loom_legend_painter_find (fixture->list, fixture->overview);
  g_assert_cmpuint (families & 1u << LOOM_WORK_FAMILY_OTHER, ==, 0);
  g_assert_cmpuint (families & 1u << LOOM_WORK_FAMILY_PYTHON, !=, 0);
  LoomViewport elsewhere = fixture->view;
  elsewhere.begin_ns = fixture->extent.end_ns + 1;
  elsewhere.end_ns = elsewhere.begin_ns + LOOM_NS_PER_MS;
  loom_draw_list_build (fixture->list, fixture->outline, &elsewhere, NULL);
  g_assert_cmpuint (loom_legend_painter_find (fixture->list, NULL), ==, 0);
  families = 1u << shown[0] | 1u << shown[1];
  static const int widths_px[] = { 300, 100, 4 };
  for (guint i = 0; i < G_N_ELEMENTS (widths_px); i++) {
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, widths_px[i], 14);
    cairo_t *cr = cairo_create (surface);
    loom_legend_painter_paint (cr, families, widths_px[i], 14, &fixture->options);
    cairo_destroy (cr);
    for (guint k = 0; k < G_N_ELEMENTS (shown); k++)
      g_assert_cmpint (has_color (surface, loom_theme_family_color (fixture->options.theme, shown[k])), ==, k + i < 2);
    cairo_surface_destroy (surface);
  }
  assert_waiting_is_hatched (&fixture->options);
  g_autofree char *names = loom_legend_painter_dup_names (families);
  g_assert_cmpstr (names, ==, "Compute, Communication");
}

/* Draws the marks that panels set on the timeline: lines at bottlenecks, bands at the time ranges of the selected
 * element of a chart, and, in the overview, the times of findings of each severity. In pictures without these marks,
 * their colours do not occur. */
static void
test_bands (Fixture *fixture, gconstpointer data)
{
  gint64 begin = FAKE_BEGIN_NS + 125000000;
  const gint64 bottlenecks[] = { begin + 5000000, begin + 5400000, begin + 31000000 };
  const LoomRange stretches[] = { { begin + 9000000, begin + 14000000 },
                                  { begin + 20000000, begin + 20000001 },
                                  { begin + 36000000, begin + 60000000 } };
  loom_viewport_fit_range (&fixture->view, fixture->extent, (LoomRange) { begin, begin + 40000000 }, 0);
  const LoomFindingMark findings[] = {
    { { FAKE_BEGIN_NS, begin }, LOOM_RULE_INFO, 0, FALSE },
    { { begin - 20000000, begin - 15000000 }, LOOM_RULE_WARNING, 1, FALSE },
    { { begin - 14000000, begin + 9000000 }, LOOM_RULE_WARNING, 1, FALSE },
    { { begin + 60000000, begin + 60000000 }, LOOM_RULE_SEVERE, 2, FALSE },
  };
  fixture->options.findings = findings;
  fixture->options.n_findings = G_N_ELEMENTS (findings);
  fixture->options.bottlenecks_ns = bottlenecks;
  fixture->options.n_bottlenecks = G_N_ELEMENTS (bottlenecks);
  fixture->options.stretches = stretches;
  fixture->options.n_stretches = G_N_ELEMENTS (stretches);
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1, "bands-light");
  fixture->options.theme = loom_theme_get (LOOM_THEME_DARK);
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1, "bands-dark");
  fixture->options.theme = loom_theme_get (LOOM_THEME_LIGHT_CONTRAST);
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1, "bands-light-contrast");
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  LoomSpanId hits[2] = { fake_run_find (fixture->timeline, "forward"), fake_run_find (fixture->timeline, "backward") };
  LoomDrawOptions draw_options = { LOOM_COLOR_BY_NAME, hits, 2 };
  gint64 begin, end;
  if (hits[0].span > hits[1].span) {
    LoomSpanId swap = hits[0];
    hits[0] = hits[1], hits[1] = swap;
  }
  loom_timeline_get_span (fixture->timeline, hits[0], &begin, &end);
  fixture->options.ticks_ns = &begin;
  fixture->options.n_ticks = 1;
  fixture->options.findings = &(LoomFindingMark) { { end, end }, LOOM_RULE_WARNING, 0, FALSE };
  fixture->options.n_findings = 1;
  compare (fixture, LOOM_RULER_UNIT_SINCE_START, &draw_options, 1, "search-light");
}

/* --- properties without golden pictures --- */

/* A picture that is painted through a recording surface, as GTK does, is the same as one that is painted directly into
 * pixels. */
static void
test_direct_equals_indirect (Fixture *fixture, gconstpointer data)
{
  cairo_surface_t *direct = take (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1);
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_surface_t *replayed = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  LoomTimelineImage picture = { fixture->list, fixture->ruler, fixture->overview, HEADER, &fixture->options };
  cairo_t *cr = cairo_create (recording);
  loom_timeline_image_paint (cr, &picture);
  cairo_destroy (cr);
  cr = cairo_create (replayed);
  cairo_set_source_surface (cr, recording, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (replayed);
  guint n_different = 0;
  for (int y = 0; y < HEIGHT; y++) {
    const guint8 *p = cairo_image_surface_get_data (direct) + y * cairo_image_surface_get_stride (direct);
    const guint8 *q = cairo_image_surface_get_data (replayed) + y * cairo_image_surface_get_stride (replayed);
    for (int i = 0; i < 4 * WIDTH; i++)
      n_different += i % 4 != 3 && ABS (p[i] - q[i]) > 3;
  }
  g_assert_cmpuint (n_different, <, WIDTH * HEIGHT * 3 / 200);
  cairo_surface_destroy (recording);
  cairo_surface_destroy (replayed);
  cairo_surface_destroy (direct);
}

/* Painters do not paint outside of their area: a magenta frame around the area keeps its colour. */
static void
test_stays_inside (Fixture *fixture, gconstpointer data)
{
  const int border = 20;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH + 2 * border, HEIGHT + 2 * border);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 0, 1);
  cairo_paint (cr);
  cairo_translate (cr, border, border);
  fixture->view.scroll_px = 33;
  fixture->options.selection = (LoomRange) { fixture->extent.begin_ns - 1000, fixture->extent.end_ns + 1000 };
  loom_draw_list_build (fixture->list, fixture->outline, &fixture->view, NULL);
  loom_ruler_update (fixture->ruler, fixture->timeline, NULL, &fixture->view, LOOM_RULER_UNIT_UTC, fixture->text);
  LoomTimelineImage picture = { fixture->list, fixture->ruler, fixture->overview, HEADER, &fixture->options };
  loom_timeline_image_paint (cr, &picture);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < HEIGHT + 2 * border; y++) {
    const guint32 *row = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                                            y * cairo_image_surface_get_stride (surface));
    for (int x = 0; x < WIDTH + 2 * border; x++)
      if (x < border || y < border || x >= WIDTH + border || y >= HEIGHT + border)
        g_assert_cmphex (row[x] & 0xFFFFFF, ==, 0xFF00FF);
  }
  cairo_surface_destroy (surface);
}

/* At every pixel, the colour of the picture belongs to the span that hit testing finds. */
static void
test_pixels_agree_with_hits (Fixture *fixture, gconstpointer data)
{
  cairo_surface_t *surface = take (fixture, LOOM_RULER_UNIT_SINCE_START, NULL, 1);
  guint n_marks, n_checked = 0;
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture->list, &n_marks);
  for (int i = 0; i < 20000; i++) {
    int x = g_test_rand_int_range (0, WIDTH - HEADER), y = g_test_rand_int_range (0, (int) fixture->view.height_px);
    LoomDrawHit hit;
    if (loom_draw_list_hit (fixture->list, x + 0.5, y + 0.5, 0, &hit) != LOOM_DRAW_HIT_SPAN || hit.x1 - hit.x0 < 5 ||
        hit.x1 - hit.x0 >= 26 || /* the mark is wide enough for a name, whose letters have other colours */
        x + 1.6 > hit.x1 || x - 0.6 < hit.x0 || y + 1.5 > hit.y1 || y - 0.5 < hit.y0)
      continue;
    const guint8 *pixels = cairo_image_surface_get_data (surface);
    guint32 pixel = *(const guint32 *) (gconstpointer) (pixels +
                                                        (y + LOOM_OVERVIEW_PX + LOOM_RULER_PX) *
                                                          cairo_image_surface_get_stride (surface) +
                                                        4 * (x + HEADER));
    for (guint k = 0; k < n_marks; k++)
      /* lanes of groups show the same spans as DENSE marks, in the colour of the family of work */
      if (loom_timeline_span_id_equal (marks[k].span, hit.span) && (marks[k].flags & LOOM_DRAW_ITEM_DENSE) == 0) {
        g_assert_cmphex (pixel | 0xFF000000u, ==, fixture->options.theme->span[marks[k].color]);
        n_checked++;
        break;
      }
  }
  g_assert_cmpuint (n_checked, >, 50);
  cairo_surface_destroy (surface);
}

static void
test_overview_scale (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < 1000; i++) {
    double x = g_test_rand_double_range (6, 900 - 6);
    gint64 time = loom_timeline_painter_overview_time (fixture->overview, 900, x);
    g_assert_cmpfloat_with_epsilon (loom_timeline_painter_overview_x (fixture->overview, 900, time), x, 0.01);
  }
  const float *busy = fixture->overview->busy;
  double sum = 0;
  for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++) {
    g_assert_true (busy[i] >= 0 && busy[i] <= 1.0001);
    sum += busy[i];
  }
  g_assert_cmpfloat (sum / LOOM_MINIMAP_DATA_BUCKETS, >, 0.2);
  g_assert_cmpfloat (sum / LOOM_MINIMAP_DATA_BUCKETS, <, 0.9);
}

/* The kinds of work in the overview add up to its busy fraction; over the whole run, they equal the times in the
 * breakdown by rank. */
static void
test_overview_parts (Fixture *fixture, gconstpointer data)
{
  const LoomMinimapData *overview = fixture->overview;
  double sums[LOOM_MINIMAP_N_PARTS] = { 0 }, exact[LOOM_MINIMAP_N_PARTS] = { 0 };
  g_assert_true (overview->has_parts);
  for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++) {
    double sum = 0;
    for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++) {
      g_assert_cmpfloat (overview->part[part][i], >=, 0);
      sum += overview->part[part][i];
      sums[part] += overview->part[part][i] / LOOM_MINIMAP_DATA_BUCKETS;
    }
    g_assert_cmpfloat_with_epsilon (sum, overview->busy[i], 1e-4);
  }
  g_autoptr (LoomRankBreakdown) breakdown = loom_rank_breakdown_new (fixture->timeline, overview->range, NULL);
  double length = (double) (overview->range.end_ns - overview->range.begin_ns) * breakdown->n_ranks;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    exact[LOOM_MINIMAP_COMPUTE] += (double) breakdown->ranks[i].compute_ns / length;
    exact[LOOM_MINIMAP_COMMUNICATION] += (double) breakdown->ranks[i].exposed_communication_ns / length;
    exact[LOOM_MINIMAP_COPIES] += (double) breakdown->ranks[i].exposed_copy_ns / length;
  }
  for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++)
    g_assert_cmpfloat_with_epsilon (sums[part], exact[part], 0.03);
}

/* Returns a picture of the overview alone. Free it with cairo_surface_destroy(). */
static cairo_surface_t *
take_overview (Fixture *fixture, gboolean is_plain, LoomRange analyzed)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, LOOM_OVERVIEW_PX);
  cairo_t *cr = cairo_create (surface);
  fixture->options.plain_overview = is_plain;
  fixture->options.analyzed = analyzed;
  loom_timeline_painter_paint_overview (cr, fixture->overview, WIDTH, LOOM_OVERVIEW_PX, &fixture->view,
                                        &fixture->options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel_at (cairo_surface_t *surface, int x, int y)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  return *(const guint32 *) (gconstpointer) (pixels + y * cairo_image_surface_get_stride (surface) + 4 * x) |
         0xFF000000;
}

/* Asserts that the column of pixels at x is the same in both pictures, or differs somewhere. The pixels at the upper and
 * the lower edge do not count. */
static void
assert_column (cairo_surface_t *a, cairo_surface_t *b, int x, gboolean same)
{
  guint n_different = 0;
  for (int y = 3; y < LOOM_OVERVIEW_PX - 3; y++)
    n_different += pixel_at (a, x, y) != pixel_at (b, x, y);
  g_assert_cmpuint (n_different == 0, ==, same);
}

/* The overview outlines the analyzed range and shades the run outside of it. It then does not mark the view, which the
 * user could take for the analyzed range. */
static void
test_analyzed_range (Fixture *fixture, gconstpointer data)
{
  static const LoomThemeKind kinds[] = { LOOM_THEME_LIGHT, LOOM_THEME_DARK, LOOM_THEME_LIGHT_CONTRAST,
                                         LOOM_THEME_DARK_CONTRAST };
  gint64 length = fixture->extent.end_ns - fixture->extent.begin_ns, begin = fixture->extent.begin_ns;
  const LoomRange analyzed = { begin + length / 2, begin + length * 3 / 4 };
  loom_viewport_fit_range (&fixture->view, fixture->extent, (LoomRange) { begin + length / 8, begin + length / 4 }, 0);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    fixture->options.theme = loom_theme_get (kinds[i]);
    cairo_surface_t *without = take_overview (fixture, TRUE, (LoomRange) { 0, 0 }),
                    *with = take_overview (fixture, TRUE, analyzed);
    int x0 = (int) floor (loom_timeline_painter_overview_x (fixture->overview, WIDTH, analyzed.begin_ns)),
        x1 = (int) ceil (loom_timeline_painter_overview_x (fixture->overview, WIDTH, analyzed.end_ns)),
        middle = (int) loom_timeline_painter_overview_x (fixture->overview, WIDTH, begin + length * 3 / 16);
    for (int y = 0; y < LOOM_OVERVIEW_PX; y++) {
      g_assert_cmphex (pixel_at (with, x0, y), ==, fixture->options.theme->role[LOOM_COLOR_ROLE_ACCENT]);
      g_assert_cmphex (pixel_at (with, x1 - 1, y), ==, fixture->options.theme->role[LOOM_COLOR_ROLE_ACCENT]);
    }
    assert_column (with, without, (x0 + x1) / 2, TRUE);
    assert_column (with, without, x0 - 10, FALSE);
    assert_column (with, without, x1 + 10, FALSE);
    g_assert_cmphex (pixel_at (without, middle, LOOM_OVERVIEW_PX - 1), !=,
                     pixel_at (without, x1 + 10, LOOM_OVERVIEW_PX - 1));
    g_assert_cmphex (pixel_at (with, middle, LOOM_OVERVIEW_PX - 1), ==, pixel_at (with, x1 + 10, LOOM_OVERVIEW_PX - 1));
    cairo_surface_destroy (without);
    cairo_surface_destroy (with);
  }
}

/* While the analyzed range is the view, only the window with the handles marks it. */
static void
test_analyzed_view (Fixture *fixture, gconstpointer data)
{
  gint64 length = fixture->extent.end_ns - fixture->extent.begin_ns, begin = fixture->extent.begin_ns;
  loom_viewport_fit_range (&fixture->view, fixture->extent, (LoomRange) { begin + length / 8, begin + length / 4 }, 0);
  cairo_surface_t *window = take_overview (fixture, FALSE, (LoomRange) { 0, 0 }),
                  *same = take_overview (fixture, FALSE, (LoomRange) { fixture->view.begin_ns, fixture->view.end_ns }),
                  *other = take_overview (fixture, FALSE, (LoomRange) { begin + length / 2, begin + length });
  guint n_same = 0, n_other = 0;
  for (int y = 0; y < LOOM_OVERVIEW_PX; y++)
    for (int x = 0; x < WIDTH; x++) {
      n_same += pixel_at (window, x, y) != pixel_at (same, x, y);
      n_other += pixel_at (window, x, y) != pixel_at (other, x, y);
    }
  g_assert_cmpuint (n_same, ==, 0);
  g_assert_cmpuint (n_other, >, 0);
  cairo_surface_destroy (window);
  cairo_surface_destroy (same);
  cairo_surface_destroy (other);
}

/* Returns the number of pieces of the band that shows when findings occur. */
static guint
count_pieces (Fixture *fixture)
{
  cairo_surface_t *surface = take_overview (fixture, TRUE, (LoomRange) { 0, 0 });
  guint n = 0;
  for (int x = 1; x < WIDTH; x++) {
    guint32 color = fixture->options.theme->role[LOOM_COLOR_ROLE_WARNING];
    n += pixel_at (surface, x, 2) == color && pixel_at (surface, x - 1, 2) != color;
  }
  cairo_surface_destroy (surface);
  return n;
}

/* Steps in which a finding holds have gaps between them, even if they touch or overlap, and are drawn even if they are
 * all steps of the run. Without gaps, a finding that holds during the whole run is not drawn. */
static void
test_steps_in_band (Fixture *fixture, gconstpointer data)
{
  enum { N_MARKS = 1000 };
  LoomFindingMark marks[N_MARKS];
  gint64 length = fixture->extent.end_ns - fixture->extent.begin_ns, begin = fixture->extent.begin_ns;
  static const guint numbers[] = { 1, 4, N_MARKS }; /* 1000 steps are too narrow for gaps */
  static const guint expected[] = { 1, 4, 1 };
  fixture->options.findings = marks;
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++) {
    fixture->options.n_findings = numbers[k];
    for (guint i = 0; i < numbers[k]; i++)
      marks[i] = (LoomFindingMark) { .range = { begin + length * i / numbers[k],
                                                begin + length * (i + 1) / numbers[k] + length / 100 },
                                     .severity = LOOM_RULE_WARNING,
                                     .is_step = TRUE };
    g_assert_cmpuint (count_pieces (fixture), ==, expected[k]);
    for (guint i = 0; i < numbers[k]; i++)
      marks[i].is_step = FALSE;
    g_assert_cmpuint (count_pieces (fixture), ==, 0);
  }
  fixture->options.findings = NULL;
  fixture->options.n_findings = 0;
}

static void
test_arrow (Fixture *fixture, gconstpointer data)
{
  const LoomTimelineRow *group = loom_row_list_get_row (fixture->outline, 0),
                        *plot = loom_row_list_get_row (fixture->outline, 1);
  g_assert_true (loom_timeline_painter_is_header_arrow (group, 14));
  g_assert_false (loom_timeline_painter_is_header_arrow (group, 60));
  g_assert_false (loom_timeline_painter_is_header_arrow (plot, 26));
}

/* Only a late rank whose header has room for a second line has words below its name. */
static void
test_late_line (Fixture *fixture, gconstpointer data)
{
  static const LoomRowLateness late = { NULL, 1, "late · costs 4 ms", NULL, "The others wait for rank 1.", NULL, 0 };
  LoomTimelineRow row = *loom_row_list_get_row (fixture->outline, 0);
  row.height = 60;
  row.late = &late;
  g_assert_true (loom_timeline_painter_is_late_line (&row, 60, 37));
  g_assert_false (loom_timeline_painter_is_late_line (&row, 60, 22)); /* on the name */
  g_assert_false (loom_timeline_painter_is_late_line (&row, 4, 37));  /* on the arrow */
  g_assert_false (loom_timeline_painter_is_late_line (&row, 60, 55));
  row.late = NULL;
  g_assert_false (loom_timeline_painter_is_late_line (&row, 60, 37));
  row.late = &late;
  row.height = 24;
  g_assert_false (loom_timeline_painter_is_late_line (&row, 60, 18));
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/draw/painters/all", test_all);
  ADD ("/draw/painters/folded", test_folded);
  ADD ("/draw/painters/double-density", test_double_density);
  ADD ("/draw/painters/busy", test_busy);
  ADD ("/draw/painters/arrows", test_arrows);
  ADD ("/draw/painters/cased-arrows", test_cased_arrows);
  ADD ("/draw/painters/selected-crowd", test_selected_crowd);
  ADD ("/draw/painters/selection-dims", test_selection_dims);
  ADD ("/draw/painters/many-dim-more", test_many_dim_more);
  ADD ("/draw/painters/legend", test_legend);
  ADD ("/draw/painters/bands", test_bands);
  ADD ("/draw/painters/search", test_search);
  ADD ("/draw/painters/direct-equals-indirect", test_direct_equals_indirect);
  ADD ("/draw/painters/stays-inside", test_stays_inside);
  ADD ("/draw/painters/pixels-agree-with-hits", test_pixels_agree_with_hits);
  ADD ("/draw/painters/overview-scale", test_overview_scale);
  ADD ("/draw/painters/overview-parts", test_overview_parts);
  ADD ("/draw/painters/analyzed-range", test_analyzed_range);
  ADD ("/draw/painters/analyzed-view", test_analyzed_view);
  ADD ("/draw/painters/steps-in-band", test_steps_in_band);
  ADD ("/draw/painters/arrow", test_arrow);
  ADD ("/draw/painters/late-line", test_late_line);
  return g_test_run ();
}
