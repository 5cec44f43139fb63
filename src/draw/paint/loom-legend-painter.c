/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the families of work that cover enough of the picture, and places their entries in lines.
 */
#include "loom-legend-painter.h"

#include "loom-list-separator.h"

#include <glib/gi18n.h>

#define SWATCH_PX 8.0
/* horizontal distance between the lines of the hatching, and their width, as in loom-canvas-hatching.c */
#define HATCHING_PX 5.0
#define HATCHING_LINE_PX 1.5
#define WORD_GAP_PX 4.0 /* distance between the square of a legend entry and its text */
#define ENTRY_GAP_PX 10.0
#define LINE_PX 12.0
/* a kind of activity is included in the legend of the overview if it takes at least this share of the time of at least
 * one bucket */
#define MIN_PART 0.01f

/* Numbers of the entries of the legend: the families of work (LoomWorkFamily) and, after them, WAITING, the time in
 * which ranks wait in collectives. Each number must be less than 32, because sets of entries are stored as bits of a
 * guint. */
#define WAITING LOOM_N_FAMILIES
G_STATIC_ASSERT (WAITING < 32);

static const guint order[] = {
  LOOM_WORK_FAMILY_COMPUTE,    LOOM_WORK_FAMILY_COMMUNICATION, WAITING,
  LOOM_WORK_FAMILY_COPY,       LOOM_WORK_FAMILY_WAIT,          LOOM_WORK_FAMILY_DATA,
  LOOM_WORK_FAMILY_OPERATOR,   LOOM_WORK_FAMILY_RUNTIME,       LOOM_WORK_FAMILY_PYTHON,
  LOOM_WORK_FAMILY_ANNOTATION,
};

static const char *
get_title (guint entry)
{
  return entry == WAITING ? C_ ("colors", "Waiting for Other Ranks") : loom_theme_family_title ((LoomWorkFamily) entry);
}

static guint
get_entry (const LoomDrawItem *mark)
{
  LoomWorkFamily family = loom_theme_family_of_index (mark->color);
  if ((mark->flags & LOOM_DRAW_ITEM_WAITING) == 0)
    return family;
  if (family == LOOM_WORK_FAMILY_DATA) /* the rank waits for data, not for other ranks */
    return family;
  /* waits of streams are grey, so they are not shown as WAITING */
  return family == LOOM_WORK_FAMILY_WAIT ? LOOM_WORK_FAMILY_OTHER : WAITING;
}

static guint
find_of_marks (const LoomDrawList *list)
{
  guint n_marks, n_strips, families = 0;
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n_marks);
  const LoomDepthRow *strips = loom_draw_list_get_strips (list, &n_strips);
  double areas[WAITING + 1] = { 0 }, all = 0;
  for (guint i = 0; i < n_strips; i++)
    for (guint k = strips[i].first; k < strips[i].first + strips[i].n; k++) {
      double area = ((double) marks[k].x1 - (double) marks[k].x0) * (double) strips[i].height;
      areas[get_entry (&marks[k])] += area;
      all += area;
    }
  for (guint i = LOOM_WORK_FAMILY_OTHER + 1; i <= WAITING; i++)
    families |= areas[i] > 0 && areas[i] >= LOOM_LEGEND_LEAST * all ? 1u << i : 0;
  return families;
}

static guint
find_of_overview (const LoomMinimapData *overview)
{
  static const guint of_parts[LOOM_MINIMAP_N_PARTS] = {
    [LOOM_MINIMAP_COMPUTE] = LOOM_WORK_FAMILY_COMPUTE,
    [LOOM_MINIMAP_COMMUNICATION] = LOOM_WORK_FAMILY_COMMUNICATION,
    [LOOM_MINIMAP_WAITING] = WAITING,
    [LOOM_MINIMAP_COPIES] = LOOM_WORK_FAMILY_COPY,
  };
  guint families = 0;
  for (guint i = 0; overview->has_parts && i < LOOM_MINIMAP_N_PARTS; i++)
    for (guint k = 0; k < LOOM_MINIMAP_DATA_BUCKETS; k++)
      families |= overview->part[i][k] > MIN_PART ? 1u << of_parts[i] : 0;
  return families;
}

guint
loom_legend_painter_find (const LoomDrawList *list, const LoomMinimapData *overview)
{
  return find_of_marks (list) | (overview != NULL ? find_of_overview (overview) : 0);
}

void
loom_legend_painter_paint_waiting (cairo_t *cr, const LoomTheme *theme, double x, double y, double width, double height)
{
  loom_color_fill_rectangle (cr, loom_theme_waiting_color (theme, theme->role[LOOM_COLOR_ROLE_BACKGROUND_GROUP]), x, y,
                             width, height);
  cairo_save (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  for (double at = HATCHING_PX / 2; at < width + height; at += HATCHING_PX) {
    cairo_move_to (cr, x + at, y);
    cairo_line_to (cr, x + at - height, y + height);
  }
  cairo_set_line_width (cr, HATCHING_LINE_PX);
  loom_color_set_source (cr, loom_theme_family_color (theme, LOOM_WORK_FAMILY_COMMUNICATION));
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_swatch (cairo_t *cr, guint entry, double x, double y, const LoomTheme *theme)
{
  if (entry == WAITING)
    loom_legend_painter_paint_waiting (cr, theme, x, y, SWATCH_PX, SWATCH_PX);
  else
    loom_color_fill_rectangle (cr, loom_theme_family_color (theme, (LoomWorkFamily) entry), x, y, SWATCH_PX, SWATCH_PX);
}

static void
paint_entry (cairo_t *cr, guint entry, double x, double middle, const LoomPaintOptions *options)
{
  paint_swatch (cr, entry, x, middle - SWATCH_PX / 2, options->theme);
  loom_text_cache_paint (options->text, cr, LOOM_TEXT_SMALL, get_title (entry), x + SWATCH_PX + WORD_GAP_PX, middle, -1,
                         options->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
}

/* Returns how many of the families in `families` come after index `i` in the array `order`. `families`: bits 1 <<
 * LoomWorkFamily. */
static guint
count_more (guint families, guint i)
{
  guint n = 0;
  while (++i < G_N_ELEMENTS (order))
    n += (families & 1u << order[i]) != 0;
  return n;
}

/* Paints the entries of the families of work in at most `n_lines` lines. Returns how many lines were used. `cr` NULL:
 * paints nothing, only counts the lines. */
static guint
place (cairo_t *cr, guint families, double width, double top, guint n_lines, const LoomPaintOptions *options)
{
  double x = 0, more = ENTRY_GAP_PX + loom_text_cache_width (options->text, LOOM_TEXT_SMALL, "+9");
  guint line = 0;
  for (guint i = 0; i < G_N_ELEMENTS (order) && n_lines > 0; i++) {
    if ((families & 1u << order[i]) == 0)
      continue;
    double needed =
      SWATCH_PX + WORD_GAP_PX + loom_text_cache_width (options->text, LOOM_TEXT_SMALL, get_title (order[i]));
    if (x > 0 && x + needed > width && line + 1 < n_lines) {
      x = 0;
      line++;
    }
    double middle = top + (line + 0.5) * LINE_PX;
    gboolean fits = x + needed + (line + 1 == n_lines && count_more (families, i) > 0 ? more : 0) <= width;
    g_autofree char *rest = g_strdup_printf ("+%u", 1 + count_more (families, i));
    if (cr != NULL && fits)
      paint_entry (cr, order[i], x, middle, options);
    else if (cr != NULL)
      loom_text_cache_paint (options->text, cr, LOOM_TEXT_SMALL, rest, x, middle, -1,
                             options->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
    if (!fits)
      break;
    x += needed + ENTRY_GAP_PX;
  }
  return line + 1;
}

void
loom_legend_painter_paint (cairo_t *cr, guint families, double width, double height, const LoomPaintOptions *options)
{
  guint n_lines = (guint) (height / LINE_PX), n_used = place (NULL, families, width, 0, n_lines, options);
  place (cr, families, width, (height - n_used * LINE_PX) / 2, n_lines, options);
}

char *
loom_legend_painter_dup_names (guint families)
{
  GString *names = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if ((families & 1u << order[i]) != 0)
      g_string_append_printf (names, "%s%s", names->len > 0 ? loom_list_separator () : "", get_title (order[i]));
  return g_string_free (names, FALSE);
}
