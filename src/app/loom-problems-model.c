/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problems-model.h"

#include "loom-path.h"
#include "loom-words.h"

#include <glib/gi18n.h>

struct _LoomProblemItem {
  GObject parent;
  LoomSeverity severity;
  char *path;
  char *message;
};

G_DEFINE_FINAL_TYPE (LoomProblemItem, loom_problem_item, G_TYPE_OBJECT)

static void
item_finalize (GObject *object)
{
  LoomProblemItem *self = LOOM_PROBLEM_ITEM (object);
  g_free (self->path);
  g_free (self->message);
  G_OBJECT_CLASS (loom_problem_item_parent_class)->finalize (object);
}

static void
loom_problem_item_class_init (LoomProblemItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = item_finalize;
}

static void
loom_problem_item_init (LoomProblemItem *self)
{
}

LoomSeverity
loom_problem_item_get_severity (LoomProblemItem *self)
{
  return self->severity;
}

const char *
loom_problem_item_get_path (LoomProblemItem *self)
{
  return self->path;
}

const char *
loom_problem_item_get_message (LoomProblemItem *self)
{
  return self->message;
}

/* Where a row comes from: a source's problem, or an ignored file. */
typedef struct {
  guint source; /* G_MAXUINT: an ignored file */
  guint index;
} Place;

struct _LoomProblemsModel {
  GObject parent;
  LoomRun *run;
  GArray *places;
};

static GType
get_item_type (GListModel *model)
{
  return LOOM_TYPE_PROBLEM_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return LOOM_PROBLEMS_MODEL (model)->places->len;
}

static char *
message_of (const LoomProblem *problem, gboolean packed)
{
  GString *text = g_string_new (problem->message != NULL ? problem->message : problem->code);
  g_autofree char *count = loom_words_number (problem->count);
  g_autofree char *offset = loom_words_number (problem->offset);
  if (problem->count > 1)
    g_string_append_printf (text, ngettext (" (%s time)", " (%s times)", (gulong) problem->count), count);
  if (problem->offset != LOOM_OFFSET_NONE)
    g_string_append_printf (text, packed ? _ (" — at byte %s of the unpacked text") : _ (" — at byte %s"), offset);
  return g_string_free (text, FALSE);
}

static gpointer
get_item (GListModel *model, guint position)
{
  LoomProblemsModel *self = LOOM_PROBLEMS_MODEL (model);
  if (position >= self->places->len)
    return NULL;
  Place place = g_array_index (self->places, Place, position);
  LoomProblemItem *item = g_object_new (LOOM_TYPE_PROBLEM_ITEM, NULL);
  if (place.source == G_MAXUINT) {
    const LoomIgnored *ignored = loom_run_get_ignored (self->run, place.index);
    item->severity = ignored->failed ? LOOM_SEVERITY_ERROR : LOOM_SEVERITY_INFO;
    item->path = loom_path_dup_shown (ignored->path);
    item->message = g_strdup (ignored->reason);
    return item;
  }
  const LoomSource *source = loom_run_get_source (self->run, place.source);
  const LoomProblem *problem = loom_log_get_problem (source->log, place.index);
  item->severity = problem->severity;
  item->path = loom_path_dup_shown (source->path);
  item->message = message_of (problem, source->packed);
  return item;
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
model_finalize (GObject *object)
{
  LoomProblemsModel *self = LOOM_PROBLEMS_MODEL (object);
  g_clear_pointer (&self->run, loom_run_unref);
  g_array_unref (self->places);
  G_OBJECT_CLASS (loom_problems_model_parent_class)->finalize (object);
}

static void
loom_problems_model_class_init (LoomProblemsModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = model_finalize;
}

static void
loom_problems_model_init (LoomProblemsModel *self)
{
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
}

static void
add (LoomProblemsModel *self, guint source, guint index)
{
  Place place = { source, index };
  g_array_append_val (self->places, place);
}

static void
add_ignored (LoomProblemsModel *self, gboolean failed)
{
  for (guint i = 0; i < loom_run_get_n_ignored (self->run); i++)
    if (loom_run_get_ignored (self->run, i)->failed == failed)
      add (self, G_MAXUINT, i);
}

static void
add_of_severity (LoomProblemsModel *self, LoomSeverity severity)
{
  for (guint s = 0; s < loom_run_get_n_sources (self->run); s++) {
    const LoomLog *log = loom_run_get_source (self->run, s)->log;
    for (guint i = 0; log != NULL && i < loom_log_get_n_problems (log); i++)
      if (loom_log_get_problem (log, i)->severity == severity)
        add (self, s, i);
  }
}

LoomProblemsModel *
loom_problems_model_new (LoomRun *run)
{
  LoomProblemsModel *self = g_object_new (LOOM_TYPE_PROBLEMS_MODEL, NULL);
  if (run == NULL)
    return self;
  self->run = loom_run_ref (run);
  add_ignored (self, TRUE);
  add_of_severity (self, LOOM_SEVERITY_ERROR);
  add_of_severity (self, LOOM_SEVERITY_WARNING);
  add_of_severity (self, LOOM_SEVERITY_INFO);
  add_ignored (self, FALSE);
  return self;
}

char *
loom_problems_model_dup_text (LoomProblemsModel *self)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < self->places->len; i++) {
    g_autoptr (LoomProblemItem) item = get_item (G_LIST_MODEL (self), i);
    g_string_append_printf (text, "%s\t%s\t%s\n", loom_severity_to_string (item->severity), item->path, item->message);
  }
  return g_string_free (text, FALSE);
}
