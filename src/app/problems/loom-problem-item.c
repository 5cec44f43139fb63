/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problem-item.h"

#include "loom-archive-path.h"
#include "loom-excerpt.h"

#include <glib/gi18n.h>

struct _LoomProblemItem {
  GObject parent;
  LoomRun *run;
  LoomProblemFacts facts;
  char *path, *name;
  char *excerpt;
  gsize at;
  gboolean asked;
};

G_DEFINE_FINAL_TYPE (LoomProblemItem, loom_problem_item, G_TYPE_OBJECT)

enum { PROP_0, PROP_EXCERPT, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, LOOM_PROBLEM_ITEM (object)->excerpt);
}

static void
finalize (GObject *object)
{
  LoomProblemItem *self = LOOM_PROBLEM_ITEM (object);
  g_clear_pointer (&self->run, loom_run_unref);
  g_free (self->path);
  g_free (self->name);
  g_free (self->excerpt);
  G_OBJECT_CLASS (loom_problem_item_parent_class)->finalize (object);
}

static void
loom_problem_item_class_init (LoomProblemItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_EXCERPT] =
    g_param_spec_string ("excerpt", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_problem_item_init (LoomProblemItem *self)
{
}

LoomProblemItem *
loom_problem_item_new (LoomRun *run, const LoomProblemFacts *facts)
{
  LoomProblemItem *self = g_object_new (LOOM_TYPE_PROBLEM_ITEM, NULL);
  g_autofree char *base = g_path_get_basename (facts->path);
  self->run = loom_run_ref (run);
  self->facts = *facts;
  self->path = loom_archive_path_dup_printable (facts->path);
  g_autofree char *name = facts->given != NULL ? g_strdup_printf ("%s · %s", facts->given, base) : g_strdup (base);
  self->name = loom_archive_path_dup_printable (name);
  return self;
}

const LoomProblemFacts *
loom_problem_item_get_facts (LoomProblemItem *self)
{
  return &self->facts;
}

const char *
loom_problem_item_get_path (LoomProblemItem *self)
{
  return self->path;
}

const char *
loom_problem_item_get_name (LoomProblemItem *self)
{
  return self->name;
}

const char *
loom_problem_item_severity_get_word (LoomSeverity severity)
{
  switch (severity) {
  case LOOM_SEVERITY_ERROR: return C_ ("severity", "Error");
  case LOOM_SEVERITY_WARNING: return C_ ("severity", "Warning");
  case LOOM_SEVERITY_INFO:
  default: return C_ ("severity", "Note");
  }
}

/* --- the text at the place -------------------------------------------------------------------------------------- */

typedef struct {
  LoomByteSource *text;
  guint64 offset;
  gsize at;
} Place;

static void
place_free (Place *place)
{
  loom_byte_source_unref (place->text);
  g_free (place);
}

static void
read_in_thread (GTask *task, gpointer item, gpointer task_data, GCancellable *cancellable)
{
  Place *place = task_data;
  GError *error = NULL;
  char *excerpt = loom_excerpt_read (place->text, place->offset, &place->at, &error);
  if (excerpt != NULL)
    g_task_return_pointer (task, excerpt, g_free);
  else
    g_task_return_error (task, error);
}

static void
set_excerpt (LoomProblemItem *self, char *excerpt, gsize at)
{
  self->excerpt = excerpt;
  self->at = at;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXCERPT]);
}

/* A source that cannot be read any more has nothing to show; the list is not the place to say why. */
static void
was_read (GObject *item, GAsyncResult *result, gpointer user_data)
{
  const Place *place = g_task_get_task_data (G_TASK (result));
  char *excerpt = g_task_propagate_pointer (G_TASK (result), NULL);
  set_excerpt (LOOM_PROBLEM_ITEM (item), excerpt != NULL ? excerpt : g_strdup (""), excerpt != NULL ? place->at : 0);
}

void
loom_problem_item_load_excerpt (LoomProblemItem *self)
{
  g_return_if_fail (LOOM_IS_PROBLEM_ITEM (self));
  if (self->asked)
    return;
  self->asked = TRUE;
  if (self->facts.text == NULL || self->facts.offset == LOOM_OFFSET_NONE) {
    set_excerpt (self, g_strdup (""), 0);
    return;
  }
  Place *place = g_new (Place, 1);
  *place = (Place) { loom_byte_source_ref (self->facts.text), self->facts.offset, 0 };
  g_autoptr (GTask) task = g_task_new (self, NULL, was_read, NULL);
  g_task_set_task_data (task, place, (GDestroyNotify) place_free);
  g_task_run_in_thread (task, read_in_thread);
}

const char *
loom_problem_item_get_excerpt (LoomProblemItem *self, gsize *at)
{
  if (at != NULL)
    *at = self->at;
  return self->excerpt;
}

/* --- as text ---------------------------------------------------------------------------------------------------- */

void
loom_problem_item_facts_append (GString *out, const LoomProblemFacts *facts, const char *excerpt)
{
  g_autofree char *path = loom_archive_path_dup_printable (facts->path);
  g_string_append_printf (out, "%s\t%s\t%s\t%" G_GUINT64_FORMAT "\t",
                          loom_import_log_severity_to_string (facts->severity), path, facts->code, facts->count);
  if (facts->offset != LOOM_OFFSET_NONE)
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, facts->offset);
  g_string_append_printf (out, "\t%s", facts->message);
  if (excerpt != NULL && *excerpt != '\0')
    g_string_append_printf (out, "\t%s", excerpt);
  g_string_append_c (out, '\n');
}

char *
loom_problem_item_dup_text (LoomProblemItem *self)
{
  GString *out = g_string_new (NULL);
  loom_problem_item_facts_append (out, &self->facts, self->excerpt);
  return g_string_free (out, FALSE);
}
