/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-state.h: runs the user's query in a worker, and keeps its answer, its error and the choices for
 * its chart.
 */
#include "loom-query-state.h"

#include "loom-query-names.h"
#include "loom-query-problem.h"
#include "loom-query-question.h"
#include "loom-worker.h"

#include <string.h>

struct _LoomQueryState {
  GObject parent;
  LoomTimeline *timeline;
  LoomQueryRun *run; /* object that runs queries on `timeline`; NULL until the first query is run */
  char *text, *problem;
  /* the latest text in the editor that is also stored elsewhere, as a saved query or an example; NULL: there was no
   * such text */
  char *stored;
  char *replaced;       /* the user's text that `stored` replaced, for loom_query_state_take_back(); NULL: none */
  gint64 problem_place; /* offset in bytes of the problem in `text`; −1: unknown */
  LoomQueryAnswer *answer;
  char *answered;     /* the text whose answer is `answer`; NULL: no answer */
  gboolean cancelled; /* TRUE: the last query was cancelled, and the text has not changed since */
  LoomRulerUnit reading;
  LoomQueryChartKind chart;
  /* for each axis, the name of the column that the user chose; NULL: the user chose no column */
  char *chart_columns[LOOM_N_QUERY_CHART_AXES];
  GCancellable *running;
  GPtrArray *names;         /* char *: names that occur in the run, for completion; NULL: not collected yet */
  GCancellable *collecting; /* cancels the worker that collects `names`; NULL: no worker is running */
  /* key: text of a query (char *); value: the texts in the first column of its rows (GPtrArray of char *), for
   * completion */
  GHashTable *values;
  GCancellable *asking; /* cancels the worker that runs `asked`; NULL: no worker is running */
  /* the query whose first column is being collected, or was collected last; NULL: none was collected yet */
  char *asked;
};

G_DEFINE_FINAL_TYPE (LoomQueryState, loom_query_state, G_TYPE_OBJECT)

enum { PROP_0, PROP_TEXT, PROP_RUNNING, PROP_PROBLEM, PROP_ANSWER, PROP_CHART, N_PROPS };
static GParamSpec *properties[N_PROPS];

/* The text that the query editor shows for a new run. The query is cheap in runs of any size, and its rows have an id,
 * so that the timeline can show the span of each row. */
#define FIRST_TEXT                           \
  "SELECT name, rank, start, duration, id\n" \
  "FROM span\n"                              \
  "ORDER BY duration DESC\n"                 \
  "LIMIT 100"

/* Sets the message of an error. The offset of the error is known only if the text has not changed since the query was
 * started. */
static void
set_problem (LoomQueryState *self, const GError *error, const LoomQueryQuestion *question)
{
  g_free (self->problem);
  self->problem = error != NULL ? loom_query_problem_dup_words (error) : NULL;
  self->problem_place =
    error != NULL && g_str_equal (question->text, self->text) ? loom_query_find_place (self->text, error) : -1;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
}

/* Makes the times of the answer relative to the zero of the ruler. Returns TRUE if this changes the times. */
static gboolean
follow_ruler (LoomQueryState *self)
{
  gint64 before_ns = self->answer->zero_ns;
  loom_query_answer_set_zero (self->answer, loom_ruler_get_zero (self->answer->timeline, self->reading));
  return self->answer->zero_ns != before_ns;
}

void
loom_query_state_set_reading (LoomQueryState *self, LoomRulerUnit reading)
{
  g_return_if_fail (LOOM_IS_QUERY_STATE (self));
  self->reading = reading;
  if (self->answer != NULL && follow_ruler (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ANSWER]);
}

static void
answered (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomQueryState *self = owner;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
  set_problem (self, error, input);
  if (result == NULL)
    return;
  loom_query_answer_unref (self->answer);
  self->answer = result;
  g_free (self->answered);
  self->answered = g_strdup (((const LoomQueryQuestion *) input)->text);
  follow_ruler (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ANSWER]);
}

void
loom_query_state_run (LoomQueryState *self)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) loom_query_question_answer,
                                       (GDestroyNotify) loom_query_question_free,
                                       (GDestroyNotify) loom_query_answer_unref };
  if (self->timeline == NULL)
    return;
  self->cancelled = FALSE;
  if (self->run == NULL)
    self->run = loom_query_run_new (self->timeline);
  LoomQueryQuestion *question = loom_query_question_new (self->run, self->text);
  loom_worker_start (&self->running, &kind, question, answered, self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
}

void
loom_query_state_cancel (LoomQueryState *self)
{
  if (self->running == NULL)
    return;
  loom_worker_cancel (&self->running);
  self->cancelled = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
}

gboolean
loom_query_state_is_running (LoomQueryState *self)
{
  return self->running != NULL;
}

gboolean
loom_query_state_is_cancelled (LoomQueryState *self)
{
  return self->cancelled;
}

void
loom_query_state_set_timeline (LoomQueryState *self, LoomTimeline *timeline)
{
  if (self->timeline == timeline)
    return;
  loom_query_state_cancel (self);
  loom_worker_cancel (&self->collecting);
  loom_worker_cancel (&self->asking);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_hash_table_remove_all (self->values);
  g_clear_pointer (&self->run, loom_query_run_unref);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  if (timeline != NULL)
    self->timeline = loom_timeline_ref (timeline);
}

void
loom_query_state_set_text (LoomQueryState *self, const char *text)
{
  g_return_if_fail (text != NULL);
  if (g_str_equal (self->text, text))
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  self->cancelled = FALSE;
  self->problem_place = -1; /* the problem was found in the previous text, so its position in the new text is unknown */
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

/* Returns TRUE if the text is not empty and not known to be stored elsewhere, for example as a saved query. */
static gboolean
is_unsaved (LoomQueryState *self)
{
  return self->text[strspn (self->text, " \t\n")] != '\0' && !g_str_equal (self->text, FIRST_TEXT) &&
         g_strcmp0 (self->text, self->stored) != 0;
}

gboolean
loom_query_state_take_text (LoomQueryState *self, const char *text)
{
  g_return_val_if_fail (LOOM_IS_QUERY_STATE (self) && text != NULL, FALSE);
  gboolean replaces = is_unsaved (self) && !g_str_equal (self->text, text);
  if (replaces) {
    g_free (self->replaced);
    self->replaced = g_strdup (self->text);
  }
  g_free (self->stored);
  self->stored = g_strdup (text);
  loom_query_state_set_text (self, text);
  return replaces;
}

void
loom_query_state_set_stored (LoomQueryState *self)
{
  g_return_if_fail (LOOM_IS_QUERY_STATE (self));
  g_free (self->stored);
  self->stored = g_strdup (self->text);
}

void
loom_query_state_take_back (LoomQueryState *self)
{
  g_return_if_fail (LOOM_IS_QUERY_STATE (self));
  g_autofree char *replaced = g_steal_pointer (&self->replaced);
  if (replaced == NULL)
    return;
  loom_query_state_cancel (self);
  loom_query_state_set_text (self, replaced);
}

char *
loom_query_state_dup_own_text (LoomQueryState *self)
{
  g_return_val_if_fail (LOOM_IS_QUERY_STATE (self), NULL);
  return strcmp (self->text, FIRST_TEXT) != 0 ? g_strdup (self->text) : NULL;
}

void
loom_query_state_restore_text (LoomQueryState *self, const char *text)
{
  loom_query_state_set_text (self, text != NULL && strlen (text) <= LOOM_QUERY_TEXT_BYTES ? text : FIRST_TEXT);
}

const char *
loom_query_state_get_text (LoomQueryState *self)
{
  return self->text;
}

const char *
loom_query_state_get_problem (LoomQueryState *self)
{
  return self->problem;
}

gint64
loom_query_state_get_problem_place (LoomQueryState *self)
{
  return self->problem != NULL ? self->problem_place : -1;
}

const LoomQueryAnswer *
loom_query_state_get_answer (LoomQueryState *self)
{
  return self->answer;
}

gboolean
loom_query_state_is_answer_old (LoomQueryState *self)
{
  return self->answer != NULL && !g_str_equal (self->answered, self->text);
}

gboolean
loom_query_state_has_places (LoomQueryState *self)
{
  return self->answer != NULL && self->answer->places != NULL && self->timeline != NULL &&
         loom_timeline_get_run (self->timeline) == loom_timeline_get_run (self->answer->timeline);
}

/* --- chart -------------------------------------------------------------------------------------------------------- */

void
loom_query_state_set_chart (LoomQueryState *self, LoomQueryChartKind kind)
{
  g_return_if_fail (LOOM_IS_QUERY_STATE (self) && kind < LOOM_N_QUERY_CHARTS);
  if (self->chart == kind)
    return;
  self->chart = kind;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHART]);
}

LoomQueryChartKind
loom_query_state_get_chart (LoomQueryState *self)
{
  return self->chart;
}

void
loom_query_state_set_chart_column (LoomQueryState *self, LoomQueryChartAxis axis, const char *name)
{
  g_return_if_fail (LOOM_IS_QUERY_STATE (self) && axis < LOOM_N_QUERY_CHART_AXES);
  if (g_strcmp0 (self->chart_columns[axis], name) == 0)
    return;
  g_free (self->chart_columns[axis]);
  self->chart_columns[axis] = g_strdup (name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHART]);
}

const char *
loom_query_state_get_chart_column (LoomQueryState *self, LoomQueryChartAxis axis)
{
  return self->chart_columns[axis];
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static gpointer
collect_names (gpointer timeline, GCancellable *cancellable, GError **error)
{
  return loom_query_names_collect (timeline, cancellable);
}

static void
names_collected (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  ((LoomQueryState *) owner)->names = result;
}

const GPtrArray *
loom_query_state_get_names (LoomQueryState *self)
{
  static const LoomWorkerKind kind = { collect_names, (GDestroyNotify) loom_timeline_unref,
                                       (GDestroyNotify) g_ptr_array_unref };
  if (self->names == NULL && self->collecting == NULL && self->timeline != NULL)
    loom_worker_start (&self->collecting, &kind, loom_timeline_ref (self->timeline), names_collected, self);
  return self->names;
}

static gpointer
collect_values (gpointer question, GCancellable *cancellable, GError **error)
{
  const LoomQueryQuestion *asked = question;
  return loom_query_names_collect_values (asked->run, asked->text, cancellable);
}

static void
values_collected (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomQueryState *self = owner;
  if (result != NULL)
    g_hash_table_insert (self->values, g_strdup (((const LoomQueryQuestion *) input)->text), result);
}

const GPtrArray *
loom_query_state_get_values (LoomQueryState *self, const char *sql)
{
  static const LoomWorkerKind kind = { collect_values, (GDestroyNotify) loom_query_question_free,
                                       (GDestroyNotify) g_ptr_array_unref };
  const GPtrArray *values = g_hash_table_lookup (self->values, sql);
  gboolean is_asking = self->asking != NULL && g_strcmp0 (self->asked, sql) == 0;
  if (values != NULL || is_asking || self->timeline == NULL)
    return values;
  if (self->run == NULL)
    self->run = loom_query_run_new (self->timeline);
  g_free (self->asked);
  self->asked = g_strdup (sql);
  loom_worker_start (&self->asking, &kind, loom_query_question_new (self->run, sql), values_collected, self);
  return NULL;
}

/* --- creating and freeing the object ------------------------------------------------------------------------------ */

static void
finalize (GObject *object)
{
  LoomQueryState *self = LOOM_QUERY_STATE (object);
  loom_worker_cancel (&self->running);
  loom_worker_cancel (&self->collecting);
  loom_worker_cancel (&self->asking);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_hash_table_unref (self->values);
  g_free (self->asked);
  loom_query_run_unref (self->run);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  loom_query_answer_unref (self->answer);
  for (LoomQueryChartAxis axis = 0; axis < LOOM_N_QUERY_CHART_AXES; axis++)
    g_free (self->chart_columns[axis]);
  g_free (self->answered);
  g_free (self->stored);
  g_free (self->replaced);
  g_free (self->text);
  g_free (self->problem);
  G_OBJECT_CLASS (loom_query_state_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomQueryState *self = LOOM_QUERY_STATE (object);
  switch (id) {
  case PROP_TEXT: g_value_set_string (value, self->text); break;
  case PROP_RUNNING: g_value_set_boolean (value, self->running != NULL); break;
  case PROP_PROBLEM: g_value_set_string (value, self->problem); break;
  case PROP_CHART: g_value_set_uint (value, self->chart); break;
  default: g_value_set_pointer (value, self->answer); break;
  }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  const char *text = g_value_get_string (value);
  loom_query_state_set_text (LOOM_QUERY_STATE (object), text != NULL ? text : "");
}

static void
loom_query_state_class_init (LoomQueryStateClass *klass)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROP_TEXT] =
    g_param_spec_string ("text", NULL, NULL, FIRST_TEXT, readable | G_PARAM_WRITABLE | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, readable);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, readable);
  properties[PROP_ANSWER] = g_param_spec_pointer ("answer", NULL, NULL, readable);
  properties[PROP_CHART] = g_param_spec_uint ("chart", NULL, NULL, 0, LOOM_N_QUERY_CHARTS - 1, 0, readable);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_query_state_init (LoomQueryState *self)
{
  self->text = g_strdup (FIRST_TEXT);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
}

LoomQueryState *
loom_query_state_new (void)
{
  return g_object_new (LOOM_TYPE_QUERY_STATE, NULL);
}
