/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-columns.h"

#include "loom-table-column.h"
#include "loom-timeline-description.h"
#include "loom-track-label.h"

#include <glib/gi18n.h>

#define CELL_PX 9     /* width of a cell without its text, in px */
#define LEAST_CHARS 3 /* minimum width, in characters, of a column that takes the remaining width of the table */
/* minimum width of the column of names, in characters; greater than that of the column of tracks, because names are
 * more important */
#define LEAST_NAME_CHARS 18

static const struct {
  const char *title;
  int width_chars; /* width of the column, in characters; 0 if the column takes the remaining width */
  gboolean number;
} columns[LOOM_N_EVENT_ORDERS] = {
  [LOOM_EVENT_BY_START] = { N_ ("Start"), 23, TRUE }, [LOOM_EVENT_BY_DURATION] = { N_ ("Duration"), 12, TRUE },
  [LOOM_EVENT_BY_NAME] = { N_ ("Name"), 0, FALSE },   [LOOM_EVENT_BY_CATEGORY] = { N_ ("Category"), 16, FALSE },
  [LOOM_EVENT_BY_RANK] = { N_ ("Rank"), 6, TRUE },    [LOOM_EVENT_BY_TRACK] = { N_ ("Track"), 0, FALSE },
};

/* --- cells -------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomSpanId event;
  const LoomTrace *trace;
  LoomTrackId id;
  const LoomTrack *track;
  gint64 start_ns, end_ns;
} Row;

static Row
row_of (LoomTableItem *item)
{
  const LoomEventList *list = loom_table_model_item_get_rows (item);
  Row row = { .timeline = list->timeline, .event = list->ids[loom_table_model_item_get_row (item)] };
  guint32 track, depth_row;
  row.trace = loom_run_get_trace (loom_timeline_get_run (row.timeline), row.event.trace);
  loom_trace_locate_span (row.trace, row.event.span, &track, &depth_row);
  row.id = (LoomTrackId) { row.event.trace, track };
  row.track = loom_trace_get_track (row.trace, track);
  loom_timeline_get_span (row.timeline, row.event, &row.start_ns, &row.end_ns);
  return row;
}

/* Returns the text of an event's start. Its number of decimals is the larger of two numbers: the decimals that
 * distinguish all starts in the list, and the decimals that write this start exactly. */
static char *
dup_start (const LoomEventList *list, LoomTimelineState *state, const Row *row)
{
  gint64 offset_ns =
    loom_time_sub (row->start_ns, loom_ruler_get_zero (row->timeline, loom_timeline_state_get_reading (state)));
  guint digits = MAX (list->digits, loom_event_list_count_digits (offset_ns));
  return loom_ruler_format_in_column (row->timeline, loom_timeline_state_get_steps (state),
                                      loom_timeline_state_get_reading (state), &row->id, row->start_ns, digits,
                                      list->extent_ns);
}

static char *
dup_rank (const Row *row)
{
  gint rank = loom_event_list_get_rank (row->trace, row->track);
  return rank >= 0 ? g_strdup_printf ("%d", rank) : g_strdup ("");
}

static char *
dup_cell (LoomTableItem *item, guint column, gpointer owner)
{
  LoomTimelineState *state = owner;
  const Row row = row_of (item);
  const LoomName *name = loom_trace_get_name (row.trace, loom_trace_get_spans (row.trace)->name_id[row.event.span]);
  switch ((LoomEventOrder) column) {
  case LOOM_EVENT_BY_START: return dup_start (loom_table_model_item_get_rows (item), state, &row);
  case LOOM_EVENT_BY_DURATION:
    return row.track->kind == LOOM_TRACK_INSTANTS ? g_strdup ("")
                                                  : loom_time_format_duration (row.end_ns - row.start_ns);
  case LOOM_EVENT_BY_NAME: return g_strdup (*name->text != '\0' ? name->text : _ ("(no name)"));
  case LOOM_EVENT_BY_CATEGORY: return g_strdup (name->category);
  case LOOM_EVENT_BY_RANK: return dup_rank (&row);
  case LOOM_EVENT_BY_TRACK:
  case LOOM_N_EVENT_ORDERS:
  default:
    return loom_track_label_dup_path (row.trace, row.track,
                                      loom_row_list_get_names (loom_timeline_state_get_row_list (state)));
  }
}

/* Returns the tooltip of a cell: in the column of durations the exact duration, in other columns the full text of the
 * cell. */
static char *
dup_tip (GtkListItem *item, guint column)
{
  const char *text =
    /* the inscription contains the full text of the cell, truncated only to the maximum length of a tooltip */
    gtk_inscription_get_text (GTK_INSCRIPTION (gtk_list_item_get_child (item)));
  const Row row = row_of (gtk_list_item_get_item (item));
  return column == LOOM_EVENT_BY_DURATION && *text != '\0' ? loom_time_format_exact (row.end_ns - row.start_ns)
                                                           : g_strdup (text);
}

/* --- sorting ------------------------------------------------------------------------------------------------------ */

int
loom_event_columns_get_width (GtkColumnView *view, int chars)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (view));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int width = PANGO_PIXELS_CEIL (chars * pango_font_metrics_get_approximate_digit_width (metrics));
  pango_font_metrics_unref (metrics);
  return width + 2 * CELL_PX;
}

/* Adds a column. Its cells are inscriptions, because the list binds about 200 rows after each scroll, and labels would
 * measure all their texts. */
static void
add_column (GtkColumnView *view, LoomTimelineState *state, LoomEventOrder id)
{
  gboolean expands = columns[id].width_chars == 0;
  const LoomTableColumn look = { .is_number = columns[id].number,
                                 .is_inscription = TRUE,
                                 .expands = expands,
                                 .width_px = expands ? 0 : loom_event_columns_get_width (view, columns[id].width_chars),
                                 .min_chars = !expands                   ? 0
                                              : id == LOOM_EVENT_BY_NAME ? LEAST_NAME_CHARS
                                                                         : LEAST_CHARS,
                                 .ellipsize = id == LOOM_EVENT_BY_TRACK ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END,
                                 .dup_text = dup_cell,
                                 .dup_tip = dup_tip };
  GtkColumnViewColumn *column = loom_table_column_add (view, _ (columns[id].title), id, &look, state);
  if (id == LOOM_EVENT_BY_START)
    gtk_column_view_sort_by_column (view, column, GTK_SORT_ASCENDING);
}

int
loom_event_columns_count_start_chars (LoomTimelineState *state, guint digits, gint64 extent_ns)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  if (loom_timeline_state_get_reading (state) != LOOM_RULER_UNIT_SINCE_START || timeline == NULL)
    return columns[LOOM_EVENT_BY_START].width_chars;
  g_autofree char *end =
    loom_ruler_format_in_column (timeline, loom_timeline_state_get_steps (state), LOOM_RULER_UNIT_SINCE_START, NULL,
                                 loom_time_add (loom_timeline_get_start (timeline), extent_ns), digits, extent_ns);
  return (int) g_utf8_strlen (end, -1) + 1;
}

static void
set_visible (GListModel *all, LoomEventOrder id, gboolean visible)
{
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, id);
  loom_table_column_set_visible (column, visible);
}

void
loom_event_columns_fit (GtkColumnView *view, const LoomEventList *list, LoomTimelineState *state, gboolean is_narrow)
{
  GListModel *all = gtk_column_view_get_columns (view);
  g_autoptr (GtkColumnViewColumn) start = g_list_model_get_item (all, LOOM_EVENT_BY_START);
  gtk_column_view_column_set_fixed_width (
    start,
    loom_event_columns_get_width (view, loom_event_columns_count_start_chars (state, list->digits, list->extent_ns)));
  set_visible (all, LOOM_EVENT_BY_CATEGORY, list->has_categories && !is_narrow);
  set_visible (all, LOOM_EVENT_BY_RANK, list->has_ranks);
  /* a narrow column would show only the end of the path, which is often the same for all events; if ranks are different,
   * they say more */
  set_visible (all, LOOM_EVENT_BY_TRACK, !(list->ranks_differ && is_narrow));
}

static void
align_titles (GtkColumnView *view)
{
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view)));
  for (LoomEventOrder id = 0; id < LOOM_N_EVENT_ORDERS && title != NULL; id++) {
    if (columns[id].number)
      loom_table_column_align_title (title);
    title = gtk_widget_get_next_sibling (title);
  }
}

void
loom_event_columns_add (GtkColumnView *view, LoomTimelineState *state)
{
  for (LoomEventOrder id = 0; id < LOOM_N_EVENT_ORDERS; id++)
    add_column (view, state, id);
  align_titles (view);
}
