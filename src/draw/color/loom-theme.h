/* SPDX-License-Identifier: Apache-2.0
 *
 * All colours that the program draws. The user interface is grey, the accent is the user's, and all other colours are
 * data: 12 hues in three shades chosen by name, where each kind of work has a family of hues; the colours that files
 * request by name; and a second palette for series drawn as lines. Palette indices are the same in every theme and
 * every run.
 *
 * A theme is a plain value; those from loom_theme_get() are static and immutable. Any thread.
 */
#pragma once

#include "loom-chrome-colors.h"
#include "loom-trace.h"

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
  LOOM_COLOR_ROLE_RULER, /* background of ruler and corner */
  LOOM_COLOR_ROLE_OVERVIEW,
  LOOM_COLOR_ROLE_GRID,      /* vertical guides at ruler ticks */
  LOOM_COLOR_ROLE_SEPARATOR, /* between rows */
  LOOM_COLOR_ROLE_BORDER,    /* between areas */
  LOOM_COLOR_ROLE_TEXT,
  LOOM_COLOR_ROLE_TEXT_DIM,
  LOOM_COLOR_ROLE_TEXT_FAINT,
  /* filled shapes without meaning in their colour: busy strip, overview, outlines of plots */
  LOOM_COLOR_ROLE_NEUTRAL,
  LOOM_COLOR_ROLE_NEUTRAL_SOFT,
  LOOM_COLOR_ROLE_ACCENT,           /* cursor, marks, edges of the selection */
  LOOM_COLOR_ROLE_ACCENT_TEXT,      /* text on the accent */
  LOOM_COLOR_ROLE_SELECTION,        /* translucent fill of a selected range */
  LOOM_COLOR_ROLE_SELECTED_OUTLINE, /* around a selected span */
  LOOM_COLOR_ROLE_HOVER_OUTLINE,
  LOOM_COLOR_ROLE_SHADE, /* translucent, over the parts of the overview outside its window */
  LOOM_COLOR_ROLE_FLOW,  /* arrows */
  LOOM_COLOR_ROLE_INSTANT,
  LOOM_COLOR_ROLE_HIT,     /* search hits */
  LOOM_COLOR_ROLE_WARNING, /* overflow lanes, problems */
  LOOM_COLOR_ROLE_ERROR,
  LOOM_COLOR_ROLE_SPAN_TEXT_DARK, /* the two text colours on fills */
  LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT,
  LOOM_N_COLOR_ROLES
} LoomColorRole;

/* Kinds of work. Names of unknown kind (OTHER) may have any hue but that of WAIT. */
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
  /* fills of spans: hue × LOOM_N_SHADES + shade; then the colours that files request by name */
  LoomColor span[LOOM_N_FILLS];
  LoomColor span_text[LOOM_N_FILLS];      /* text on these fills, chosen by contrast */
  LoomColor series[LOOM_N_SERIES_COLORS]; /* lines on LOOM_COLOR_ROLE_BACKGROUND */
} LoomTheme;

const LoomTheme *loom_theme_get (LoomThemeKind kind);

/* Copies a theme with another accent (the desktop's) and, if not 0, another background of the track area. */
void loom_theme_init_tinted (LoomTheme *theme, LoomThemeKind kind, LoomColor accent, LoomColor background);

/* The more legible of the two text colours on `fill`. */
LoomColor loom_theme_text_on (const LoomTheme *theme, LoomColor fill);

/* The kind of work of a name, from its category and text. `device`: it is on an accelerator's track. O(length). */
LoomWorkFamily loom_theme_classify_family (const char *text, const char *category, gboolean device);

/* Index into `span` that depends only on the text (and family). */
guint loom_theme_palette_index (guint32 text_hash, LoomWorkFamily family);
/* The index for a name, which is classified first; the phases of a step (forward, backward, optimizer) have reserved
 * indices. */
guint loom_theme_palette_index_of_name (const char *text, const char *category, guint32 text_hash, gboolean device);
/* Returns TRUE if the index is one of the family of waiting. */
gboolean loom_theme_palette_index_waits (guint index);
