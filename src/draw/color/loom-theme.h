/* SPDX-License-Identifier: Apache-2.0
 *
 * All colours the program draws itself. Grey is the program's own voice, the accent is the person's, everything else
 * is data: 12 hues in three shades by name, where kinds of work keep a family of hues, the colours that files ask for
 * by name, and a second palette for series drawn as lines. Palette indices are the same in every theme and every run.
 *
 * A theme is a value; the ones from loom_theme_get() are static and immutable. Any thread.
 */
#pragma once

#include "loom-chrome-colors.h"
#include "loom-trace.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_THEME_LIGHT,
  LOOM_THEME_DARK,
  LOOM_THEME_LIGHT_CONTRAST,
  LOOM_THEME_DARK_CONTRAST,
  LOOM_N_THEMES
} LoomThemeKind;

typedef enum {
  LOOM_COLOR_ROLE_BACKGROUND,       /* of the track area */
  LOOM_COLOR_ROLE_BACKGROUND_GROUP, /* of group rows, across the track area */
  LOOM_COLOR_ROLE_HEADER,           /* of the header column */
  LOOM_COLOR_ROLE_HEADER_GROUP,
  LOOM_COLOR_ROLE_HEADER_HOVER,
  LOOM_COLOR_ROLE_RULER, /* of ruler and corner */
  LOOM_COLOR_ROLE_OVERVIEW,
  LOOM_COLOR_ROLE_GRID,      /* vertical guides at ruler ticks */
  LOOM_COLOR_ROLE_SEPARATOR, /* between rows */
  LOOM_COLOR_ROLE_BORDER,    /* between areas */
  LOOM_COLOR_ROLE_TEXT,
  LOOM_COLOR_ROLE_TEXT_DIM,
  LOOM_COLOR_ROLE_TEXT_FAINT,
  LOOM_COLOR_ROLE_NEUTRAL, /* filled shapes in the program's voice: busy strip, overview, outlines of plots */
  LOOM_COLOR_ROLE_NEUTRAL_SOFT,
  LOOM_COLOR_ROLE_ACCENT,           /* cursor, marks, edges of the selection */
  LOOM_COLOR_ROLE_ACCENT_TEXT,      /* on the accent */
  LOOM_COLOR_ROLE_SELECTION,        /* translucent fill of a selected range */
  LOOM_COLOR_ROLE_SELECTED_OUTLINE, /* around a selected span */
  LOOM_COLOR_ROLE_HOVER_OUTLINE,
  LOOM_COLOR_ROLE_SHADE, /* translucent, over what is outside the overview's window */
  LOOM_COLOR_ROLE_FLOW,  /* arrows */
  LOOM_COLOR_ROLE_INSTANT,
  LOOM_COLOR_ROLE_HIT,     /* search hits */
  LOOM_COLOR_ROLE_WARNING, /* overflow lanes, problems */
  LOOM_COLOR_ROLE_ERROR,
  LOOM_COLOR_ROLE_SPAN_TEXT_DARK, /* the two text colours on fills */
  LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT,
  LOOM_N_COLOR_ROLES
} LoomColorRole;

/* Kinds of work. Names that tell nothing (OTHER) may take any hue but that of WAIT. */
typedef enum {
  LOOM_WORK_FAMILY_OTHER,
  LOOM_WORK_FAMILY_COMMUNICATION,
  LOOM_WORK_FAMILY_MEMORY,
  LOOM_WORK_FAMILY_COMPUTE,
  LOOM_WORK_FAMILY_DATA,
  LOOM_WORK_FAMILY_HOST,
  LOOM_WORK_FAMILY_WAIT,
  LOOM_N_FAMILIES
} LoomWorkFamily;

#define LOOM_N_HUES 12
#define LOOM_N_SHADES 3
#define LOOM_N_SPAN_COLORS (LOOM_N_HUES * LOOM_N_SHADES)
#define LOOM_N_FILLS (LOOM_N_SPAN_COLORS + LOOM_N_RESERVED_COLORS)
#define LOOM_N_SERIES_COLORS 8

typedef struct {
  LoomThemeKind kind;
  gboolean dark;
  gboolean contrast;
  LoomColor role[LOOM_N_COLOR_ROLES];
  LoomColor span[LOOM_N_FILLS];      /* fills of spans: hue × LOOM_N_SHADES + shade; then what files ask for by name */
  LoomColor span_text[LOOM_N_FILLS]; /* text on them, chosen by contrast */
  LoomColor series[LOOM_N_SERIES_COLORS]; /* lines on LOOM_COLOR_ROLE_BACKGROUND */
} LoomTheme;

const LoomTheme *loom_theme_get (LoomThemeKind kind);

/* A copy with another accent (the desktop's) and, when not 0, another background of the track area. */
void loom_theme_init_tinted (LoomTheme *theme, LoomThemeKind kind, LoomColor accent, LoomColor background);

/* The one of the two text colours that reads better on `fill`. */
LoomColor loom_theme_text_on (const LoomTheme *theme, LoomColor fill);

/* What kind of work a name is, from its category and text. O(length). `device`: it stands on an accelerator's track. */
LoomWorkFamily loom_theme_classify_family (const char *text, const char *category, gboolean device);
const char *loom_theme_family_to_string (LoomWorkFamily family); /* "communication" …, for the legend */

/* Index into `span`, stable by text (and family). */
guint loom_theme_palette_index (guint32 text_hash, LoomWorkFamily family);
/* The same for a name: classified, and the phases of a step (forward, backward, optimizer) at places of their own. */
guint loom_theme_palette_index_of_name (const char *text, const char *category, guint32 text_hash, gboolean device);
/* The colour that stands for the whole family. */
guint loom_theme_palette_index_of_family (LoomWorkFamily family);

G_END_DECLS
