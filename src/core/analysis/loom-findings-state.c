/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-findings-state.h: a worker thread evaluates the rules. The findings are kept, and the notices and the
 * marks in the overview are made from them.
 */
#include "loom-findings-state.h"

#include "loom-page.h"
#include "loom-rule-files.h"
#include "loom-rule-values.h"
#include "loom-sentence.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>
#include <string.h>

/* Runs with more spans than this are evaluated only when the user requests it. */
#define MAX_SPANS_UNASKED 5000000u

/* A notice: a sentence that views show until the user closes it. */
typedef struct {
  char *sentence; /* NULL if the notice is not shown */
  int severity;   /* LoomRuleSeverity of the finding that the notice is about; views show it as an icon */
  gboolean is_closed;
} Notice;

struct _LoomFindingsState {
  GObject parent;
  LoomAnalysisContext *analysis;
  LoomFindings *of_run;   /* findings of the whole run; NULL until the whole run was evaluated */
  LoomFindings *of_range; /* findings of the part of the run that was evaluated last; NULL until a part was evaluated */
  /* the findings that the lists show, which are `of_run` or `of_range`; NULL if there are no findings yet */
  LoomFindings *shown;
  GCancellable *running; /* cancels the worker thread that evaluates the whole run; NULL if no such thread is running */
  LoomDebouncedTask task; /* the task that evaluates a part of the run */
  LoomTimeline *timeline; /* The timeline that was evaluated. It may have been freed, so only its address is used. */
  guint n_views;          /* number of views that show the findings of the range of the analysis */
  gboolean is_outdated;
  gboolean is_stale;         /* TRUE if the rules have changed since `of_range` was evaluated */
  gboolean is_large;         /* TRUE if the run has so many spans that it is evaluated only on request */
  Notice hang, main_finding; /* two notices: that the job hangs, and what the main finding is */
};

G_DEFINE_FINAL_TYPE (LoomFindingsState, loom_findings_state, G_TYPE_OBJECT)

enum { PROP_0, PROP_FINDINGS, PROP_WORKING, PROP_OUTDATED, PROP_HANG, PROP_MAIN_FINDING, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
notify (LoomFindingsState *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static LoomTimelineState *
view_of (LoomFindingsState *self)
{
  return loom_analysis_context_get_state (self->analysis);
}

static LoomRunRules *
rules_of (LoomFindingsState *self)
{
  return loom_analysis_context_get_rules (self->analysis);
}

static void
set_outdated (LoomFindingsState *self, gboolean is_outdated)
{
  if (self->is_outdated == is_outdated)
    return;
  self->is_outdated = is_outdated;
  notify (self, PROP_OUTDATED);
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

static gboolean
is_shown (LoomFindingsState *self, const LoomFinding *finding)
{
  return finding->result->status == LOOM_RULE_FIRED && loom_findings_state_get_note (self, finding) == NULL;
}

/* Returns the findings for the marks and notices on the timeline. These are the findings of the whole run, so that
 * the marks do not change when the user selects a range. If only a part of a large run was evaluated, returns the
 * findings of this part. */
static LoomFindings *
findings_of_timeline (LoomFindingsState *self)
{
  return self->of_run != NULL ? self->of_run : self->of_range;
}

static guint
count (LoomFindingsState *self, LoomFindings *findings)
{
  guint n = 0;
  for (guint i = 0; findings != NULL && i < findings->n; i++)
    n += is_shown (self, &findings->all[i]);
  return n;
}

static const LoomFinding *
find (LoomFindings *findings, const char *rule)
{
  for (guint i = 0; findings != NULL && i < findings->n; i++)
    if (strcmp (findings->all[i].result->name, rule) == 0)
      return &findings->all[i];
  return NULL;
}

/* Returns the sentences of all findings, each with a capital letter and a full stop. Owned by the caller. */
static char **
list_sentences (LoomFindings *findings)
{
  guint n = findings != NULL ? findings->n : 0;
  char **sentences = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++) {
    g_autofree char *capital = loom_sentence_dup_capital (findings->all[i].result->sentence);
    sentences[i] = loom_sentence_dup (capital);
  }
  return sentences;
}

/* Adds the places of a finding to `places`. If the finding holds in several steps, the places are these steps;
 * otherwise, they are the occurrences of the finding. `number`: see LoomFindingMark.finding. */
static void
add_places (GArray *places, const LoomFinding *finding, guint number)
{
  const LoomRuleResult *result = finding->result;
  LoomFindingMark mark = { .severity = finding->severity, .finding = number, .is_step = result->n_held > 1 };
  for (guint i = 0; mark.is_step && i < result->held->len; i++) {
    mark.range = g_array_index (result->held, LoomRange, i);
    g_array_append_val (places, mark);
  }
  for (guint i = 0; !mark.is_step && i < result->marks->len; i++) {
    const LoomRuleOccurrence *place = &g_array_index (result->marks, LoomRuleOccurrence, i);
    mark.range = (LoomRange) { place->begin_ns, place->end_ns };
    g_array_append_val (places, mark);
  }
}

/* Marks, in the overview, the places of all findings that are shown. */
static void
show_marks (LoomFindingsState *self)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (LoomFindingMark));
  LoomFindings *findings = findings_of_timeline (self);
  for (guint i = 0; findings != NULL && i < findings->n; i++)
    if (is_shown (self, &findings->all[i]))
      add_places (places, &findings->all[i], i);
  loom_timeline_annotations_set_findings (loom_timeline_state_get_finding_marks (view_of (self)),
                                          (const LoomFindingMark *) (gpointer) places->data, places->len,
                                          list_sentences (findings));
  loom_timeline_state_finding_marks_changed (view_of (self));
}

/* --- notices about the hang and about the main finding ------------------------------------------------------------ */

/* Returns the sentence of the rule "Hang". Returns NULL if the rule has no finding, or if the user dismissed the
 * finding. Owned by the caller. */
static char *
find_hang (LoomFindingsState *self)
{
  const LoomFinding *finding = find (findings_of_timeline (self), "Hang");
  if (finding == NULL || !is_shown (self, finding))
    return NULL;
  g_autofree char *capital = loom_sentence_dup_capital (finding->result->sentence);
  return loom_sentence_dup (capital);
}

const LoomFinding *
loom_findings_state_find_main (LoomFindingsState *self)
{
  const LoomFinding *severe = NULL, *first = NULL;
  LoomFindings *findings = findings_of_timeline (self);
  for (guint i = 0; findings != NULL && i < findings->n; i++) {
    const LoomFinding *finding = &findings->all[i];
    if (!is_shown (self, finding))
      continue;
    if (finding->result->late_rank >= 0)
      return finding;
    if (strcmp (finding->result->name, "Hang") == 0)
      continue;
    if (first == NULL)
      first = finding;
    if (severe == NULL && finding->severity == LOOM_RULE_SEVERE)
      severe = finding;
  }
  return severe != NULL ? severe : first;
}

/* Returns the rank that recorded a span; −1 if the run does not contain the span, or if the rank is unknown. */
static gint
get_rank_of (LoomRun *run, LoomSpanId id)
{
  guint32 track, row;
  if (id.trace >= loom_run_get_n_traces (run))
    return -1;
  const LoomTrace *trace = loom_run_get_trace (run, id.trace);
  loom_trace_locate_span (trace, id.span, &track, &row);
  return loom_trace_get_track (trace, track)->rank;
}

gint
loom_findings_state_get_late_rank (LoomFindingsState *self)
{
  const LoomFinding *finding = loom_findings_state_find_main (self);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view_of (self));
  /* if `holds_up` is set, the other ranks wait for one rank; if the finding has a single mark, this mark is the span of
   * the late rank */
  if (finding == NULL || !finding->result->holds_up || timeline == NULL || finding->result->marks->len != 1)
    return -1;
  return get_rank_of (loom_timeline_get_run (timeline),
                      g_array_index (finding->result->marks, LoomRuleOccurrence, 0).span);
}

static void
update_notice (LoomFindingsState *self, Notice *notice, char *sentence, int severity, guint property)
{
  gboolean is_same_severity = severity == notice->severity;
  notice->severity = severity;
  if (g_strcmp0 (sentence, notice->sentence) == 0) {
    g_free (sentence);
    if (!is_same_severity)
      notify (self, property);
    return;
  }
  g_free (notice->sentence);
  notice->sentence = sentence;
  notice->is_closed = FALSE;
  notify (self, property);
}

const char *
loom_findings_state_get_hang (LoomFindingsState *self)
{
  return self->hang.is_closed ? NULL : self->hang.sentence;
}

void
loom_findings_state_close_hang (LoomFindingsState *self)
{
  self->hang.is_closed = TRUE;
  notify (self, PROP_HANG);
}

const char *
loom_findings_state_get_main_finding (LoomFindingsState *self)
{
  return self->main_finding.is_closed ? NULL : self->main_finding.sentence;
}

void
loom_findings_state_close_main_finding (LoomFindingsState *self)
{
  self->main_finding.is_closed = TRUE;
  notify (self, PROP_MAIN_FINDING);
}

static void
findings_changed (LoomFindingsState *self)
{
  show_marks (self);
  const LoomFinding *main_finding = loom_findings_state_find_main (self);
  update_notice (self, &self->hang, find_hang (self), LOOM_RULE_SEVERE, PROP_HANG);
  update_notice (self, &self->main_finding,
                 main_finding != NULL ? loom_findings_answer_dup_headline (main_finding->result) : NULL,
                 main_finding != NULL ? (int) main_finding->severity : LOOM_RULE_SEVERE, PROP_MAIN_FINDING);
  notify (self, PROP_FINDINGS);
}

/* --- evaluating --------------------------------------------------------------------------------------------------- */

static gboolean
have_range (const LoomFindings *findings, LoomRange range)
{
  return findings != NULL && findings->range.begin_ns == range.begin_ns && findings->range.end_ns == range.end_ns;
}

/* Sets `range` to the range of the analysis. Returns FALSE while the range of the training loop is still being
 * computed. */
static gboolean
get_asked_range (LoomFindingsState *self, LoomRange *range)
{
  LoomRangeScope scope = loom_analysis_context_get_scope (self->analysis);
  gboolean is_known = scope != LOOM_RANGE_SCOPE_LOOP || loom_analysis_context_get_range (self->analysis, scope, range);
  *range = loom_analysis_context_get_asked_range (self->analysis);
  return is_known;
}

/* Shows the findings of the range of the analysis, if this range was evaluated. If not, the shown findings stay and are
 * outdated. Sets the property "outdated" in both cases. Returns TRUE if the call has changed which findings are
 * shown. */
static gboolean
choose_shown (LoomFindingsState *self)
{
  LoomRange asked;
  LoomFindings *before = self->shown;
  gboolean is_known = get_asked_range (self, &asked);
  gboolean is_of_run = is_known && have_range (self->of_run, asked),
           is_of_range = is_known && !is_of_run && !self->is_stale && have_range (self->of_range, asked);
  if (is_of_run || self->of_range == NULL)
    self->shown = self->of_run;
  else if (is_of_range || self->of_run == NULL)
    self->shown = self->of_range;
  set_outdated (self, !is_of_run && !is_of_range);
  return self->shown != before;
}

static void
start_range (LoomDebouncedTask *task, gpointer state)
{
  LoomFindingsState *self = state;
  loom_analysis_context_find_in_range (self->analysis, loom_run_rules_get_files (rules_of (self)), task);
}

static void
show_work (gboolean working, gpointer state)
{
  notify (state, PROP_WORKING);
}

/* Requests an evaluation of the range of the analysis if three conditions are met: a view shows findings; the run is
 * not large; and this range was not evaluated yet. Otherwise, stops the evaluation of a range if one is running. */
static void
evaluate_if_wanted (LoomFindingsState *self)
{
  LoomRange asked;
  if (!self->is_outdated || self->n_views == 0 || self->is_large || self->of_run == NULL ||
      !get_asked_range (self, &asked))
    loom_debounced_task_stop (&self->task);
  else
    loom_debounced_task_ask (&self->task);
}

/* Stores new findings in `place`, which is `of_run` or `of_range`. */
static void
replace (LoomFindingsState *self, LoomFindings **place, LoomFindings *findings)
{
  if (self->shown == *place)
    self->shown = NULL;
  g_clear_pointer (place, loom_findings_unref);
  *place = findings;
  choose_shown (self);
  findings_changed (self);
}

static void
found_in_range (gpointer owner, gpointer findings, const GError *error, gpointer question)
{
  LoomFindingsState *self = owner;
  if (findings == NULL)
    return; /* the timeline was closed while the rules were evaluated */
  self->is_stale = FALSE;
  replace (self, &self->of_range, findings);
}

static void
found (gpointer owner, gpointer findings, const GError *error, gpointer question)
{
  LoomFindingsState *self = owner;
  if (findings == NULL)
    return; /* the timeline was closed while the rules were evaluated */
  replace (self, &self->of_run, findings);
  evaluate_if_wanted (self);
}

static void
evaluate_run (LoomFindingsState *self)
{
  loom_analysis_context_find (self->analysis, loom_run_rules_get_files (rules_of (self)), &self->running, found, self);
  notify (self, PROP_WORKING);
}

void
loom_findings_state_evaluate (LoomFindingsState *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view_of (self));
  if (timeline == NULL)
    return;
  self->timeline = timeline;
  if (loom_analysis_context_get_scope (self->analysis) == LOOM_RANGE_SCOPE_ALL)
    evaluate_run (self);
  else
    loom_debounced_task_ask (&self->task);
}

void
loom_findings_state_add_view (LoomFindingsState *self)
{
  g_return_if_fail (LOOM_IS_FINDINGS_STATE (self));
  self->n_views++;
  if (!self->is_large) /* in a large run, evaluate_if_wanted() would stop the evaluation that the user requested */
    evaluate_if_wanted (self);
}

void
loom_findings_state_remove_view (LoomFindingsState *self)
{
  g_return_if_fail (LOOM_IS_FINDINGS_STATE (self) && self->n_views > 0);
  self->n_views--;
  if (!self->is_large)
    evaluate_if_wanted (self);
}

void
loom_findings_state_refresh (LoomFindingsState *self)
{
  gboolean has_part = self->of_range != NULL;
  self->is_stale = TRUE;
  if (self->running != NULL || self->of_run != NULL)
    evaluate_run (self);
  else if (has_part)
    loom_debounced_task_ask (&self->task);
}

gboolean
loom_findings_state_add_file (LoomFindingsState *self, const char *path)
{
  g_return_val_if_fail (LOOM_IS_FINDINGS_STATE (self) && path != NULL, FALSE);
  g_autofree char *own = loom_rule_files_dup_folder (), *full = g_canonicalize_filename (path, NULL),
                  *folder = g_path_get_dirname (path);
  gboolean belongs_to_run = !g_str_equal (own, folder);
  if (belongs_to_run)
    loom_run_rules_add_file (rules_of (self), full);
  else
    loom_findings_state_refresh (self);
  return belongs_to_run;
}

void
loom_findings_state_loaded (LoomFindingsState *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view_of (self));
  if (timeline == NULL || timeline == self->timeline)
    return;
  if (loom_analysis_context_count_spans (self->analysis) <= MAX_SPANS_UNASKED) {
    self->timeline = timeline;
    evaluate_run (self);
    return;
  }
  self->is_large = TRUE;
  set_outdated (self, TRUE);
  notify (self, PROP_FINDINGS);
}

static void
forget (LoomFindingsState *self)
{
  loom_worker_cancel (&self->running);
  loom_debounced_task_stop (&self->task);
  self->shown = NULL;
  g_clear_pointer (&self->of_run, loom_findings_unref);
  g_clear_pointer (&self->of_range, loom_findings_unref);
}

/* Called when the range of the analysis has changed, or when the range of the training loop was computed. Shows the
 * findings of the new range if this range was evaluated already; otherwise, requests its evaluation
 * (evaluate_if_wanted()). If the timeline is a new one, removes all findings. */
static void
range_changed (LoomFindingsState *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view_of (self));
  if (timeline != NULL && timeline == self->timeline) {
    gboolean others_shown = choose_shown (self);
    evaluate_if_wanted (self);
    if (others_shown)
      notify (self, PROP_FINDINGS);
    return;
  }
  forget (self);
  self->timeline = NULL;
  self->is_large = FALSE;
  set_outdated (self, FALSE);
  notify (self, PROP_WORKING);
  findings_changed (self);
}

/* --- making, freeing and properties of the object ----------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  forget (LOOM_FINDINGS_STATE (object));
  G_OBJECT_CLASS (loom_findings_state_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomFindingsState *self = LOOM_FINDINGS_STATE (object);
  g_signal_handlers_disconnect_by_data (rules_of (self), self);
  g_signal_handlers_disconnect_by_data (self->analysis, self);
  g_free (self->hang.sentence);
  g_free (self->main_finding.sentence);
  g_object_unref (self->analysis);
  G_OBJECT_CLASS (loom_findings_state_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomFindingsState *self = LOOM_FINDINGS_STATE (object);
  if (id == PROP_FINDINGS)
    g_value_set_pointer (value, self->shown);
  else if (id == PROP_HANG)
    g_value_set_string (value, loom_findings_state_get_hang (self));
  else if (id == PROP_MAIN_FINDING)
    g_value_set_string (value, loom_findings_state_get_main_finding (self));
  else
    g_value_set_boolean (value, id == PROP_WORKING ? loom_findings_state_is_working (self) : self->is_outdated);
}

static void
loom_findings_state_class_init (LoomFindingsStateClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_FINDINGS] = g_param_spec_pointer ("findings", NULL, NULL, flags);
  properties[PROP_WORKING] = g_param_spec_boolean ("working", NULL, NULL, FALSE, flags);
  properties[PROP_OUTDATED] = g_param_spec_boolean ("outdated", NULL, NULL, FALSE, flags);
  properties[PROP_HANG] = g_param_spec_string ("hang", NULL, NULL, NULL, flags);
  properties[PROP_MAIN_FINDING] = g_param_spec_string ("main-finding", NULL, NULL, NULL, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_findings_state_init (LoomFindingsState *self)
{
  loom_debounced_task_init (&self->task, start_range, found_in_range, show_work, self);
}

LoomFindingsState *
loom_findings_state_new (LoomAnalysisContext *analysis)
{
  LoomFindingsState *self = g_object_new (LOOM_TYPE_FINDINGS_STATE, NULL);
  self->analysis = g_object_ref (analysis);
  g_signal_connect_swapped (analysis, "range-changed", G_CALLBACK (range_changed), self);
  g_signal_connect_swapped (analysis, "loop-found", G_CALLBACK (range_changed), self);
  g_signal_connect_swapped (rules_of (self), "notify::dismissed", G_CALLBACK (findings_changed), self);
  g_signal_connect_swapped (rules_of (self), "notify::files", G_CALLBACK (loom_findings_state_refresh), self);
  g_signal_connect_object (loom_rule_values_get_default (), "changed", G_CALLBACK (loom_findings_state_refresh), self,
                           G_CONNECT_SWAPPED);
  return self;
}

LoomFindings *
loom_findings_state_get_findings (LoomFindingsState *self)
{
  return self->shown;
}

const LoomFinding *
loom_findings_state_find (LoomFindingsState *self, const char *rule)
{
  return find (self->shown, rule);
}

gboolean
loom_findings_state_is_working (LoomFindingsState *self)
{
  return self->running != NULL || loom_debounced_task_is_open (&self->task);
}

const char *
loom_findings_state_get_note (LoomFindingsState *self, const LoomFinding *finding)
{
  return finding->result->status == LOOM_RULE_FIRED
           ? g_hash_table_lookup (loom_run_rules_get_dismissed (rules_of (self)), finding->result->name)
           : NULL;
}

guint
loom_findings_state_count (LoomFindingsState *self)
{
  return count (self, findings_of_timeline (self));
}

guint
loom_findings_state_count_shown (LoomFindingsState *self)
{
  return count (self, self->shown);
}

gboolean
loom_findings_state_needs_request (LoomFindingsState *self)
{
  return self->is_outdated && self->is_large && !loom_findings_state_is_working (self);
}

/* Returns the first finding in the list that the user sees; NULL if the list is empty. */
static const LoomFinding *
find_first_shown (LoomFindingsState *self)
{
  for (guint i = 0; self->shown != NULL && i < self->shown->n; i++)
    if (is_shown (self, &self->shown->all[i]))
      return &self->shown->all[i];
  return NULL;
}

char *
loom_findings_state_dup_page_headline (LoomFindingsState *self, const LoomPageContent *page)
{
  const LoomFinding *first = self->is_outdated ? NULL : find_first_shown (self);
  const LoomRuleResult *small =
    self->shown != NULL && !self->is_outdated ? loom_findings_find_small_loss (self->shown) : NULL;
  if (first != NULL)
    return loom_findings_answer_dup_cost (self->shown, first,
                                          loom_timeline_description_is_part (view_of (self), self->shown->range));
  if (small != NULL)
    return g_strdup (small->small_loss);
  return page != NULL && page->headline[0] != '\0' ? g_strdup (page->headline) : NULL;
}

/* Returns the name of a rule, split into words: "Idle GPU" for "IdleGPU". Owned by the caller. */
static char *
dup_words (const char *name)
{
  GString *words = g_string_new (NULL);
  for (const char *at = name; *at != '\0'; at++) {
    gboolean begins = g_ascii_isupper (*at) && at > name &&
                      (g_ascii_islower (at[-1]) || (g_ascii_isupper (at[-1]) && g_ascii_islower (at[1])));
    if (begins)
      g_string_append_c (words, ' ');
    g_string_append_c (words, *at);
  }
  return g_string_free (words, FALSE);
}

char *
loom_findings_state_dup_rule_line (const LoomRuleResult *result)
{
  g_autofree char *name = dup_words (result->name);
  return g_strdup_printf (/* Translators: the name of a rule, and its result: "Idle GPU: lowest value 98 %" */
                          _ ("%s: %s"), name, result->sentence);
}

gboolean
loom_findings_state_get_answer (LoomFindingsState *self, LoomFindingsAnswer *answer)
{
  gboolean is_large = self->shown == NULL && loom_findings_state_needs_request (self);
  if (is_large)
    *answer = loom_findings_answer_get_large ();
  if (self->shown == NULL || loom_findings_state_count_shown (self) > 0)
    return is_large;
  gboolean only_memory = loom_page_has_only_memory (loom_timeline_state_get_timeline (view_of (self)),
                                                    loom_timeline_state_get_steps (view_of (self)));
  *answer = loom_findings_answer_get (self->shown, only_memory);
  return TRUE;
}
