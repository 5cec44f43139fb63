/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the queries that the user saved with a name, sorted by name, and which of them is chosen
 * (loom-saved-queries.h).
 */
#include "loom-saved-queries.h"

#include "loom-natural-collate.h"
#include "loom-query.h"

#include <string.h>

/* Maximum number of characters of a name; longer names are cut. */
#define LONGEST_NAME 200

typedef struct {
  char *name, *sql;
} Saved;

struct _LoomSavedQueries {
  GObject parent;
  GPtrArray *queries; /* Saved *, sorted by name */
  Saved *chosen;      /* the chosen element of `queries`; NULL: none is chosen */
};

G_DEFINE_FINAL_TYPE (LoomSavedQueries, loom_saved_queries, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
free_saved (gpointer data)
{
  Saved *saved = data;
  g_free (saved->name);
  g_free (saved->sql);
  g_free (saved);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Saved *x = *(const Saved *const *) a, *y = *(const Saved *const *) b;
  int order = loom_natural_collate_compare (x->name, y->name);
  return order != 0 ? order : strcmp (x->name, y->name);
}

static void
changed (LoomSavedQueries *self)
{
  g_ptr_array_sort (self->queries, compare);
  g_signal_emit (self, signals[CHANGED], 0);
}

static Saved *
find (LoomSavedQueries *self, const char *name)
{
  for (guint i = 0; name != NULL && i < self->queries->len; i++)
    if (g_str_equal (((const Saved *) self->queries->pdata[i])->name, name))
      return self->queries->pdata[i];
  return NULL;
}

static char *
dup_valid_name (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_strstrip (valid);
  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), LONGEST_NAME));
}

gboolean
loom_saved_queries_save (LoomSavedQueries *self, const char *name, const char *sql)
{
  g_return_val_if_fail (LOOM_IS_SAVED_QUERIES (self), FALSE);
  g_autofree char *valid = dup_valid_name (name);
  Saved *saved = find (self, valid);
  if (valid[0] == '\0' || strlen (sql) > LOOM_QUERY_TEXT_BYTES ||
      (saved == NULL && self->queries->len >= LOOM_SAVED_QUERIES_MOST))
    return FALSE;
  if (saved == NULL) {
    saved = g_new0 (Saved, 1);
    saved->name = g_steal_pointer (&valid);
    g_ptr_array_add (self->queries, saved);
  }
  g_free (saved->sql);
  saved->sql = g_strdup (sql);
  self->chosen = saved;
  changed (self);
  return TRUE;
}

gboolean
loom_saved_queries_rename (LoomSavedQueries *self, const char *name)
{
  g_return_val_if_fail (LOOM_IS_SAVED_QUERIES (self), FALSE);
  g_autofree char *valid = dup_valid_name (name);
  const Saved *other = find (self, valid);
  if (self->chosen == NULL || valid[0] == '\0' || (other != NULL && other != self->chosen))
    return FALSE;
  g_free (self->chosen->name);
  self->chosen->name = g_steal_pointer (&valid);
  changed (self);
  return TRUE;
}

void
loom_saved_queries_remove (LoomSavedQueries *self)
{
  g_return_if_fail (LOOM_IS_SAVED_QUERIES (self));
  Saved *chosen = g_steal_pointer (&self->chosen);
  if (chosen == NULL)
    return;
  g_ptr_array_remove (self->queries, chosen);
  changed (self);
}

void
loom_saved_queries_clear (LoomSavedQueries *self)
{
  if (self->queries->len == 0)
    return;
  self->chosen = NULL;
  g_ptr_array_set_size (self->queries, 0);
  changed (self);
}

void
loom_saved_queries_choose (LoomSavedQueries *self, const char *name)
{
  Saved *saved = find (self, name);
  if (saved == self->chosen)
    return;
  self->chosen = saved;
  changed (self);
}

const char *
loom_saved_queries_get_chosen (LoomSavedQueries *self)
{
  return self->chosen != NULL ? self->chosen->name : NULL;
}

const char *
loom_saved_queries_find (LoomSavedQueries *self, const char *name)
{
  const Saved *saved = find (self, name);
  return saved != NULL ? saved->sql : NULL;
}

guint
loom_saved_queries_get_n (LoomSavedQueries *self)
{
  return self->queries->len;
}

const char *
loom_saved_queries_get_name (LoomSavedQueries *self, guint query)
{
  return ((const Saved *) self->queries->pdata[query])->name;
}

const char *
loom_saved_queries_get_text (LoomSavedQueries *self, guint query)
{
  return ((const Saved *) self->queries->pdata[query])->sql;
}

/* --- creating and freeing the object ------------------------------------------------------------------------------ */

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LOOM_SAVED_QUERIES (object)->queries);
  G_OBJECT_CLASS (loom_saved_queries_parent_class)->finalize (object);
}

static void
loom_saved_queries_class_init (LoomSavedQueriesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_SAVED_QUERIES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_saved_queries_init (LoomSavedQueries *self)
{
  self->queries = g_ptr_array_new_with_free_func (free_saved);
}

LoomSavedQueries *
loom_saved_queries_new (void)
{
  return g_object_new (LOOM_TYPE_SAVED_QUERIES, NULL);
}
