/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-findings-panel.h"

#include "loom-bounded-text.h"
#include "loom-finding-row.h"
#include "loom-idle-queue.h"
#include "loom-page-index.h"
#include "loom-rules-button.h"
#include "loom-sentence.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

struct _LoomFindingsPanel {
  GtkBox parent;
  GtkLabel *summary;
  GtkSpinner *spinner;
  GtkWidget *evaluate, *lists;
  LoomRulesButton *rules;
  GtkWidget *empty;
  GtkImage *empty_icon;
  GtkLabel *empty_title, *empty_words, *notes_label;
  GtkButton *empty_page;
  GtkListBox *found, *dismissed, *others;
  GtkExpander *dismissed_expander, *others_expander;
  LoomRunState *run;
  LoomFindingsState *state; /* state of the run's findings; borrowed from the run */
  LoomRenderContext *scene;
  LoomIdleQueue turns; /* adds the rows of `others` in idle callbacks */
  /* number of findings that advance() has processed; advance() adds rows only for rules that found nothing */
  guint n_filled;
};

G_DEFINE_FINAL_TYPE (LoomFindingsPanel, loom_findings_panel, GTK_TYPE_BOX)

/* --- lists of findings -------------------------------------------------------------------------------------------- */

static void
clear_list (GtkListBox *list)
{
  for (GtkListBoxRow *row; (row = gtk_list_box_get_row_at_index (list, 0)) != NULL;)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

static void
row_activated (LoomFindingsPanel *self, GtkListBoxRow *row)
{
  loom_finding_row_show (LOOM_FINDING_ROW (row));
}

static void
add_row (LoomFindingsPanel *self, guint i)
{
  LoomFindings *findings = loom_findings_state_get_findings (self->state);
  const LoomFinding *finding = &findings->all[i];
  gboolean is_dismissed = loom_findings_state_get_note (self->state, finding) != NULL;
  gtk_list_box_append (finding->result->status != LOOM_RULE_FIRED ? self->others
                       : is_dismissed                             ? self->dismissed
                                                                  : self->found,
                       loom_finding_row_new (self->run, findings, i, self->scene));
}

static gboolean
is_fired (LoomFindings *findings, guint i)
{
  return findings->all[i].result->status == LOOM_RULE_FIRED;
}

/* Adds the row of the next rule that found nothing. Returns FALSE if all such rows are added. */
static gboolean
advance (gpointer user_data)
{
  LoomFindingsPanel *self = user_data;
  LoomFindings *findings = loom_findings_state_get_findings (self->state);
  while (findings != NULL && self->n_filled < findings->n && is_fired (findings, self->n_filled))
    self->n_filled++;
  if (findings == NULL || self->n_filled >= findings->n)
    return FALSE;
  add_row (self, self->n_filled++);
  return TRUE;
}

/* Fills the lists. The rows of rules that found nothing are added in later iterations of the main loop, because adding
 * all rows at once would take too long while the range of the analysis changes continuously. */
static void
fill_lists (LoomFindingsPanel *self, LoomFindings *findings)
{
  clear_list (self->found);
  clear_list (self->dismissed);
  clear_list (self->others);
  for (guint i = 0; findings != NULL && i < findings->n; i++)
    if (is_fired (findings, i))
      add_row (self, i);
  self->n_filled = 0;
  loom_idle_queue_begin (&self->turns);
}

/* --- placeholder, summary and titles of the sections -------------------------------------------------------------- */

/* Shows a button that opens `page`; if `page` is NULL, hides the button. */
static void
offer_page (LoomFindingsPanel *self, const LoomPageIndex *page)
{
  gtk_widget_set_visible (GTK_WIDGET (self->empty_page), page != NULL);
  if (page == NULL)
    return;
  gtk_button_set_label (self->empty_page, _ (page->title));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->empty_page), "s", page->name);
}

static void
show_answer (LoomFindingsPanel *self)
{
  LoomFindingsAnswer answer = { .title = "", .explanation = "" };
  gtk_widget_set_visible (self->empty, loom_findings_state_get_answer (self->state, &answer));
  const LoomRuleResult *result = answer.result;
  g_autofree char *line = result != NULL ? loom_findings_state_dup_rule_line (result) : g_strdup (answer.explanation),
                  *words = loom_sentence_dup (line);
  gtk_widget_set_visible (GTK_WIDGET (self->empty_icon), answer.icon != NULL);
  gtk_image_set_from_icon_name (self->empty_icon, answer.icon);
  loom_bounded_text_set_label (self->empty_title, answer.title);
  loom_bounded_text_set_label (self->empty_words, words);
  offer_page (self, result != NULL ? loom_page_index_find_of_result (result) : loom_page_index_find (answer.page));
}

static void
show_summary (LoomFindingsPanel *self, LoomFindings *findings)
{
  guint n = loom_findings_state_count_shown (self->state);
  if (findings == NULL) {
    gtk_label_set_text (self->summary, "");
    return;
  }
  gboolean is_part = loom_timeline_description_is_part (loom_run_state_get_view (self->run), findings->range);
  g_autofree char *text =
    g_strdup_printf (is_part ? ngettext ("%u finding in this range", "%u findings in this range", n)
                             : ngettext ("%u finding in the whole run", "%u findings in the whole run", n),
                     n);
  loom_bounded_text_set_label (self->summary, text);
}

/* Dims the findings if the range of the analysis has changed and the rules have not been evaluated for the new range.
 * If the rules are not evaluated automatically, shows a button that evaluates them for the new range. */
static void
show_currency (LoomFindingsPanel *self)
{
  gboolean is_outdated, is_slow = gtk_widget_get_visible (GTK_WIDGET (self->spinner));
  g_object_get (self->state, "outdated", &is_outdated, NULL);
  if (is_outdated && (is_slow || loom_findings_state_needs_request (self->state)))
    gtk_widget_add_css_class (self->lists, "old");
  else
    gtk_widget_remove_css_class (self->lists, "old");
  gtk_widget_set_visible (self->evaluate, loom_findings_state_needs_request (self->state));
  if (!is_slow)
    show_summary (self, loom_findings_state_get_findings (self->state));
}

/* Shows or hides a section. Also sets the label as accessible name, because GtkExpander does not do this. */
static void
show_section (GtkExpander *expander, const char *label, gboolean visible)
{
  gtk_expander_set_label (expander, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_set_visible (GTK_WIDGET (expander), visible);
}

static void
show_sections (LoomFindingsPanel *self, LoomFindings *findings)
{
  guint n_found = loom_findings_state_count_shown (self->state), n_dismissed = 0, n[LOOM_N_RULE_STATUS] = { 0 };
  for (guint i = 0; findings != NULL && i < LOOM_N_RULE_STATUS; i++)
    n[i] = loom_findings_count (findings, i);
  n_dismissed = n[LOOM_RULE_FIRED] - n_found;
  g_autofree char *dismissed = g_strdup_printf (ngettext ("%u dismissed", "%u dismissed", n_dismissed), n_dismissed);
  g_autofree char *others =
    g_strdup_printf (_ ("Other rules: %u without findings, %u without enough data, %u not applicable"),
                     n[LOOM_RULE_PASSED], n[LOOM_RULE_NOT_ENOUGH], n[LOOM_RULE_NOT_APPLICABLE]);
  gtk_widget_set_visible (GTK_WIDGET (self->found), n_found > 0);
  show_section (self->dismissed_expander, dismissed, n_dismissed > 0);
  show_section (self->others_expander, others,
                n[LOOM_RULE_PASSED] + n[LOOM_RULE_NOT_ENOUGH] + n[LOOM_RULE_NOT_APPLICABLE] > 0);
}

/* Shows the messages about rule files that cannot be read. */
static void
show_notes (LoomFindingsPanel *self, LoomFindings *findings)
{
  const GPtrArray *notes = findings != NULL ? findings->notes : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; notes != NULL && i < notes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (const char *) notes->pdata[i]);
  loom_bounded_text_set_label (self->notes_label, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->notes_label), text->len > 0);
}

static void
fill (LoomFindingsPanel *self)
{
  LoomFindings *findings = loom_findings_state_get_findings (self->state);
  fill_lists (self, findings);
  show_sections (self, findings);
  show_notes (self, findings);
  show_currency (self);
  show_answer (self);
}

static void
show_work (LoomFindingsPanel *self)
{
  gboolean works = loom_findings_state_is_working (self->state);
  gtk_spinner_set_spinning (self->spinner, works);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), works);
  show_currency (self);
  if (works)
    gtk_label_set_text (self->summary, _ ("Working…"));
}

static void
mapped (LoomFindingsPanel *self)
{
  loom_findings_state_add_view (self->state);
}

static void
unmapped (LoomFindingsPanel *self)
{
  loom_findings_state_remove_view (self->state);
}

static void
evaluate_clicked (LoomFindingsPanel *self)
{
  loom_findings_state_evaluate (self->state);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomFindingsPanel *self = LOOM_FINDINGS_PANEL (object);
  loom_idle_queue_stop (&self->turns);
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->run);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_findings_panel_parent_class)->dispose (object);
}

static void
loom_findings_panel_class_init (LoomFindingsPanelClass *class)
{
  GtkWidgetClass *klass = GTK_WIDGET_CLASS (class);
  G_OBJECT_CLASS (class)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_RULES_BUTTON);
  gtk_widget_class_set_template_from_resource (klass, "/io/github/traceloom/Traceloom/loom-findings-panel.ui");
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, summary);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, spinner);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, evaluate);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, lists);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, rules);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_icon);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_title);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_words);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, empty_page);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, notes_label);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, found);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, dismissed);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, others);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, dismissed_expander);
  gtk_widget_class_bind_template_child (klass, LoomFindingsPanel, others_expander);
  gtk_widget_class_bind_template_callback (klass, mapped);
  gtk_widget_class_bind_template_callback (klass, unmapped);
  gtk_widget_class_bind_template_callback (klass, evaluate_clicked);
  gtk_widget_class_bind_template_callback (klass, row_activated);
}

static void
loom_findings_panel_init (LoomFindingsPanel *self)
{
  loom_idle_queue_init (&self->turns, advance, self);
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_findings_panel_new (LoomRunState *run, LoomRenderContext *scene)
{
  LoomFindingsPanel *self = g_object_new (LOOM_TYPE_FINDINGS_PANEL, NULL);
  self->run = g_object_ref (run);
  self->state = loom_run_state_get_findings (run);
  self->scene = g_object_ref (scene);
  g_signal_connect_swapped (self->state, "notify::findings", G_CALLBACK (fill), self);
  g_signal_connect_swapped (self->state, "notify::working", G_CALLBACK (show_work), self);
  g_signal_connect_swapped (self->state, "notify::outdated", G_CALLBACK (show_currency), self);
  loom_rules_button_set_rules (self->rules, loom_run_state_get_rules (run));
  fill (self);
  show_work (self);
  return GTK_WIDGET (self);
}
