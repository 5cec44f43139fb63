/* SPDX-License-Identifier: Apache-2.0
 *
 * All colours that the program draws. The user interface is grey, the accent colour is the user's, and all other
 * colours show data. Each kind of work has one colour, and the name of a span selects a shade of it; spans, lanes, the
 * overview, charts and reports all use these colours. If spans are coloured by another property, such as the rank, 12
 * hues are used. In addition there are the colours that trace files request by name, and a palette for series drawn as
 * lines. A palette index denotes the same hue in every theme and every run.
 *
 * A theme is a plain value; the themes that loom_theme_get() returns are static and immutable. May be used on any
 * thread.
 */
#pragma once

#include "loom-chrome-colors.h"
#include "loom-work-kind.h"

typedef enum {
  LOOM_THEME_LIGHT,
  LOOM_THEME_DARK,
  LOOM_THEME_LIGHT_CONTRAST,
  LOOM_THEME_DARK_CONTRAST,
  LOOM_N_THEMES
} LoomThemeKind;

typedef enum {
  LOOM_COLOR_ROLE_BACKGROUND,       /* background of the track area */
  LOOM_COLOR_ROLE_BACKGROUND_GROUP, /* background of group rows, across the track area */
  LOOM_COLOR_ROLE_HEADER,           /* background of the header column */
  LOOM_COLOR_ROLE_HEADER_GROUP,
  LOOM_COLOR_ROLE_HEADER_HOVER,
  LOOM_COLOR_ROLE_RULER, /* background of the ruler, and of the corner to its left */
  LOOM_COLOR_ROLE_OVERVIEW,
  LOOM_COLOR_ROLE_GRID,      /* vertical lines at the ticks of the ruler */
  LOOM_COLOR_ROLE_SEPARATOR, /* lines between rows */
  LOOM_COLOR_ROLE_BORDER,    /* lines between areas */
  LOOM_COLOR_ROLE_TEXT,
  LOOM_COLOR_ROLE_TEXT_DIM,
  LOOM_COLOR_ROLE_TEXT_FAINT,
  /* this role and the next one are for shapes whose colour has no meaning. In the overview of a run without
   * accelerators, this role is the edge of the busy time, and the next role is its fill */
  LOOM_COLOR_ROLE_NEUTRAL,
  LOOM_COLOR_ROLE_NEUTRAL_SOFT,
  LOOM_COLOR_ROLE_ACCENT,           /* colour of the cursor, the marks and the edges of the selection */
  LOOM_COLOR_ROLE_ACCENT_TEXT,      /* text on the accent colour */
  LOOM_COLOR_ROLE_SELECTION,        /* translucent fill of a selected range */
  LOOM_COLOR_ROLE_SELECTED_OUTLINE, /* frame of a selected span */
  LOOM_COLOR_ROLE_HOVER_OUTLINE,
  LOOM_COLOR_ROLE_SHADE, /* translucent colour over the parts of the overview that the view does not show */
  LOOM_COLOR_ROLE_FLOW,  /* arrows between spans (flows) */
  LOOM_COLOR_ROLE_INSTANT,
  LOOM_COLOR_ROLE_HIT,     /* marks of search hits */
  LOOM_COLOR_ROLE_PATH,    /* line of the critical path */
  LOOM_COLOR_ROLE_WARNING, /* problems */
  LOOM_COLOR_ROLE_ERROR,
  LOOM_COLOR_ROLE_SPAN_TEXT_DARK, /* this role and the next one are the colours of text on fills */
  LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT,
  LOOM_N_COLOR_ROLES
} LoomColorRole;

/* The families of work, each of which has a colour on the timeline. A family comprises several kinds of work
 * (LoomWorkKind). If the kind of work of a name is unknown, the family is guessed from the text of the name. */
typedef enum {
  LOOM_WORK_FAMILY_OTHER, /* work of unknown kind; has muted hues */
  LOOM_WORK_FAMILY_COMPUTE,
  LOOM_WORK_FAMILY_COMMUNICATION, /* collectives and other communication, on devices and on the host */
  LOOM_WORK_FAMILY_COPY,          /* copies and fills of memory on devices */
  LOOM_WORK_FAMILY_OPERATOR,      /* operators on the host */
  LOOM_WORK_FAMILY_RUNTIME,       /* calls of the runtime and driver of a device */
  LOOM_WORK_FAMILY_PYTHON,
  LOOM_WORK_FAMILY_DATA,
  LOOM_WORK_FAMILY_ANNOTATION, /* ranges that enclose work, for example steps; drawn in greys */
  LOOM_WORK_FAMILY_WAIT,       /* synchronization: waits for other work */
  LOOM_N_FAMILIES
} LoomWorkFamily;

/* Indices of the fills of spans. LoomTheme.span contains the fills in this order: the shades of each family except
 * OTHER, in the order of LoomWorkFamily; the muted hues of OTHER; the hues for properties other than the name; the
 * colours that trace files request by name. */
#define LOOM_N_SHADES 6
#define LOOM_N_FAMILY_COLORS ((LOOM_N_FAMILIES - 1) * LOOM_N_SHADES)
#define LOOM_N_HUES 12
#define LOOM_N_MUTED_COLORS (LOOM_N_HUES * 2)
#define LOOM_N_TONES 3
#define LOOM_FIRST_HUE_COLOR (LOOM_N_FAMILY_COLORS + LOOM_N_MUTED_COLORS)
#define LOOM_N_SPAN_COLORS (LOOM_FIRST_HUE_COLOR + LOOM_N_HUES * LOOM_N_TONES)
#define LOOM_N_FILLS (LOOM_N_SPAN_COLORS + LOOM_N_RESERVED_COLORS)
#define LOOM_N_SERIES_COLORS 8

/* How strongly the fills of the spans that are not selected are mixed with the background. */
typedef enum {
  LOOM_THEME_DIM_LIGHT,  /* strength while a single span or a range is selected */
  LOOM_THEME_DIM_STRONG, /* strength while several spans are selected, or the critical path is shown */
  LOOM_N_THEME_DIMS
} LoomThemeDim;

typedef struct {
  LoomThemeKind kind;
  gboolean dark;
  gboolean contrast;
  LoomColor role[LOOM_N_COLOR_ROLES];
  LoomColor span[LOOM_N_FILLS]; /* colours that fill spans */
  /* indexed by fill: colour of text on this fill, the more legible one of the dark and the light text colour */
  LoomColor span_text[LOOM_N_FILLS];
  LoomColor dim[LOOM_N_THEME_DIMS][LOOM_N_FILLS], dim_text[LOOM_N_THEME_DIMS][LOOM_N_FILLS];
  LoomColor series[LOOM_N_SERIES_COLORS]; /* colours of the lines of plots, on the background of the track area */
} LoomTheme;

const LoomTheme *loom_theme_get (LoomThemeKind kind);

/* Initialises a theme of this kind, but with another accent colour (that of the desktop) and, if `background` is not 0,
 * with another background of the track area. */
void loom_theme_init_tinted (LoomTheme *theme, LoomThemeKind kind, LoomColor accent, LoomColor background);

/* Returns the dark or the light text colour, whichever is more legible on `fill`. */
LoomColor loom_theme_text_on (const LoomTheme *theme, LoomColor fill);

/* Opacity of the colour of communication where it shows that ranks wait. */
#define LOOM_THEME_WAITING_ALPHA 0.45

/* Returns the colour of the time in which a rank waits in collectives, on an opaque background: a lighter shade of the
 * colour of communication. */
LoomColor loom_theme_waiting_color (const LoomTheme *theme, LoomColor background);
/* Returns the colour of a family of work: its first shade; for LOOM_WORK_FAMILY_OTHER, a grey. */
LoomColor loom_theme_family_color (const LoomTheme *theme, LoomWorkFamily family);
/* Returns the colour of a kind of work. Kinds of the same family that charts show side by side have different
 * shades. */
LoomColor loom_theme_work_color (const LoomTheme *theme, LoomWorkKind work);

/* Returns the family of work to which a kind of work belongs. */
LoomWorkFamily loom_theme_family_of_work (LoomWorkKind work);
/* Guesses the family of work of a name from the category and the text of the name, and returns the family. `device`:
 * the name is on a track of an accelerator. O(length). */
LoomWorkFamily loom_theme_classify_family (const char *text, const char *category, gboolean device);

/* Returns the translated name of a family of work for legends, for example "Copies". Static. */
const char *loom_theme_family_title (LoomWorkFamily family);
/* Returns the index into LoomTheme.span of a shade of a family; `shade` < LOOM_N_SHADES. For OTHER, the shades are
 * muted hues. */
guint loom_theme_shade_index (LoomWorkFamily family, guint shade);

/* Returns the index into LoomTheme.span of a colour of the family, chosen by the hash of the text. */
guint loom_theme_palette_index (guint32 text_hash, LoomWorkFamily family);
/* Returns the index into LoomTheme.span of the colour of a name: a shade of the family of work that is found for the
 * name. The phases of a training step (forward, backward, optimizer) have shades of their own. `device`: the span is on
 * a track of an accelerator. */
guint loom_theme_palette_index_of_name (const char *text, const char *category, guint32 text_hash, gboolean device);
/* Returns the family of work to which a colour belongs; LOOM_WORK_FAMILY_OTHER if the colour belongs to no family.
 * `index`: index of the colour in LoomTheme.span. */
LoomWorkFamily loom_theme_family_of_index (guint index);
/* Returns the index into LoomTheme.span of a hue < LOOM_N_HUES in a tone < LOOM_N_TONES. The hues are rose, orange,
 * amber, olive, green, sea, teal, sky, blue, indigo, purple and magenta. They differ from the colours of the families
 * of work. */
guint loom_theme_hue_index (guint hue, guint tone);
