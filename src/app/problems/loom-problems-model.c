/* SPDX-License-Identifier: Apache-2.0
 *
 * The list is an array of what each row says, borrowed from the run, and an array of the numbers of those that are
 * shown. GtkSortListModel and GtkFilterListModel would make an object of every row.
 */
#include "loom-problems-model.h"

#include "loom-excerpt.h"

/* Texts at places are read for so many rows of a copy. */
#define MAX_COPIED_TEXTS 10000

/* More rows than that are sorted and filtered in a worker: a hundred thousand take most of a second. */
#define MOST_AT_ONCE 1000

struct _LoomProblemsModel {
  GObject parent;
  LoomRun *run;
  LoomSourceOverrides *names; /* lend what sources are called */
  GArray *all;                /* LoomProblemFacts */
  LoomProblemsSorter *order;  /* as asked for last */
  GArray *shown;              /* guint: numbers in `all` */
  GCancellable *working;      /* NULL when nothing is under way */
};

/* --- the list model --------------------------------------------------------------------------------------------- */

static GType
get_item_type (GListModel *model)
{
  return LOOM_TYPE_PROBLEM_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return LOOM_PROBLEMS_MODEL (model)->shown->len;
}

static const LoomProblemFacts *
facts_at (const LoomProblemsModel *self, guint number)
{
  return &g_array_index (self->all, LoomProblemFacts, number);
}

static gpointer
get_item (GListModel *model, guint position)
{
  LoomProblemsModel *self = LOOM_PROBLEMS_MODEL (model);
  if (position >= self->shown->len)
    return NULL;
  return loom_problem_item_new (self->run, facts_at (self, g_array_index (self->shown, guint, position)));
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomProblemsModel, loom_problems_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
finalize (GObject *object)
{
  LoomProblemsModel *self = LOOM_PROBLEMS_MODEL (object);
  g_clear_pointer (&self->run, loom_run_unref);
  g_clear_pointer (&self->names, loom_source_overrides_free);
  g_clear_object (&self->working);
  g_clear_pointer (&self->order, loom_problems_sorter_free);
  g_array_unref (self->all);
  g_array_unref (self->shown);
  G_OBJECT_CLASS (loom_problems_model_parent_class)->finalize (object);
}

static void
loom_problems_model_class_init (LoomProblemsModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_problems_model_init (LoomProblemsModel *self)
{
  self->all = g_array_new (FALSE, FALSE, sizeof (LoomProblemFacts));
  self->shown = g_array_new (FALSE, FALSE, sizeof (guint));
}

/* --- filling ---------------------------------------------------------------------------------------------------- */

static void
add_ignored (LoomProblemsModel *self, gboolean failed)
{
  for (guint i = 0; i < loom_run_get_n_ignored (self->run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (self->run, i);
    LoomProblemFacts facts = { failed ? LOOM_SEVERITY_ERROR : LOOM_SEVERITY_INFO,
                               ignored->path,
                               failed ? "unreadable" : "ignored",
                               ignored->reason,
                               1,
                               LOOM_OFFSET_NONE,
                               NULL,
                               FALSE };
    if (ignored->failed == failed)
      g_array_append_val (self->all, facts);
  }
}

static void
add_of_severity (LoomProblemsModel *self, LoomSeverity severity)
{
  for (guint s = 0; s < loom_run_get_n_sources (self->run); s++) {
    const LoomSource *source = loom_run_get_source (self->run, s);
    for (guint i = 0; source->log != NULL && i < loom_import_log_get_n_problems (source->log); i++) {
      const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
      LoomProblemFacts facts = { severity,
                                 source->path,
                                 problem->code,
                                 problem->message != NULL ? problem->message : problem->code,
                                 problem->count,
                                 problem->offset,
                                 loom_source_get_file_text (source),
                                 source->packed };
      if (problem->severity == severity)
        g_array_append_val (self->all, facts);
    }
  }
}

/* --- order and filter ------------------------------------------------------------------------------------------- */

static void
take_answer (LoomProblemsModel *self, const LoomProblemsSorter *answered)
{
  guint before = self->shown->len;
  if (self->order->sorted == NULL)
    self->order->sorted = g_array_ref (answered->sorted);
  g_array_unref (self->shown);
  self->shown = g_array_ref (answered->shown);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, self->shown->len);
}

static void
work_in_thread (GTask *task, gpointer model, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_boolean (task, loom_problems_sorter_work (task_data, cancellable));
}

static void
was_answered (GObject *object, GAsyncResult *result, gpointer user_data)
{
  LoomProblemsModel *self = LOOM_PROBLEMS_MODEL (object);
  if (g_task_get_cancellable (G_TASK (result)) != self->working) /* another question was asked since */
    return;
  g_clear_object (&self->working);
  if (g_task_propagate_boolean (G_TASK (result), NULL))
    take_answer (self, g_task_get_task_data (G_TASK (result)));
}

/* Few rows at once; many in a worker, until when those before stay. */
static void
ask (LoomProblemsModel *self)
{
  LoomProblemsSorter *question = loom_problems_sorter_copy (self->order);
  if (self->working != NULL)
    g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
  if (self->all->len <= MOST_AT_ONCE) {
    loom_problems_sorter_work (question, NULL);
    take_answer (self, question);
    loom_problems_sorter_free (question);
    return;
  }
  self->working = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->working, was_answered, NULL);
  g_task_set_task_data (task, question, (GDestroyNotify) loom_problems_sorter_free);
  g_task_run_in_thread (task, work_in_thread);
}

LoomProblemsModel *
loom_problems_model_new (LoomRun *run)
{
  LoomProblemsModel *self = g_object_new (LOOM_TYPE_PROBLEMS_MODEL, NULL);
  if (run == NULL) {
    self->order = loom_problems_sorter_new (NULL, self->all);
    return self;
  }
  self->run = loom_run_ref (run);
  add_ignored (self, TRUE);
  add_of_severity (self, LOOM_SEVERITY_ERROR);
  add_of_severity (self, LOOM_SEVERITY_WARNING);
  add_of_severity (self, LOOM_SEVERITY_INFO);
  add_ignored (self, FALSE);
  self->order = loom_problems_sorter_new (run, self->all);
  for (guint i = 0; i < self->all->len; i++)
    g_array_append_val (self->shown, i);
  return self;
}

void
loom_problems_model_set_names (LoomProblemsModel *self, const LoomSourceOverrides *names)
{
  g_return_if_fail (LOOM_IS_PROBLEMS_MODEL (self) && self->names == NULL);
  self->names = names != NULL ? loom_source_overrides_copy (names) : NULL;
  for (guint i = 0; i < self->all->len; i++) {
    LoomProblemFacts *facts = &g_array_index (self->all, LoomProblemFacts, i);
    facts->given = loom_source_overrides_get_name (self->names, facts->path);
  }
}

void
loom_problems_model_sort (LoomProblemsModel *self, LoomProblemColumn column, gboolean descending)
{
  g_return_if_fail (LOOM_IS_PROBLEMS_MODEL (self));
  self->order->column = column;
  self->order->descending = descending;
  g_clear_pointer (&self->order->sorted, g_array_unref);
  ask (self);
}

/* The words between blanks; NULL for none. */
static char **
split_words (const char *words)
{
  g_auto (GStrv) parts = g_strsplit_set (words != NULL ? words : "", " \t", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (kept, g_strdup (parts[i]));
  g_ptr_array_add (kept, NULL);
  return (char **) g_ptr_array_steal (kept, NULL);
}

void
loom_problems_model_filter (LoomProblemsModel *self, guint severities, const char *words, const char *const *paths)
{
  g_return_if_fail (LOOM_IS_PROBLEMS_MODEL (self));
  LoomProblemsSorter *order = self->order;
  g_clear_pointer (&order->paths, g_hash_table_unref);
  g_strfreev (order->words);
  order->severities = severities;
  order->words = split_words (words);
  if (paths != NULL)
    order->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_hash_table_add (order->paths, g_strdup (paths[i]));
  ask (self);
}

guint
loom_problems_model_count (LoomProblemsModel *self, LoomSeverity severity)
{
  guint n = 0;
  for (guint i = 0; i < self->all->len; i++)
    n += facts_at (self, i)->severity == severity && loom_problems_sorter_has_file (self->order, facts_at (self, i));
  return n;
}

gboolean
loom_problems_model_is_working (LoomProblemsModel *self)
{
  return self->working != NULL;
}

guint
loom_problems_model_get_n_all (LoomProblemsModel *self)
{
  return self->all->len;
}

/* --- as text ---------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomRun *run; /* lends the facts */
  GArray *rows; /* LoomProblemFacts */
} Copy;

static void
copy_free (Copy *copy)
{
  g_clear_pointer (&copy->run, loom_run_unref);
  g_array_unref (copy->rows);
  g_free (copy);
}

static void
write_in_thread (GTask *task, gpointer model, gpointer task_data, GCancellable *cancellable)
{
  const Copy *copy = task_data;
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < copy->rows->len && !g_cancellable_is_cancelled (cancellable); i++) {
    const LoomProblemFacts *facts = &g_array_index (copy->rows, LoomProblemFacts, i);
    gboolean has_place = facts->text != NULL && facts->offset != LOOM_OFFSET_NONE && i < MAX_COPIED_TEXTS;
    g_autofree char *excerpt = has_place ? loom_excerpt_read (facts->text, facts->offset, NULL, NULL) : NULL;
    loom_problem_item_facts_append (out, facts, excerpt);
  }
  g_task_return_pointer (task, g_string_free (out, FALSE), g_free);
}

void
loom_problems_model_dup_text_async (LoomProblemsModel *self, GCancellable *cancellable, GAsyncReadyCallback ready,
                                    gpointer user_data)
{
  g_return_if_fail (LOOM_IS_PROBLEMS_MODEL (self));
  Copy *copy = g_new0 (Copy, 1);
  copy->run = self->run != NULL ? loom_run_ref (self->run) : NULL;
  copy->rows = g_array_sized_new (FALSE, FALSE, sizeof (LoomProblemFacts), self->shown->len);
  for (guint i = 0; i < self->shown->len; i++)
    g_array_append_vals (copy->rows, facts_at (self, g_array_index (self->shown, guint, i)), 1);
  g_autoptr (GTask) task = g_task_new (self, cancellable, ready, user_data);
  g_task_set_task_data (task, copy, (GDestroyNotify) copy_free);
  g_task_run_in_thread (task, write_in_thread);
}

char *
loom_problems_model_dup_text_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
