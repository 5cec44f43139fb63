/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-findings-panel.h"

#include "loom-bounded-text.h"
#include "loom-rule-files.h"
#include "loom-rules-button.h"
#include "loom-run-navigation.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

/* Runs with more spans are evaluated only on request. */
#define MAX_SPANS_UNASKED 5000000u

struct _LoomFindingsPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *summary;
  GtkSpinner *spinner;
  GtkWidget *evaluate;
  LoomRulesButton *rules;
  GtkWidget *close;
  GtkWidget *scrolled;
  GtkWidget *empty;
  GtkImage *empty_icon;
  GtkLabel *empty_title, *empty_words, *notes_label;
  GtkListBox *found, *dismissed, *others;
  GtkExpander *dismissed_expander, *others_expander;
  LoomRunState *run;
  LoomAnalysisContext *analysis; /* the run's, borrowed */
  LoomRenderContext *scene;
  LoomFindings *findings; /* NULL: not evaluated */
  GCancellable *running;  /* NULL when no worker runs */
  LoomTimeline *timeline; /* the timeline of the findings, only compared */
};

G_DEFINE_FINAL_TYPE (LoomFindingsPanel, loom_findings_panel, GTK_TYPE_WIDGET)

enum { CLOSE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void fill (LoomFindingsPanel *self);

/* --- empty ----------------------------------------------------------------------------------------------------------- */

static void
show_empty (LoomFindingsPanel *self, const char *icon, const char *title, const char *words)
{
  gtk_widget_set_visible (self->empty, title != NULL);
  gtk_image_set_from_icon_name (self->empty_icon, icon);
  loom_bounded_text_set_label (self->empty_title, title != NULL ? title : "");
  loom_bounded_text_set_label (self->empty_words, words != NULL ? words : "");
}

/* Explains which of three cases applies: nothing found, not enough data, or not applicable. */
static void
show_nothing_found (LoomFindingsPanel *self)
{
  guint n_passed = loom_findings_count (self->findings, LOOM_RULE_PASSED),
        n_few = loom_findings_count (self->findings, LOOM_RULE_NOT_ENOUGH);
  if (loom_findings_get_n (self->findings) == 0)
    show_empty (self, "edit-find-symbolic", _ ("No Range"),
                _ ("Nothing is selected, or there are no training steps. Choose another range and evaluate it."));
  else if (n_passed > 0)
    show_empty (self, "emblem-ok-symbolic", _ ("Nothing Found"),
                n_few > 0 ? _ ("The rules that had enough data found nothing. What the others lack stands below.")
                          : _ ("The rules that apply found nothing."));
  else if (n_few > 0)
    show_empty (self, "view-more-symbolic", _ ("Not Enough Data"),
                _ ("No rule had enough data for an answer. What each lacks stands below."));
  else
    show_empty (self, "list-remove-symbolic", _ ("Not Applicable"),
                _ ("No rule has anything to look at here. What each needs stands below."));
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

static void
clear_list (GtkListBox *list)
{
  for (GtkListBoxRow *row; (row = gtk_list_box_get_row_at_index (list, 0)) != NULL;)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

static LoomRunRules *
rules_of (LoomFindingsPanel *self)
{
  return loom_analysis_context_get_rules (self->analysis);
}

static void
row_dismissed (LoomFindingsPanel *self, const char *note, LoomFindingRow *row)
{
  loom_run_rules_dismiss (rules_of (self), loom_finding_row_get_finding (row)->result->name, note);
}

static void
row_restored (LoomFindingsPanel *self, LoomFindingRow *row)
{
  loom_run_rules_restore (rules_of (self), loom_finding_row_get_finding (row)->result->name);
}

static void
place_activated (LoomFindingsPanel *self, guint block, guint element, LoomFindingRow *row)
{
  const LoomFinding *finding = loom_finding_row_get_finding (row);
  g_autoptr (LoomNavigationTarget) target = loom_page_content_dup_place (finding->sheet, block, element);
  if (target != NULL)
    loom_run_navigation_show (self->run, target, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

static void
row_activated (LoomFindingsPanel *self, GtkListBoxRow *row)
{
  g_autoptr (LoomFindings) findings = loom_findings_ref (self->findings);
  loom_run_navigation_show_finding (self->run, loom_finding_row_get_finding (LOOM_FINDING_ROW (row)));
}

/* The range as text, as in "1.24 s from +12.4 s". */
static char *
when_of (LoomFindingsPanel *self, LoomRange range)
{
  LoomTimelineState *state = loom_analysis_context_get_state (self->analysis);
  if (range.end_ns <= range.begin_ns || loom_timeline_state_get_timeline (state) == NULL)
    return g_strdup ("");
  g_autofree char *duration = loom_time_format_duration (loom_time_sub (range.end_ns, range.begin_ns));
  g_autofree char *from =
    loom_ruler_format (loom_timeline_state_get_timeline (state), loom_timeline_state_get_steps (state),
                       loom_timeline_state_get_reading (state), range.begin_ns);
  return g_strdup_printf (_ ("%s from %s"), duration, from);
}

static void
add_row (LoomFindingsPanel *self, guint i)
{
  const LoomFinding *finding = loom_findings_get (self->findings, i);
  gboolean fired = finding->result->status == LOOM_RULE_FIRED;
  const char *note =
    fired ? g_hash_table_lookup (loom_run_rules_get_dismissed (rules_of (self)), finding->result->name) : NULL;
  g_autofree char *when = when_of (self, finding->range);
  GtkWidget *row = loom_finding_row_new (self->findings, i, when, note, self->scene);
  g_signal_connect_swapped (row, "dismissed", G_CALLBACK (row_dismissed), self);
  g_signal_connect_swapped (row, "restored", G_CALLBACK (row_restored), self);
  g_signal_connect_swapped (row, "place-activated", G_CALLBACK (place_activated), self);
  gtk_list_box_append (!fired ? self->others : note != NULL ? self->dismissed : self->found, row);
}

static guint
length_of (GtkListBox *list)
{
  guint n = 0;
  while (gtk_list_box_get_row_at_index (list, (int) n) != NULL)
    n++;
  return n;
}

/* --- ticks ----------------------------------------------------------------------------------------------------------- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

/* Shows a tick in the overview for each place of each finding; ticks within one pixel are drawn once, with a tooltip
 * that counts all of them. */
static void
show_ticks (LoomFindingsPanel *self)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; self->findings != NULL && i < loom_findings_get_n (self->findings); i++) {
    const LoomFinding *finding = loom_findings_get (self->findings, i);
    const GArray *marks = finding->result->marks;
    if (finding->result->status != LOOM_RULE_FIRED ||
        g_hash_table_contains (loom_run_rules_get_dismissed (rules_of (self)), finding->result->name))
      continue;
    for (guint k = 0; k < marks->len; k++)
      g_array_append_val (times, g_array_index (marks, LoomRuleOccurrence, k).begin_ns);
  }
  g_array_sort (times, compare_times);
  LoomTimelineState *state = loom_analysis_context_get_state (self->analysis);
  loom_timeline_annotations_set_times (loom_timeline_state_get_finding_marks (state),
                                       (const gint64 *) (gpointer) times->data, times->len);
  loom_timeline_state_finding_marks_changed (state);
}

/* --- all of it ------------------------------------------------------------------------------------------------------- */

static void
show_summary (LoomFindingsPanel *self)
{
  if (self->findings == NULL) {
    gtk_label_set_text (self->summary, "");
    return;
  }
  guint n = length_of (self->found);
  g_autofree char *when = when_of (self, loom_findings_get_range (self->findings));
  g_autofree char *count = g_strdup_printf (ngettext ("%u finding", "%u findings", n), n);
  g_autofree char *text = when[0] != '\0' ? g_strdup_printf ("%s · %s", count, when) : g_strdup (count);
  loom_bounded_text_set_label (self->summary, text);
}

/* An expander does not use its label as its accessible name by itself. */
static void
name_expander (GtkExpander *expander, const char *label)
{
  gtk_expander_set_label (expander, label);
  if (label != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
show_sections (LoomFindingsPanel *self)
{
  guint n_dismissed = length_of (self->dismissed), n_others = length_of (self->others);
  g_autofree char *dismissed = g_strdup_printf (ngettext ("%u dismissed", "%u dismissed", n_dismissed), n_dismissed);
  g_autofree char *others = NULL;
  if (self->findings != NULL)
    others = g_strdup_printf (_ ("Other rules: %u with nothing found, %u without enough data, %u not applicable"),
                              loom_findings_count (self->findings, LOOM_RULE_PASSED),
                              loom_findings_count (self->findings, LOOM_RULE_NOT_ENOUGH),
                              loom_findings_count (self->findings, LOOM_RULE_NOT_APPLICABLE));
  name_expander (self->dismissed_expander, dismissed);
  name_expander (self->others_expander, others);
  gtk_widget_set_visible (GTK_WIDGET (self->found), length_of (self->found) > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->dismissed_expander), n_dismissed > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->others_expander), n_others > 0);
}

/* Lists the rule files that cannot be read. */
static void
show_notes (LoomFindingsPanel *self)
{
  const GPtrArray *notes = self->findings != NULL ? loom_findings_get_notes (self->findings) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; notes != NULL && i < notes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (const char *) notes->pdata[i]);
  loom_bounded_text_set_label (self->notes_label, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->notes_label), text->len > 0);
}

static void
fill (LoomFindingsPanel *self)
{
  clear_list (self->found);
  clear_list (self->dismissed);
  clear_list (self->others);
  for (guint i = 0; self->findings != NULL && i < loom_findings_get_n (self->findings); i++)
    add_row (self, i);
  show_sections (self);
  show_notes (self);
  show_summary (self);
  show_ticks (self);
  if (self->findings != NULL && length_of (self->found) == 0)
    show_nothing_found (self);
  else
    show_empty (self, NULL, NULL, NULL);
}

/* --- evaluating ------------------------------------------------------------------------------------------------------ */

static void
stop (LoomFindingsPanel *self)
{
  loom_worker_cancel (&self->running);
}

static void
show_work (LoomFindingsPanel *self)
{
  gboolean works = self->running != NULL;
  gtk_spinner_set_spinning (self->spinner, works);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), works);
  if (works)
    gtk_label_set_text (self->summary, _ ("Working…"));
}

static void
found (gpointer owner, gpointer findings, const GError *error, gpointer question)
{
  LoomFindingsPanel *self = owner;
  if (findings == NULL)
    return; /* the findings are of a timeline that was closed */
  g_clear_pointer (&self->findings, loom_findings_unref);
  self->findings = findings;
  show_work (self);
  fill (self);
}

void
loom_findings_panel_evaluate (LoomFindingsPanel *self)
{
  g_return_if_fail (LOOM_IS_FINDINGS_PANEL (self));
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis));
  if (timeline == NULL)
    return;
  stop (self);
  self->timeline = timeline;
  gtk_widget_set_visible (self->evaluate, FALSE);
  loom_analysis_context_find (self->analysis, loom_run_rules_get_files (rules_of (self)), &self->running, found, self);
  show_work (self);
}

/* Evaluates the rules again, if they were evaluated before. */
static void
evaluate_again (LoomFindingsPanel *self)
{
  if (self->running != NULL || self->findings != NULL)
    loom_findings_panel_evaluate (self);
}

void
loom_findings_panel_add_rules (LoomFindingsPanel *self, const char *path)
{
  g_return_if_fail (LOOM_IS_FINDINGS_PANEL (self));
  g_autofree char *own = loom_rule_files_dup_folder (), *folder = g_path_get_dirname (path);
  if (g_str_equal (own, folder))
    evaluate_again (self);
  else
    loom_rules_button_add (self->rules, path);
}

static void
drop_findings (LoomFindingsPanel *self)
{
  stop (self);
  show_work (self);
  g_clear_pointer (&self->findings, loom_findings_unref);
  self->timeline = NULL;
  fill (self);
}

static guint64
count_spans (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  guint64 n = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    n += loom_trace_get_spans (loom_run_get_trace (run, i))->n;
  return n;
}

void
loom_findings_panel_loaded (LoomFindingsPanel *self)
{
  g_return_if_fail (LOOM_IS_FINDINGS_PANEL (self));
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis));
  if (timeline == NULL || timeline == self->timeline)
    return;
  if (count_spans (timeline) <= MAX_SPANS_UNASKED) {
    loom_findings_panel_evaluate (self);
    return;
  }
  gtk_widget_set_visible (self->evaluate, TRUE);
  show_empty (self, "edit-find-symbolic", _ ("Not Evaluated"),
              _ ("This run is large. “Evaluate Range” lets the rules look at the range that is chosen."));
}

/* A new range is evaluated only on request. A new timeline clears the findings, which do not apply to it. */
static void
range_changed (LoomFindingsPanel *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis));
  if (timeline != self->timeline)
    drop_findings (self);
  else
    gtk_widget_set_visible (self->evaluate, timeline != NULL);
}

static void
close_clicked (LoomFindingsPanel *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  LoomFindingsPanel *self = LOOM_FINDINGS_PANEL (object);
  stop (self);
  if (self->analysis != NULL) {
    g_signal_handlers_disconnect_by_data (rules_of (self), self);
    g_signal_handlers_disconnect_by_data (self->analysis, self);
  }
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->findings, loom_findings_unref);
  self->analysis = NULL;
  g_clear_object (&self->run);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_findings_panel_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, box);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, summary);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, spinner);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, evaluate);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, rules);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, close);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, scrolled);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_icon);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_title);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_words);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, notes_label);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, found);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, dismissed);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, others);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, dismissed_expander);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, others_expander);
}

static void
loom_findings_panel_class_init (LoomFindingsPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[CLOSE] =
    g_signal_new ("close", LOOM_TYPE_FINDINGS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (LOOM_TYPE_RULES_BUTTON);
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/traceloom/Traceloom/loom-findings-panel.ui");
  bind_children (GTK_WIDGET_CLASS (klass));
}

static void
loom_findings_panel_init (LoomFindingsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, 96);
  g_signal_connect_swapped (self->evaluate, "clicked", G_CALLBACK (loom_findings_panel_evaluate), self);
  g_signal_connect_swapped (self->close, "clicked", G_CALLBACK (close_clicked), self);
  g_signal_connect_swapped (self->found, "row-activated", G_CALLBACK (row_activated), self);
  g_signal_connect_swapped (self->dismissed, "row-activated", G_CALLBACK (row_activated), self);
}

GtkWidget *
loom_findings_panel_new (LoomRunState *run, LoomRenderContext *scene)
{
  LoomFindingsPanel *self = g_object_new (LOOM_TYPE_FINDINGS_PANEL, NULL);
  self->run = g_object_ref (run);
  self->analysis = loom_run_state_get_analysis (run);
  self->scene = g_object_ref (scene);
  g_signal_connect_swapped (self->analysis, "range-changed", G_CALLBACK (range_changed), self);
  g_signal_connect_swapped (rules_of (self), "notify::dismissed", G_CALLBACK (fill), self);
  g_signal_connect_swapped (rules_of (self), "notify::files", G_CALLBACK (evaluate_again), self);
  loom_rules_button_set_rules (self->rules, rules_of (self));
  return GTK_WIDGET (self);
}

gboolean
loom_findings_panel_is_working (LoomFindingsPanel *self)
{
  return self->running != NULL;
}

LoomFindings *
loom_findings_panel_get_findings (LoomFindingsPanel *self)
{
  return self->findings;
}

LoomFindingRow *
loom_findings_panel_find_row (LoomFindingsPanel *self, const char *rule)
{
  GtkListBox *const lists[] = { self->found, self->dismissed, self->others };
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < length_of (lists[k]); i++) {
      LoomFindingRow *row = LOOM_FINDING_ROW (gtk_list_box_get_row_at_index (lists[k], (int) i));
      if (g_str_equal (loom_finding_row_get_finding (row)->result->name, rule))
        return row;
    }
  return NULL;
}

const char *
loom_findings_panel_get_notes (LoomFindingsPanel *self)
{
  return gtk_label_get_text (self->notes_label);
}

const char *
loom_findings_panel_get_empty (LoomFindingsPanel *self)
{
  return gtk_label_get_text (self->empty_title);
}
