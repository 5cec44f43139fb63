/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes every colour of the themes. Surfaces and text are greys with one cool tint; data colours have even lightness
 * and chroma in OKLCH. Themes of high contrast change the lightness of colours, but not their hues.
 */
#include "loom-theme.h"

#include <string.h>

/* Hue n of the palette has the angle FIRST_HUE_DEG + n · HUE_STEP_DEG. */
#define FIRST_HUE_DEG 15.0
#define HUE_STEP_DEG (360.0 / LOOM_N_HUES)
#define GREY_HUE_DEG 265.0

/* The colour of a family of work (LoomWorkFamily). It has the same hue in each theme. Each family also has shades,
 * which are slight variants of this colour, so that neighbouring spans of one family can be distinguished (see
 * `shades`). The lightness and chroma of the colour are chosen for each theme so that three conditions are met. First,
 * everybody can distinguish any two families, including people who lack one type of cones (tests/draw measures this as
 * a distance in OKLab). Second, each shade has a contrast of 3 : 1 to the background. Third, text on each shade is
 * legible. On white, only two ranges of lightness meet these conditions: about 0.63 for fills with dark text, and below
 * 0.55 for fills with light text. On white with high contrast, only a lightness below 0.47 meets them; in this theme,
 * the families that fill most of a picture are the lightest and most saturated ones. */
typedef struct {
  double hue_deg;
  struct {
    double lightness, chroma;
  } in[LOOM_N_THEMES];
} FamilyTones;

static const FamilyTones family_tones[LOOM_N_FAMILIES] = {
  [LOOM_WORK_FAMILY_COMPUTE] = { 166, { { 0.637, 0.130 }, { 0.738, 0.128 }, { 0.429, 0.234 }, { 0.769, 0.094 } } },
  [LOOM_WORK_FAMILY_COMMUNICATION] = { 291,
                                       { { 0.466, 0.130 }, { 0.749, 0.140 }, { 0.468, 0.240 }, { 0.776, 0.130 } } },
  [LOOM_WORK_FAMILY_COPY] = { 66, { { 0.608, 0.140 }, { 0.753, 0.140 }, { 0.378, 0.128 }, { 0.702, 0.102 } } },
  [LOOM_WORK_FAMILY_OPERATOR] = { 264, { { 0.634, 0.100 }, { 0.620, 0.141 }, { 0.376, 0.224 }, { 0.872, 0.092 } } },
  [LOOM_WORK_FAMILY_RUNTIME] = { 228, { { 0.519, 0.108 }, { 0.836, 0.122 }, { 0.305, 0.175 }, { 0.685, 0.120 } } },
  [LOOM_WORK_FAMILY_PYTHON] = { 102, { { 0.644, 0.082 }, { 0.866, 0.102 }, { 0.439, 0.237 }, { 0.806, 0.100 } } },
  [LOOM_WORK_FAMILY_DATA] = { 40, { { 0.460, 0.105 }, { 0.631, 0.122 }, { 0.308, 0.098 }, { 0.895, 0.064 } } },
  [LOOM_WORK_FAMILY_ANNOTATION] = { 265, { { 0.605, 0.012 }, { 0.650, 0.012 }, { 0.399, 0.012 }, { 0.696, 0.012 } } },
  [LOOM_WORK_FAMILY_WAIT] = { 352, { { 0.527, 0.125 }, { 0.832, 0.128 }, { 0.469, 0.211 }, { 0.831, 0.115 } } },
};

/* The shades of a family of work (LoomWorkFamily). They differ enough that neighbouring spans can be distinguished, but
 * look like one colour. Shade 0 is the colour of the family; the last shade is paler. */
static const struct {
  double lighter, hue_deg, chroma;
} shades[LOOM_N_SHADES] = { { 0, 0, 1 }, { 1, 9, 1 }, { -1, -9, 1 }, { 1, -9, 1 }, { -1, 9, 1 }, { 0, 0, 0.8 } };
static const double shade_lightness[LOOM_N_THEMES] = { 0.013, 0.025, 0.020, 0.020 };

/* Greys have no hue, so the shades of a grey family differ by a tint instead. Because the tint is weak, the hues of the
 * tints must be far apart. */
#define TINT_CHROMA 0.018
#define TINT_HUE_FACTOR 16

/* Chroma of the colours for names of unknown kind (LOOM_WORK_FAMILY_OTHER), as a multiple of the chroma of the hues. It
 * is high enough that these colours can be distinguished from one another, and low enough that they do not look like
 * the colour of a family of work. */
#define MUTED_CHROMA 0.45

typedef struct {
  double span_lightness[LOOM_N_TONES];
  double span_chroma;
  double series_lightness;
  double series_chroma;
} DataTones;

/* Lightness and chroma of the colours of spans and of series in each theme. Each hue of spans has LOOM_N_TONES values
 * of lightness, its tones: variants that differ enough to distinguish neighbouring spans, but look like one hue. */
static const DataTones data_tones[LOOM_N_THEMES] = {
  [LOOM_THEME_LIGHT] = { { 0.630, 0.650, 0.605 }, 0.130, 0.54, 0.155 },
  [LOOM_THEME_DARK] = { { 0.660, 0.710, 0.620 }, 0.120, 0.76, 0.130 },
  [LOOM_THEME_LIGHT_CONTRAST] = { { 0.410, 0.445, 0.370 }, 0.120, 0.44, 0.170 },
  [LOOM_THEME_DARK_CONTRAST] = { { 0.75, 0.70, 0.80 }, 0.110, 0.86, 0.120 },
};

/* Ranges of lightness into which the colours that trace files request (loom-chrome-colors.h) are moved. One end of a
 * range is limited by the contrast to the background, the other end by the legibility of text. */
static const LoomLightnessBands reserved_bands[LOOM_N_THEMES] = {
  [LOOM_THEME_LIGHT] = { 0.00, 0.56, 0.605, 0.65 },
  [LOOM_THEME_DARK] = { 0.61, 0.66, 0.68, 0.93 },
  [LOOM_THEME_LIGHT_CONTRAST] = { 0.00, 0.30, 0.32, 0.46 },
  [LOOM_THEME_DARK_CONTRAST] = { 0.68, 0.75, 0.77, 1.00 },
};

/* Contrast of text that WCAG requires at level AA and at level AAA. */
#define TEXT_CONTRAST 4.5
#define TEXT_CONTRAST_HIGH 7.0

/* A grey for a role of the user interface (LoomColorRole): its lightness in each theme, in the order light, dark, light
 * with high contrast, dark with high contrast. */
typedef struct {
  LoomColorRole role;
  float lightness[LOOM_N_THEMES];
  float chroma;
} GreyTone;

static const GreyTone grey_tones[] = {
  { LOOM_COLOR_ROLE_BACKGROUND, { 1.000, 0.235, 1.000, 0.170 }, 0.004 },
  { LOOM_COLOR_ROLE_BACKGROUND_GROUP, { 0.966, 0.270, 0.950, 0.230 }, 0.004 },
  { LOOM_COLOR_ROLE_HEADER, { 0.985, 0.255, 1.000, 0.170 }, 0.004 },
  { LOOM_COLOR_ROLE_HEADER_GROUP, { 0.958, 0.285, 0.940, 0.240 }, 0.005 },
  { LOOM_COLOR_ROLE_HEADER_HOVER, { 0.930, 0.325, 0.890, 0.320 }, 0.006 },
  { LOOM_COLOR_ROLE_RULER, { 0.985, 0.255, 1.000, 0.170 }, 0.004 },
  { LOOM_COLOR_ROLE_OVERVIEW, { 0.985, 0.255, 1.000, 0.170 }, 0.004 },
  { LOOM_COLOR_ROLE_GRID, { 0.945, 0.290, 0.860, 0.380 }, 0.004 },
  { LOOM_COLOR_ROLE_SEPARATOR, { 0.945, 0.290, 0.700, 0.500 }, 0.004 },
  { LOOM_COLOR_ROLE_BORDER, { 0.885, 0.345, 0.450, 0.700 }, 0.005 },
  { LOOM_COLOR_ROLE_TEXT, { 0.280, 0.940, 0.000, 1.000 }, 0.006 },
  { LOOM_COLOR_ROLE_TEXT_DIM, { 0.440, 0.800, 0.250, 0.900 }, 0.010 },
  { LOOM_COLOR_ROLE_TEXT_FAINT, { 0.500, 0.730, 0.350, 0.820 }, 0.010 },
  { LOOM_COLOR_ROLE_NEUTRAL, { 0.640, 0.560, 0.480, 0.760 }, 0.018 },
  { LOOM_COLOR_ROLE_NEUTRAL_SOFT, { 0.880, 0.370, 0.780, 0.440 }, 0.012 },
  { LOOM_COLOR_ROLE_FLOW, { 0.350, 0.860, 0.150, 0.960 }, 0.010 },
  { LOOM_COLOR_ROLE_INSTANT, { 0.430, 0.800, 0.250, 0.920 }, 0.015 },
  { LOOM_COLOR_ROLE_HOVER_OUTLINE, { 0.350, 0.860, 0.000, 1.000 }, 0.008 },
  { LOOM_COLOR_ROLE_SELECTED_OUTLINE, { 0.180, 0.985, 0.000, 1.000 }, 0.006 },
};

/* The default accent colours: GNOME's blue, adapted to each theme. */
static const LoomColor accents[LOOM_N_THEMES] = { LOOM_COLOR_RGB (0x1C71D8), LOOM_COLOR_RGB (0x62A0EA),
                                                  LOOM_COLOR_RGB (0x0B4FA8), LOOM_COLOR_RGB (0x99C1F1) };

static gboolean
is_dark (LoomThemeKind kind)
{
  return kind == LOOM_THEME_DARK || kind == LOOM_THEME_DARK_CONTRAST;
}

static double
hue_deg (guint hue)
{
  return FIRST_HUE_DEG + HUE_STEP_DEG * hue;
}

static void
set_accent (LoomTheme *theme, LoomColor accent)
{
  theme->role[LOOM_COLOR_ROLE_ACCENT] = accent;
  theme->role[LOOM_COLOR_ROLE_ACCENT_TEXT] = loom_theme_text_on (theme, accent);
  theme->role[LOOM_COLOR_ROLE_SELECTION] = loom_color_with_alpha (accent, theme->dark ? 0.17 : 0.14);
}

/* Lightness of the lines of the critical path in each theme. Their contrast to the background is 4.5 : 1, in themes of
 * high contrast 7 : 1. */
static const double path_lightness[LOOM_N_THEMES] = { 0.56, 0.72, 0.43, 0.82 };

static void
set_roles (LoomTheme *theme)
{
  for (guint i = 0; i < G_N_ELEMENTS (grey_tones); i++)
    theme->role[grey_tones[i].role] =
      loom_color_from_oklch (grey_tones[i].lightness[theme->kind], grey_tones[i].chroma, GREY_HUE_DEG);
  theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_DARK] =
    loom_color_from_oklch (theme->contrast ? 0.0 : 0.17, 0.01, GREY_HUE_DEG);
  theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT] =
    loom_color_from_oklch (theme->contrast ? 1.0 : 0.99, 0.002, GREY_HUE_DEG);
  theme->role[LOOM_COLOR_ROLE_SHADE] =
    theme->dark ? 0x8C101014u : loom_color_with_alpha (loom_color_from_oklch (0.90, 0.005, GREY_HUE_DEG), 0.62);
  theme->role[LOOM_COLOR_ROLE_HIT] = loom_color_from_oklch (theme->dark ? 0.84 : 0.64, 0.17, 65);
  theme->role[LOOM_COLOR_ROLE_WARNING] = loom_color_from_oklch (theme->dark ? 0.78 : 0.62, 0.15, 65);
  theme->role[LOOM_COLOR_ROLE_PATH] = loom_color_from_oklch (path_lightness[theme->kind], 0.20, 10);
  theme->role[LOOM_COLOR_ROLE_ERROR] = loom_color_from_oklch (theme->dark ? 0.70 : 0.55, 0.19, 27);
}

static LoomColor
shade_of (LoomThemeKind kind, LoomWorkFamily family, guint shade)
{
  const FamilyTones *tones = &family_tones[family];
  double lightness = tones->in[kind].lightness + shades[shade].lighter * shade_lightness[kind];
  double chroma = tones->in[kind].chroma * shades[shade].chroma, turn_deg = shades[shade].hue_deg;
  if (family == LOOM_WORK_FAMILY_ANNOTATION && turn_deg != 0) {
    chroma = TINT_CHROMA;
    turn_deg *= TINT_HUE_FACTOR;
  }
  return loom_color_from_oklch (lightness, chroma, tones->hue_deg + turn_deg);
}

static void
set_spans (LoomTheme *theme)
{
  const DataTones *tones = &data_tones[theme->kind];
  LoomColor *fill = theme->span;
  for (LoomWorkFamily family = LOOM_WORK_FAMILY_OTHER + 1; family < LOOM_N_FAMILIES; family++)
    for (guint shade = 0; shade < LOOM_N_SHADES; shade++)
      *fill++ = shade_of (theme->kind, family, shade);
  for (guint i = 0; i < LOOM_N_MUTED_COLORS; i++)
    *fill++ = loom_color_from_oklch (tones->span_lightness[i / LOOM_N_HUES], tones->span_chroma * MUTED_CHROMA,
                                     hue_deg (i % LOOM_N_HUES));
  for (guint i = 0; i < LOOM_N_HUES * LOOM_N_TONES; i++)
    *fill++ =
      loom_color_from_oklch (tones->span_lightness[i % LOOM_N_TONES], tones->span_chroma, hue_deg (i / LOOM_N_TONES));
  for (guint i = 0; i < LOOM_N_SPAN_COLORS; i++)
    theme->span_text[i] = loom_theme_text_on (theme, theme->span[i]);
}

static void
set_reserved (LoomTheme *theme)
{
  LoomColor dark = theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_DARK], light = theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT];
  if (theme->dark)
    light = dark; /* with a dark background, all fills are bright, so text on them is always dark */
  else if (theme->contrast)
    dark = light;
  double contrast = theme->contrast ? TEXT_CONTRAST_HIGH : TEXT_CONTRAST;
  for (guint i = 0; i < LOOM_N_RESERVED_COLORS; i++) {
    LoomColor fill =
      loom_chrome_color_fit (loom_chrome_color_get (i), &reserved_bands[theme->kind], dark, light, contrast);
    theme->span[LOOM_N_SPAN_COLORS + i] = fill;
    theme->span_text[LOOM_N_SPAN_COLORS + i] = loom_theme_text_on (theme, fill);
  }
}

/* Mixes a fill with the background; `amount` is the share of the background. Increases this share until text on the
 * result is legible. */
static LoomColor
dim_fill (const LoomTheme *theme, LoomColor fill, double amount)
{
  LoomColor dim, background = theme->role[LOOM_COLOR_ROLE_BACKGROUND];
  do {
    dim = loom_color_mix (fill, background, amount);
    amount += 0.02;
  } while (loom_color_contrast (dim, loom_theme_text_on (theme, dim)) < TEXT_CONTRAST && amount < 1);
  return dim;
}

static void
set_dims (LoomTheme *theme)
{
  static const double amounts[LOOM_N_THEME_DIMS][LOOM_N_THEMES] = {
    [LOOM_THEME_DIM_LIGHT] = { 0.30, 0.25, 0.40, 0.25 },
    [LOOM_THEME_DIM_STRONG] = { 0.62, 0.58, 0.62, 0.58 },
  };
  for (guint d = 0; d < LOOM_N_THEME_DIMS; d++)
    for (guint i = 0; i < LOOM_N_FILLS; i++) {
      theme->dim[d][i] = dim_fill (theme, theme->span[i], amounts[d][theme->kind]);
      theme->dim_text[d][i] = loom_theme_text_on (theme, theme->dim[d][i]);
    }
}

/* Sets the colours of series, such as the lines of a plot. Neighbouring colours differ much in hue and, for
 * colour-blind users, also in lightness. */
static void
set_series (LoomTheme *theme)
{
  static const struct {
    double hue_deg, lighter;
  } lines[LOOM_N_SERIES_COLORS] = {
    { 260, -0.08 }, { 55, 0.02 },  { 170, 0.09 },  { 345, -0.10 },
    { 100, 0.09 },  { 305, 0.09 }, { 215, -0.01 }, { 135, -0.10 },
  };
  const DataTones *tones = &data_tones[theme->kind];
  double spread = theme->contrast ? 0.8 : 1.0;
  for (guint i = 0; i < LOOM_N_SERIES_COLORS; i++)
    theme->series[i] = loom_color_from_oklch (tones->series_lightness + lines[i].lighter * spread, tones->series_chroma,
                                              lines[i].hue_deg);
}

static void
init_theme (LoomTheme *theme, LoomThemeKind kind)
{
  *theme = (LoomTheme) { .kind = kind, .dark = is_dark (kind), .contrast = kind >= LOOM_THEME_LIGHT_CONTRAST };
  set_roles (theme);
  set_accent (theme, accents[kind]);
  set_spans (theme);
  set_reserved (theme);
  set_dims (theme);
  set_series (theme);
}

const LoomTheme *
loom_theme_get (LoomThemeKind kind)
{
  static LoomTheme themes[LOOM_N_THEMES];
  static gsize ready = 0;
  g_return_val_if_fail (kind < LOOM_N_THEMES, NULL);
  if (g_once_init_enter (&ready)) {
    for (guint i = 0; i < LOOM_N_THEMES; i++)
      init_theme (&themes[i], i);
    g_once_init_leave (&ready, 1);
  }
  return &themes[kind];
}

void
loom_theme_init_tinted (LoomTheme *theme, LoomThemeKind kind, LoomColor accent, LoomColor background)
{
  g_return_if_fail (theme != NULL && kind < LOOM_N_THEMES);
  *theme = *loom_theme_get (kind);
  if (accent != 0)
    set_accent (theme, accent);
  if (background != 0)
    theme->role[LOOM_COLOR_ROLE_BACKGROUND] = background;
  set_dims (theme);
}

LoomColor
loom_theme_text_on (const LoomTheme *theme, LoomColor fill)
{
  LoomColor dark = theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_DARK], light = theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT];
  return loom_color_contrast (dark, fill) >= loom_color_contrast (light, fill) ? dark : light;
}

LoomColor
loom_theme_family_color (const LoomTheme *theme, LoomWorkFamily family)
{
  g_return_val_if_fail (family < LOOM_N_FAMILIES, 0);
  return family == LOOM_WORK_FAMILY_OTHER ? theme->role[LOOM_COLOR_ROLE_NEUTRAL]
                                          : theme->span[(family - 1) * LOOM_N_SHADES];
}

LoomColor
loom_theme_waiting_color (const LoomTheme *theme, LoomColor background)
{
  LoomColor color = loom_theme_family_color (theme, LOOM_WORK_FAMILY_COMMUNICATION);
  return loom_color_over (loom_color_with_alpha (color, LOOM_THEME_WAITING_ALPHA), background);
}

guint
loom_theme_hue_index (guint hue, guint tone)
{
  return LOOM_FIRST_HUE_COLOR + (hue % LOOM_N_HUES) * LOOM_N_TONES + tone % LOOM_N_TONES;
}

LoomColor
loom_theme_work_color (const LoomTheme *theme, LoomWorkKind work)
{
  LoomWorkFamily family = loom_theme_family_of_work (work);
  if (work == LOOM_WORK_KIND_MEMSET)
    return theme->span[(family - 1) * LOOM_N_SHADES + 1];
  if (work == LOOM_WORK_KIND_OVERHEAD)
    return theme->span[LOOM_N_FAMILY_COLORS];
  return loom_theme_family_color (theme, family);
}
