/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-lanes.h: runs the queries of the lanes one after another, and makes lanes from their answers.
 */
#include "loom-query-lanes.h"

#include "loom-query-problem.h"
#include "loom-query-question.h"
#include "loom-worker.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum number of characters of a lane's name; longer names are cut. */
#define LONGEST_NAME 200

typedef struct {
  LoomQueryLanes *owner; /* the object that contains this lane; borrowed */
  char *name, *text, *problem;
  guint color;
  gboolean is_numbered; /* TRUE: the name is only a word and a number, such as "Result 2" */
  gboolean was_run;     /* TRUE if the user has run the query */
  gboolean waits;       /* TRUE while the query waits until the queries of other lanes have ended */
  LoomResultLane *result;
  GCancellable *running;
} Lane;

struct _LoomQueryLanes {
  GObject parent;
  LoomTimeline *timeline;
  LoomQueryRun *run; /* object that runs queries on `timeline`; NULL until the first query is run */
  GPtrArray *lanes;  /* Lane */
};

G_DEFINE_FINAL_TYPE (LoomQueryLanes, loom_query_lanes, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
changed (LoomQueryLanes *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
free_lane (gpointer data)
{
  Lane *lane = data;
  loom_worker_cancel (&lane->running);
  loom_result_lane_unref (lane->result);
  g_free (lane->name);
  g_free (lane->text);
  g_free (lane->problem);
  g_free (lane);
}

static void
set_name (Lane *lane, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_free (lane->name);
  lane->name = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), LONGEST_NAME));
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static gpointer
ask (gpointer input, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomQueryAnswer) answer = loom_query_question_answer (input, cancellable, error);
  LoomResultLane *lane = answer != NULL ? loom_query_answer_make_lane (answer) : NULL;
  if (answer != NULL && lane == NULL)
    g_set_error_literal (
      error, G_IO_ERROR, G_IO_ERROR_FAILED,
      answer->table->n_rows == 0
        ? _ ("The query returned no rows.")
        : _ ("A lane needs rows that contain the id of a span, or a start and a duration, or a time and a number."));
  return lane;
}

static void start_next (LoomQueryLanes *self);

/* If a lane shows values, and its name is only a word and a number, such as "Result 2", renames the lane to the title
 * of the column with the values, because this title describes the lane better. */
static void
name_after_values (Lane *lane)
{
  const char *title = lane->result != NULL && lane->is_numbered ? loom_result_lane_get_title (lane->result) : "";
  if (title[0] == '\0')
    return;
  lane->is_numbered = FALSE;
  set_name (lane, title);
}

static void
answered (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  Lane *lane = owner;
  loom_result_lane_unref (lane->result);
  lane->result = result;
  g_free (lane->problem);
  lane->problem = error != NULL ? loom_query_problem_dup_words (error) : NULL;
  name_after_values (lane);
  start_next (lane->owner);
  changed (lane->owner);
}

static void
start (LoomQueryLanes *self, Lane *lane)
{
  static const LoomWorkerKind kind = { ask, (GDestroyNotify) loom_query_question_free,
                                       (GDestroyNotify) loom_result_lane_unref };
  if (self->run == NULL)
    self->run = loom_query_run_new (self->timeline);
  LoomQueryQuestion *question = loom_query_question_new (self->run, lane->text);
  lane->waits = FALSE;
  loom_worker_start (&lane->running, &kind, question, answered, lane);
}

/* If no query is running, starts the first query that waits. Queries do not run at the same time: SQLite limits the
 * memory of the whole process, so queries that sort many rows would fail. */
static void
start_next (LoomQueryLanes *self)
{
  Lane *next = NULL;
  for (guint i = self->lanes->len; i-- > 0;) {
    Lane *lane = self->lanes->pdata[i];
    if (lane->running != NULL)
      return;
    next = lane->waits ? lane : next;
  }
  if (next != NULL)
    start (self, next);
}

static void
run (LoomQueryLanes *self, Lane *lane)
{
  loom_worker_cancel (&lane->running);
  lane->was_run = TRUE;
  lane->waits = self->timeline != NULL;
  start_next (self);
}

void
loom_query_lanes_run (LoomQueryLanes *self, guint lane)
{
  g_return_if_fail (LOOM_IS_QUERY_LANES (self) && lane < self->lanes->len);
  run (self, self->lanes->pdata[lane]);
  changed (self);
}

/* Drops all results, because their spans belong to the previous timeline. Then runs those queries again that the user
 * has run before. */
void
loom_query_lanes_set_timeline (LoomQueryLanes *self, LoomTimeline *timeline)
{
  if (self->timeline == timeline)
    return;
  g_clear_pointer (&self->run, loom_query_run_unref);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = timeline != NULL ? loom_timeline_ref (timeline) : NULL;
  for (guint i = 0; i < self->lanes->len; i++) {
    Lane *lane = self->lanes->pdata[i];
    loom_worker_cancel (&lane->running);
    g_clear_pointer (&lane->result, loom_result_lane_unref);
    lane->waits = lane->was_run && timeline != NULL;
  }
  start_next (self);
  if (self->lanes->len > 0)
    changed (self);
}

/* --- list of lanes ------------------------------------------------------------------------------------------------ */

static gboolean
is_color_used (LoomQueryLanes *self, guint color)
{
  for (guint i = 0; i < self->lanes->len; i++)
    if (((const Lane *) self->lanes->pdata[i])->color == color)
      return TRUE;
  return FALSE;
}

/* Returns the text of the comment with which a query begins, such as "-- title: …", without "title:"; NULL: the query
 * has no such comment. Owned by the caller. */
static char *
dup_title (const char *sql)
{
  g_auto (GStrv) lines = g_strsplit (sql, "\n", 2);
  const char *title = lines[0] != NULL && g_str_has_prefix (lines[0], "--") ? lines[0] + 2 : "";
  title += strspn (title, " ");
  if (g_str_has_prefix (title, "title:"))
    title += strlen ("title:");
  g_autofree char *name = g_strstrip (g_strdup (title));
  return name[0] != '\0' && name[0] != ':' ? g_steal_pointer (&name) : NULL;
}

static gboolean
is_name_used (LoomQueryLanes *self, const char *name)
{
  for (guint i = 0; i < self->lanes->len; i++)
    if (g_str_equal (((const Lane *) self->lanes->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

/* Returns a name that no lane has: a word and the lowest free number, for example "Result 2". Owned by the caller. */
static char *
dup_numbered_name (LoomQueryLanes *self)
{
  for (guint number = 1;; number++) {
    /* Translators: the name of a lane on the timeline that shows the rows of a query */
    g_autofree char *name = g_strdup_printf (_ ("Result %u"), number);
    if (!is_name_used (self, name))
      return g_steal_pointer (&name);
  }
}

/* Names a lane to which the user gave no name. */
static void
name_lane (LoomQueryLanes *self, Lane *lane)
{
  g_autofree char *title = dup_title (lane->text), *numbered = title == NULL ? dup_numbered_name (self) : NULL;
  lane->is_numbered = title == NULL;
  set_name (lane, title != NULL ? title : numbered);
}

static Lane *
add (LoomQueryLanes *self, const char *name, const char *sql)
{
  if (self->lanes->len >= LOOM_QUERY_LANES_MOST || strlen (sql) > LOOM_QUERY_TEXT_BYTES)
    return NULL;
  Lane *lane = g_new0 (Lane, 1);
  lane->owner = self;
  lane->text = g_strdup (sql);
  if (name == NULL || name[0] == '\0')
    name_lane (self, lane);
  else
    set_name (lane, name);
  while (is_color_used (self, lane->color))
    lane->color++;
  g_ptr_array_add (self->lanes, lane);
  return lane;
}

gboolean
loom_query_lanes_add (LoomQueryLanes *self, const char *name, const char *sql)
{
  g_return_val_if_fail (LOOM_IS_QUERY_LANES (self), FALSE);
  Lane *lane = add (self, name, sql);
  if (lane == NULL)
    return FALSE;
  run (self, lane);
  changed (self);
  return TRUE;
}

void
loom_query_lanes_restore (LoomQueryLanes *self, const char *name, const char *sql)
{
  g_return_if_fail (LOOM_IS_QUERY_LANES (self));
  if (add (self, name, sql) != NULL)
    changed (self);
}

void
loom_query_lanes_remove (LoomQueryLanes *self, guint lane)
{
  g_return_if_fail (LOOM_IS_QUERY_LANES (self) && lane < self->lanes->len);
  g_ptr_array_remove_index (self->lanes, lane);
  start_next (self);
  changed (self);
}

void
loom_query_lanes_clear (LoomQueryLanes *self)
{
  if (self->lanes->len == 0)
    return;
  g_ptr_array_set_size (self->lanes, 0);
  changed (self);
}

void
loom_query_lanes_rename (LoomQueryLanes *self, guint lane, const char *name)
{
  g_return_if_fail (LOOM_IS_QUERY_LANES (self) && lane < self->lanes->len);
  if (name[0] == '\0' || g_str_equal (name, loom_query_lanes_get_name (self, lane)))
    return;
  set_name (self->lanes->pdata[lane], name);
  ((Lane *) self->lanes->pdata[lane])->is_numbered = FALSE;
  changed (self);
}

guint
loom_query_lanes_get_n (LoomQueryLanes *self)
{
  return self->lanes->len;
}

static const Lane *
get_lane (LoomQueryLanes *self, guint lane)
{
  return self->lanes->pdata[lane];
}

const char *
loom_query_lanes_get_name (LoomQueryLanes *self, guint lane)
{
  return get_lane (self, lane)->name;
}

const char *
loom_query_lanes_get_text (LoomQueryLanes *self, guint lane)
{
  return get_lane (self, lane)->text;
}

const char *
loom_query_lanes_get_problem (LoomQueryLanes *self, guint lane)
{
  return get_lane (self, lane)->problem;
}

const LoomResultLane *
loom_query_lanes_get_result (LoomQueryLanes *self, guint lane)
{
  return get_lane (self, lane)->result;
}

gboolean
loom_query_lanes_is_running (LoomQueryLanes *self, guint lane)
{
  return get_lane (self, lane)->running != NULL || get_lane (self, lane)->waits;
}

guint
loom_query_lanes_get_color (LoomQueryLanes *self, guint lane)
{
  return get_lane (self, lane)->color;
}

/* --- creating and freeing the object ------------------------------------------------------------------------------ */

static void
finalize (GObject *object)
{
  LoomQueryLanes *self = LOOM_QUERY_LANES (object);
  g_ptr_array_unref (self->lanes);
  loom_query_run_unref (self->run);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  G_OBJECT_CLASS (loom_query_lanes_parent_class)->finalize (object);
}

static void
loom_query_lanes_class_init (LoomQueryLanesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_QUERY_LANES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_query_lanes_init (LoomQueryLanes *self)
{
  self->lanes = g_ptr_array_new_with_free_func (free_lane);
}

LoomQueryLanes *
loom_query_lanes_new (void)
{
  return g_object_new (LOOM_TYPE_QUERY_LANES, NULL);
}
