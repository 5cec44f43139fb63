/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the colours that trace files request by a reserved name (cname): the table of names, their variants in each
 * theme, and the spans drawn with them.
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "color-vision.h"
#include "fake-run.h"
#include "golden.h"
#include "loom-timeline-image.h"
#include "loom-trace-builder.h"

#define WIDTH 720
#define HEIGHT 168
#define PER_ROW 6

/* The values of formats/chrome-trace-events.md §12; each colour is a span in the picture below.
 * Covers documented rows: chrome-trace-events.md §12 thread_state_uninterruptible and thread_state_iowait | thread_state_running and thread_state_runnable
 * Covers documented rows: chrome-trace-events.md §12 thread_state_sleeping and thread_state_unknown | background_memory_dump and light_memory_dump
 * Covers documented rows: chrome-trace-events.md §12 detailed_memory_dump and vsync_highlight_color | generic_work and good
 * Covers documented rows: chrome-trace-events.md §12 bad and terrible | black and grey
 * Covers documented rows: chrome-trace-events.md §12 white and yellow | olive and rail_response
 * Covers documented rows: chrome-trace-events.md §12 rail_animation and rail_idle | rail_load and startup
 * Covers documented rows: chrome-trace-events.md §12 heap_dump_stack_frame and heap_dump_object_type | heap_dump_child_node_arrow and cq_build_running
 * Covers documented rows: chrome-trace-events.md §12 cq_build_passed and cq_build_failed | cq_build_abandoned and cq_build_attempt_runnig
 * Covers documented rows: chrome-trace-events.md §12 cq_build_attempt_passed and cq_build_attempt_failed */
static const struct {
  const char *name;
  guint r, g, b;
} wanted[LOOM_N_RESERVED_COLORS] = {
  { "thread_state_uninterruptible", 182, 125, 143 },
  { "thread_state_iowait", 255, 140, 0 },
  { "thread_state_running", 126, 200, 148 },
  { "thread_state_runnable", 133, 160, 210 },
  { "thread_state_sleeping", 240, 240, 240 },
  { "thread_state_unknown", 199, 155, 125 },
  { "background_memory_dump", 0, 180, 180 },
  { "light_memory_dump", 0, 0, 180 },
  { "detailed_memory_dump", 180, 0, 180 },
  { "vsync_highlight_color", 0, 0, 255 },
  { "generic_work", 125, 125, 125 },
  { "good", 0, 125, 0 },
  { "bad", 180, 125, 0 },
  { "terrible", 180, 0, 0 },
  { "black", 0, 0, 0 },
  { "grey", 221, 221, 221 },
  { "white", 255, 255, 255 },
  { "yellow", 255, 255, 0 },
  { "olive", 100, 100, 0 },
  { "rail_response", 67, 135, 253 },
  { "rail_animation", 244, 74, 63 },
  { "rail_idle", 238, 142, 0 },
  { "rail_load", 13, 168, 97 },
  { "startup", 230, 230, 0 },
  { "heap_dump_stack_frame", 128, 128, 128 },
  { "heap_dump_object_type", 0, 0, 255 },
  { "heap_dump_child_node_arrow", 204, 102, 0 },
  { "cq_build_running", 255, 255, 119 },
  { "cq_build_passed", 153, 238, 102 },
  { "cq_build_failed", 238, 136, 136 },
  { "cq_build_abandoned", 187, 187, 187 },
  { "cq_build_attempt_runnig", 222, 222, 75 },
  { "cq_build_attempt_passed", 103, 218, 35 },
  { "cq_build_attempt_failed", 197, 81, 81 },
};

static void
test_table (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    int found = loom_chrome_color_find (wanted[i].name);
    g_assert_cmpint (found, ==, (int) i);
    g_assert_cmphex (loom_chrome_color_get ((guint) found), ==,
                     LOOM_COLOR_RGB (wanted[i].r << 16 | wanted[i].g << 8 | wanted[i].b));
  }
  g_assert_cmpint (loom_chrome_color_find (""), ==, -1);
  g_assert_cmpint (loom_chrome_color_find ("Good"), ==, -1);
  g_assert_cmpint (loom_chrome_color_find ("goodness"), ==, -1);
}

static void
split (LoomColor color, double *lightness, double *chroma, double *hue_deg)
{
  loom_color_to_oklch (color, lightness, chroma, hue_deg);
}

/* In every theme, reserved colours keep their hue, greys stay grey, and text on them is legible. */
static void
test_themes (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint i = 0; i < LOOM_N_RESERVED_COLORS; i++) {
      double l0, c0, h0, l1, c1, h1;
      LoomColor fill = theme->span[LOOM_N_SPAN_COLORS + i], text = theme->span_text[LOOM_N_SPAN_COLORS + i];
      split (loom_chrome_color_get (i), &l0, &c0, &h0);
      split (fill, &l1, &c1, &h1);
      g_test_message ("theme %u, %s: %06x becomes %06x, text %.1f", t, wanted[i].name,
                      loom_chrome_color_get (i) & 0xFFFFFF, fill & 0xFFFFFF, loom_color_contrast (fill, text));
      if (c0 > 0.02)
        g_assert_cmpfloat (fabs (remainder (h1 - h0, 360)), <, 4);
      else
        g_assert_cmpfloat (c1, <, 0.02);
      g_assert_cmpfloat (loom_color_contrast (fill, text), >=, theme->contrast ? 7.0 : 4.5);
      g_assert_cmpfloat (color_vision_distance (fill, theme->role[LOOM_COLOR_ROLE_BACKGROUND]), >, 10);
    }
  }
}

/* If one reserved colour is clearly lighter than another, it is not darker in any theme. */
static void
test_order (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomColor *fill = loom_theme_get (t)->span + LOOM_N_SPAN_COLORS;
    for (guint i = 0; i < LOOM_N_RESERVED_COLORS; i++)
      for (guint k = 0; k < LOOM_N_RESERVED_COLORS; k++) {
        double li, lk, mi, mk, c, h;
        split (loom_chrome_color_get (i), &li, &c, &h);
        split (loom_chrome_color_get (k), &lk, &c, &h);
        split (fill[i], &mi, &c, &h);
        split (fill[k], &mk, &c, &h);
        if (li > lk + 0.12)
          g_assert_cmpfloat (mi, >, mk);
      }
  }
}

/* --- in a picture --------------------------------------------------------------------------------------------------- */

static void
add_span (LoomTraceBuilder *builder, guint source, guint number, const char *text, const char *cname)
{
  g_autofree char *label = g_strdup_printf ("lane %u", number / PER_ROW);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  guint32 thread = loom_trace_builder_thread (builder, process, label, (guint32) strlen (label));
  gint64 begin_ns = FAKE_BEGIN_NS + (gint64) (number % PER_ROW) * 1000;
  guint32 name = loom_trace_builder_name (builder, text, strlen (text), "", 0, cname, strlen (cname));
  loom_trace_builder_span (builder, thread, begin_ns, 900, name, loom_source_ref_make (source, 0, number));
}

/* Returns a timeline with a span for every reserved colour, named like the colour. One more span requests an unknown
 * colour, and another span with the same name requests none. */
static LoomTimeline *
colored_timeline (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("colors.json"), clock);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    add_span (builder, source, i, wanted[i].name, wanted[i].name);
  add_span (builder, source, 34, "plain", "no such colour");
  add_span (builder, source, 35, "plain", "");
  return fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
}

static LoomDrawList *
new_list (LoomRowList *outline, LoomColorBy color_by)
{
  LoomRange extent = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + PER_ROW * 1000 };
  LoomDrawOptions options = { .color_by = color_by };
  LoomDrawList *list = loom_draw_list_new ();
  LoomViewport view;
  loom_viewport_init (&view, extent, WIDTH, HEIGHT);
  loom_draw_list_build (list, outline, &view, &options);
  return list;
}

/* Returns the index of the first mark that does not belong to the lane of the folded process. */
static guint
after_lane (const LoomDrawList *list)
{
  guint n;
  const LoomDepthRow *strips = loom_draw_list_get_strips (list, &n);
  return n > 0 && strips[0].group ? strips[0].n : 0;
}

/* A span with a reserved colour name is drawn in it; an unknown name is ignored; other colour modes take precedence.
 * Covers documented rows: chrome-trace-events.md §12 an unknown cname gives no color */
static void
test_marks (void)
{
  g_autoptr (LoomTimeline) timeline = colored_timeline ();
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 0);
  guint plain[2], n_plain = 0, n_colored = 0, n;
  loom_row_list_set_timeline (outline, timeline);
  g_autoptr (LoomDrawList) list = new_list (outline, LOOM_COLOR_BY_NAME);
  guint first = after_lane (list);
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n);
  g_assert_cmpuint (n - first, ==, 36);
  for (guint i = first; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, marks[i].name_id);
    int number = loom_chrome_color_find (name->text);
    if (number < 0)
      plain[n_plain++] = marks[i].color;
    else
      n_colored += marks[i].color == LOOM_N_SPAN_COLORS + (guint) number;
  }
  g_assert_cmpuint (n_colored, ==, 34);
  g_assert_cmpuint (n_plain, ==, 2);
  g_assert_cmpuint (plain[0], ==, plain[1]);
  g_assert_cmpuint (plain[0], <, LOOM_N_SPAN_COLORS);
  g_autoptr (LoomDrawList) by_category = new_list (outline, LOOM_COLOR_BY_CATEGORY);
  marks = loom_draw_list_get_marks (by_category, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (marks[i].color, <, LOOM_N_SPAN_COLORS);
}

static void
test_picture (gconstpointer data)
{
  static const char *const names[LOOM_N_THEMES] = { "reserved-light", "reserved-dark", "reserved-light-contrast",
                                                    "reserved-dark-contrast" };
  guint kind = GPOINTER_TO_UINT (data);
  g_autoptr (LoomTimeline) timeline = colored_timeline ();
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  g_autoptr (LoomDrawList) list = new_list (outline, LOOM_COLOR_BY_NAME);
  LoomTextCache *text = loom_text_cache_new ("DejaVu Sans");
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (kind), text);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  loom_timeline_painter_paint (cr, list, NULL, &options);
  cairo_destroy (cr);
  golden_compare (surface, names[kind]);
  cairo_surface_destroy (surface);
  loom_text_cache_free (text);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/reserved/table", test_table);
  g_test_add_func ("/draw/reserved/themes", test_themes);
  g_test_add_func ("/draw/reserved/order", test_order);
  g_test_add_func ("/draw/reserved/marks", test_marks);
  for (guint kind = 0; kind < LOOM_N_THEMES; kind++) {
    g_autofree char *path = g_strdup_printf ("/draw/reserved/picture/%u", kind);
    g_test_add_data_func (path, GUINT_TO_POINTER (kind), test_picture);
  }
  return g_test_run ();
}
