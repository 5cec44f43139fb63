/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-selection-panel.h"

#include "loom-bounded-text.h"
#include "loom-counter-table.h"
#include "loom-locale-number.h"
#include "loom-name-table.h"
#include "loom-range-chooser.h"
#include "loom-rank-table.h"
#include "loom-span-details.h"
#include "loom-timeline-description.h"
#include "loom-visible-spans.h"

#include <glib/gi18n.h>

struct _LoomSelectionPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *summary;
  LoomRangeChooser *range;
  GtkWidget *copy;
  GtkStack *stack;
  LoomSpanDetails *details; /* widget that shows the selected span; NULL until a span is selected for the first time */
  /* `names`, `ranks`, `counters`, `tables` and `switcher` are NULL until a range is selected for the first time */
  LoomRangeTable *names, *ranks, *counters;
  GtkStack *tables;           /* pages with statistics of a range: names, ranks and counters */
  GtkStackSwitcher *switcher; /* switches between the pages of `tables` */
  GtkLabel *hint;             /* explains why the panel is empty */
  LoomAnalysisContext *analysis;
  LoomTimelineState *state;
  /* `scope`: the scope of the tables. `previous_scope`: the scope before the user selected a range on the timeline;
   * LOOM_N_RANGE_SCOPES if the user has not selected a range */
  LoomRangeScope scope, previous_scope;
  gint64 begin_ns, end_ns; /* the visible range for which figures were computed last */
  /* `path`: the critical path for which the shown texts were made. `reading`: the unit of the shown times, which is the
   * unit of the ruler. */
  LoomPathOverlay *path;
  LoomRulerUnit reading;
};

G_DEFINE_FINAL_TYPE (LoomSelectionPanel, loom_selection_panel, GTK_TYPE_WIDGET)

enum { SPAN_CHOSEN, RANK_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void show_summary (LoomSelectionPanel *self);

static void
span_chosen (LoomSelectionPanel *self, guint trace, guint span)
{
  g_signal_emit (self, signals[SPAN_CHOSEN], 0, trace, span);
}

static void
rank_chosen (LoomSelectionPanel *self, guint trace, guint span)
{
  g_signal_emit (self, signals[RANK_CHOSEN], 0, trace, span);
}

/* --- widgets that are made on first use --------------------------------------------------------------------------- */

static LoomSpanDetails *
get_details (LoomSelectionPanel *self)
{
  if (self->details != NULL)
    return self->details;
  self->details = g_object_new (LOOM_TYPE_SPAN_DETAILS, NULL);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->details), "span");
  g_signal_connect_swapped (self->details, "span-chosen", G_CALLBACK (span_chosen), self);
  return self->details;
}

static LoomRangeTable *
add_table (LoomSelectionPanel *self, GType type, const char *name, const char *title)
{
  LoomRangeTable *table = g_object_new (type, NULL);
  gtk_stack_add_titled (self->tables, GTK_WIDGET (table), name, title);
  g_signal_connect_swapped (table, "summary-changed", G_CALLBACK (show_summary), self);
  return table;
}

GtkStack *
loom_selection_panel_get_tables (LoomSelectionPanel *self)
{
  g_return_val_if_fail (LOOM_IS_SELECTION_PANEL (self), NULL);
  if (self->tables != NULL)
    return self->tables;
  self->tables = GTK_STACK (gtk_stack_new ());
  self->names = add_table (self, LOOM_TYPE_NAME_TABLE, "names", _ ("Names"));
  self->ranks = add_table (self, LOOM_TYPE_RANK_TABLE, "ranks", _ ("By Rank"));
  loom_rank_table_set_state (LOOM_RANK_TABLE (self->ranks), self->state);
  self->counters = add_table (self, LOOM_TYPE_COUNTER_TABLE, "counters", _ ("Counters"));
  g_signal_connect_swapped (self->names, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (self->ranks, "rank-chosen", G_CALLBACK (rank_chosen), self);
  g_signal_connect_swapped (self->tables, "notify::visible-child", G_CALLBACK (show_summary), self);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->tables), "range");
  gtk_stack_switcher_set_stack (self->switcher, self->tables);
  return self->tables;
}

static void
clear_details (LoomSelectionPanel *self)
{
  if (self->details != NULL)
    loom_span_details_clear (self->details);
}

static void
clear_tables (LoomSelectionPanel *self)
{
  if (self->tables == NULL)
    return;
  loom_range_table_clear (self->names);
  loom_range_table_clear (self->ranks);
  loom_range_table_clear (self->counters);
}

/* --- showing the selection ---------------------------------------------------------------------------------------- */

static void
show_range (LoomSelectionPanel *self, LoomTimeline *timeline, LoomRange range)
{
  g_autoptr (GArray) tracks = loom_visible_spans_list_tracks (self->state, FALSE);
  loom_selection_panel_get_tables (self);
  clear_details (self);
  loom_range_table_show (self->names, timeline, range, tracks);
  loom_range_table_show (self->ranks, timeline, range, tracks);
  loom_range_table_show (self->counters, timeline, range, tracks);
  gtk_stack_set_visible_child_name (self->stack, "range");
}

static void
show_span (LoomSelectionPanel *self, LoomSpanId span)
{
  clear_tables (self);
  loom_span_details_show (get_details (self), self->state, span);
  gtk_stack_set_visible_child_name (self->stack, "span");
}

static const char *
hint_for (LoomRangeScope scope, gboolean known)
{
  if (!known)
    return _ ("Looking for the training loop…");
  return scope == LOOM_RANGE_SCOPE_LOOP
           ? _ ("There are no training steps, so the bounds of the training loop are unknown.")
           : _ ("Click a span to see its details, or drag across the timeline to summarize a range");
}

static void
show_nothing (LoomSelectionPanel *self, const char *hint)
{
  clear_details (self);
  clear_tables (self);
  loom_bounded_text_set_label (self->hint, hint);
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

static char *
summary_of_spans (LoomSelectionPanel *self)
{
  guint n;
  const LoomSpanId *spans = loom_timeline_state_get_selected (self->state, &n);
  if (n < 2)
    return NULL;
  LoomTiming timing = loom_timing_of_spans (loom_timeline_state_get_timeline (self->state), spans, n);
  guint64 n_wanted = loom_timeline_state_get_n_wanted (self->state);
  g_autofree char *words = loom_timeline_description_for_timing (&timing), *all = loom_locale_number_group (n_wanted),
                  *most = loom_locale_number_group (n);
  /* Translators: there are too many spans with the name, or in the box, to select all of them: "1,000,000 of
   * 3,400,000 spans selected (12.4 s · …); most recently selected:" */
  if (n_wanted > n)
    return g_strdup_printf (
      /* Translators: the first %s is the number of selected spans; the second is the number of all spans with the
       * name, or in the box; the third is a sum of durations ("12.4 s · …"). Details of one span follow. */
      _ ("%s of %s spans selected (%s); most recently selected:"), most, all, words);
  gint64 start_ns, end_ns;
  loom_timeline_get_span (loom_timeline_state_get_timeline (self->state), loom_timeline_state_get_lead (self->state),
                          &start_ns, &end_ns);
  if (loom_time_sub (end_ns, start_ns) == timing.longest_ns)
    return g_strdup_printf (
      /* Translators: %s is the number of selected spans and the sum of their durations: "3 spans · 12.4 s"; details of
       * the longest of these spans follow */
      _ ("%s; the longest:"), words);
  return g_strdup_printf (
    /* Translators: %s is the number of selected spans and the sum of their durations: "3 spans · 12.4 s"; details of
     * one span follow */
    _ ("%s; most recently selected:"), words);
}

static LoomRangeTable *
table_shown (LoomSelectionPanel *self)
{
  return LOOM_RANGE_TABLE (gtk_stack_get_visible_child (self->tables));
}

/* Returns a summary of the shown results; if they are outdated, a text about the progress of the computation of new
 * results; NULL if there are no results. `is_full`: TRUE for the tooltip, which also contains the exact times and the
 * rate; a narrow window is too small for these. Owned by the caller. */
static char *
summary_of_range (LoomSelectionPanel *self, gboolean is_full)
{
  LoomRangeTable *table = table_shown (self);
  LoomRange range = loom_range_table_get_range (table);
  double fraction;
  if (loom_range_table_is_old (table, &fraction))
    return loom_timeline_description_working (fraction);
  /* a table may still have the range of a run that was closed */
  if (range.end_ns <= range.begin_ns || loom_timeline_state_get_timeline (self->state) == NULL)
    return NULL;
  g_autofree char *duration = loom_time_format_exact (loom_time_sub (range.end_ns, range.begin_ns));
  g_autofree char *from =
    loom_ruler_format (loom_timeline_state_get_timeline (self->state), loom_timeline_state_get_steps (self->state),
                       loom_timeline_state_get_reading (self->state), range.begin_ns);
  g_autofree char *counted = table == self->names ? loom_name_table_dup_count (LOOM_NAME_TABLE (table)) : NULL;
  LoomTiming timing = loom_timing_of_range (self->state, range);
  g_autofree char *rate = is_full && counted != NULL ? loom_timeline_description_for_rate (&timing) : NULL;
  g_autofree char *place = is_full ? g_strdup_printf (
                                       /* Translators: the first %s is the length of a range, the second is the time at
                                        * which the range starts */
                                       _ ("%s starting at %s"), duration, from)
                                   : loom_timeline_description_when (self->state, range);
  g_autofree char *text = g_strjoin (" · ", place, counted, rate, NULL);
  return loom_timeline_state_shows_all (self->state) ? g_steal_pointer (&text)
                                                     : g_strdup_printf (
                                                         /* Translators: %s is "1.5 s starting at 3 s · 128 spans" */
                                                         _ ("%s · visible sources only"), text);
}

static gboolean
shows (LoomSelectionPanel *self, const char *page)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), page) == 0;
}

static void
show_summary (LoomSelectionPanel *self)
{
  if (self->state == NULL)
    return;
  gboolean is_range = shows (self, "range");
  g_autofree char *text = is_range               ? summary_of_range (self, FALSE)
                          : shows (self, "span") ? summary_of_spans (self)
                                                 : NULL;
  g_autofree char *tip = is_range ? summary_of_range (self, TRUE) : g_strdup (text);
  loom_bounded_text_set_label (self->summary, text != NULL ? text : "");
  loom_bounded_text_set_tip (GTK_WIDGET (self->summary), tip);
  gtk_widget_set_sensitive (self->copy, !shows (self, "nothing"));
}

static void
show_scope (LoomSelectionPanel *self, LoomTimeline *timeline)
{
  LoomRange range;
  gboolean known = loom_analysis_context_get_range (self->analysis, self->scope, &range);
  if (range.end_ns > range.begin_ns)
    show_range (self, timeline, range);
  else
    show_nothing (self, hint_for (self->scope, known));
}

static void
update (LoomSelectionPanel *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || timeline == NULL)
    show_nothing (self, hint_for (LOOM_RANGE_SCOPE_SELECTION, TRUE));
  else if (!loom_timeline_span_id_is_none (lead))
    show_span (self, lead);
  else
    show_scope (self, timeline);
  gtk_widget_set_visible (GTK_WIDGET (self->switcher), shows (self, "range"));
  gtk_widget_set_visible (GTK_WIDGET (self->range), !shows (self, "span"));
  show_summary (self);
}

/* Called when the view of the timeline has changed. If the tables show the figures of the visible range, and this range
 * has changed, computes the figures again. It is checked whether the range has changed, because scrolling rows and
 * resizing change the view, but not the visible range. */
static void
view_changed (LoomSelectionPanel *self)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  if (self->scope != LOOM_RANGE_SCOPE_VISIBLE || (view->begin_ns == self->begin_ns && view->end_ns == self->end_ns))
    return;
  self->begin_ns = view->begin_ns;
  self->end_ns = view->end_ns;
  if (shows (self, "range"))
    update (self);
}

/* Called when data of the timeline have changed. If the critical path or the unit of the ruler has changed, updates the
 * shown times and the texts about the critical path. Does nothing if other data have changed, because the panel does
 * not show them. */
static void
facts_changed (LoomSelectionPanel *self)
{
  LoomPathOverlay *path = loom_timeline_state_get_path (self->state);
  LoomRulerUnit reading = loom_timeline_state_get_reading (self->state);
  if (path == self->path && reading == self->reading)
    return;
  loom_path_overlay_unref (self->path);
  self->path = path != NULL ? loom_path_overlay_ref (path) : NULL;
  self->reading = reading;
  if (shows (self, "span"))
    update (self);
  else
    show_summary (self);
}

static void
loop_found (LoomSelectionPanel *self)
{
  if (self->scope == LOOM_RANGE_SCOPE_LOOP)
    update (self);
}

static void
change_scope (LoomSelectionPanel *self, LoomRangeScope scope, LoomRangeScope previous)
{
  self->scope = scope;
  self->previous_scope = previous;
  loom_range_chooser_set_scope (self->range, scope, previous);
  update (self);
}

/* Called when the user has selected a range on the timeline. The tables show the figures of this range until the
 * user removes the range or goes back to the previous scope. */
static void
range_made (LoomSelectionPanel *self)
{
  if (self->scope != LOOM_RANGE_SCOPE_SELECTION)
    change_scope (self, LOOM_RANGE_SCOPE_SELECTION, self->scope);
}

static void
restore_scope (LoomSelectionPanel *self)
{
  if (self->previous_scope != LOOM_N_RANGE_SCOPES)
    change_scope (self, self->previous_scope, LOOM_N_RANGE_SCOPES);
}

void
loom_selection_panel_sources_changed (LoomSelectionPanel *self)
{
  g_return_if_fail (LOOM_IS_SELECTION_PANEL (self));
  if (shows (self, "range"))
    update (self);
}

void
loom_selection_panel_names_changed (LoomSelectionPanel *self)
{
  g_return_if_fail (LOOM_IS_SELECTION_PANEL (self));
  if (shows (self, "span"))
    update (self);
}

static void
mapped (LoomSelectionPanel *self)
{
  if (self->state != NULL)
    update (self);
}

char *
loom_selection_panel_dup_text (LoomSelectionPanel *self)
{
  if (!shows (self, "range"))
    return loom_span_details_dup_text (get_details (self));
  return loom_range_table_dup_text (table_shown (self));
}

static void
copy_clicked (LoomSelectionPanel *self)
{
  g_autofree char *text = loom_selection_panel_dup_text (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
dispose (GObject *object)
{
  LoomSelectionPanel *self = LOOM_SELECTION_PANEL (object);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  if (self->analysis != NULL)
    g_signal_handlers_disconnect_by_data (self->analysis, self);
  g_clear_pointer (&self->path, loom_path_overlay_unref);
  g_clear_object (&self->state);
  g_clear_object (&self->analysis);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_selection_panel_parent_class)->dispose (object);
}

static void
loom_selection_panel_class_init (LoomSelectionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_RANGE_CHOOSER);
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", LOOM_TYPE_SELECTION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  signals[RANK_CHOSEN] = g_signal_new ("rank-chosen", LOOM_TYPE_SELECTION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-selection-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, range);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, hint);
  gtk_widget_class_bind_template_child (widget_class, LoomSelectionPanel, switcher);
}

static void
loom_selection_panel_init (LoomSelectionPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->scope = LOOM_RANGE_SCOPE_SELECTION;
  self->previous_scope = LOOM_N_RANGE_SCOPES;
  loom_range_chooser_set_scope (self->range, self->scope, self->previous_scope);
  g_signal_connect_swapped (self->range, "scope-chosen", G_CALLBACK (loom_selection_panel_set_scope), self);
  g_signal_connect_swapped (self->range, "back-clicked", G_CALLBACK (restore_scope), self);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (copy_clicked), self);
  g_signal_connect (self, "map", G_CALLBACK (mapped), NULL);
}

void
loom_selection_panel_set_analysis (LoomSelectionPanel *self, LoomAnalysisContext *analysis)
{
  g_return_if_fail (LOOM_IS_SELECTION_PANEL (self) && self->analysis == NULL);
  self->analysis = g_object_ref (analysis);
  self->state = g_object_ref (loom_analysis_context_get_state (analysis));
  g_signal_connect_swapped (self->state, "selection-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->state, "timeline-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->state, "view-changed", G_CALLBACK (view_changed), self);
  g_signal_connect_swapped (self->state, "facts-changed", G_CALLBACK (facts_changed), self);
  g_signal_connect_swapped (self->state, "range-made", G_CALLBACK (range_made), self);
  g_signal_connect_swapped (analysis, "loop-found", G_CALLBACK (loop_found), self);
  g_signal_connect_swapped (analysis, "range-left", G_CALLBACK (restore_scope), self);
  facts_changed (self);
  update (self);
}

void
loom_selection_panel_set_scope (LoomSelectionPanel *self, LoomRangeScope scope)
{
  g_return_if_fail (LOOM_IS_SELECTION_PANEL (self) && scope < LOOM_N_RANGE_SCOPES);
  if (self->scope != scope || self->previous_scope != LOOM_N_RANGE_SCOPES)
    change_scope (self, scope, LOOM_N_RANGE_SCOPES);
}

LoomRangeScope
loom_selection_panel_get_scope (LoomSelectionPanel *self)
{
  return self->scope;
}
