/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the colours of themes by numbers: the contrast of text on every fill, and the differences between the kinds of
 * work and between lines, also for people with a colour vision deficiency.
 */
#include <math.h>

#include "color-vision.h"
#include "loom-theme.h"

static const char *const theme_names[LOOM_N_THEMES] = { "light", "dark", "light contrast", "dark contrast" };

static void
test_oklch_round_trip (void)
{
  for (int i = 0; i < 2000; i++) {
    LoomColor color = LOOM_COLOR_RGB ((guint32) g_test_rand_int () & 0xFFFFFF);
    double l, c, h;
    loom_color_to_oklch (color, &l, &c, &h);
    g_assert_cmpfloat (color_vision_distance (loom_color_from_oklch (l, c, h), color), <, 0.6);
  }
  g_assert_cmphex (loom_color_from_oklch (1, 0, 0), ==, 0xFFFFFFFF);
  g_assert_cmphex (loom_color_from_oklch (0, 0, 0), ==, 0xFF000000);
}

static void
test_contrast_ends (void)
{
  g_assert_cmpfloat_with_epsilon (loom_color_contrast (LOOM_COLOR_RGB (0), LOOM_COLOR_RGB (0xFFFFFF)), 21, 1e-9);
  g_assert_cmpfloat (loom_color_contrast (LOOM_COLOR_RGB (0x777777), LOOM_COLOR_RGB (0x777777)), ==, 1);
  g_assert_cmphex (loom_color_over (0x80FF0000, LOOM_COLOR_RGB (0x0000FF)), ==, 0xFF80007F);
}

/* Tests the contrast of text on fills: WCAG AA requires 4.5 : 1; WCAG AAA, which themes of high
 * contrast must satisfy, requires 7 : 1. */
static void
test_text_on_fills (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint i = 0; i < LOOM_N_FILLS; i++) {
      double contrast = loom_color_contrast (theme->span[i], theme->span_text[i]);
      if (contrast < (theme->contrast ? 7.0 : 4.5))
        g_error ("%s: text on colour %u has contrast %.2f", theme_names[t], i, contrast);
    }
  }
}

/* Names on dimmed spans have the contrast of WCAG AA in every theme. */
static void
test_text_on_dimmed_fills (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint d = 0; d < LOOM_N_THEME_DIMS; d++)
      for (guint i = 0; i < LOOM_N_FILLS; i++) {
        double contrast = loom_color_contrast (theme->dim[d][i], theme->dim_text[d][i]);
        if (contrast < 4.5)
          g_error ("%s: text on dimmed colour %u, %u has contrast %.2f", theme_names[t], d, i, contrast);
      }
  }
}

static void
test_text_on_surfaces (void)
{
  static const LoomColorRole surfaces[] = { LOOM_COLOR_ROLE_BACKGROUND,      LOOM_COLOR_ROLE_HEADER,
                                            LOOM_COLOR_ROLE_HEADER_GROUP,    LOOM_COLOR_ROLE_HEADER_HOVER,
                                            LOOM_COLOR_ROLE_RULER,           LOOM_COLOR_ROLE_OVERVIEW,
                                            LOOM_COLOR_ROLE_BACKGROUND_GROUP };
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint i = 0; i < G_N_ELEMENTS (surfaces); i++) {
      LoomColor surface = theme->role[surfaces[i]];
      double most = theme->contrast ? 7.0 : 4.5;
      g_assert_cmpfloat (loom_color_contrast (theme->role[LOOM_COLOR_ROLE_TEXT], surface), >=, most);
      g_assert_cmpfloat (loom_color_contrast (theme->role[LOOM_COLOR_ROLE_TEXT_DIM], surface), >=, 4.5);
      g_assert_cmpfloat (loom_color_contrast (theme->role[LOOM_COLOR_ROLE_TEXT_FAINT], surface), >=, 4.5);
    }
    LoomColor accent = theme->role[LOOM_COLOR_ROLE_ACCENT];
    g_assert_cmpfloat (loom_color_contrast (theme->role[LOOM_COLOR_ROLE_ACCENT_TEXT], accent), >=, 4.5);
  }
}

/* Lines have a contrast of at least 3 : 1 to the background, which WCAG requires for graphics. */
static void
test_lines_on_background (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint i = 0; i < LOOM_N_SERIES_COLORS; i++) {
      double contrast = loom_color_contrast (theme->series[i], theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
      if (contrast < 3.0)
        g_error ("%s: line %u has contrast %.2f", theme_names[t], i, contrast);
    }
  }
}

/* Fills of spans, including the colours that files request by name, have a contrast of at least 3 : 1 to the
 * background, which WCAG requires for graphics. */
static void
test_fills_on_background (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint i = 0; i < LOOM_N_FILLS; i++) {
      double contrast = loom_color_contrast (theme->span[i], theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
      if (contrast < 3.0)
        g_error ("%s: colour %u has contrast %.2f", theme_names[t], i, contrast);
    }
  }
}

static void
test_marks_on_surfaces (void)
{
  static const LoomColorRole marks[] = {
    LOOM_COLOR_ROLE_NEUTRAL,       LOOM_COLOR_ROLE_ACCENT,  LOOM_COLOR_ROLE_SELECTED_OUTLINE,
    LOOM_COLOR_ROLE_HOVER_OUTLINE, LOOM_COLOR_ROLE_FLOW,    LOOM_COLOR_ROLE_INSTANT,
    LOOM_COLOR_ROLE_HIT,           LOOM_COLOR_ROLE_WARNING, LOOM_COLOR_ROLE_ERROR,
    LOOM_COLOR_ROLE_PATH
  };
  static const LoomColorRole surfaces[] = { LOOM_COLOR_ROLE_BACKGROUND, LOOM_COLOR_ROLE_RULER,
                                            LOOM_COLOR_ROLE_OVERVIEW };
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint m = 0; m < G_N_ELEMENTS (marks); m++)
      for (guint i = 0; i < G_N_ELEMENTS (surfaces); i++) {
        double contrast = loom_color_contrast (theme->role[marks[m]], theme->role[surfaces[i]]);
        if (contrast < 3.0)
          g_error ("%s: mark of role %u has contrast %.2f on role %u", theme_names[t], marks[m], contrast, surfaces[i]);
      }
  }
}

static double
least_distance (const LoomColor *colors, guint n, ColorVision vision)
{
  double least = G_MAXDOUBLE;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < i; k++)
      least = MIN (least, color_vision_distance (color_vision_simulate (colors[i], vision),
                                                 color_vision_simulate (colors[k], vision)));
  return least;
}

/* The colours of the first four lines of a plot, which are enough for most plots, differ clearly for everybody; any two
 * of all eight colours differ at least visibly. */
static void
test_lines_differ (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint v = COLOR_VISION_NORMAL; v <= COLOR_VISION_TRITAN; v++) {
      double least = least_distance (theme->series, 4, v);
      g_test_message ("%s, vision %u: four lines differ by %.1f", theme_names[t], v, least);
      g_assert_cmpfloat (least, >, 4);
      double of_all = least_distance (theme->series, LOOM_N_SERIES_COLORS, v);
      g_test_message ("%s, vision %u: eight lines differ by %.1f", theme_names[t], v, of_all);
      g_assert_cmpfloat (of_all, >, 3);
    }
    g_assert_cmpfloat (least_distance (theme->series, LOOM_N_SERIES_COLORS, COLOR_VISION_NORMAL), >, 6);
  }
}

/* In every theme, everybody can distinguish the colours of the kinds of work: their distance is more than 2, which is
 * just visible side by side. */
static void
test_families_differ (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    LoomColor colors[LOOM_N_FAMILIES - 1];
    for (guint f = LOOM_WORK_FAMILY_COMPUTE; f < LOOM_N_FAMILIES; f++)
      colors[f - 1] = loom_theme_family_color (loom_theme_get (t), f);
    for (guint v = COLOR_VISION_NORMAL; v <= COLOR_VISION_TRITAN; v++) {
      double least = least_distance (colors, G_N_ELEMENTS (colors), v);
      g_test_message ("%s, vision %u: families differ by %.1f", theme_names[t], v, least);
      g_assert_cmpfloat (least, >, v == COLOR_VISION_NORMAL ? 7.5 : 4);
    }
  }
}

/* Returns the minimum distance between a shade of one kind of work and a shade of another. */
static double
least_between_families (const LoomTheme *theme, ColorVision vision)
{
  double least = G_MAXDOUBLE;
  for (guint i = 0; i < LOOM_N_FAMILY_COLORS; i++)
    for (guint k = 0; k < i / LOOM_N_SHADES * LOOM_N_SHADES; k++)
      least = MIN (least, color_vision_distance (color_vision_simulate (theme->span[i], vision),
                                                 color_vision_simulate (theme->span[k], vision)));
  return least;
}

/* Each kind of work has several shades. Shades of different kinds differ clearly for people with a colour vision
 * deficiency, and even more for other people. */
static void
test_shades_keep_their_family (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++)
    for (guint v = COLOR_VISION_NORMAL; v <= COLOR_VISION_TRITAN; v++) {
      double least = least_between_families (loom_theme_get (t), v);
      g_test_message ("%s, vision %u: shades of families differ by %.1f", theme_names[t], v, least);
      g_assert_cmpfloat (least, >, v == COLOR_VISION_NORMAL ? 3 : 1);
    }
}

static double
chroma_of (LoomColor color)
{
  double lightness, chroma, hue_deg;
  loom_color_to_oklch (color, &lightness, &chroma, &hue_deg);
  return chroma;
}

/* Ranges that enclose work, such as steps, are grey. Spans of an unknown kind are less saturated than kinds of work,
 * except where the lightness that high contrast needs allows little chroma. */
static void
test_only_work_has_colors (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    const LoomTheme *theme = loom_theme_get (t);
    for (guint i = 0; i < LOOM_N_FAMILY_COLORS; i++) {
      double chroma = chroma_of (theme->span[i]);
      if (loom_theme_family_of_index (i) == LOOM_WORK_FAMILY_ANNOTATION)
        g_assert_cmpfloat (chroma, <, 0.02);
      else
        g_assert_cmpfloat (chroma, >, theme->contrast ? 0.04 : 0.06);
    }
    for (guint i = 0; i < LOOM_N_MUTED_COLORS; i++)
      g_assert_cmpfloat (chroma_of (theme->span[LOOM_N_FAMILY_COLORS + i]), <, 0.06);
  }
}

/* Charts show a kind of work in the colour of its spans on the timeline. */
static void
test_charts_agree_with_spans (void)
{
  const LoomTheme *theme = loom_theme_get (LOOM_THEME_LIGHT);
  g_assert_cmphex (loom_theme_work_color (theme, LOOM_WORK_KIND_MEMCPY), ==,
                   loom_theme_family_color (theme, LOOM_WORK_FAMILY_COPY));
  g_assert_cmphex (loom_theme_work_color (theme, LOOM_WORK_KIND_COLLECTIVE), ==,
                   loom_theme_work_color (theme, LOOM_WORK_KIND_COMMUNICATION));
  g_assert_cmphex (loom_theme_work_color (theme, LOOM_WORK_KIND_MEMSET), !=,
                   loom_theme_work_color (theme, LOOM_WORK_KIND_MEMCPY));
  for (LoomWorkKind work = 0; work < LOOM_N_WORK; work++) {
    LoomColor color = loom_theme_work_color (theme, work);
    gboolean found = color == theme->role[LOOM_COLOR_ROLE_NEUTRAL];
    for (guint i = 0; i < LOOM_FIRST_HUE_COLOR; i++)
      found |= theme->span[i] == color;
    g_assert_true (found);
  }
}

static void
test_hues_differ (void)
{
  for (guint t = 0; t < LOOM_N_THEMES; t++) {
    LoomColor hues[LOOM_N_HUES];
    for (guint i = 0; i < LOOM_N_HUES; i++)
      hues[i] = loom_theme_get (t)->span[loom_theme_hue_index (i, 0)];
    g_assert_cmpfloat (least_distance (hues, LOOM_N_HUES, COLOR_VISION_NORMAL), >, 3);
  }
}

static void
test_heat_is_even (void)
{
  for (int dark = 0; dark < 2; dark++) {
    double before = -1, steps[20];
    for (int i = 0; i <= 20; i++) {
      double l, c, h;
      loom_color_to_oklch (loom_color_heat (i / 20.0, dark), &l, &c, &h);
      g_assert_cmpfloat (l, >, before);
      if (i > 0)
        steps[i - 1] = l - before;
      before = l;
    }
    for (int i = 1; i < 20; i++)
      g_assert_cmpfloat_with_epsilon (steps[i], steps[0], 0.012);
  }
  g_assert_cmphex (loom_color_heat (NAN, FALSE), ==, 0);
}

static void
test_families (void)
{
  static const struct {
    const char *name, *category;
    gboolean device;
    LoomWorkFamily family;
  } cases[] = {
    { "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "kernel", TRUE, LOOM_WORK_FAMILY_COMMUNICATION },
    { "c10d::allreduce_", "cpu_op", FALSE, LOOM_WORK_FAMILY_COMMUNICATION },
    { "NEGOTIATE_ALLREDUCE", "", FALSE, LOOM_WORK_FAMILY_COMMUNICATION },
    { "Memcpy HtoD (Pageable -> Device)", "gpu_memcpy", TRUE, LOOM_WORK_FAMILY_COPY },
    { "cudaMemcpyAsync", "cuda_runtime", FALSE, LOOM_WORK_FAMILY_RUNTIME },
    { "cudaStreamSynchronize", "cuda_runtime", FALSE, LOOM_WORK_FAMILY_WAIT },
    { "ampere_sgemm_128x64_tn", "kernel", TRUE, LOOM_WORK_FAMILY_COMPUTE },
    { "fusion_3", "", TRUE, LOOM_WORK_FAMILY_COMPUTE },
    { "some_unheard_of_thing", "", TRUE, LOOM_WORK_FAMILY_COMPUTE },
    { "some_unheard_of_thing", "", FALSE, LOOM_WORK_FAMILY_OTHER },
    { "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation", FALSE, LOOM_WORK_FAMILY_DATA },
    { "event/dataloader", "", FALSE, LOOM_WORK_FAMILY_DATA },
    { "cudaLaunchKernel", "cuda_runtime", FALSE, LOOM_WORK_FAMILY_RUNTIME },
    { "torch/nn/modules/module.py(1518): _call_impl", "python_function", FALSE, LOOM_WORK_FAMILY_PYTHON },
    { NULL, NULL, FALSE, LOOM_WORK_FAMILY_OTHER },
    { "aten::mul.out-dtype_Float", "mtia_ccp_events", TRUE, LOOM_WORK_FAMILY_COMPUTE },
    { "dma_request", "mtia_ccp_events", TRUE, LOOM_WORK_FAMILY_COPY },
    { "hcclAllGather", "mtia_ccp_events", TRUE, LOOM_WORK_FAMILY_COMMUNICATION },
    { "event_wait", "mtia_ccp_events", TRUE, LOOM_WORK_FAMILY_WAIT },
    { "aten::copy_", "cpu_op", FALSE, LOOM_WORK_FAMILY_OPERATOR },
    { "MatMul", "", FALSE, LOOM_WORK_FAMILY_OPERATOR },
    { "ProfilerStep#3", "user_annotation", FALSE, LOOM_WORK_FAMILY_ANNOTATION },
    { "ProfilerStep#3", "gpu_user_annotation", TRUE, LOOM_WORK_FAMILY_ANNOTATION },
    { "PyTorch Profiler (0)", "Trace", FALSE, LOOM_WORK_FAMILY_ANNOTATION },
    { "optimizer", "", FALSE, LOOM_WORK_FAMILY_ANNOTATION },
    { "event/batch", "", FALSE, LOOM_WORK_FAMILY_ANNOTATION },
    { "Stream Wait Event", "cuda_sync", TRUE, LOOM_WORK_FAMILY_WAIT },
    { "linear_forward", "hpu_op", FALSE, LOOM_WORK_FAMILY_RUNTIME },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (loom_theme_classify_family (cases[i].name, cases[i].category, cases[i].device), ==,
                      cases[i].family);
}

/* The index of the colour of a name must never change: it is not stored, but users remember the colours of names. */
static void
test_indices_are_stable (void)
{
  g_assert_cmpuint (loom_theme_palette_index (0, LOOM_WORK_FAMILY_COMPUTE), ==, 0);
  g_assert_cmpuint (loom_theme_palette_index (G_MAXUINT32, LOOM_WORK_FAMILY_WAIT), <, LOOM_N_FAMILY_COLORS);
  for (guint i = 0; i < 10000; i++) {
    guint32 hash = g_test_rand_int ();
    for (guint f = 0; f < LOOM_N_FAMILIES; f++) {
      guint index = loom_theme_palette_index (hash, f);
      g_assert_cmpuint (index, <, LOOM_FIRST_HUE_COLOR);
      g_assert_cmpuint (loom_theme_family_of_index (index), ==, f);
    }
  }
  g_assert_cmpuint (loom_theme_palette_index_of_name ("## backward ##", "user_annotation", 1, FALSE), ==,
                    loom_theme_palette_index_of_name ("backward", "", 99, FALSE));
  g_assert_cmpuint (loom_theme_palette_index_of_name ("forward", "", 1, FALSE), !=,
                    loom_theme_palette_index_of_name ("backward", "", 1, FALSE));
}

static void
test_tint (void)
{
  LoomTheme theme;
  loom_theme_init_tinted (&theme, LOOM_THEME_DARK, LOOM_COLOR_RGB (0xE66100), LOOM_COLOR_RGB (0x242424));
  g_assert_cmphex (theme.role[LOOM_COLOR_ROLE_ACCENT], ==, 0xFFE66100);
  g_assert_cmphex (theme.role[LOOM_COLOR_ROLE_BACKGROUND], ==, 0xFF242424);
  g_assert_cmphex (theme.role[LOOM_COLOR_ROLE_SELECTION] & 0xFFFFFF, ==, 0xE66100);
  g_assert_cmphex (theme.span[3], ==, loom_theme_get (LOOM_THEME_DARK)->span[3]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/theme/oklch-round-trip", test_oklch_round_trip);
  g_test_add_func ("/draw/theme/contrast-ends", test_contrast_ends);
  g_test_add_func ("/draw/theme/text-on-fills", test_text_on_fills);
  g_test_add_func ("/draw/theme/text-on-dimmed-fills", test_text_on_dimmed_fills);
  g_test_add_func ("/draw/theme/text-on-surfaces", test_text_on_surfaces);
  g_test_add_func ("/draw/theme/lines-on-background", test_lines_on_background);
  g_test_add_func ("/draw/theme/fills-on-background", test_fills_on_background);
  g_test_add_func ("/draw/theme/marks-on-surfaces", test_marks_on_surfaces);
  g_test_add_func ("/draw/theme/lines-differ", test_lines_differ);
  g_test_add_func ("/draw/theme/families-differ", test_families_differ);
  g_test_add_func ("/draw/theme/shades-keep-their-family", test_shades_keep_their_family);
  g_test_add_func ("/draw/theme/only-work-has-colors", test_only_work_has_colors);
  g_test_add_func ("/draw/theme/charts-agree-with-spans", test_charts_agree_with_spans);
  g_test_add_func ("/draw/theme/hues-differ", test_hues_differ);
  g_test_add_func ("/draw/theme/heat-is-even", test_heat_is_even);
  g_test_add_func ("/draw/theme/families", test_families);
  g_test_add_func ("/draw/theme/indices-are-stable", test_indices_are_stable);
  g_test_add_func ("/draw/theme/tint", test_tint);
  return g_test_run ();
}
