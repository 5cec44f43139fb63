/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-selection-panel.h"

#include "loom-counter-table.h"
#include "loom-range-table.h"
#include "loom-span-details.h"
#include "loom-words.h"

#include <glib/gi18n.h>

struct _LoomSelectionPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *summary;
  GtkWidget *copy;
  GtkWidget *close;
  GtkStack *stack;
  LoomSpanDetails *details;
  LoomRangeTable *table;
  LoomCounterTable *counters;
  GtkStack *tables;    /* of a range: names, counters */
  GtkWidget *switcher; /* between them */
  LoomViewState *state;
};

G_DEFINE_FINAL_TYPE (LoomSelectionPanel, loom_selection_panel, GTK_TYPE_WIDGET)

enum { SPAN_CHOSEN, CLOSE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* LoomTrackId of the spans of the isolated sources; NULL when all are shown. */
static GArray *
shown_tracks (LoomSelectionPanel *self, LoomTimeline *timeline)
{
  if (loom_view_state_shows_all (self->state))
    return NULL;
  LoomRun *run = loom_timeline_get_run (timeline);
  GArray *tracks = g_array_new (TRUE, FALSE, sizeof (LoomTrackId));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      LoomTrackId id = { i, k };
      if (!(loom_trace_get_track (trace, k)->flags & LOOM_TRACK_DERIVED) &&
          loom_view_state_shows_track (self->state, id))
        g_array_append_val (tracks, id);
    }
  }
  return tracks;
}

static void
show_range (LoomSelectionPanel *self, LoomTimeline *timeline, LoomRange range)
{
  loom_span_details_clear (self->details);
  g_autoptr (GArray) tracks = shown_tracks (self, timeline);
  loom_range_table_show (self->table, timeline, range, tracks);
  loom_counter_table_show (self->counters, timeline, range, tracks);
  gtk_stack_set_visible_child_name (self->stack, "range");
}

static void
show_span (LoomSelectionPanel *self, LoomTimeline *timeline, LoomSpanId span)
{
  loom_range_table_clear (self->table);
  loom_counter_table_clear (self->counters);
  loom_span_details_show (self->details, timeline, loom_view_state_get_steps (self->state), span);
  gtk_stack_set_visible_child_name (self->stack, "span");
}

static void
show_nothing (LoomSelectionPanel *self)
{
  loom_span_details_clear (self->details);
  loom_range_table_clear (self->table);
  loom_counter_table_clear (self->counters);
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

static char *
summary_of_spans (LoomSelectionPanel *self, guint n)
{
  LoomRange range;
  if (n < 2 || !loom_view_state_get_selected_range (self->state, &range))
    return NULL;
  g_autofree char *duration = loom_time_format_duration (range.end_ns - range.begin_ns);
  return g_strdup_printf (_ ("%u spans over %s; the last one:"), n, duration);
}

static char *
summary_of_range (LoomSelectionPanel *self, LoomRange range)
{
  g_autofree char *duration = loom_time_format_exact (range.end_ns - range.begin_ns);
  g_autofree char *from =
    loom_reading_format (loom_view_state_get_timeline (self->state), loom_view_state_get_steps (self->state),
                         loom_view_state_get_reading (self->state), range.begin_ns);
  g_autofree char *counted = loom_range_table_dup_summary (self->table);
  g_autofree char *text = counted != NULL ? g_strdup_printf (_ ("%s from %s · %s"), duration, from, counted)
                                          : g_strdup_printf (_ ("%s from %s"), duration, from);
  return loom_view_state_shows_all (self->state) ? g_steal_pointer (&text)
                                                 : g_strdup_printf (_ ("%s · isolated sources only"), text);
}

static void
show_summary (LoomSelectionPanel *self)
{
  guint n;
  loom_view_state_get_selected (self->state, &n);
  LoomRange range = loom_view_state_get_range (self->state);
  gboolean any = loom_view_state_get_timeline (self->state) != NULL && (n > 0 || range.end_ns > range.begin_ns);
  g_autofree char *text = !any ? NULL : n > 0 ? summary_of_spans (self, n) : summary_of_range (self, range);
  gtk_label_set_text (self->summary, text != NULL ? text : "");
  gtk_widget_set_sensitive (self->copy, any);
}

static void
selection_changed (LoomSelectionPanel *self)
{
  LoomTimeline *timeline = loom_view_state_get_timeline (self->state);
  LoomSpanId lead = loom_view_state_get_lead (self->state);
  LoomRange range = loom_view_state_get_range (self->state);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || timeline == NULL)
    show_nothing (self);
  else if (!loom_span_id_is_none (lead))
    show_span (self, timeline, lead);
  else if (range.end_ns > range.begin_ns)
    show_range (self, timeline, range);
  else
    show_nothing (self);
  gtk_widget_set_visible (self->switcher, g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "range") == 0);
  show_summary (self);
}

void
loom_selection_panel_sources_changed (LoomSelectionPanel *self)
{
  g_return_if_fail (LOOM_IS_SELECTION_PANEL (self));
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "range") == 0)
    selection_changed (self);
}

static void
mapped (LoomSelectionPanel *self)
{
  if (self->state != NULL)
    selection_changed (self);
}

char *
loom_selection_panel_dup_text (LoomSelectionPanel *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->stack);
  if (g_strcmp0 (page, "range") == 0)
    return gtk_stack_get_visible_child (self->tables) == GTK_WIDGET (self->counters) ? loom_counter_table_dup_text (self->counters)
                                                                                    : loom_range_table_dup_text (self->table);
  return loom_span_details_dup_text (self->details);
}

static void
copy_clicked (LoomSelectionPanel *self)
{
  g_autofree char *text = loom_selection_panel_dup_text (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
close_clicked (LoomSelectionPanel *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

static void
span_chosen (LoomSelectionPanel *self, guint trace, guint span)
{
  g_signal_emit (self, signals[SPAN_CHOSEN], 0, trace, span);
}

static void
dispose (GObject *object)
{
  LoomSelectionPanel *self = LOOM_SELECTION_PANEL (object);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_selection_panel_parent_class)->dispose (object);
}

static void
loom_selection_panel_class_init (LoomSelectionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_SPAN_DETAILS);
  g_type_ensure (LOOM_TYPE_RANGE_TABLE);
  g_type_ensure (LOOM_TYPE_COUNTER_TABLE);
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", LOOM_TYPE_SELECTION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  signals[CLOSE] =
    g_signal_new ("close", LOOM_TYPE_SELECTION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-selection-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, close);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, details);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, table);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, counters);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, tables);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, switcher);
}

static void
loom_selection_panel_init (LoomSelectionPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->details, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (self->table, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (self->table, "summary-changed", G_CALLBACK (show_summary), self);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (copy_clicked), self);
  g_signal_connect_swapped (self->close, "clicked", G_CALLBACK (close_clicked), self);
  g_signal_connect (self, "map", G_CALLBACK (mapped), NULL);
}

void
loom_selection_panel_set_state (LoomSelectionPanel *self, LoomViewState *state)
{
  g_return_if_fail (LOOM_IS_SELECTION_PANEL (self) && self->state == NULL);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "selection-changed", G_CALLBACK (selection_changed), self);
  selection_changed (self);
}
