/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the icicle chart, which draws a call tree as nested boxes: its boxes, the node under the pointer, keyboard
 * navigation, and golden pictures.
 */
#include "golden.h"
#include "loom-icicle.h"
#include "loom-python-profile-builder.h"

#include <locale.h>
#include <string.h>

static guint32
frame (LoomPythonProfileBuilder *builder, guint32 parent, const char *name, gint64 start_ns, gint64 dur_ns)
{
  return loom_python_profile_builder_frame (
    builder, parent, loom_python_profile_builder_function (builder, "t.py", 4, 1, name, strlen (name)), start_ns,
    dur_ns);
}

/* Returns a call tree with times in ns. main takes 1000 and calls: load_batch (400, of which read takes 300),
 * train_step (500, of which forward takes 200 and backward 250), and 100 times the function tick, which takes 1 each
 * time. */
static LoomCallTree *
new_tree (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_SESSION);
  guint32 top = frame (builder, LOOM_FRAME_NONE, "main", 0, 1000), load = frame (builder, top, "load_batch", 0, 400);
  frame (builder, load, "read", 0, 300);
  guint32 step = frame (builder, top, "train_step", 400, 500);
  frame (builder, step, "forward", 400, 200);
  frame (builder, step, "backward", 600, 250);
  for (guint i = 0; i < 100; i++)
    frame (builder, top, "tick", 900 + i, 1);
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  return loom_call_tree_new (profile);
}

static LoomIcicle *
new_icicle (void)
{
  g_autoptr (LoomCallTree) tree = new_tree ();
  LoomIcicle *icicle = loom_icicle_new ();
  loom_icicle_set_tree (icicle, tree);
  return icicle;
}

static const char *
name_of (LoomIcicle *icicle, guint32 node)
{
  LoomCallTree *tree = icicle->tree;
  if (node == LOOM_FRAME_NONE)
    return "";
  return loom_python_profile_get_function (tree->profile, tree->nodes[node].function)->name;
}

static void
check_marks (LoomIcicle *icicle, double width_px, const char *expected)
{
  guint n;
  const LoomIcicleBox *marks = loom_icicle_get_marks (icicle, width_px, &n);
  g_autoptr (GString) found = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (found, "%u %s %g-%g%s;", marks[i].row, name_of (icicle, marks[i].node), marks[i].x0,
                            marks[i].x1, marks[i].n_nodes > 1 ? "+" : "");
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_marks (void)
{
  g_autoptr (LoomIcicle) icicle = new_icicle ();
  check_marks (
    icicle, 100,
    "0 main 0-100;1 load_batch 0-40;1 train_step 40-90;1 tick 90-93+;1 tick 93-96+;1 tick 96-99+;1 tick 99-100+;"
    "2 read 0-30;2 forward 40-60;2 backward 60-85;");
  g_assert_cmpfloat (loom_icicle_get_height_px (icicle), ==, 3 * LOOM_ICICLE_ROW_PX);
}

/* If a node is chosen as root, its box and the boxes of its callers fill the whole width. */
static void
test_root (void)
{
  g_autoptr (LoomIcicle) icicle = new_icicle ();
  check_marks (
    icicle, 100,
    "0 main 0-100;1 load_batch 0-40;1 train_step 40-90;1 tick 90-93+;1 tick 93-96+;1 tick 96-99+;1 tick 99-100+;"
    "2 read 0-30;2 forward 40-60;2 backward 60-85;");
  loom_icicle_set_root (icicle, loom_icicle_hit (icicle, 50, LOOM_ICICLE_ROW_PX * 1.5));
  check_marks (icicle, 100, "0 main 0-100;1 train_step 0-100;2 forward 0-40;2 backward 40-90;");
  loom_icicle_set_root (icicle, LOOM_FRAME_NONE);
  g_assert_cmpuint (icicle->root, ==, LOOM_FRAME_NONE);
}

/* Hit testing finds every box at its middle, and nothing outside of the boxes. */
static void
test_hit (void)
{
  g_autoptr (LoomIcicle) icicle = new_icicle ();
  guint n;
  const LoomIcicleBox *marks = loom_icicle_get_marks (icicle, 777, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (
      loom_icicle_hit (icicle, (marks[i].x0 + marks[i].x1) / 2, (marks[i].row + 0.5) * LOOM_ICICLE_ROW_PX), ==,
      marks[i].node);
  g_assert_cmpuint (loom_icicle_hit (icicle, 300, 2.5 * LOOM_ICICLE_ROW_PX), ==, LOOM_FRAME_NONE);
  g_assert_cmpuint (loom_icicle_hit (icicle, 300, 9.5 * LOOM_ICICLE_ROW_PX), ==, LOOM_FRAME_NONE);
  g_assert_cmpuint (loom_icicle_hit (icicle, 300, -1), ==, LOOM_FRAME_NONE);
  g_assert_cmpuint (loom_icicle_hit (icicle, -1, 1), ==, LOOM_FRAME_NONE);
}

static void
test_step (void)
{
  g_autoptr (LoomIcicle) icicle = new_icicle ();
  guint n;
  loom_icicle_get_marks (icicle, 1000, &n);
  guint32 node = loom_icicle_step (icicle, LOOM_FRAME_NONE, LOOM_ICICLE_CALLEE);
  g_assert_cmpstr (name_of (icicle, node), ==, "main");
  g_assert_cmpuint (loom_icicle_step (icicle, node, LOOM_ICICLE_CALLER), ==, node);
  g_assert_cmpuint (loom_icicle_step (icicle, node, LOOM_ICICLE_BEFORE), ==, node);
  node = loom_icicle_step (icicle, node, LOOM_ICICLE_CALLEE);
  g_assert_cmpstr (name_of (icicle, node), ==, "load_batch");
  node = loom_icicle_step (icicle, node, LOOM_ICICLE_AFTER);
  g_assert_cmpstr (name_of (icicle, node), ==, "train_step");
  node = loom_icicle_step (icicle, node, LOOM_ICICLE_CALLEE);
  g_assert_cmpstr (name_of (icicle, node), ==, "forward");
  g_assert_cmpuint (loom_icicle_step (icicle, node, LOOM_ICICLE_CALLEE), ==, node);
  node = loom_icicle_step (icicle, loom_icicle_step (icicle, node, LOOM_ICICLE_AFTER), LOOM_ICICLE_CALLER);
  g_assert_cmpstr (name_of (icicle, node), ==, "train_step");
}

static void
test_empty (void)
{
  g_autoptr (LoomIcicle) icicle = loom_icicle_new ();
  guint n;
  loom_icicle_get_marks (icicle, 100, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (loom_icicle_step (icicle, LOOM_FRAME_NONE, LOOM_ICICLE_CALLEE), ==, LOOM_FRAME_NONE);
  g_assert_cmpuint (loom_icicle_hit (icicle, 1, 1), ==, LOOM_FRAME_NONE);
}

static void
check_picture (LoomThemeKind theme, const char *name)
{
  const int width = 640, height = 120;
  g_autoptr (LoomIcicle) icicle = new_icicle ();
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  guint n;
  loom_icicle_get_marks (icicle, width, &n);
  guint32 step = loom_icicle_hit (icicle, 300, 1.5 * LOOM_ICICLE_ROW_PX),
          hover = loom_icicle_hit (icicle, 100, 2.5 * LOOM_ICICLE_ROW_PX);
  LoomIcicleOptions options = { loom_theme_get (theme), text, hover, step, G_MAXUINT32 };
  loom_icicle_paint (cr, icicle, width, height, &options);
  cairo_translate (cr, 0, height - LOOM_ICICLE_LEGEND_PX);
  loom_icicle_paint_legend (cr, icicle, width, &options);
  golden_compare (surface, name);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_light (void)
{
  check_picture (LOOM_THEME_LIGHT, "icicle-light");
}

static void
test_dark (void)
{
  check_picture (LOOM_THEME_DARK, "icicle-dark");
}

/* The height of the chart is sufficient for all rows that have visible boxes, up to a limit. Rows that have only boxes
 * too narrow to be visible get space only if the page has room for them. */
static void
test_fit_height (void)
{
  static const LoomCallFunction function = { "f", "", "", 0, 0 };
  static const LoomCallNode nodes[] = {
    { .parent = LOOM_FRAME_NONE, .depth = 0, .dur_ns = 10000, .own_ns = 9000, .calls = 1 },
    { .parent = 0, .depth = 1, .dur_ns = 1000, .own_ns = 999, .calls = 1 },
    { .parent = 1, .depth = 2, .dur_ns = 1, .own_ns = 0, .calls = 1 },
    { .parent = 2, .depth = 3, .dur_ns = 1, .own_ns = 1, .calls = 1 },
  };
  GArray *all = g_array_new (FALSE, FALSE, sizeof (LoomCallNode)),
         *names = g_array_new (FALSE, FALSE, sizeof (LoomCallFunction));
  g_array_append_vals (all, nodes, G_N_ELEMENTS (nodes));
  g_array_append_val (names, function);
  g_autoptr (LoomCallTree) tree = loom_call_tree_new_from_nodes (all, names, NULL, NULL);
  const double row_px = LOOM_ICICLE_ROW_PX, legend_px = LOOM_ICICLE_LEGEND_PX;
  g_assert_cmpfloat (loom_icicle_fit_height_px (tree, 420, 0), ==, 2 * row_px + legend_px);
  g_assert_cmpfloat (loom_icicle_fit_height_px (tree, 50, 0), ==, 50);
  g_assert_cmpfloat (loom_icicle_fit_height_px (tree, 420, 80), ==, 80);
  g_assert_cmpfloat (loom_icicle_fit_height_px (tree, 420, 500), ==, 4 * row_px + legend_px);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/icicle/marks", test_marks);
  g_test_add_func ("/icicle/root", test_root);
  g_test_add_func ("/icicle/hit", test_hit);
  g_test_add_func ("/icicle/step", test_step);
  g_test_add_func ("/icicle/fit-height", test_fit_height);
  g_test_add_func ("/icicle/empty", test_empty);
  g_test_add_func ("/icicle/light", test_light);
  g_test_add_func ("/icicle/dark", test_dark);
  return g_test_run ();
}
