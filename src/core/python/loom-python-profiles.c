/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-python-profiles.h: chooses which profiles are listed, and combines the profiles that the user has
 * chosen, in a worker.
 */
#include "loom-python-profiles.h"

#include "loom-locale-number.h"
#include "loom-python-profile-query.h"
#include "loom-worker.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomPythonProfiles {
  GObject parent;
  LoomTimelineState *state;
  GPtrArray *all;     /* LoomPythonProfileItem, in time order */
  GListStore *listed; /* LoomPythonProfileItem: items that are listed now */
  GArray *chosen;     /* guint: positions of the chosen profiles in the list, ascending */
  /* index in `all` of the profile with which the chosen profiles are compared; G_MAXUINT: the chosen profiles are not
   * compared */
  guint baseline;
  LoomProfileNarrowing narrowing;
  gboolean has_steps; /* TRUE if the list contains only profiles of the steps in `steps` */
  LoomStepQuery steps;
  GCancellable *running;
  LoomPythonFunctionTable *table; /* table of functions of the chosen profiles; NULL: there is no table */
  LoomCallTree *tree;             /* call tree of the chosen profiles; NULL: there is no tree */
  char *summary;                  /* summary, for example the number of calls and the total time; never NULL */
  const char *reason;             /* reason why there is no table, static; NULL: there is a table */
};

G_DEFINE_FINAL_TYPE (LoomPythonProfiles, loom_python_profiles, G_TYPE_OBJECT)

enum { PROFILES_CHANGED, CHOSEN_CHANGED, ANSWERED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- computing the table of functions in a worker ----------------------------------------------------------------- */

typedef struct {
  GPtrArray *profiles;
  LoomPythonProfile *baseline;
} Question;

typedef struct {
  /* table of functions; NULL: the profiles used different timers, so they cannot be combined */
  LoomPythonFunctionTable *table;
  LoomCallTree *tree;
} Answer;

static void
question_free (Question *question)
{
  g_ptr_array_unref (question->profiles);
  loom_python_profile_unref (question->baseline);
  g_free (question);
}

static void
answer_free (Answer *answer)
{
  loom_python_function_table_unref (answer->table);
  loom_call_tree_unref (answer->tree);
  g_free (answer);
}

static Answer *
compute (const Question *question, GCancellable *cancellable, GError **error)
{
  Answer *answer = g_new0 (Answer, 1);
  g_autoptr (LoomPythonProfile) sum =
    loom_python_profile_sum ((LoomPythonProfile *const *) question->profiles->pdata, question->profiles->len);
  if (sum != NULL)
    answer->table = loom_python_function_table_new (sum, question->baseline);
  if (answer->table != NULL && !g_cancellable_is_cancelled (cancellable))
    answer->tree = loom_call_tree_new (sum);
  return answer;
}

/* --- summary ------------------------------------------------------------------------------------------------------ */

/* Returns the summary, for example "2 profiles combined · CPU time · 1,129 calls · 4.8 ms total". */
static char *
describe (LoomPythonFunctionTable *table, guint n_profiles)
{
  LoomPythonProfile *profile = table->profile;
  GString *text = g_string_new (NULL);
  g_autofree char *total = loom_time_format_duration (profile->total_ns);
  if (n_profiles > 1)
    g_string_append_printf (text, ngettext ("%u profile combined · ", "%u profiles combined · ", n_profiles),
                            n_profiles);
  g_string_append (text, loom_python_profile_item_describe_timer (profile->timer));
  if (profile->n_calls != LOOM_CALLS_UNKNOWN) {
    g_autofree char *n = loom_locale_number_group ((guint64) profile->n_calls);
    g_string_append_printf (text, ngettext (" · %s call", " · %s calls", (gulong) profile->n_calls), n);
  } else if (profile->n_samples >= 0) {
    g_autofree char *n = loom_locale_number_group ((guint64) profile->n_samples);
    g_string_append_printf (text, ngettext (" · %s sample", " · %s samples", (gulong) profile->n_samples), n);
  }
  g_string_append_printf (text, _ (" · %s total"), total);
  if (table->baseline != NULL)
    g_string_append (text, _ (" · the table shows the difference"));
  return g_string_free (text, FALSE);
}

/* Replaces the table, call tree, summary and reason, and emits "answered". Takes ownership of all but `reason`. */
static void
take_result (LoomPythonProfiles *self, LoomPythonFunctionTable *table, LoomCallTree *tree, char *summary,
             const char *reason)
{
  g_clear_pointer (&self->table, loom_python_function_table_unref);
  g_clear_pointer (&self->tree, loom_call_tree_unref);
  g_free (self->summary);
  self->table = table;
  self->tree = tree;
  self->summary = summary;
  self->reason = reason;
  g_signal_emit (self, signals[ANSWERED], 0);
}

static const char *
reason_for_none (LoomPythonFunctionTable *table)
{
  if (table == NULL)
    return _ ("These profiles use different timers or profilers and cannot be combined or compared.");
  return table->profile->kind == LOOM_PYTHON_PROFILE_CPROFILE ? _ ("No calls recorded")
                                                              : _ ("No samples (profiler session corrupted).");
}

static void
answered (gpointer profiles, gpointer result, const GError *error, gpointer question)
{
  Answer *answer = result;
  LoomPythonFunctionTable *table = g_steal_pointer (&answer->table);
  char *summary = table != NULL ? describe (table, ((Question *) question)->profiles->len) : g_strdup ("");
  take_result (profiles, table, g_steal_pointer (&answer->tree), summary, reason_for_none (table));
  answer_free (answer);
}

static LoomPythonProfileItem *
get_listed (LoomPythonProfiles *self, guint position)
{
  g_autoptr (LoomPythonProfileItem) item = g_list_model_get_item (G_LIST_MODEL (self->listed), position);
  return item; /* the reference of the list keeps `item` valid */
}

static GPtrArray *
dup_chosen (LoomPythonProfiles *self)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_python_profile_unref);
  for (guint i = 0; i < self->chosen->len; i++) {
    LoomPythonProfile *profile = get_listed (self, g_array_index (self->chosen, guint, i))->profile;
    if (profile != NULL)
      g_ptr_array_add (chosen, loom_python_profile_ref (profile));
  }
  return chosen;
}

static const char *
reason_for_no_choice (LoomPythonProfiles *self)
{
  if (loom_python_profiles_get_page (self) != NULL)
    return _ ("Only pyinstrument’s HTML page is available, not its data. Open the page in a browser.");
  if (self->all->len == 0)
    return _ ("This run has no Python profiles.");
  if (g_list_model_get_n_items (G_LIST_MODEL (self->listed)) == 0)
    return _ ("No Python profile was recorded in this part of the run.");
  return _ ("Choose a profile, or several profiles to combine.");
}

static void
ask (LoomPythonProfiles *self)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) compute, (GDestroyNotify) question_free,
                                       (GDestroyNotify) answer_free };
  g_autoptr (GPtrArray) profiles = dup_chosen (self);
  LoomPythonProfileItem *baseline = self->baseline < self->all->len ? self->all->pdata[self->baseline] : NULL;
  loom_worker_cancel (&self->running);
  if (profiles->len == 0) {
    take_result (self, NULL, NULL, g_strdup (""), reason_for_no_choice (self));
    return;
  }
  Question *question = LOOM_WORKER_INPUT (
    Question, g_steal_pointer (&profiles),
    baseline != NULL && baseline->profile != NULL ? loom_python_profile_ref (baseline->profile) : NULL);
  loom_worker_start (&self->running, &kind, question, answered, self);
}

/* --- listed profiles ---------------------------------------------------------------------------------------------- */

static gboolean
parse_steps (const char *text, gint64 *first, gint64 *last)
{
  char *end;
  g_autofree char *plain = g_strstrip (g_strdup (text));
  *first = *last = g_ascii_strtoll (plain, &end, 10);
  if (end == plain)
    return FALSE;
  end += strspn (end, " ");
  gsize n_dash = *end == '-' ? 1 : g_str_has_prefix (end, "–") ? strlen ("–") : 0;
  if (n_dash == 0)
    return *end == '\0';
  char *second = end + n_dash + strspn (end + n_dash, " ");
  *last = g_ascii_strtoll (second, &end, 10);
  return end != second && *end == '\0' && *last >= *first;
}

static gboolean
touches (const LoomPythonProfileItem *choice, LoomRange range)
{
  LoomRange own = choice->range;
  return own.begin_ns != LOOM_TIME_NONE && range.end_ns > range.begin_ns && own.end_ns >= range.begin_ns &&
         own.begin_ns <= range.end_ns;
}

static gboolean
is_in_range (LoomPythonProfiles *self, LoomPythonProfileItem *item, const LoomPythonProfile *profile)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  LoomRange range = { 0, 0 };
  switch (self->narrowing) {
  case LOOM_PROFILES_IN_SELECTION:
    loom_timeline_state_get_selected_range (self->state, &range);
    return touches (item, range);
  case LOOM_PROFILES_IN_VIEW: return touches (item, (LoomRange) { view->begin_ns, view->end_ns });
  case LOOM_PROFILES_INITIALISATION:
    return loom_python_profile_query_get_job_phase (profile) == LOOM_JOB_PHASE_INITIALISATION;
  case LOOM_PROFILES_TRAINING: return loom_python_profile_query_get_job_phase (profile) == LOOM_JOB_PHASE_TRAINING;
  case LOOM_PROFILES_FINALISATION:
    return loom_python_profile_query_get_job_phase (profile) == LOOM_JOB_PHASE_FINALISATION;
  default: return TRUE;
  }
}

static gboolean
is_narrowed (LoomPythonProfiles *self)
{
  return self->narrowing != LOOM_PROFILES_ALL || self->has_steps;
}

static gboolean
is_listed (LoomPythonProfiles *self, LoomPythonProfileItem *item)
{
  const LoomPythonProfile *profile = item->profile;
  if (profile == NULL) /* an HTML page without a profile has neither times nor a phase of the job */
    return !is_narrowed (self);
  return (!self->has_steps || loom_python_profile_query_has_steps (profile, &self->steps)) &&
         is_in_range (self, item, profile);
}

static gboolean
is_same_list (LoomPythonProfiles *self, const GPtrArray *listed)
{
  gboolean same = g_list_model_get_n_items (G_LIST_MODEL (self->listed)) == listed->len;
  for (guint i = 0; same && i < listed->len; i++)
    same = get_listed (self, i) == listed->pdata[i];
  return same;
}

static void
choose_first (LoomPythonProfiles *self, guint n)
{
  g_array_set_size (self->chosen, 0);
  for (guint i = 0; i < n; i++)
    g_array_append_val (self->chosen, i);
}

/* Updates the list. If the user has narrowed the list to steps or to a range, chooses all listed profiles, because the
 * user wants to see them together; otherwise chooses the first profile. */
static void
refresh (LoomPythonProfiles *self)
{
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();
  for (guint i = 0; i < self->all->len; i++)
    if (is_listed (self, self->all->pdata[i]))
      g_ptr_array_add (listed, self->all->pdata[i]);
  if (is_same_list (self, listed))
    return;
  choose_first (self, is_narrowed (self) ? listed->len : MIN (listed->len, 1));
  g_list_store_splice (self->listed, 0, g_list_model_get_n_items (G_LIST_MODEL (self->listed)), listed->pdata,
                       listed->len);
  g_signal_emit (self, signals[CHOSEN_CHANGED], 0);
  ask (self);
}

/* Chooses the profile of the source that contains the selected span. */
static void
choose_selected (LoomPythonProfiles *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  if (timeline == NULL || loom_timeline_span_id_is_none (lead))
    return;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), lead.trace);
  LoomRef ref = loom_trace_get_spans (trace)->ref[lead.span];
  const LoomSource *source = ref != LOOM_REF_NONE ? loom_trace_get_source (trace, loom_source_ref_source (ref)) : NULL;
  if (source != NULL && source->profile != NULL)
    loom_python_profiles_choose_profile (self, source->profile);
}

static void
view_changed (LoomPythonProfiles *self)
{
  if (self->narrowing == LOOM_PROFILES_IN_SELECTION || self->narrowing == LOOM_PROFILES_IN_VIEW)
    refresh (self);
}

void
loom_python_profiles_narrow (LoomPythonProfiles *self, LoomProfileNarrowing narrowing)
{
  self->narrowing = narrowing;
  refresh (self);
}

gboolean
loom_python_profiles_set_steps (LoomPythonProfiles *self, const char *text)
{
  g_return_val_if_fail (LOOM_IS_PYTHON_PROFILES (self) && text != NULL, FALSE);
  self->steps = (LoomStepQuery) LOOM_STEP_QUERY (0, 0);
  self->has_steps = parse_steps (text, &self->steps.first, &self->steps.last);
  refresh (self);
  return self->has_steps || *text == '\0';
}

void
loom_python_profiles_choose (LoomPythonProfiles *self, const guint *positions, guint n)
{
  if (n == self->chosen->len && (n == 0 || memcmp (positions, self->chosen->data, n * sizeof *positions) == 0))
    return;
  g_array_set_size (self->chosen, 0);
  g_array_append_vals (self->chosen, positions, n);
  g_signal_emit (self, signals[CHOSEN_CHANGED], 0);
  ask (self);
}

void
loom_python_profiles_choose_profile (LoomPythonProfiles *self, const LoomPythonProfile *profile)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->listed)); i++)
    if (get_listed (self, i)->profile == profile) {
      loom_python_profiles_choose (self, &i, 1);
      return;
    }
}

void
loom_python_profiles_compare_with (LoomPythonProfiles *self, guint number)
{
  if (self->baseline == number)
    return;
  self->baseline = number;
  ask (self);
}

/* Returns TRUE if both arrays contain the same profiles. The timeline is replaced repeatedly while a run loads, but the
 * list changes only if the profiles differ. */
static gboolean
has_same_profiles (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++) {
    const LoomPythonProfileItem *x = a->pdata[i], *y = b->pdata[i];
    if (x->profile != y->profile || !g_str_equal (x->label, y->label) || !g_str_equal (x->detail, y->detail) ||
        g_strcmp0 (x->page, y->page) != 0)
      return FALSE;
  }
  return TRUE;
}

void
loom_python_profiles_set_timeline (LoomPythonProfiles *self, LoomTimeline *timeline)
{
  g_autoptr (GPtrArray) all =
    loom_python_profile_items_of (timeline, loom_row_list_get_names (loom_timeline_state_get_row_list (self->state)));
  if (has_same_profiles (all, self->all))
    return;
  g_ptr_array_unref (self->all);
  self->all = g_steal_pointer (&all);
  self->baseline = G_MAXUINT;
  g_signal_emit (self, signals[PROFILES_CHANGED], 0);
  refresh (self);
}

/* --- creating and freeing the object, and getting its data -------------------------------------------------------- */

static void
finalize (GObject *object)
{
  LoomPythonProfiles *self = LOOM_PYTHON_PROFILES (object);
  loom_worker_cancel (&self->running);
  g_signal_handlers_disconnect_by_data (self->state, self);
  g_object_unref (self->state);
  g_object_unref (self->listed);
  g_ptr_array_unref (self->all);
  g_array_unref (self->chosen);
  g_clear_pointer (&self->table, loom_python_function_table_unref);
  g_clear_pointer (&self->tree, loom_call_tree_unref);
  g_free (self->summary);
  G_OBJECT_CLASS (loom_python_profiles_parent_class)->finalize (object);
}

static void
loom_python_profiles_class_init (LoomPythonProfilesClass *klass)
{
  static const char *const names[] = { "profiles-changed", "chosen-changed", "answered" };
  G_OBJECT_CLASS (klass)->finalize = finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] =
      g_signal_new (names[i], LOOM_TYPE_PYTHON_PROFILES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_python_profiles_init (LoomPythonProfiles *self)
{
  self->all = g_ptr_array_new_with_free_func (g_object_unref);
  self->listed = g_list_store_new (LOOM_TYPE_PYTHON_PROFILE_ITEM);
  self->chosen = g_array_new (FALSE, FALSE, sizeof (guint));
  self->baseline = G_MAXUINT;
  self->summary = g_strdup ("");
  self->reason = _ ("This run has no Python profiles.");
}

LoomPythonProfiles *
loom_python_profiles_new (LoomTimelineState *state)
{
  LoomPythonProfiles *self = g_object_new (LOOM_TYPE_PYTHON_PROFILES, NULL);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "selection-changed", G_CALLBACK (choose_selected), self);
  g_signal_connect_swapped (state, "selection-changed", G_CALLBACK (view_changed), self);
  g_signal_connect_swapped (state, "view-changed", G_CALLBACK (view_changed), self);
  return self;
}

const GPtrArray *
loom_python_profiles_get_all (LoomPythonProfiles *self)
{
  return self->all;
}

GListModel *
loom_python_profiles_get_list (LoomPythonProfiles *self)
{
  return G_LIST_MODEL (self->listed);
}

const guint *
loom_python_profiles_get_chosen (LoomPythonProfiles *self, guint *n)
{
  *n = self->chosen->len;
  return (const guint *) (gpointer) self->chosen->data;
}

const char *
loom_python_profiles_get_page (LoomPythonProfiles *self)
{
  return self->chosen->len == 1 ? get_listed (self, g_array_index (self->chosen, guint, 0))->page : NULL;
}

gboolean
loom_python_profiles_is_working (LoomPythonProfiles *self)
{
  return self->running != NULL;
}

LoomPythonFunctionTable *
loom_python_profiles_get_table (LoomPythonProfiles *self)
{
  return self->table;
}

LoomCallTree *
loom_python_profiles_get_tree (LoomPythonProfiles *self)
{
  return self->tree;
}

const char *
loom_python_profiles_get_summary (LoomPythonProfiles *self)
{
  return self->summary;
}

const char *
loom_python_profiles_get_reason (LoomPythonProfiles *self)
{
  return self->table != NULL && self->table->rows->len > 0 ? NULL : self->reason;
}

const char *
loom_python_profiles_get_advice (LoomPythonProfiles *self)
{
  return self->all->len > 0 || loom_python_profiles_get_page (self) != NULL
           ? NULL
           : _ ("These commands record one:\n"
                "python3 -m cProfile -o rank0.prof train.py\n"
                "pyinstrument -r pyisession -o rank0.pyisession train.py");
}
