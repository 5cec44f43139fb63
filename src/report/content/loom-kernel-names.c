/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels of kernels in tables. The interface is described in loom-kernel-names.h.
 */
#include "loom-kernel-names.h"

#include <string.h>

#include "loom-cxx-name.h"
#include "loom-kernel-label.h"

/* maximum number of names with the same label that are compared; comparing n names takes O(n²) */
#define MOST_COMPARED 64

/* Returns the label of a name. NULL if the name is not a template instance, or if its short form has at most `most`
 * characters, so that it needs no label. Owned by the caller. */
static char *
dup_label (const char *name, glong most)
{
  if (strchr (name, '<') == NULL)
    return NULL;
  g_autofree char *brief = loom_cxx_name_dup_short (name);
  return g_utf8_strlen (brief, -1) > most ? loom_kernel_label_dup (name, NULL, most) : NULL;
}

/* Returns a hash table: label → the names with this label (GPtrArray). Owned by the caller. */
static GHashTable *
group_names (const LoomResultTable *table, glong most)
{
  GHashTable *groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < table->n_rows; i++) {
    const char *name = loom_result_table_get_text (table, i, 0);
    g_autofree char *label = g_hash_table_add (known, (gpointer) name) ? dup_label (name, most) : NULL;
    if (label == NULL)
      continue;
    GPtrArray *names = g_hash_table_lookup (groups, label);
    if (names == NULL)
      g_hash_table_insert (groups, g_steal_pointer (&label), names = g_ptr_array_new ());
    g_ptr_array_add (names, (gpointer) name);
  }
  return groups;
}

static void
add_labels (GHashTable *labels, const char *label, const GPtrArray *names, glong most)
{
  gboolean differ = names->len > 1 && names->len <= MOST_COMPARED;
  g_autofree const char **equal = g_new (const char *, names->len);
  for (guint i = 0; i < names->len; i++)
    equal[i] = label;
  for (guint i = 0; i < names->len; i++) {
    const char *name = names->pdata[i];
    g_autofree char *word =
      differ ? loom_kernel_label_dup_difference ((const char *const *) names->pdata, equal, names->len, i) : NULL;
    char *own = word != NULL ? loom_kernel_label_dup (name, word, most) : NULL;
    g_hash_table_insert (labels, (gpointer) name, own != NULL ? own : g_strdup (label));
  }
}

GHashTable *
loom_kernel_names_find (const LoomResultTable *table, glong most)
{
  GHashTable *labels = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GHashTable) groups = group_names (table, most);
  GHashTableIter iter;
  gpointer label, names;
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, &label, &names))
    add_labels (labels, label, names, most);
  return labels;
}
