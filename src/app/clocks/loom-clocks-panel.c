/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-clocks-panel.h"

#include "loom-bounded-text.h"
#include "loom-clock-commands.h"
#include "loom-debounced-task.h"
#include "loom-idle-queue.h"
#include "loom-page-clocks.h"
#include "loom-page-view.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>

struct _LoomClocksPanel {
  AdwBin parent;
  GtkLabel *answer, *summary, *verdict, *details;
  GtkSpinner *spinner;
  LoomTableView *table, *declared;
  GtkExpander *folded; /* the expander that contains the table `declared` */
  LoomChartView *residuals, *overlay;
  GtkStack *charts;
  GtkWidget *switcher, *missing, *edits;
  GtkEditable *offset;
  /* the timeline state, which has the names that the user gave to sources */
  LoomTimelineState *state;
  LoomTimeline *timeline;
  /* guint: indices of clocks. `clocks`: for each row of `table`, the clock that the row shows; `declared_clocks`: the
   * same for each row of `declared`. */
  GArray *clocks, *declared_clocks;
  guint chosen;
  LoomDebouncedTask work; /* debounced task that computes the residuals of the chosen clock */
  gboolean is_old;        /* TRUE if the shown clocks belong to an earlier timeline */
  gboolean is_chosen;     /* TRUE if the row of the clock `chosen` is selected */
  /* calls advance() in later iterations of the main loop, so that the panel appears before its table is filled */
  LoomIdleQueue turns;
};

G_DEFINE_FINAL_TYPE (LoomClocksPanel, loom_clocks_panel, ADW_TYPE_BIN)

enum { OFFSET_SET, CLOCK_MOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- residuals of the selected clock ------------------------------------------------------------------------------ */

typedef struct {
  LoomTimeline *timeline;
  guint clock;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_free (input);
}

static GArray *
work_out (Input *input, GCancellable *cancellable, GError **error)
{
  LoomProgress *progress = loom_progress_new (cancellable);
  GArray *points = loom_clock_residuals_new (input->timeline, input->clock, progress);
  loom_progress_unref (progress);
  return points;
}

static void
show_chart (LoomChartView *view, LoomChart *chart)
{
  loom_chart_view_set_chart (view, chart);
  loom_chart_unref (chart);
}

/* Shows the chart of residuals (`residuals`) if it is not empty. Shows the switch between `residuals` and the other
 * chart (`overlay`) if both have content. `missing`: TRUE to show a note that there are no residuals. */
static void
show_parts (LoomClocksPanel *self, gboolean missing)
{
  gboolean any = loom_chart_view_get_chart (self->residuals) != NULL,
           both = any && loom_chart_view_get_chart (self->overlay) != NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->charts), any);
  gtk_widget_set_visible (self->switcher, both);
  gtk_widget_set_visible (self->missing, missing);
  if (!both)
    gtk_stack_set_visible_child (self->charts, GTK_WIDGET (self->residuals));
}

static void
show_points (LoomClocksPanel *self, const GArray *points)
{
  gint64 zero_ns = loom_ruler_get_zero (self->timeline, loom_timeline_state_get_reading (self->state));
  show_chart (self->residuals, loom_page_clocks_new_residuals (self->timeline, self->chosen, points, zero_ns));
  show_chart (self->overlay, loom_page_clocks_new_overlay (self->timeline, self->chosen, points, zero_ns));
  show_parts (self, points->len == 0);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomClocksPanel *self = user_data;
  gtk_spinner_set_spinning (self->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), working);
}

static void
worked_out (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (GArray) points = result;
  show_points (owner, points);
}

static void
start (LoomDebouncedTask *task, gpointer user_data)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) work_out, (GDestroyNotify) input_free,
                                       (GDestroyNotify) g_array_unref };
  LoomClocksPanel *self = user_data;
  loom_debounced_task_run (task, &kind, LOOM_WORKER_INPUT (Input, loom_timeline_ref (self->timeline), self->chosen));
}

static void
ask (LoomClocksPanel *self)
{
  if (self->timeline == NULL || self->chosen == G_MAXUINT)
    loom_debounced_task_stop (&self->work);
  else
    loom_debounced_task_ask (&self->work);
}

/* --- the offset that the user adds -------------------------------------------------------------------------------- */

static void
mark_wrong (LoomClocksPanel *self, gboolean wrong)
{
  GtkWidget *entry = GTK_WIDGET (self->offset);
  if (wrong)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static gint64
offset_now (LoomClocksPanel *self)
{
  return loom_alignment_get (loom_timeline_get_alignment (self->timeline), self->chosen)->user_offset_ns;
}

static void
show_offset (LoomClocksPanel *self, gboolean any)
{
  gint64 offset_ns = any ? offset_now (self) : 0;
  g_autofree char *text = offset_ns != 0 ? loom_time_format_exact (offset_ns) : g_strdup ("");
  gtk_editable_set_text (self->offset, text);
  /* hide the entry for an offset if there is only one clock, because the offset would not move events relative to
   * each other */
  gtk_widget_set_visible (self->edits, any && self->clocks->len + self->declared_clocks->len > 1);
  mark_wrong (self, FALSE);
}

/* Reads the duration in the entry. Returns FALSE if the text is empty or not a duration. */
static gboolean
read_offset (LoomClocksPanel *self, gint64 *offset_ns)
{
  const char *text = gtk_editable_get_text (self->offset);
  *offset_ns = 0;
  return text[0] == '\0' || loom_time_parse_duration (text, offset_ns);
}

static void
offset_typed (LoomClocksPanel *self)
{
  gint64 offset_ns;
  mark_wrong (self, !read_offset (self, &offset_ns));
}

static void
offset_entered (LoomClocksPanel *self)
{
  gint64 offset_ns;
  if (self->timeline != NULL && self->chosen != G_MAXUINT && read_offset (self, &offset_ns))
    g_signal_emit (self, signals[OFFSET_SET], 0, self->chosen, offset_ns);
}

static gboolean
table_key_pressed (LoomClocksPanel *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  gint64 step_ns = modifiers & GDK_CONTROL_MASK ? 1
                   : modifiers & GDK_SHIFT_MASK ? 100 * LOOM_NS_PER_US
                                                : LOOM_NS_PER_US;
  if (!(modifiers & GDK_ALT_MASK) || (keyval != GDK_KEY_Left && keyval != GDK_KEY_Right) || self->chosen == G_MAXUINT)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[CLOCK_MOVED], 0, self->chosen, keyval == GDK_KEY_Left ? -step_ns : step_ns, FALSE);
  return GDK_EVENT_STOP;
}

static const LoomSourceOverrides *
names_of (LoomClocksPanel *self)
{
  return loom_row_list_get_names (loom_timeline_state_get_row_list (self->state));
}

static char *
dup_name (LoomClocksPanel *self)
{
  gboolean any = self->timeline != NULL && self->chosen != G_MAXUINT;
  return any ? loom_page_clocks_dup_name (self->timeline, names_of (self), self->chosen) : g_strdup ("");
}

static GArray *
clocks_of (LoomClocksPanel *self, LoomTableView *table)
{
  return table == self->table ? self->clocks : self->declared_clocks;
}

static guint
row_of (const GArray *clocks, guint clock)
{
  for (guint i = 0; clocks != NULL && i < clocks->len; i++)
    if (g_array_index (clocks, guint, i) == clock)
      return i;
  return G_MAXUINT;
}

/* Returns the table that shows the clock `chosen`, and sets `row` to the index of the clock's row. If neither table
 * shows the clock, returns `table`, and sets `row` to G_MAXUINT. */
static LoomTableView *
find_chosen (LoomClocksPanel *self, guint *row)
{
  LoomTableView *table = row_of (self->declared_clocks, self->chosen) != G_MAXUINT ? self->declared : self->table;
  *row = row_of (clocks_of (self, table), self->chosen);
  return table;
}

static void
show_details (LoomClocksPanel *self, gboolean any)
{
  guint row;
  LoomResultTable *table = loom_table_view_get_table (find_chosen (self, &row));
  g_autofree char *text =
    any && table != NULL && row < table->n_rows ? loom_page_clocks_dup_details (table, row) : g_strdup ("");
  loom_bounded_text_set_label (self->details, text);
  gtk_widget_set_visible (GTK_WIDGET (self->details), text[0] != '\0');
}

static void
show_chosen (LoomClocksPanel *self)
{
  gboolean any = self->timeline != NULL && self->chosen != G_MAXUINT;
  g_autofree char *name = dup_name (self);
  g_autofree char *verdict = any ? loom_page_clocks_dup_fit_quality (self->timeline, self->chosen) : g_strdup ("");
  g_autofree char *bound = loom_sentence_dup_bound (verdict),
                  *markup = g_markup_printf_escaped ("<b>%s</b>  %s", name, bound);
  gtk_label_set_markup (self->verdict, markup);
  show_details (self, any);
  show_offset (self, any);
  if (!any) {
    show_chart (self->residuals, NULL);
    show_chart (self->overlay, NULL);
    show_parts (self, FALSE);
  }
  ask (self);
}

/* --- filling the table and selecting a clock ---------------------------------------------------------------------- */

static void
selection_changed (LoomClocksPanel *self, LoomTableView *table)
{
  const GArray *clocks = clocks_of (self, table);
  guint row = loom_table_view_get_selected (table);
  if (clocks == NULL || row >= clocks->len || g_array_index (clocks, guint, row) == self->chosen)
    return;
  self->chosen = g_array_index (clocks, guint, row);
  loom_table_view_unselect (table == self->table ? self->declared : self->table);
  show_chosen (self);
}

/* Shows the sentences above the tables. Omits the last sentence if it says the same as the label of the collapsed
 * table. */
static void
show_summary (LoomClocksPanel *self)
{
  g_autoptr (GArray) clocks = loom_page_clocks_list (self->timeline);
  LoomAlignment *alignment = loom_timeline_get_alignment (self->timeline);
  guint n_fitted = 0, n_refused = 0;
  for (guint i = 0; i < clocks->len; i++) {
    const LoomClockFit *fit = loom_alignment_get (alignment, g_array_index (clocks, guint, i));
    n_fitted += fit->fitted;
    n_refused += fit->verdict == LOOM_FIT_QUALITY_REFUSED;
  }
  g_autofree char *fitted =
    n_fitted == 0
      ? g_strdup_printf (ngettext ("%u clock, used as declared in its file",
                                   "%u clocks, all used as declared in their files", clocks->len),
                         clocks->len)
      : g_strdup_printf (
          ngettext (
            "%u of %u clocks is aligned by events that ranks share; the others are used as their files declare them.",
            "%u of %u clocks are aligned by events that ranks share; the others are used as their files declare them.",
            n_fitted),
          n_fitted, clocks->len);
  g_autofree char *refused =
    g_strdup_printf (ngettext ("%u alignment rejected", "%u alignments rejected", n_refused), n_refused);
  gboolean says_fitted = self->declared_clocks->len == 0, says_refused = n_refused > 0;
  g_autofree char *count = g_strjoin (" · ",
                                      says_fitted    ? fitted
                                      : says_refused ? refused
                                                     : NULL,
                                      says_fitted && says_refused ? refused : NULL, NULL);
  g_autofree char *answer = loom_page_clocks_dup_answer (self->timeline, clocks),
                  *reason = loom_page_clocks_dup_reason (self->timeline, clocks);
  g_autofree char *text = g_strjoin (*reason != '\0' && *count != '\0' ? "\n" : "", reason, count, NULL);
  loom_bounded_text_set_label (self->answer, answer);
  loom_bounded_text_set_label (self->summary, text);
}

static void
fill_table (LoomClocksPanel *self, LoomTableView *view, const GArray *clocks)
{
  g_autoptr (LoomResultTable) table = loom_page_clocks_new_table (self->timeline, names_of (self), clocks);
  loom_table_view_set_table (view, table);
}

/* Fills the collapsible table with the clocks that share no events with other clocks. For such a clock, only the
 * declaration of its file is used. Sets the label of the expander that contains the table. */
static void
fill_declared (LoomClocksPanel *self)
{
  guint n = self->declared_clocks->len;
  g_autofree char *label = g_strdup_printf (
    ngettext ("%u clock is used as declared in its file", "%u clocks are used as declared in their files", n), n);
  gtk_expander_set_label (self->folded, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->folded), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_set_visible (GTK_WIDGET (self->folded), n > 0);
  fill_table (self, self->declared, self->declared_clocks);
}

static void
fill (LoomClocksPanel *self)
{
  self->is_old = FALSE;
  self->is_chosen = FALSE;
  g_clear_pointer (&self->clocks, g_array_unref);
  g_clear_pointer (&self->declared_clocks, g_array_unref);
  if (self->timeline == NULL)
    return;
  self->clocks = loom_page_clocks_list (self->timeline);
  self->declared_clocks = loom_page_clocks_take_declared (self->timeline, self->clocks);
  show_summary (self);
  fill_table (self, self->table, self->clocks);
  fill_declared (self);
}

/* Selects the row of the clock `chosen`. If no table shows this clock, first sets `chosen` to the result of
 * loom_clock_commands_find_notable(), for example a clock whose fit was refused. A table makes its rows in several idle
 * callbacks; this function makes the rows up to the selected one at once. */
static void
choose (LoomClocksPanel *self)
{
  self->is_chosen = TRUE;
  guint row;
  LoomTableView *table = find_chosen (self, &row);
  if (row == G_MAXUINT) {
    self->chosen = self->timeline != NULL ? loom_clock_commands_find_notable (self->timeline, self->clocks) : G_MAXUINT;
    table = find_chosen (self, &row);
  }
  if (self->chosen != G_MAXUINT)
    loom_table_view_select (table, row);
  show_chosen (self);
}

/* Adds rows to the table or, if all rows have been added, selects the row of the clock `chosen`. Returns FALSE when
 * nothing remains to be done. */
static gboolean
advance (gpointer user_data)
{
  LoomClocksPanel *self = user_data;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || (!self->is_old && self->is_chosen))
    return FALSE;
  if (self->is_old)
    fill (self);
  else
    choose (self);
  return TRUE;
}

static void
refresh (LoomClocksPanel *self)
{
  self->is_old = TRUE;
  while (advance (self))
    ;
}

static void
mapped (LoomClocksPanel *self)
{
  if (self->is_old || !self->is_chosen)
    loom_idle_queue_begin (&self->turns);
}

/* Cancels the computation, because a hidden panel needs no results. */
static void
unmapped (LoomClocksPanel *self)
{
  self->is_old |= loom_debounced_task_is_open (&self->work);
  loom_debounced_task_stop (&self->work);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomClocksPanel *self = LOOM_CLOCKS_PANEL (object);
  loom_idle_queue_stop (&self->turns);
  loom_debounced_task_stop (&self->work);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->clocks, g_array_unref);
  g_clear_pointer (&self->declared_clocks, g_array_unref);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (loom_clocks_panel_parent_class)->dispose (object);
}

static void
loom_clocks_panel_class_init (LoomClocksPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[OFFSET_SET] = g_signal_new ("offset-set", LOOM_TYPE_CLOCKS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_INT64);
  signals[CLOCK_MOVED] = g_signal_new ("clock-moved", LOOM_TYPE_CLOCKS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_INT64, G_TYPE_BOOLEAN);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-clocks-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, answer);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, table);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, declared);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, folded);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, charts);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, switcher);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, verdict);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, details);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, missing);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, edits);
  gtk_widget_class_bind_template_child (widget_class, LoomClocksPanel, offset);
  gtk_widget_class_bind_template_callback (widget_class, offset_typed);
  gtk_widget_class_bind_template_callback (widget_class, offset_entered);
}

static void
watch_table (LoomClocksPanel *self, LoomTableView *table)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (table_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (table), keys);
  g_signal_connect_swapped (table, "selection-changed", G_CALLBACK (selection_changed), self);
  g_signal_connect (table, "save-requested", G_CALLBACK (loom_page_view_save_table), NULL);
}

static void
loom_clocks_panel_init (LoomClocksPanel *self)
{
  self->chosen = G_MAXUINT;
  self->is_chosen = TRUE; /* TRUE, because no row has to be selected as long as the panel shows no clocks */
  loom_idle_queue_init (&self->turns, advance, self);
  loom_debounced_task_init (&self->work, start, worked_out, show_work, self);
  gtk_widget_init_template (GTK_WIDGET (self));
  watch_table (self, self->table);
  watch_table (self, self->declared);
  g_signal_connect (self, "map", G_CALLBACK (mapped), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (unmapped), NULL);
}

static LoomChartView *
add_chart (LoomClocksPanel *self, LoomRenderContext *scene, const char *name, const char *title)
{
  GtkWidget *chart = loom_chart_view_new (scene);
  g_signal_connect (chart, "save-requested", G_CALLBACK (loom_page_view_save_chart), NULL);
  gtk_stack_add_titled (self->charts, chart, name, title);
  return LOOM_CHART_VIEW (chart);
}

GtkWidget *
loom_clocks_panel_new (LoomRenderContext *scene)
{
  LoomClocksPanel *self = g_object_new (LOOM_TYPE_CLOCKS_PANEL, NULL);
  self->state = g_object_ref (loom_render_context_get_state (scene));
  self->residuals = add_chart (self, scene, "residuals", _ ("Residuals"));
  self->overlay = add_chart (self, scene, "overlay", _ ("Before and After Alignment"));
  show_parts (self, FALSE);
  return GTK_WIDGET (self);
}

void
loom_clocks_panel_set_timeline (LoomClocksPanel *self, LoomTimeline *timeline)
{
  loom_debounced_task_stop (&self->work);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = timeline != NULL ? loom_timeline_ref (timeline) : NULL;
  refresh (self);
}

void
loom_clocks_panel_names_changed (LoomClocksPanel *self)
{
  loom_debounced_task_stop (&self->work);
  refresh (self);
}
