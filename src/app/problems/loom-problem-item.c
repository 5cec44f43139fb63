/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problem-item.h"

#include "loom-archive-path.h"
#include "loom-excerpt.h"
#include "loom-locale-number.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

struct _LoomProblemItem {
  LoomTableItem parent;
  char *excerpt; /* text of the file around the problem's offset; NULL until the text was read */
  gsize at;
  gboolean asked;
};

G_DEFINE_FINAL_TYPE (LoomProblemItem, loom_problem_item, LOOM_TYPE_TABLE_ITEM)

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
  g_free (LOOM_PROBLEM_ITEM (object)->excerpt);
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

const LoomProblemFacts *
loom_problem_item_get_facts (LoomProblemItem *self)
{
  LoomTableItem *item = LOOM_TABLE_ITEM (self);
  return loom_problem_list_get (loom_table_model_item_get_rows (item), loom_table_model_item_get_row (item));
}

char *
loom_problem_item_dup_path (LoomProblemItem *self)
{
  return loom_archive_path_dup_printable (loom_problem_item_get_facts (self)->path);
}

char *
loom_problem_item_dup_name (LoomProblemItem *self)
{
  const LoomProblemFacts *facts = loom_problem_item_get_facts (self);
  g_autofree char *base = g_path_get_basename (facts->path);
  g_autofree char *name = facts->given != NULL ? g_strdup_printf ("%s · %s", facts->given, base) : g_strdup (base);
  return loom_archive_path_dup_printable (name);
}

char *
loom_problem_item_dup_place (LoomProblemItem *self)
{
  const LoomProblemFacts *facts = loom_problem_item_get_facts (self);
  g_autofree char *path = loom_problem_item_dup_path (self);
  GString *text = g_string_new (path);
  g_autofree char *offset = loom_locale_number_group (facts->offset), *count = loom_locale_number_group (facts->count);
  if (facts->offset != LOOM_OFFSET_NONE && facts->count > 1 && facts->is_packed)
    g_string_append_printf (
      text,
      /* Translators: added to the path of a file; the first %s is the number of times that a problem occurs in the
       * file, the second is the position of its first occurrence */
      _ (" · %s times, first at byte %s (decompressed)"), count, offset);
  else if (facts->offset != LOOM_OFFSET_NONE && facts->is_packed)
    g_string_append_printf (text, _ (" · at byte %s (decompressed)"), offset);
  else if (facts->offset != LOOM_OFFSET_NONE && facts->count > 1)
    g_string_append_printf (text, _ (" · %s times, first at byte %s"), count, offset);
  else if (facts->offset != LOOM_OFFSET_NONE)
    g_string_append_printf (text, _ (" · at byte %s"), offset);
  else if (facts->count > 1)
    g_string_append_printf (text, _ (" · %s times"), count);
  return g_string_free (text, FALSE);
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

/* --- text at the problem's offset -------------------------------------------------------------------------------- */

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

static char *
read_excerpt (Place *place, GCancellable *cancellable, GError **error)
{
  return loom_excerpt_read (place->text, place->offset, &place->at, NULL);
}

static void
set_excerpt (LoomProblemItem *self, char *excerpt, gsize at)
{
  self->excerpt = excerpt;
  self->at = at;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXCERPT]);
}

/* Called with the text around a problem's offset. If reading the text failed, shows neither the text nor an error. */
static void
was_read (gpointer item, gpointer excerpt, const GError *error, gpointer place)
{
  g_autoptr (LoomProblemItem) self = item;
  set_excerpt (self, excerpt != NULL ? excerpt : g_strdup (""), excerpt != NULL ? ((Place *) place)->at : 0);
}

void
loom_problem_item_load_excerpt (LoomProblemItem *self)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_excerpt, (GDestroyNotify) place_free, g_free };
  const LoomProblemFacts *facts = loom_problem_item_get_facts (self);
  if (self->asked)
    return;
  self->asked = TRUE;
  if (facts->text == NULL || facts->offset == LOOM_OFFSET_NONE)
    set_excerpt (self, g_strdup (""), 0);
  else
    loom_worker_run (NULL, &kind, LOOM_WORKER_INPUT (Place, loom_byte_source_ref (facts->text), facts->offset, 0),
                     was_read, g_object_ref (self));
}

const char *
loom_problem_item_get_excerpt (LoomProblemItem *self, gsize *at)
{
  if (at != NULL)
    *at = self->at;
  return self->excerpt;
}

char *
loom_problem_item_dup_text (LoomProblemItem *self)
{
  GString *out = g_string_new (NULL);
  loom_problem_list_append_line (out, loom_problem_item_get_facts (self), self->excerpt);
  return g_string_free (out, FALSE);
}
