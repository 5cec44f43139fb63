/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-preview.h"

#include "loom-bounded-text.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

#define PAUSE_MS 400 /* time in ms without a change of the range after which the rules are evaluated */

struct _LoomRulePreview {
  GtkBox parent;
  GtkLabel *summary, *words;
  GtkSpinner *spinner;
  GtkListBox *list;
  LoomRunState *run;
  LoomAnalysisContext *analysis; /* the analysis context of the run; borrowed from the run */
  LoomRenderContext *scene;
  GPtrArray *rules;       /* LoomCustomRule; NULL if there are no rules or their text has errors */
  LoomFindings *findings; /* results of the rules; NULL if the rules were not evaluated yet */
  /* timeline for which `findings` were computed; not a reference: only the address is compared */
  LoomTimeline *timeline;
  GHashTable *explained; /* set of the names of the rules whose explanation the user has expanded */
  GCancellable *running; /* cancels the worker thread that evaluates the rules; NULL if no evaluation is running */
  guint pause;           /* id of the timeout source that will start the evaluation; 0 if no evaluation is scheduled */
};

G_DEFINE_FINAL_TYPE (LoomRulePreview, loom_rule_preview, GTK_TYPE_BOX)

enum { SHOWS, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- places ------------------------------------------------------------------------------------------------------- */

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const LoomRange *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void
join (GArray *places)
{
  guint n = 0;
  for (guint i = 0; i < places->len; i++) {
    LoomRange next = g_array_index (places, LoomRange, i),
              *last = n > 0 ? &g_array_index (places, LoomRange, n - 1) : NULL;
    if (last != NULL && next.begin_ns <= last->end_ns)
      last->end_ns = MAX (last->end_ns, next.end_ns);
    else
      g_array_index (places, LoomRange, n++) = next;
  }
  g_array_set_size (places, n);
}

static guint
count_places (LoomRulePreview *self)
{
  guint n = 0;
  for (guint i = 0; i < self->findings->n; i++) {
    const LoomRuleResult *result = self->findings->all[i].result;
    n += result->status == LOOM_RULE_FIRED ? result->marks->len : 0;
  }
  return n;
}

/* Returns the ranges (LoomRange) in which the rules have findings, ascending and without overlap. */
static GArray *
find_places (LoomRulePreview *self)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint i = 0; self->findings != NULL && i < self->findings->n; i++) {
    const LoomRuleResult *result = self->findings->all[i].result;
    for (guint k = 0; result->status == LOOM_RULE_FIRED && k < result->marks->len; k++) {
      const LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, k);
      LoomRange range = { mark->begin_ns, MAX (mark->end_ns, mark->begin_ns + 1) };
      g_array_append_val (places, range);
    }
  }
  g_array_sort (places, compare_ranges);
  join (places);
  return places;
}

/* Marks the ranges in which the rules have findings on the timeline of the run. */
static void
mark_places (LoomRulePreview *self)
{
  LoomTimelineState *state = loom_run_state_get_view (self->run);
  g_autoptr (GArray) places = find_places (self);
  if (loom_timeline_annotations_set_stretches (loom_timeline_state_get_finding_marks (state),
                                               (const LoomRange *) (gpointer) places->data, places->len))
    loom_timeline_state_finding_marks_changed (state);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void
row_activated (LoomRulePreview *self, GtkListBoxRow *row)
{
  loom_finding_row_show (LOOM_FINDING_ROW (row));
}

static void
shows (LoomRulePreview *self)
{
  g_signal_emit (self, signals[SHOWS], 0);
}

/* Returns a text that says how many time windows are beyond the limit of the rule, for example "3 of 40 windows are
 * beyond the limit". */
static char *
how_often (const LoomRuleResult *result)
{
  if (result->n_datapoints == 0)
    return g_strdup ("");
  return g_strdup_printf (
    ngettext ("%u of %u window over the limit", "%u of %u windows over the limit", (gulong) result->n_datapoints),
    (guint) result->n_violations, (guint) result->n_datapoints);
}

static void
explained (LoomRulePreview *self, gboolean shown, LoomFindingRow *row)
{
  const char *name = loom_finding_row_get_finding (row)->result->name;
  if (shown)
    g_hash_table_add (self->explained, g_strdup (name));
  else
    g_hash_table_remove (self->explained, name);
}

static void
add_row (LoomRulePreview *self, guint i)
{
  const LoomRuleResult *result = self->findings->all[i].result;
  g_autofree char *often = how_often (result);
  GtkWidget *row = loom_finding_row_new_plain (self->run, self->findings, i, often, self->scene);
  g_signal_connect_swapped (row, "shows", G_CALLBACK (shows), self);
  gtk_list_box_append (self->list, row);
  if (self->findings->n == 1 || g_hash_table_contains (self->explained, result->name))
    loom_finding_row_set_explained (LOOM_FINDING_ROW (row), TRUE);
  g_signal_connect_swapped (row, "explained", G_CALLBACK (explained), self);
}

static void
clear_list (GtkListBox *list)
{
  for (GtkListBoxRow *row; (row = gtk_list_box_get_row_at_index (list, 0)) != NULL;)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

static const char *
excuse_of (LoomRulePreview *self)
{
  if (loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis)) == NULL)
    return _ ("Open a run to see where these rules would fire in it.");
  if (self->findings == NULL)
    return "";
  return self->findings->n == 0 ? _ ("Nothing to evaluate: no rules, or an empty range.") : "";
}

static void
show_summary (LoomRulePreview *self)
{
  guint n = self->findings != NULL ? self->findings->n : 0;
  const char *excuse = excuse_of (self);
  g_autofree char *text = g_strdup ("");
  if (n > 0) {
    guint n_fired = loom_findings_count (self->findings, LOOM_RULE_FIRED), n_places = count_places (self);
    g_autofree char *fired = g_strdup_printf (ngettext ("%u of %u rule fires", "%u of %u rules fire", n), n_fired, n);
    g_autofree char *places = g_strdup_printf (ngettext ("%u occurrence", "%u occurrences", n_places), n_places);
    g_free (text);
    text = n_fired > 0 ? g_strdup_printf ("%s · %s", fired, places) : g_strdup (fired);
  }
  loom_bounded_text_set_label (self->summary, text);
  loom_bounded_text_set_label (self->words, excuse);
  gtk_widget_set_visible (GTK_WIDGET (self->words), excuse[0] != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->list), n > 0);
}

static void
show_state (LoomRulePreview *self)
{
  gboolean works = self->running != NULL;
  gtk_spinner_set_spinning (self->spinner, works);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), works);
  if (self->rules == NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->list), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->list), "old");
}

static void
fill (LoomRulePreview *self)
{
  clear_list (self->list);
  for (guint i = 0; self->findings != NULL && i < self->findings->n; i++)
    add_row (self, i);
  show_summary (self);
  show_state (self);
  mark_places (self);
}

/* --- evaluating --------------------------------------------------------------------------------------------------- */

static void
stop (LoomRulePreview *self)
{
  g_clear_handle_id (&self->pause, g_source_remove);
  loom_worker_cancel (&self->running);
}

static void
found (gpointer owner, gpointer findings, const GError *error, gpointer question)
{
  LoomRulePreview *self = owner;
  if (findings == NULL)
    return; /* the timeline of the findings was closed before the evaluation ended */
  g_clear_pointer (&self->findings, loom_findings_unref);
  self->findings = findings;
  fill (self);
}

static void
evaluate (LoomRulePreview *self)
{
  stop (self);
  self->timeline = loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis));
  if (self->timeline != NULL && self->rules != NULL)
    loom_analysis_context_try_rules (self->analysis, self->rules, &self->running, found, self);
  show_summary (self);
  show_state (self);
}

static gboolean
paused (gpointer preview)
{
  LoomRulePreview *self = preview;
  self->pause = 0;
  evaluate (self);
  return G_SOURCE_REMOVE;
}

/* Called when the range or the timeline has changed. If the timeline has changed, clears the results; otherwise the
 * outdated results stay visible until the rules are evaluated again. */
static void
range_changed (LoomRulePreview *self)
{
  stop (self);
  if (self->timeline != loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis))) {
    g_clear_pointer (&self->findings, loom_findings_unref);
    fill (self);
  }
  self->pause = g_timeout_add (PAUSE_MS, paused, self);
}

void
loom_rule_preview_set_rules (LoomRulePreview *self, GPtrArray *rules)
{
  g_clear_pointer (&self->rules, g_ptr_array_unref);
  self->rules = rules != NULL ? g_ptr_array_ref (rules) : NULL;
  evaluate (self);
}

gboolean
loom_rule_preview_is_working (LoomRulePreview *self)
{
  return self->running != NULL || self->pause != 0;
}

LoomFindings *
loom_rule_preview_get_findings (LoomRulePreview *self)
{
  return self->findings;
}

/* --- widget class and the run ------------------------------------------------------------------------------------- */

static void
leave_run (LoomRulePreview *self)
{
  g_clear_pointer (&self->findings, loom_findings_unref);
  if (self->run == NULL)
    return;
  mark_places (self);
  g_signal_handlers_disconnect_by_data (self->analysis, self);
  self->analysis = NULL;
  g_clear_object (&self->run);
}

static void
dispose (GObject *object)
{
  LoomRulePreview *self = LOOM_RULE_PREVIEW (object);
  stop (self);
  leave_run (self);
  g_clear_pointer (&self->rules, g_ptr_array_unref);
  g_clear_pointer (&self->explained, g_hash_table_unref);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_rule_preview_parent_class)->dispose (object);
}

static void
loom_rule_preview_class_init (LoomRulePreviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[SHOWS] =
    g_signal_new ("shows", LOOM_TYPE_RULE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-rule-preview.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRulePreview, list);
  gtk_widget_class_bind_template_child (widget_class, LoomRulePreview, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomRulePreview, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomRulePreview, words);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
loom_rule_preview_init (LoomRulePreview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->explained = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
loom_rule_preview_set_run (LoomRulePreview *self, LoomRunState *run, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_RULE_PREVIEW (self) && LOOM_IS_RUN_STATE (run));
  stop (self);
  leave_run (self);
  self->run = g_object_ref (run);
  self->analysis = loom_run_state_get_analysis (run);
  g_set_object (&self->scene, scene);
  g_signal_connect_swapped (self->analysis, "range-changed", G_CALLBACK (range_changed), self);
  fill (self);
  evaluate (self);
}
