/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-finding-row.h"

#include "loom-bounded-text.h"
#include "loom-page-index.h"
#include "loom-rule-limits-dialog.h"
#include "loom-run-navigation.h"
#include "loom-sentence.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

struct _LoomFindingRow {
  GtkListBoxRow parent;
  LoomRunState *run;
  LoomFindings *findings;
  const LoomFinding *finding;
  LoomRenderContext *scene;
  GtkImage *icon;
  GtkLabel *sentence, *facts, *dismissed;
  GtkLevelBar *lost; /* shows the lost time as a share of the time of the range */
  GtkExpander *explain;
  GtkWidget *show, *page, *restore;
  /* `more`: the button that opens the popover. `limits`, `dismiss`: widgets in the popover. */
  GtkWidget *more, *limits, *dismiss;
  GtkPopover *popover;
  GtkEditable *note;
  gboolean is_plain; /* TRUE if the row is a preview of a rule in the rule editor */
};

G_DEFINE_FINAL_TYPE (LoomFindingRow, loom_finding_row, GTK_TYPE_LIST_BOX_ROW)

enum { SHOWS, EXPLAINED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- texts and icon ----------------------------------------------------------------------------------------------- */

static const char *
icon_of (const LoomFinding *finding)
{
  static const char *const of_status[] = {
    [LOOM_RULE_PASSED] = "emblem-ok-symbolic",
    [LOOM_RULE_NOT_ENOUGH] = "view-more-symbolic",
    [LOOM_RULE_NOT_APPLICABLE] = "list-remove-symbolic",
  };
  static const char *const of_severity[] = {
    [LOOM_RULE_INFO] = "dialog-information-symbolic",
    [LOOM_RULE_WARNING] = "dialog-warning-symbolic",
    [LOOM_RULE_SEVERE] = "dialog-error-symbolic",
  };
  return finding->result->status == LOOM_RULE_FIRED ? of_severity[finding->severity]
                                                    : of_status[finding->result->status];
}

static const char *
class_of (const LoomFinding *finding)
{
  static const char *const classes[] = { "accent", "warning", "error" };
  return finding->result->status == LOOM_RULE_FIRED ? classes[finding->severity] : "dim-label";
}

static void
add_part (GString *text, const char *part)
{
  if (part == NULL || part[0] == '\0')
    return;
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part);
}

/* Returns TRUE if the rule could be evaluated. If it could not, its sentence says which data are missing. */
static gboolean
is_evaluated (const LoomRuleResult *result)
{
  return result->status == LOOM_RULE_FIRED || result->status == LOOM_RULE_PASSED;
}

/* Returns the lost time as a text. If it is known how much time the job would save without the problem, the text states
 * this saving. If not, the text begins with the mean time that one rank, device or node loses. Such means can be
 * compared between findings; sums over different numbers of ranks cannot. Owned by the caller. */
static char *
dup_lost (LoomRunState *run, LoomFindings *findings, const LoomFinding *finding)
{
  const LoomRuleResult *result = finding->result;
  if (result->lost_ns <= 0)
    return g_strdup (_ ("lost time unknown"));
  gboolean is_saving_known = loom_findings_is_saving_known (finding);
  g_autofree char *mean = loom_time_format_duration (
                    is_saving_known ? result->saved_ns
                                    : loom_rule_weights_get_own_ns (result, finding->explained_ns, TRUE)),
                  *sum =
                    loom_time_format_duration (loom_rule_weights_get_own_ns (result, finding->explained_ns, FALSE)),
                  *over = is_saving_known ? NULL : loom_rule_result_dup_over (result),
                  *percent = loom_chart_format (100 * loom_findings_get_lost_share (findings, finding), "%");
  gboolean is_part = loom_timeline_description_is_part (loom_run_state_get_view (run), findings->range);
  g_autofree char *share = g_strdup_printf (/* Translators: %s is a percentage of time */
                                            is_part ? _ ("%s of this range") : _ ("%s of the run"), percent);
  if (over != NULL && finding->explained_ns > 0)
    /* Translators: the first %s is a duration, the second “15.1 % of the run”, the third a duration, and the fourth
     * a text such as “summed over 2 devices”. The durations don't include time that other findings explain. */
    return g_strdup_printf (_ ("≈ %s lost on average, %s, besides what other findings explain (%s %s)"), mean, share,
                            sum, over);
  if (over == NULL)
    /* Translators: the first %s is a duration, the second “15.1 % of the run” */
    return g_strdup_printf (_ ("≈ %s lost, %s"), mean, share);
  /* Translators: the first %s is a duration, the second “15.1 % of the run”, the third a duration, and the fourth a
   * text such as “summed over 2 devices” */
  return g_strdup_printf (_ ("≈ %s lost on average, %s (%s %s)"), mean, share, sum, over);
}

/* Returns a text with the part of the lost time in which ranks wait for other ranks. The user can compare this part
 * with the waits that pages state. Returns NULL if the part is unknown, if other findings explain a part of the lost
 * time, or if dup_lost() states a saving instead of the lost time. Owned by the caller. */
static char *
dup_waits (const LoomFinding *finding)
{
  gint64 waits_ns = finding->result->waits_ns;
  g_autofree char *waits = loom_time_format_duration (waits_ns);
  if (waits_ns <= 0 || finding->explained_ns > 0 || loom_findings_is_saving_known (finding))
    return NULL;
  return g_strdup_printf (/* Translators: %s is a duration; “it” is the lost time, which the text before states */
                          _ ("%s of it waiting for other ranks"), waits);
}

/* Returns facts about the finding in one line, for example "Warning · ≈ 1.6 s lost on average, 15 % of the run (3.2 s
 * summed over 2 devices) · algo-1 gpu0 · 12 s starting at 3 s". `when`: text about the time of the finding. */
static char *
facts_of (LoomRunState *run, LoomFindings *findings, const LoomFinding *finding, const char *when)
{
  GString *text = g_string_new (NULL);
  gboolean fired = finding->result->status == LOOM_RULE_FIRED;
  g_autofree char *about = dup_lost (run, findings, finding), *waits = dup_waits (finding);
  /* Add these facts only for a finding. They are omitted for a rule that found nothing: the text of its row begins with
   * the name of the rule, and its icon shows the status. */
  add_part (text, fired ? loom_findings_severity_word (finding->severity) : NULL);
  add_part (text, fired ? about : NULL);
  add_part (text, fired ? waits : NULL);
  add_part (text, fired ? finding->where : NULL);
  add_part (text, fired ? when : NULL);
  add_part (text, finding->reported);
  return g_string_free (text, FALSE);
}

static void
set_text (GtkLabel *label, const char *text)
{
  g_autofree char *bound = loom_sentence_dup_bound (text);
  loom_bounded_text_set_label (label, bound);
}

static gboolean
has_fired (const LoomFinding *finding)
{
  return finding->result->status == LOOM_RULE_FIRED;
}

/* Returns the text of the row. For a finding, this is its headline; if it has no headline, its sentence with a capital
 * letter and a full stop. For a rule that found nothing, it is the name and the sentence of the rule. Owned by the
 * caller. */
static char *
text_of (const LoomFinding *finding)
{
  const LoomRuleResult *result = finding->result;
  if (!has_fired (finding))
    return loom_findings_state_dup_rule_line (result);
  return loom_findings_answer_dup_headline (result);
}

/* --- showing on the timeline -------------------------------------------------------------------------------------- */

void
loom_finding_row_show (LoomFindingRow *self)
{
  g_return_if_fail (LOOM_IS_FINDING_ROW (self));
  /* a handler of "shows" may replace the list of findings, so hold a reference */
  g_autoptr (LoomFindings) owned = loom_findings_ref (self->findings);
  g_signal_emit (self, signals[SHOWS], 0);
  loom_run_navigation_show_finding (self->run, self->finding);
}

static void
place_activated (LoomFindingRow *self, guint block, guint element)
{
  g_autoptr (LoomNavigationTarget) target = loom_page_content_dup_place (self->finding->sheet, block, element);
  if (target == NULL)
    return;
  g_signal_emit (self, signals[SHOWS], 0);
  loom_run_navigation_show (self->run, target, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

/* --- explained ---------------------------------------------------------------------------------------------------- */

/* Makes a button that plans a profile: in the next run, the range of the finding is recorded in detail. */
static GtkWidget *
new_profile (LoomFindingRow *self)
{
  LoomRange range = self->finding->range;
  GtkWidget *button = gtk_button_new_with_label (_ ("Profile This Range in Next Run…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.profile-range");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(xx)", range.begin_ns, range.end_ns);
  gtk_widget_set_tooltip_text (button, _ ("Creates a configuration that profiles this range in the next run"));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_set_margin_bottom (button, 6);
  return button;
}

/* Adds the complete sentence of a finding, because the row shows only the headline. */
static void
add_sentence (LoomFindingRow *self, GtkBox *box)
{
  const LoomRuleResult *result = self->finding->result;
  if (!has_fired (self->finding) || result->headline == NULL)
    return;
  g_autofree char *capital = loom_sentence_dup_capital (result->sentence);
  g_autofree char *sentence = loom_sentence_dup (capital);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  set_text (GTK_LABEL (label), sentence);
  gtk_box_append (box, label);
}

static void
expanded (LoomFindingRow *self)
{
  g_signal_emit (self, signals[EXPLAINED], 0, gtk_expander_get_expanded (self->explain));
  if (!gtk_expander_get_expanded (self->explain) || gtk_expander_get_child (self->explain) != NULL)
    return;
  GtkWidget *view = loom_page_view_new (self->scene);
  loom_page_view_set_grows (LOOM_PAGE_VIEW (view), TRUE);
  loom_page_view_set_has_links (LOOM_PAGE_VIEW (view), !self->is_plain);
  loom_page_view_set_content (LOOM_PAGE_VIEW (view), self->finding->sheet);
  g_signal_connect_swapped (view, "place-activated", G_CALLBACK (place_activated), self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  add_sentence (self, GTK_BOX (box));
  gtk_box_append (GTK_BOX (box), view);
  if (!self->is_plain && self->finding->range.end_ns > self->finding->range.begin_ns)
    gtk_box_append (GTK_BOX (box), new_profile (self));
  gtk_expander_set_child (self->explain, box);
}

/* --- dismissed ---------------------------------------------------------------------------------------------------- */

static void
dismiss_clicked (LoomFindingRow *self)
{
  g_autofree char *note = g_strdup (gtk_editable_get_text (self->note));
  gtk_popover_popdown (self->popover);
  loom_run_rules_dismiss (loom_run_state_get_rules (self->run), self->finding->result->name, g_strstrip (note));
}

static void
restore_clicked (LoomFindingRow *self)
{
  loom_run_rules_restore (loom_run_state_get_rules (self->run), self->finding->result->name);
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static void
limits_clicked (LoomFindingRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  gtk_popover_popdown (self->popover);
  gtk_window_present (loom_rule_limits_dialog_new (GTK_WINDOW (root), self->run, self->finding->result));
}

static gboolean
has_limits (const LoomRuleResult *result)
{
  for (guint i = 0; i < result->n_limits; i++)
    if (result->limits[i].label != NULL)
      return result->status != LOOM_RULE_NOT_APPLICABLE;
  return FALSE;
}

/* --- highlighting the finding on the timeline when the row is hovered --------------------------------------------- */

static LoomHoveredPlace *
hovered_of (LoomFindingRow *self)
{
  return loom_timeline_state_get_hovered_place (loom_run_state_get_view (self->run));
}

/* Called when the pointer or the keyboard focus enters the row. Highlights the range of the finding on the timeline. If
 * the finding has only one span, highlights this span, too. */
static void
set_hovered (LoomFindingRow *self)
{
  const GArray *marks = self->finding->result->marks;
  LoomSpanId span = marks->len == 1 ? g_array_index (marks, LoomRuleOccurrence, 0).span : LOOM_SPAN_ID_NONE;
  const LoomNavigationTarget target = { .range = self->finding->range,
                                        .spans = &span,
                                        .n_spans = loom_timeline_span_id_is_none (span) ? 0 : 1 };
  if (self->finding->result->status == LOOM_RULE_FIRED)
    loom_hovered_place_set (hovered_of (self), &target, self);
}

static void
clear_hovered (LoomFindingRow *self)
{
  loom_hovered_place_clear (hovered_of (self), self);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomFindingRow *self = LOOM_FINDING_ROW (object);
  if (self->run != NULL)
    clear_hovered (self);
  g_clear_pointer (&self->findings, loom_findings_unref);
  g_clear_object (&self->run);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_finding_row_parent_class)->dispose (object);
}

static void
loom_finding_row_class_init (LoomFindingRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-finding-row.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, icon);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, sentence);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, facts);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, dismissed);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, lost);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, show);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, page);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, explain);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, more);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, dismiss);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, restore);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, limits);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, popover);
  gtk_widget_class_bind_template_child (widget_class, LoomFindingRow, note);
  gtk_widget_class_bind_template_callback (widget_class, loom_finding_row_show);
  gtk_widget_class_bind_template_callback (widget_class, set_hovered);
  gtk_widget_class_bind_template_callback (widget_class, clear_hovered);
  gtk_widget_class_bind_template_callback (widget_class, expanded);
  gtk_widget_class_bind_template_callback (widget_class, dismiss_clicked);
  gtk_widget_class_bind_template_callback (widget_class, limits_clicked);
  gtk_widget_class_bind_template_callback (widget_class, restore_clicked);
  signals[SHOWS] =
    g_signal_new ("shows", LOOM_TYPE_FINDING_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[EXPLAINED] = g_signal_new ("explained", LOOM_TYPE_FINDING_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
loom_finding_row_init (LoomFindingRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the button inside the menu button gets the keyboard focus, so it needs the accessible name */
  GtkWidget *inner = gtk_widget_get_first_child (self->more);
  gtk_widget_set_tooltip_text (inner, _ ("Show the limits of the rule, or dismiss the finding"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (inner), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Show the limits of the rule, or dismiss the finding"), -1);
}

static void
show_words (LoomFindingRow *self, const char *when, const char *note)
{
  g_autofree char *text = text_of (self->finding), *facts = facts_of (self->run, self->findings, self->finding, when);
  set_text (self->sentence, text);
  set_text (self->facts, facts);
  gtk_widget_set_visible (GTK_WIDGET (self->facts), facts[0] != '\0');
  if (note != NULL && note[0] != '\0') {
    g_autofree char *said = g_strdup_printf (
      /* Translators: %s is the note that the user wrote */
      _ ("Dismissed: %s"), note);
    set_text (self->dismissed, said);
    gtk_widget_show (GTK_WIDGET (self->dismissed));
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, facts, -1);
}

/* Reduces the row of a rule that found nothing to one line. If the rule has an explanation, the line is an expander,
 * and the text of the row becomes its title. */
static void
make_flat (LoomFindingRow *self)
{
  GtkWidget *sentence = GTK_WIDGET (self->sentence);
  gtk_widget_add_css_class (GTK_WIDGET (self), "compact");
  gtk_widget_remove_css_class (sentence, "heading");
  if (!gtk_widget_get_visible (GTK_WIDGET (self->explain)))
    return;
  g_object_ref (sentence);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (sentence)), sentence);
  gtk_expander_set_label_widget (self->explain, sentence);
  g_object_unref (sentence);
}

static void
show_lost (LoomFindingRow *self)
{
  gboolean fired = self->finding->result->status == LOOM_RULE_FIRED;
  gtk_widget_set_visible (GTK_WIDGET (self->lost), fired && self->finding->result->lost_ns > 0);
  gtk_widget_set_visible (self->show, fired);
  gtk_widget_add_css_class (GTK_WIDGET (self->lost), class_of (self->finding));
  gtk_level_bar_set_value (self->lost, CLAMP (loom_findings_get_lost_share (self->findings, self->finding), 0, 1));
}

/* Shows a button that opens the page about the finding, if the run has data for this page. */
static void
offer_page (LoomFindingRow *self)
{
  const LoomPageIndex *page = loom_page_index_find_of_result (self->finding->result);
  if (page == NULL || !has_fired (self->finding) || !loom_run_state_has_page (self->run, page->name))
    return;
  /* in texts from right to left, GTK mirrors the › */
  g_autofree char *label = g_strdup_printf ("%s ›", _ (page->title));
  gtk_button_set_label (GTK_BUTTON (self->page), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->page), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (page->title), -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->page), "s", page->name);
  gtk_widget_show (self->page);
}

static LoomFindingRow *
new_row (LoomRunState *run, LoomFindings *findings, guint finding, LoomRenderContext *scene)
{
  LoomFindingRow *self = g_object_new (LOOM_TYPE_FINDING_ROW, NULL);
  self->run = g_object_ref (run);
  self->findings = loom_findings_ref (findings);
  self->finding = &findings->all[finding];
  self->scene = g_object_ref (scene);
  gtk_image_set_from_icon_name (self->icon, icon_of (self->finding));
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), class_of (self->finding));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), self->finding->result->status == LOOM_RULE_FIRED);
  show_lost (self);
  gtk_widget_set_visible (GTK_WIDGET (self->explain), is_evaluated (self->finding->result));
  if (!has_fired (self->finding))
    make_flat (self);
  return self;
}

/* Returns when the finding occurs: "34.2 ms starting at 0 s", or "in all 5 steps, worst: 34.2 ms starting at 0 s".
 * Owned by the caller. */
static char *
dup_when (LoomRunState *run, const LoomFinding *finding)
{
  g_autofree char *when = loom_timeline_description_when (loom_run_state_get_view (run), finding->range);
  const LoomRuleResult *result = finding->result;
  if (result->n_held < 2 || when[0] == '\0')
    return g_steal_pointer (&when);
  if (result->n_held == result->n_steps)
    return g_strdup_printf (/* Translators: %u is a number of steps; %s is "34.2 ms starting at 0 s" */
                            _ ("in all %u steps, worst: %s"), result->n_steps, when);
  return g_strdup_printf (
    /* Translators: the first %u is the number of steps in which the problem occurs, the second the number of all steps;
     * %s is a duration and its start, "34.2 ms starting at 0 s" */
    _ ("in %u of %u steps, worst: %s"), result->n_held, result->n_steps, when);
}

GtkWidget *
loom_finding_row_new (LoomRunState *run, LoomFindings *findings, guint finding, LoomRenderContext *scene)
{
  LoomFindingRow *self = new_row (run, findings, finding, scene);
  const char *note = loom_findings_state_get_note (loom_run_state_get_findings (run), self->finding);
  g_autofree char *when = dup_when (run, self->finding);
  show_words (self, when, note);
  gtk_widget_set_visible (note == NULL ? self->dismiss : self->restore,
                          self->finding->result->status == LOOM_RULE_FIRED);
  gtk_widget_set_visible (self->limits, has_limits (self->finding->result));
  offer_page (self);
  gtk_widget_set_visible (self->more, gtk_widget_get_visible (self->limits) || gtk_widget_get_visible (self->dismiss));
  return GTK_WIDGET (self);
}

GtkWidget *
loom_finding_row_new_plain (LoomRunState *run, LoomFindings *findings, guint finding, const char *often,
                            LoomRenderContext *scene)
{
  LoomFindingRow *self = new_row (run, findings, finding, scene);
  self->is_plain = TRUE;
  show_words (self, often, NULL);
  return GTK_WIDGET (self);
}

const LoomFinding *
loom_finding_row_get_finding (LoomFindingRow *self)
{
  return self->finding;
}

void
loom_finding_row_set_explained (LoomFindingRow *self, gboolean explained)
{
  gtk_expander_set_expanded (self->explain, explained);
}
