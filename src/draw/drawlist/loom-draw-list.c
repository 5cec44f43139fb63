/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the draw list. Copies marks from the previous list if possible. Divides the height of the view into bands,
 * which several threads handle, and joins their results.
 */
#include <math.h>
#include <string.h>

#include "loom-draw-private.h"
#include "loom-parallel.h"

/* If at least this many counters are in view, a second thread makes their lines while the first one makes the strips
 * (the parts of rows that show spans). With fewer counters, starting a thread would take longer than the time that it
 * saves. */
#define SERIES_WORTH_A_THREAD 8

/* If the previous list had at least this many marks, several threads make the new list. With fewer marks, starting
 * threads would take longer than the time that they save. */
#define MANY_MARKS 3000

LoomDrawList *
loom_draw_list_new (void)
{
  LoomDrawList *list = g_new0 (LoomDrawList, 1);
  list->colors = loom_name_colors_new ();
  list->strips = g_array_new (FALSE, FALSE, sizeof (LoomDepthRow));
  list->marks = g_array_new (FALSE, FALSE, sizeof (LoomDrawItem));
  list->old_strips = g_array_new (FALSE, FALSE, sizeof (LoomDepthRow));
  list->old_marks = g_array_new (FALSE, FALSE, sizeof (LoomDrawItem));
  list->bars = g_array_new (FALSE, FALSE, sizeof (LoomPathBar));
  list->old_bars = g_array_new (FALSE, FALSE, sizeof (LoomPathBar));
  list->links = g_array_new (FALSE, FALSE, sizeof (LoomPathLink));
  list->old_index = g_hash_table_new (NULL, NULL);
  list->plots = g_array_new (FALSE, FALSE, sizeof (LoomPlot));
  list->lines = g_array_new (FALSE, FALSE, sizeof (LoomPlotLine));
  list->columns = g_array_new (FALSE, FALSE, sizeof (LoomPlotColumn));
  list->cells = g_byte_array_new ();
  list->pens = g_byte_array_new ();
  list->whole = list;
  return list;
}

void
loom_draw_list_free (LoomDrawList *list)
{
  if (list == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (list->bands); i++)
    loom_draw_list_free (list->bands[i]);
  loom_name_colors_free (list->colors);
  g_clear_pointer (&list->timeline, loom_timeline_unref);
  g_array_unref (list->strips);
  g_array_unref (list->marks);
  g_array_unref (list->old_strips);
  g_array_unref (list->old_marks);
  g_array_unref (list->bars);
  g_array_unref (list->old_bars);
  g_array_unref (list->links);
  loom_path_overlay_unref (list->path);
  g_hash_table_unref (list->old_index);
  g_array_unref (list->plots);
  g_array_unref (list->lines);
  g_array_unref (list->columns);
  g_byte_array_unref (list->cells);
  g_byte_array_unref (list->pens);
  g_free (list->edges);
  g_free (list->summaries);
  g_free (list->sums);
  g_free (list->counts);
  g_free (list);
}

LoomTrace *
loom_draw_list_trace (const LoomDrawList *list, guint trace)
{
  return loom_run_get_trace (loom_timeline_get_run (list->timeline), trace);
}

guint
loom_draw_list_n_px (const LoomDrawList *list)
{
  return (guint) MAX (ceil (list->viewport.width_px), 1);
}

LoomLocalView
loom_draw_local_view (const LoomDrawList *list, LoomTrackId id)
{
  const LoomTrack *track = loom_trace_get_track (loom_draw_list_trace (list, id.trace), id.track);
  const LoomClockMap *map = loom_timeline_get_map (list->timeline, id.trace, track->clock);
  LoomLocalView view = { loom_clock_map_to_local (map, list->viewport.begin_ns),
                         loom_clock_map_to_local (map, list->viewport.end_ns), 0, 0 };
  double range = MAX ((double) loom_time_sub (view.end_ns, view.begin_ns), 1);
  view.px_per_ns = list->viewport.width_px / range;
  view.ns_per_px = range / list->viewport.width_px;
  return view;
}

void
loom_draw_list_set_timeline (LoomDrawList *list, LoomTimeline *timeline)
{
  if (list->timeline == timeline)
    return;
  loom_name_colors_set_timeline (list->colors, timeline);
  if (timeline != NULL)
    loom_timeline_ref (timeline);
  g_clear_pointer (&list->timeline, loom_timeline_unref);
  list->timeline = timeline;
  for (guint i = 0; i < G_N_ELEMENTS (list->bands); i++)
    /* The list of each band (a part of the view that one thread makes) has its own reference to the timeline, and must
     * also release it. Otherwise the timeline would stay alive after the run is closed. */
    if (list->bands[i] != NULL)
      loom_draw_list_set_timeline (list->bands[i], timeline);
}

LoomDrawList *
loom_draw_list_new_view (LoomTimeline *timeline, const LoomViewport *view, const LoomCollectives *collectives,
                         const LoomDataWaits *data_waits)
{
  LoomDrawList *list = loom_draw_list_new ();
  loom_draw_list_set_timeline (list, timeline);
  list->viewport = *view;
  list->options = (LoomDrawOptions) { .collectives = collectives, .data_waits = data_waits };
  return list;
}

/* --- copying marks from the previous list ----------------------------------------------------------------------- */

static gpointer
strip_key (guint item, guint index)
{
  return GSIZE_TO_POINTER ((gsize) item << 16 | index);
}

/* Returns TRUE if the marks of the previous list can be copied for the new view. This requires that each time has the
 * same x as before, and that neither list has search hits. The colours, the details (loom-run-details.h), the critical
 * path, the collectives, the waits for data and the shares of lanes must also be the same. Rows may have moved
 * vertically. */
static gboolean
keeps_marks (const LoomDrawList *list, LoomTimeline *timeline, const LoomViewport *viewport,
             const LoomDrawOptions *options)
{
  const LoomViewport *old = &list->viewport;
  return list->timeline != NULL && list->timeline == timeline && old->begin_ns == viewport->begin_ns &&
         old->end_ns == viewport->end_ns && old->width_px == viewport->width_px && list->options.hits == NULL &&
         options->hits == NULL && list->detail_serial == loom_row_list_get_detail_serial (list->outline) &&
         list->options.color_by == options->color_by && list->path == options->path &&
         list->options.collectives == options->collectives && list->options.data_waits == options->data_waits &&
         list->options.lane_shares == options->lane_shares;
}

static void
keep_old (LoomDrawList *list, gboolean useful)
{
  GArray *strips = list->old_strips, *marks = list->old_marks, *bars = list->old_bars;
  list->old_strips = list->strips, list->old_marks = list->marks, list->old_bars = list->bars;
  list->strips = strips, list->marks = marks, list->bars = bars;
  list->has_old = useful;
  g_hash_table_remove_all (list->old_index);
  for (guint i = 0; useful && i < list->old_strips->len; i++) {
    const LoomDepthRow *strip = &g_array_index (list->old_strips, LoomDepthRow, i);
    g_hash_table_insert (list->old_index, strip_key (strip->item, strip->index), GUINT_TO_POINTER (i + 1));
  }
}

gboolean
loom_draw_take_over (LoomDrawList *list, guint item, LoomDepthRow *strip)
{
  const LoomDrawList *whole = list->whole;
  gpointer key = strip_key (item, strip->index);
  guint number = whole->has_old ? GPOINTER_TO_UINT (g_hash_table_lookup (whole->old_index, key)) : 0;
  if (number == 0)
    return FALSE;
  const LoomDepthRow *old = &g_array_index (whole->old_strips, LoomDepthRow, number - 1);
  /* a folded row has a single strip. Its bars of the critical path combine the bars of all strips of the unfolded row.
   * So bars cannot be copied if the row was folded or unfolded since the previous list was made */
  if (old->group != strip->group || (whole->path != NULL && old->folded != strip->folded))
    return FALSE;
  g_array_append_vals (list->marks, &g_array_index (whole->old_marks, LoomDrawItem, old->first), old->n);
  g_array_append_vals (list->bars, &g_array_index (whole->old_bars, LoomPathBar, old->first_bar), old->n_bars);
  strip->n = old->n;
  strip->n_bars = old->n_bars;
  strip->tangled = old->tangled;
  g_array_append_vals (list->strips, strip, 1);
  return TRUE;
}

/* Drops the cached colours of details (loom-run-details.h) if the details have changed, because a new detail may have
 * the number of an old one. */
static void
follow_details (LoomDrawList *list, guint serial)
{
  if (list->detail_serial != serial)
    loom_name_colors_forget_details (list->colors);
  list->detail_serial = serial;
}

/* --- bands of the view: each is filled by a thread; the list itself is the first band ----------------------------- */

static guint
choose_n (const LoomDrawList *list)
{
  guint n_threads = loom_parallel_resolve (0);
  return list->has_old || list->old_marks->len < MANY_MARKS ? 1 : MIN (n_threads, LOOM_MOST_BANDS);
}

static void
set_band (LoomDrawList *list, const LoomDrawList *whole, guint band, guint n_bands)
{
  double height = whole->viewport.height_px;
  list->whole = whole;
  list->band_top = band > 0 ? floor (height * band / n_bands) : -HUGE_VAL;
  list->band_bottom = band + 1 < n_bands ? floor (height * (band + 1) / n_bands) : HUGE_VAL;
}

static void
prepare (LoomDrawList *band, const LoomDrawList *whole)
{
  loom_draw_list_set_timeline (band, whole->timeline);
  band->outline = whole->outline;
  band->viewport = whole->viewport;
  band->options = whole->options;
  follow_details (band, whole->detail_serial);
  g_array_set_size (band->strips, 0);
  g_array_set_size (band->marks, 0);
  g_array_set_size (band->bars, 0);
  loom_draw_list_ensure_scratch (band);
}

/* Divides the height of the view into bands, and prepares a list for each band. Threads make these lists at the same
 * time. Returns the number of bands. */
static guint
divide (LoomDrawList *list)
{
  guint n = choose_n (list);
  for (guint i = 1; i < n; i++) {
    LoomDrawList **band = &list->bands[i - 1];
    *band = *band != NULL ? *band : loom_draw_list_new ();
    prepare (*band, list);
    set_band (*band, list, i, n);
  }
  set_band (list, list, 0, n);
  return n;
}

static LoomDrawList *
band_at (LoomDrawList *list, guint band)
{
  return band == 0 ? list : list->bands[band - 1];
}

/* Appends the strips (parts of rows), the marks and the bars of all bands to one list, in the order of the bands. A
 * band is a part of the view's height whose list one thread has made. */
static void
join (LoomDrawList *list, guint n_bands)
{
  for (guint i = 1; i < n_bands; i++) {
    const LoomDrawList *band = list->bands[i - 1];
    guint n_marks = list->marks->len, n_bars = list->bars->len;
    g_array_append_vals (list->marks, band->marks->data, band->marks->len);
    g_array_append_vals (list->bars, band->bars->data, band->bars->len);
    for (guint s = 0; s < band->strips->len; s++) {
      LoomDepthRow strip = g_array_index (band->strips, LoomDepthRow, s);
      strip.first += n_marks;
      strip.first_bar += n_bars;
      g_array_append_val (list->strips, strip);
    }
  }
}

/* --- building --------------------------------------------------------------------------------------------------- */

void
loom_draw_list_ensure_scratch (LoomDrawList *list)
{
  guint n = loom_draw_list_n_px (list) + 2;
  if (n <= list->n_scratch)
    return;
  list->n_scratch = n;
  list->edges = g_renew (gint64, list->edges, n);
  list->summaries = g_renew (LoomSpanSummary, list->summaries, n);
  list->sums = g_renew (double, list->sums, LOOM_SUMS_PER_PX *(gsize) n);
  list->counts = g_renew (guint, list->counts, n);
}

static void
add_row (LoomDrawList *list, guint number, gboolean counters)
{
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, number);
  double top = loom_row_list_row_top (list->outline, number, list->viewport.scroll_px);
  if (counters != (row->kind == LOOM_ROW_COUNTER))
    return;
  switch (row->kind) {
  case LOOM_ROW_GROUP: loom_draw_add_group (list, number, top); break;
  case LOOM_ROW_COUNTER: loom_draw_add_plot (list, number, top); break;
  case LOOM_ROW_SPANS:
  case LOOM_ROW_ASYNC:
  case LOOM_ROW_INSTANTS: loom_draw_add_strips (list, number, top); break;
  }
}

/* The rows in view: the first `n_pinned` rows, the row of the sticky group (see loom_row_list_get_sticky(); G_MAXUINT:
 * none), and the rows `first` … `end` − 1. */
typedef struct {
  LoomDrawList *list;
  guint n_pinned, sticky, first, end;
  guint n_bands;
} Rows;

static Rows
find_rows (LoomDrawList *list)
{
  LoomRowList *outline = list->outline;
  const LoomViewport *viewport = &list->viewport;
  double pinned = loom_row_list_get_pinned_height (outline);
  double covered = loom_row_list_get_cover (outline, viewport->scroll_px) - pinned;
  Rows rows = { .list = list, .sticky = loom_row_list_get_sticky (outline, viewport->scroll_px) };
  rows.first = loom_row_list_first_below (outline, viewport->scroll_px + covered);
  while (rows.n_pinned < loom_row_list_get_n_pinned (outline) &&
         loom_row_list_get_row (outline, rows.n_pinned)->y < viewport->height_px)
    rows.n_pinned++;
  for (rows.end = rows.first; rows.end < loom_row_list_get_n_rows (outline); rows.end++)
    if (pinned + loom_row_list_get_row (outline, rows.end)->y - viewport->scroll_px >= viewport->height_px)
      break;
  return rows;
}

static void
add_rows (const Rows *rows, LoomDrawList *list, gboolean counters)
{
  for (guint i = 0; i < rows->n_pinned; i++)
    add_row (list, i, counters);
  if (rows->sticky != G_MAXUINT)
    add_row (list, rows->sticky, counters);
  for (guint i = rows->first; i < rows->end; i++)
    add_row (list, i, counters);
}

static gboolean
is_worth_a_thread (const Rows *rows)
{
  guint n_series = 0;
  for (guint i = 0; i < rows->n_pinned; i++)
    n_series += loom_row_list_get_row (rows->list->outline, i)->n_series;
  for (guint i = rows->first; i < rows->end; i++)
    n_series += loom_row_list_get_row (rows->list->outline, i)->n_series;
  return n_series >= SERIES_WORTH_A_THREAD;
}

/* Makes one part of the list. Part number i < n_bands is the strips of spans in band i of the view; the last part is
 * the plots of the whole view. */
static void
add_part (guint item, guint worker, gpointer user_data)
{
  const Rows *rows = user_data;
  gboolean counters = item == rows->n_bands;
  add_rows (rows, counters ? rows->list : band_at (rows->list, item), counters);
}

/* Sets the critical path and adds its links. Ignores a path of another timeline, in which the ids of spans may mean
 * other spans. */
static void
set_path (LoomDrawList *list, LoomPathOverlay *path)
{
  LoomPathOverlay *old = list->path;
  gboolean fits = path != NULL && loom_path_overlay_get_timeline (path) == list->timeline;
  list->path = fits ? loom_path_overlay_ref (path) : NULL;
  loom_path_overlay_unref (old);
  if (list->path != NULL)
    loom_path_overlay_add_links (list->path, &list->viewport, list->links);
}

void
loom_draw_list_build (LoomDrawList *list, LoomRowList *outline, const LoomViewport *viewport,
                      const LoomDrawOptions *options)
{
  g_return_if_fail (list != NULL && outline != NULL && viewport != NULL);
  static const LoomDrawOptions plain = { .color_by = LOOM_COLOR_BY_NAME };
  options = options != NULL ? options : &plain;
  LoomTimeline *timeline = loom_row_list_get_timeline (outline);
  keep_old (list, list->outline == outline && keeps_marks (list, timeline, viewport, options));
  list->outline = outline;
  follow_details (list, loom_row_list_get_detail_serial (outline));
  list->viewport = *viewport;
  list->options = *options;
  loom_draw_list_set_timeline (list, timeline);
  GArray *const arrays[] = {
    list->strips, list->marks, list->plots, list->lines, list->columns, list->bars, list->links
  };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_set_size (arrays[i], 0);
  set_path (list, options->path);
  if (list->timeline == NULL)
    return;
  loom_draw_list_ensure_scratch (list);
  Rows rows = find_rows (list);
  rows.n_bands = divide (list);
  loom_parallel_for (rows.n_bands + 1, MAX (rows.n_bands, is_worth_a_thread (&rows) ? 2 : 1), add_part, &rows, NULL);
  join (list, rows.n_bands);
  loom_draw_add_overlays (list);
}

gboolean
loom_draw_list_is_searching (const LoomDrawList *list)
{
  return list->options.hits != NULL;
}

const LoomViewport *
loom_draw_list_get_viewport (const LoomDrawList *list)
{
  return &list->viewport;
}

LoomRowList *
loom_draw_list_get_row_list (const LoomDrawList *list)
{
  return list->outline;
}

const LoomDrawItem *
loom_draw_list_get_marks (const LoomDrawList *list, guint *n)
{
  *n = list->marks->len;
  return (const LoomDrawItem *) (gpointer) list->marks->data;
}

const LoomDepthRow *
loom_draw_list_get_strips (const LoomDrawList *list, guint *n)
{
  *n = list->strips->len;
  return (const LoomDepthRow *) (gpointer) list->strips->data;
}

const LoomPlot *
loom_draw_list_get_plots (const LoomDrawList *list, guint *n)
{
  *n = list->plots->len;
  return (const LoomPlot *) (gpointer) list->plots->data;
}

const LoomPlotLine *
loom_draw_list_get_lines (const LoomDrawList *list, guint *n)
{
  *n = list->lines->len;
  return (const LoomPlotLine *) (gpointer) list->lines->data;
}

const LoomPlotColumn *
loom_draw_list_get_columns (const LoomDrawList *list, guint *n)
{
  *n = list->columns->len;
  return (const LoomPlotColumn *) (gpointer) list->columns->data;
}

gboolean
loom_draw_list_has_path (const LoomDrawList *list)
{
  return list->path != NULL;
}

const LoomPathBar *
loom_draw_list_get_path_bars (const LoomDrawList *list, guint *n)
{
  *n = list->bars->len;
  return (const LoomPathBar *) (gpointer) list->bars->data;
}

const LoomPathLink *
loom_draw_list_get_path_links (const LoomDrawList *list, guint *n)
{
  *n = list->links->len;
  return (const LoomPathLink *) (gpointer) list->links->data;
}
