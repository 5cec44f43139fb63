/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the header column to the left of the tracks. It shows the name of each row and its fold arrow; for plots also
 * the legend, with the values at the cursor if there is a cursor.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-counter-values.h"
#include "loom-header-surface.h"
#include "loom-paint-private.h"
#include "loom-si-format.h"

#define MARGIN_PX 8.0
#define INDENT_PX 12.0
#define ARROW_PX 16.0       /* width reserved for the fold arrow; labels begin after it */
#define ARROW_REACH_PX 22.0 /* width of the clickable area of the arrow */
#define RIGHT_PX 8.0
#define SWATCH_PX 7.0
#define SCALE_PX 9.0       /* distance from the top of the row to the middle of the first label of a scale */
#define SCALE_LINE_PX 12.0 /* vertical distance between the labels of two scales */
#define LEGEND_GAP_PX 10.0
#define LEGEND_BRIEF_GAP_PX 6.0
/* minimum width in px to which a name may be cut; its first letters, followed by an ellipsis, then still distinguish it
 * from other names */
#define LEAST_NAME_PX 36.0
#define LEGEND_BELOW_PX 15.0 /* distance from the title to the legend below it */
#define LEGEND_MIN_HEIGHT_PX 34.0

static double
arrow_x (const LoomTimelineRow *row)
{
  return MARGIN_PX + row->level * INDENT_PX;
}

gboolean
loom_timeline_painter_is_header_arrow (const LoomTimelineRow *row, double x)
{
  double left = arrow_x (row);
  return row->foldable && x >= left - 4 && x < left + ARROW_REACH_PX;
}

static void
paint_arrow (cairo_t *cr, double x, double y, gboolean folded, LoomColor color)
{
  loom_color_set_source (cr, color);
  cairo_set_line_width (cr, 1.5);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_move_to (cr, x - (folded ? 2 : 4), y - (folded ? 4 : 2));
  cairo_line_to (cr, x + (folded ? 2 : 0), y + (folded ? 0 : 2));
  cairo_line_to (cr, x + (folded ? -2 : 4), y + (folded ? 4 : -2));
  cairo_stroke (cr);
}

/* --- plots ------------------------------------------------------------------------------------------------------ */

/* Paints an entry of the legend, or an ellipsis if there is no room for it. Returns the x at which the next entry
 * begins. `right`: right edge of the available room; `gap`: distance to the next entry. */
static double
paint_entry (LoomPaintContext *paint, LoomColor color, const char *label, double x, double y, double right, double gap)
{
  LoomTextCache *text = paint->options->text;
  double room = right - x - SWATCH_PX - 4;
  if (room <
      MIN (loom_text_cache_minimum (text, LOOM_TEXT_SMALL), loom_text_cache_width (text, LOOM_TEXT_SMALL, label))) {
    loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SMALL, "…",
                           MIN (x, right - loom_text_cache_width (text, LOOM_TEXT_SMALL, "…")), y, -1,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
    return right;
  }
  loom_color_fill_rectangle (paint->cr, color, x, floor (y - SWATCH_PX / 2), SWATCH_PX, SWATCH_PX);
  double width = loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SMALL, label, x + SWATCH_PX + 4, y, room,
                                        paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
  return x + SWATCH_PX + 4 + width + gap;
}

/* How many letters the names of all series of a plot have in common at the start (`head`) and at the end (`tail`). For
 * example "gpu0" and "gpu1" have "gpu" in common, "active_bytes" and "reserved_bytes" have "_bytes". */
typedef struct {
  gsize head, tail;
} SharedLetters;

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

static gboolean
numbers_follow (const LoomTimelineRow *row, gsize head)
{
  for (guint i = 0; i < row->n_series; i++)
    if (strncmp (row->series[i].label, row->series[0].label, head) != 0 || !is_number (row->series[i].label + head))
      return FALSE;
  return TRUE;
}

static gboolean
is_boundary (char letter)
{
  return strchr ("_ ./:-", letter) != NULL;
}

/* Returns the numbers of letters that the names of all series have in common at both ends. Only whole words count. */
static SharedLetters
find_shared_letters (const LoomTimelineRow *row)
{
  const char *first = row->series[0].label;
  gsize length = strlen (first), shortest = length, digits = strcspn (first, "0123456789");
  SharedLetters shared = { length, length };
  if (numbers_follow (row, digits))
    return (SharedLetters) { digits, 0 };
  for (guint i = 1; i < row->n_series; i++) {
    const char *label = row->series[i].label;
    gsize n = strlen (label), head = 0, tail = 0;
    while (head < MIN (n, shared.head) && label[head] == first[head])
      head++;
    while (tail < MIN (n, shared.tail) && label[n - tail - 1] == first[length - tail - 1])
      tail++;
    shared = (SharedLetters) { head, tail };
    shortest = MIN (shortest, n);
  }
  while (shared.head > 0 && !is_boundary (first[shared.head - 1]))
    shared.head--;
  while (shared.tail > 0 && !is_boundary (first[length - shared.tail]))
    shared.tail--;
  return shared.head + shared.tail < shortest ? shared : (SharedLetters) { 0, 0 };
}

/* The forms in which the entries of a legend can be shortened, from the longest to the shortest. The first form with
 * which all entries fit is chosen. */
typedef enum {
  ENTRIES_WHOLE,
  /* names without the letters that the names of all series have in common; percentages as integers without "%", which
   * the label of the scale contains */
  ENTRIES_BRIEF,
  /* names shortened to the first letters of their words ("RA" for "Receive Algorithm"), and values without the unit.
   * This form is used only if the shortened names of all series differ (have_initials()). Without a cursor, it is also
   * required that ENTRIES_BRIEF would cut names to almost nothing (says_little()). If the shortened names differ,
   * ENTRIES_VALUES is never used: if there is no room for all entries, some are omitted, and a text such as "+2" states
   * their number */
  ENTRIES_INITIALS,
  ENTRIES_VALUES, /* only values at the cursor, which the reader identifies by the colours of the lines */
} EntryLength;

/* Returns the first letter of each word, and numbers whole: "RA" for "Receive Algorithm", "h10" for "host 10". Owned by
 * the caller. */
static char *
dup_initials (const char *label)
{
  GString *initials = g_string_new (NULL);
  gboolean begins = TRUE;
  for (const char *p = label; *p != '\0'; p = g_utf8_next_char (p)) {
    if (!is_boundary (*p) && (begins || g_ascii_isdigit (*p)))
      g_string_append_unichar (initials, g_utf8_get_char (p));
    begins = is_boundary (*p);
  }
  return g_string_free (initials, FALSE);
}

/* Returns the name of a series without the letters that all names have in common. Owned by the caller. */
static char *
dup_distinct (const char *label, SharedLetters skipped)
{
  return g_strndup (label + skipped.head, strlen (label) - skipped.head - skipped.tail);
}

/* Returns TRUE if all counters of the row share one scale, and the initials of the names of the series are all
 * different. */
static gboolean
have_initials (const LoomTimelineRow *row)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  SharedLetters skipped = row->n_series > 0 ? find_shared_letters (row) : (SharedLetters) { 0, 0 };
  if (row->n_parts > 1)
    return FALSE;
  for (guint i = 0; i < row->n_series; i++) {
    /* skips a series that continues the previous one in the next file: both have the same colour and the same name */
    if (i > 0 && row->series[i].color == row->series[i - 1].color)
      continue;
    g_autofree char *name = dup_distinct (row->series[i].label, skipped);
    if (!g_hash_table_add (seen, dup_initials (name)))
      return FALSE;
  }
  return TRUE;
}

/* Returns the text of an entry of the legend. Without a cursor this is the name of the series; with a cursor, the name
 * and the value at the cursor, or only the value for ENTRIES_VALUES. `length`: how the name and the value are
 * shortened. Owned by the caller. */
static char *
dup_entry (const LoomPaintContext *paint, const LoomCounterValue *reading, EntryLength length, SharedLetters skipped)
{
  const LoomCounterPart *part = reading->part;
  g_autofree char *name =
    part->kind == LOOM_PLOT_MEAN ? g_strdup (reading->label) : dup_distinct (reading->label, skipped);
  if (paint->options->cursor_ns == LOOM_TIME_NONE)
    return length == ENTRIES_INITIALS ? dup_initials (name) : g_steal_pointer (&name);
  gboolean percent =
    isfinite (reading->value) && part->mode.quantity == LOOM_QUANTITY_VALUE && strcmp (part->unit, "%") == 0;
  g_autofree char *text =
    length != ENTRIES_WHOLE && percent ? g_strdup_printf ("%.0f", reading->value) : loom_counter_value_format (reading);
  if (length == ENTRIES_VALUES)
    return g_steal_pointer (&text);
  if (length != ENTRIES_INITIALS)
    return g_strdup_printf ("%s: %s", name, text);
  g_autofree char *initials = dup_initials (name);
  if (part->mode.quantity == LOOM_QUANTITY_VALUE && *part->unit != '\0' && g_str_has_suffix (text, part->unit))
    text[strlen (text) - strlen (part->unit)] = '\0';
  return g_strdup_printf ("%s %s", initials, g_strchomp (text));
}

typedef struct {
  LoomColor color;
  char *label;
  double width; /* width of the entry's label in px */
} LegendEntry;

static void
clear_entry (gpointer entry)
{
  g_free (((LegendEntry *) entry)->label);
}

static GArray *
new_readings (const LoomPaintContext *paint, const LoomTimelineRow *row)
{
  GArray *readings = g_array_new (FALSE, FALSE, sizeof (LoomCounterValue));
  loom_counter_values_add (loom_row_list_get_timeline (paint->outline), row, paint->options->cursor_ns, readings);
  return readings;
}

static GArray *
list_entries (const LoomPaintContext *paint, const LoomTimelineRow *row, EntryLength length)
{
  SharedLetters skipped =
    length != ENTRIES_WHOLE && row->n_parts == 1 ? find_shared_letters (row) : (SharedLetters) { 0, 0 };
  g_autoptr (GArray) readings = new_readings (paint, row);
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (LegendEntry));
  g_array_set_clear_func (entries, clear_entry);
  for (guint i = 0; i < readings->len; i++) {
    const LoomCounterValue *reading = &g_array_index (readings, LoomCounterValue, i);
    LegendEntry entry = { .color = paint->theme->series[reading->color % LOOM_N_SERIES_COLORS] };
    entry.label = dup_entry (paint, reading, length, skipped);
    entry.width = loom_text_cache_width (paint->options->text, LOOM_TEXT_SMALL, entry.label);
    g_array_append_val (entries, entry);
  }
  return entries;
}

/* The entries in one line of a legend. */
typedef struct {
  const LegendEntry *entries;
  guint n;
} LegendLine;

/* Returns the maximum width of a label with which all entries of a line fit into `room`. A label that is narrower than
 * an equal share of the room leaves the rest of its share to the wider labels. G_MAXDOUBLE: all labels fit without
 * being cut. */
static double
fair_share (LegendLine line, double room)
{
  double share = 0, left = room;
  guint n_long = line.n;
  for (guint round = 0; n_long > 0; round++) {
    double before = share, taken = 0;
    share = left / n_long;
    if (round > 0 && share <= before)
      return share;
    n_long = 0;
    for (guint i = 0; i < line.n; i++) {
      taken += line.entries[i].width <= share ? line.entries[i].width : 0;
      n_long += line.entries[i].width > share;
    }
    left = room - taken;
  }
  return G_MAXDOUBLE;
}

static double
room_for_labels (double room, guint n, double gap)
{
  return room - n * (SWATCH_PX + 4) - (n - 1) * gap;
}

/* Removes entries from the end of the line until there is enough room for the remaining ones. If `whole` is TRUE, the
 * complete labels must fit, else at least three letters of each label. Returns the maximum width of a label. Sets
 * `more` to a text with the number of removed entries; NULL: none were removed. */
static double
make_room (const LoomPaintContext *paint, LegendLine *line, gboolean whole, double room, double gap, char **more)
{
  LoomTextCache *text = paint->options->text;
  double least = whole ? G_MAXDOUBLE : loom_text_cache_minimum (text, LOOM_TEXT_SMALL), share = G_MAXDOUBLE;
  guint n = line->n;
  *more = NULL;
  while (line->n > 0) {
    double taken = *more != NULL ? loom_text_cache_width (text, LOOM_TEXT_SMALL, *more) + gap : 0;
    share = fair_share (*line, room_for_labels (room - taken, line->n, gap));
    if (share >= least)
      break;
    line->n--;
    g_free (*more);
    *more = g_strdup_printf ("+%u", n - line->n);
  }
  return share;
}

/* The legend of a plot, after its entries have been shortened and divided into lines. */
typedef struct {
  GArray *entries; /* LegendEntry: the entries of the legend */
  EntryLength length;
  guint n_lines;
  double gap;
} Legend;

static LegendLine
line_of (const Legend *legend, guint i)
{
  guint per_line = (legend->entries->len + legend->n_lines - 1) / legend->n_lines,
        first = MIN (i * per_line, legend->entries->len);
  return (LegendLine) { &g_array_index (legend->entries, LegendEntry, first),
                        MIN (per_line, legend->entries->len - first) };
}

static gboolean
fits (const Legend *legend, double room)
{
  for (guint i = 0; i < legend->n_lines; i++) {
    LegendLine line = line_of (legend, i);
    if (fair_share (line, room_for_labels (room, line.n, legend->gap)) < G_MAXDOUBLE)
      return FALSE;
  }
  return TRUE;
}

/* Returns TRUE if the entries of the legend, on one line, would have to be cut so short that different names look
 * alike. For example, names with the same beginning would all become "Rec…". */
static gboolean
says_little (const Legend *legend, double room)
{
  LegendLine all = { (const LegendEntry *) (gpointer) legend->entries->data, legend->entries->len };
  return fair_share (all, room_for_labels (room, all.n, legend->gap)) < LEAST_NAME_PX;
}

/* Returns the legend with the longest entries that fit into at most `most_lines` lines, in as few lines as possible. */
static Legend
set_legend (const LoomPaintContext *paint, const LoomTimelineRow *row, double room, guint most_lines)
{
  gboolean has_cursor = paint->options->cursor_ns != LOOM_TIME_NONE;
  EntryLength shortest = have_initials (row) ? ENTRIES_INITIALS : has_cursor ? ENTRIES_VALUES : ENTRIES_BRIEF;
  Legend legend = { 0 };
  for (EntryLength length = ENTRIES_WHOLE; length <= shortest; length++) {
    if (length == ENTRIES_INITIALS && (shortest != ENTRIES_INITIALS || (!has_cursor && !says_little (&legend, room))))
      continue;
    g_clear_pointer (&legend.entries, g_array_unref);
    legend = (Legend) { list_entries (paint, row, length), length, 1,
                        length == ENTRIES_WHOLE ? LEGEND_GAP_PX : LEGEND_BRIEF_GAP_PX };
    for (guint last = MIN (most_lines, legend.entries->len); legend.n_lines <= last; legend.n_lines++)
      if (fits (&legend, room))
        return legend;
    legend.n_lines = 1;
  }
  return legend;
}

static void
paint_line (LoomPaintContext *paint, const Legend *legend, LegendLine line, double x, double y, double right)
{
  g_autofree char *more = NULL;
  double share = make_room (paint, &line, legend->length >= ENTRIES_INITIALS, right - x, legend->gap, &more);
  for (guint i = 0; i < line.n; i++) {
    const LegendEntry *entry = &line.entries[i];
    double end = MIN (x + SWATCH_PX + 4 + MIN (share, entry->width) + 0.5, right);
    x = paint_entry (paint, entry->color, entry->label, x, y, end, legend->gap);
  }
  if (more != NULL)
    loom_text_cache_paint (paint->options->text, paint->cr, LOOM_TEXT_SMALL, more, x, y, -1,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
}

/* Paints the legend with the middle of its last line at `bottom`, and the other lines above it. The middle of the first
 * line is not above `top`. */
static void
paint_legend (LoomPaintContext *paint, const LoomTimelineRow *row, double x, double top, double bottom, double right)
{
  guint most_lines = (guint) MAX (1 + floor ((bottom - top) / SCALE_LINE_PX), 1);
  Legend legend = set_legend (paint, row, right - x, most_lines);
  for (guint i = 0; i < legend.n_lines; i++)
    paint_line (paint, &legend, line_of (&legend, i), x, bottom - SCALE_LINE_PX * (legend.n_lines - 1 - i), right);
  g_array_unref (legend.entries);
}

/* Returns the text below the title of a plot without a legend: the number of series, or the value at the cursor. NULL:
 * none. */
static char *
dup_note (const LoomPaintContext *paint, const LoomTimelineRow *row, guint n_labels)
{
  gboolean mean = row->parts->kind == LOOM_PLOT_MEAN;
  if (paint->options->cursor_ns == LOOM_TIME_NONE)
    return mean ? g_strdup_printf (_ ("mean of %u series"), n_labels) : NULL;
  g_autoptr (GArray) readings = new_readings (paint, row);
  if (readings->len == 0)
    return NULL;
  g_autofree char *value = loom_counter_value_format (&g_array_index (readings, LoomCounterValue, 0));
  return mean ? g_strdup_printf (
                  /* Translators: %s is the value of a counter */
                  _ ("mean %s"), value)
              : g_steal_pointer (&value);
}

/* Returns the text for the upper end of a scale, with its unit. */
static char *
dup_highest (const LoomCounterPart *part)
{
  g_autofree char *value = loom_counter_mode_format (part->mode.quantity, part->scale.max, part->unit);
  /* Translators: the end of a logarithmic scale */
  return part->mode.logarithmic ? g_strdup_printf (_ ("log %s"), value) : g_steal_pointer (&value);
}

/* Returns TRUE if `part` is the first part (counter) of the row that has this scale and unit. The label of the scale is
 * painted for this part. */
static gboolean
begins_scale (const LoomTimelineRow *row, guint part)
{
  const LoomCounterPart *b = &row->parts[part];
  for (guint i = 0; i < part; i++) {
    const LoomCounterPart *a = &row->parts[i];
    if (a->scale.min == b->scale.min && a->scale.max == b->scale.max && a->scale.floor == b->scale.floor &&
        strcmp (a->unit, b->unit) == 0)
      return FALSE;
  }
  return TRUE;
}

static guint
count_scales (const LoomTimelineRow *row)
{
  guint n = 0;
  for (guint i = 0; i < row->n_parts; i++)
    n += begins_scale (row, i);
  return n;
}

/* Paints a label for each scale, one below the other, but none below `bottom`. If there are several scales, a square
 * next to each label has the colour of the lines for which the scale is valid. If some labels don't fit, their number
 * ("+2") is painted to the left of the last label that fits. Returns the x of the left edge of the labels. */
static double
paint_scales (LoomPaintContext *paint, const LoomTimelineRow *row, double right, double top, double bottom)
{
  LoomTextCache *text = paint->options->text;
  guint n = count_scales (row), n_lines = (guint) MAX (1 + floor ((bottom - top - SCALE_PX) / SCALE_LINE_PX), 1),
        line = 0;
  double left = right;
  for (guint i = 0; i < row->n_parts && line < n_lines; i++) {
    if (!begins_scale (row, i))
      continue;
    g_autofree char *highest = dup_highest (&row->parts[i]);
    g_autofree char *more = n > n_lines && line + 1 == n_lines ? g_strdup_printf ("+%u  ", n - n_lines) : g_strdup ("");
    double y = top + SCALE_PX + line++ * SCALE_LINE_PX,
           x = right - loom_text_cache_width (text, LOOM_TEXT_SMALL, highest);
    loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SMALL, highest, x, y, -1,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_FAINT]);
    if (n > 1) {
      x -= SWATCH_PX + 4;
      loom_color_fill_rectangle (paint->cr,
                                 paint->theme->series[row->series[row->parts[i].first].color % LOOM_N_SERIES_COLORS],
                                 floor (x), floor (y - SWATCH_PX / 2), SWATCH_PX, SWATCH_PX);
    }
    x -= loom_text_cache_width (text, LOOM_TEXT_SMALL, more);
    loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SMALL, more, x, y, -1,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_FAINT]);
    left = MIN (left, x);
  }
  return left;
}

static void
paint_plot_header (LoomPaintContext *paint, const LoomTimelineRow *row, double x, double top, double right)
{
  const LoomTheme *theme = paint->theme;
  LoomTextCache *text = paint->options->text;
  gboolean two_lines = row->height >= LEGEND_MIN_HEIGHT_PX;
  double first_y = two_lines ? top + 15 : top + row->height / 2, second_y = top + row->height - 13;
  guint n_labels = row->n_series > 0 ? row->series[row->n_series - 1].color + 1 : 0;
  double left = paint_scales (paint, row, right, top, second_y - SCALE_LINE_PX / 2);
  loom_text_cache_paint (text, paint->cr, LOOM_TEXT_HEADER, row->label, x, first_y, MAX (left - 8 - x, 0),
                         theme->role[LOOM_COLOR_ROLE_TEXT]);
  if (!two_lines)
    return;
  gboolean legend = row->n_parts > 1 || (n_labels > 1 && row->parts->kind != LOOM_PLOT_MEAN);
  g_autofree char *note = legend ? NULL : dup_note (paint, row, n_labels);
  if (note != NULL)
    paint_entry (paint, theme->series[0], note, x, second_y, right, LEGEND_GAP_PX);
  else if (legend)
    paint_legend (paint, row, x, MAX (first_y + LEGEND_BELOW_PX, top + SCALE_PX + count_scales (row) * SCALE_LINE_PX),
                  second_y, right);
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

static LoomTextStyle
style_of (const LoomTimelineRow *row)
{
  return row->kind == LOOM_ROW_GROUP ? LOOM_TEXT_HEADER_BOLD : LOOM_TEXT_HEADER;
}

double
loom_timeline_painter_measure_header (const LoomTimelineRow *row, LoomTextCache *text)
{
  double scale = row->kind == LOOM_ROW_COUNTER ? loom_text_cache_width (text, LOOM_TEXT_SMALL, "100 %") + RIGHT_PX : 0;
  const char *label = row->pinned ? row->detail : row->label;
  return ceil (arrow_x (row) + ARROW_PX + loom_text_cache_width (text, style_of (row), label) + scale + RIGHT_PX);
}

static const char *
choose_label (LoomPaintContext *paint, const LoomTimelineRow *row, double room)
{
  if (row->pinned)
    return row->detail;
  gboolean fits =
    row->short_label == NULL || loom_text_cache_width (paint->options->text, style_of (row), row->label) <= room;
  return fits ? row->label : row->short_label;
}

/* Returns the y of the middle of the label and the arrow. Normally they are beside the first level of nesting of the
 * row. While this level is scrolled out of view or covered, they are beside the topmost visible part of the row, so
 * that a row of many levels keeps its name; see loom_row_list_get_cover(). */
static double
find_middle (LoomPaintContext *paint, const LoomTimelineRow *row, double top)
{
  double lane = row->kind == LOOM_ROW_GROUP ? row->height - 2 * LOOM_ROW_PADDING_PX : LOOM_STRIP_PX;
  double cover = row->pinned || row->kind == LOOM_ROW_GROUP
                   ? 0
                   : loom_row_list_get_cover (paint->outline, paint->viewport->scroll_px);
  double last = top + row->height - 2 * LOOM_ROW_PADDING_PX - lane;
  return MAX (MIN (MAX (top, cover), last), top) + LOOM_ROW_PADDING_PX + floor ((lane - 1) / 2.0) + 0.5;
}

static void
paint_header (LoomPaintContext *paint, guint number, double width)
{
  const LoomTimelineRow *row = loom_row_list_get_row (paint->outline, number);
  const LoomTheme *theme = paint->theme;
  double top = loom_row_list_row_top (paint->outline, number, paint->viewport->scroll_px);
  double arrow = arrow_x (row), x = arrow + ARROW_PX, right = width - RIGHT_PX;
  double middle = find_middle (paint, row, top);
  loom_header_surface_paint (paint, row, number, top, width);
  if (row->foldable)
    paint_arrow (paint->cr, arrow + 6, floor (middle) + 0.5, row->folded, theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
  if (row->kind == LOOM_ROW_COUNTER) {
    paint_plot_header (paint, row, x, top, right);
  } else {
    LoomTextCache *text = paint->options->text;
    middle -= loom_paint_late_shift (row);
    right = loom_paint_late_header (paint, row, top, x, middle, right);
    g_autofree char *label =
      loom_text_cache_dup_middle (text, style_of (row), choose_label (paint, row, right - x), right - x);
    loom_text_cache_paint (text, paint->cr, style_of (row), label, x, middle, right - x,
                           theme->role[LOOM_COLOR_ROLE_TEXT]);
  }
  if (number == paint->options->focus_row) {
    loom_color_set_source (paint->cr, theme->role[LOOM_COLOR_ROLE_ACCENT]);
    loom_paint_frame (paint->cr, 1, top + 1, width - 2, top + row->height - 1, 2);
  }
}

gboolean
loom_timeline_painter_is_late_line (const LoomTimelineRow *row, double x, double y)
{
  double lane = row->height - 2 * LOOM_ROW_PADDING_PX;
  return x >= arrow_x (row) + ARROW_PX &&
         loom_paint_late_is_line (row, LOOM_ROW_PADDING_PX + floor ((lane - 1) / 2.0) + 0.5, y);
}

/* Paints the headers of the rows `first` … `end` − 1, between y0 and y1. */
static void
paint_rows (LoomPaintContext *paint, guint first, guint end, double y0, double y1, double width)
{
  cairo_save (paint->cr);
  cairo_rectangle (paint->cr, 0, y0, width, y1 - y0);
  cairo_clip (paint->cr);
  for (guint i = first; i < end && loom_row_list_row_top (paint->outline, i, paint->viewport->scroll_px) < y1; i++)
    paint_header (paint, i, width);
  cairo_restore (paint->cr);
}

/* Paints the headers of the scrolled rows, of the sticky group (the unfolded group whose row stays at the top), and of
 * the pinned rows. */
static void
paint_parts (LoomPaintContext *paint, double width)
{
  const LoomViewport *view = paint->viewport;
  LoomRowList *rows = paint->outline;
  double pinned = loom_row_list_get_pinned_height (rows), cover = loom_row_list_get_cover (rows, view->scroll_px);
  double split = MIN (pinned, view->height_px), top = MIN (cover, view->height_px);
  guint first = loom_row_list_first_below (rows, view->scroll_px + cover - pinned),
        sticky = loom_row_list_get_sticky (rows, view->scroll_px);
  paint_rows (paint, first, loom_row_list_get_n_rows (rows), top, view->height_px, width);
  if (sticky != G_MAXUINT)
    paint_rows (paint, sticky, sticky + 1, split, top, width);
  paint_rows (paint, 0, loom_row_list_get_n_pinned (rows), 0, split, width);
}

void
loom_timeline_painter_paint_headers (cairo_t *cr, const LoomDrawList *list, double width,
                                     const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && list != NULL && options != NULL && options->theme != NULL && options->text != NULL);
  if (loom_draw_list_get_row_list (list) == NULL)
    return;
  LoomPaintContext paint;
  loom_paint_init (&paint, cr, list, options);
  double height = paint.viewport->height_px, split = loom_row_list_get_pinned_height (paint.outline);
  cairo_save (cr);
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_HEADER]);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  paint_parts (&paint, width);
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_BORDER]);
  if (split > 0)
    cairo_rectangle (cr, 0, split - 1, width, 1);
  cairo_rectangle (cr, width - 1, 0, 1, height);
  cairo_fill (cr);
  cairo_restore (cr);
}
