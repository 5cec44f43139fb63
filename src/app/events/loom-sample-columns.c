/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sample-columns.h"

#include "loom-event-columns.h"
#include "loom-si-format.h"
#include "loom-table-column.h"
#include "loom-track-label.h"

#include <glib/gi18n.h>

#define LEAST_CHARS 3 /* minimum width, in characters, of a column that takes the remaining width of the table */
/* minimum width of the column of names, in characters; greater than that of the column of tracks, because names are
 * more important */
#define LEAST_NAME_CHARS 18

static const struct {
  const char *title;
  int width_chars; /* width of the column, in characters; 0 if the column takes the remaining width */
  gboolean number;
} columns[LOOM_N_SAMPLE_ORDERS] = {
  /* Translators: column with the instants of samples. */
  [LOOM_SAMPLE_BY_TIME] = { N_ ("Time"), 23, TRUE },
  [LOOM_SAMPLE_BY_DURATION] = { N_ ("Duration"), 12, TRUE },
  /* Translators: the name of a counter, or the function that a sampling profiler found running. */
  [LOOM_SAMPLE_BY_NAME] = { N_ ("Counter or Function"), 0, FALSE },
  /* Translators: column with the values of counters. */
  [LOOM_SAMPLE_BY_VALUE] = { N_ ("Value"), 14, TRUE },
  /* Translators: column with the number of callers on the call stack of a sample. */
  [LOOM_SAMPLE_BY_DEPTH] = { N_ ("Depth"), 7, TRUE },
  [LOOM_SAMPLE_BY_RANK] = { N_ ("Rank"), 6, TRUE },
  [LOOM_SAMPLE_BY_TRACK] = { N_ ("Track"), 0, FALSE },
};

/* --- cells -------------------------------------------------------------------------------------------------------- */

static char *
dup_time (const LoomSampleList *list, LoomTimelineState *state, const LoomSample *sample)
{
  LoomRulerUnit reading = loom_timeline_state_get_reading (state);
  LoomRange extent = loom_timeline_state_get_extent (state);
  return loom_ruler_format_in_column (list->timeline, loom_timeline_state_get_steps (state), reading, &sample->track,
                                      sample->time_ns, list->digits, extent.end_ns - extent.begin_ns);
}

static char *
dup_number (gint number)
{
  return number >= 0 ? g_strdup_printf ("%d", number) : NULL;
}

static char *
dup_text (const LoomSampleList *list, guint row, guint column, LoomTimelineState *state)
{
  LoomSample sample;
  loom_sample_list_get (list, row, &sample);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), sample.track.trace);
  const LoomTrack *track = loom_trace_get_track (trace, sample.track.track);
  switch ((LoomSampleOrder) column) {
  case LOOM_SAMPLE_BY_TIME: return dup_time (list, state, &sample);
  case LOOM_SAMPLE_BY_DURATION: return sample.duration_ns >= 0 ? loom_time_format_duration (sample.duration_ns) : NULL;
  case LOOM_SAMPLE_BY_NAME: return loom_sample_list_dup_name (list, row);
  case LOOM_SAMPLE_BY_VALUE:
    return sample.series != NULL ? loom_si_format_in_column (sample.value, sample.series->unit) : NULL;
  case LOOM_SAMPLE_BY_DEPTH: return dup_number (sample.series == NULL ? (gint) sample.depth : -1);
  case LOOM_SAMPLE_BY_RANK: return dup_number (loom_event_list_get_rank (trace, track));
  case LOOM_SAMPLE_BY_TRACK:
  case LOOM_N_SAMPLE_ORDERS:
  default:
    return loom_track_label_dup_path (trace, track, loom_row_list_get_names (loom_timeline_state_get_row_list (state)));
  }
}

static char *
dup_cell (LoomTableItem *item, guint column, gpointer owner)
{
  return dup_text (loom_table_model_item_get_rows (item), loom_table_model_item_get_row (item), column, owner);
}

/* Returns the tooltip of a cell: in the column of durations the exact duration, in other columns the full text of the
 * cell. */
static char *
dup_tip (GtkListItem *cell, guint column)
{
  const char *text = gtk_inscription_get_text (GTK_INSCRIPTION (gtk_list_item_get_child (cell)));
  LoomTableItem *item = gtk_list_item_get_item (cell);
  LoomSample sample;
  loom_sample_list_get (loom_table_model_item_get_rows (item), loom_table_model_item_get_row (item), &sample);
  if (column == LOOM_SAMPLE_BY_DURATION && sample.duration_ns >= 0)
    return loom_time_format_exact (sample.duration_ns);
  return g_strdup (text);
}

char *
loom_sample_columns_dup_titles (void)
{
  GString *line = g_string_new (NULL);
  for (LoomSampleOrder id = 0; id < LOOM_N_SAMPLE_ORDERS; id++)
    g_string_append_printf (line, "%s%s", id > 0 ? "\t" : "", _ (columns[id].title));
  return g_string_free (line, FALSE);
}

char *
loom_sample_columns_dup_line (const LoomSampleList *list, guint row, LoomTimelineState *state)
{
  GString *line = g_string_new (NULL);
  for (LoomSampleOrder id = 0; id < LOOM_N_SAMPLE_ORDERS; id++) {
    g_autofree char *text = dup_text (list, row, id, state);
    if (text != NULL)
      g_strdelimit (text, "\t\r\n", ' ');
    g_string_append_printf (line, "%s%s", id > 0 ? "\t" : "", text != NULL ? text : "");
  }
  return g_string_free (line, FALSE);
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static void
add_column (GtkColumnView *view, LoomTimelineState *state, LoomSampleOrder id)
{
  gboolean expands = columns[id].width_chars == 0;
  const LoomTableColumn look = { .is_number = columns[id].number,
                                 .is_inscription = TRUE,
                                 .expands = expands,
                                 .width_px = expands ? 0 : loom_event_columns_get_width (view, columns[id].width_chars),
                                 .min_chars = !expands                    ? 0
                                              : id == LOOM_SAMPLE_BY_NAME ? LEAST_NAME_CHARS
                                                                          : LEAST_CHARS,
                                 .ellipsize = id == LOOM_SAMPLE_BY_TRACK ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END,
                                 .dup_text = dup_cell,
                                 .dup_tip = dup_tip };
  GtkColumnViewColumn *column = loom_table_column_add (view, _ (columns[id].title), id, &look, state);
  if (id == LOOM_SAMPLE_BY_TIME)
    gtk_column_view_sort_by_column (view, column, GTK_SORT_ASCENDING);
}

void
loom_sample_columns_fit (GtkColumnView *view, const LoomSampleList *list, LoomTimelineState *state, gboolean is_narrow)
{
  const struct {
    LoomSampleOrder id;
    gboolean visible;
  } wanted[] = { { LOOM_SAMPLE_BY_VALUE, list->has_values },
                 { LOOM_SAMPLE_BY_DEPTH, list->has_depths },
                 { LOOM_SAMPLE_BY_DURATION, !is_narrow },
                 { LOOM_SAMPLE_BY_RANK, list->has_ranks },
                 /* a narrow column would show only the end of the path, which is often the same for all samples; if
                  * ranks are different, they say more */
                 { LOOM_SAMPLE_BY_TRACK, !(list->ranks_differ && is_narrow) } };
  LoomRange extent = loom_timeline_state_get_extent (state);
  g_autoptr (GtkColumnViewColumn) time =
    g_list_model_get_item (gtk_column_view_get_columns (view), LOOM_SAMPLE_BY_TIME);
  int chars = loom_event_columns_count_start_chars (state, list->digits, extent.end_ns - extent.begin_ns);
  gtk_column_view_column_set_fixed_width (time, loom_event_columns_get_width (view, chars));
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (view), wanted[i].id);
    loom_table_column_set_visible (column, wanted[i].visible);
  }
}

void
loom_sample_columns_add (GtkColumnView *view, LoomTimelineState *state)
{
  for (LoomSampleOrder id = 0; id < LOOM_N_SAMPLE_ORDERS; id++)
    add_column (view, state, id);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view)));
  for (LoomSampleOrder id = 0; id < LOOM_N_SAMPLE_ORDERS && title != NULL; id++) {
    if (columns[id].number)
      loom_table_column_align_title (title);
    title = gtk_widget_get_next_sibling (title);
  }
}
