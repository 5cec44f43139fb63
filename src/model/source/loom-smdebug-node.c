/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-smdebug-node.h"

#include <string.h>

static char *
base_name (const char *path)
{
  char *base = g_path_get_basename (path);
  if (g_str_has_suffix (base, ".gz"))
    base[strlen (base) - 3] = '\0';
  return base;
}

/* Returns smdebug's node id in a file name such as "<digits>_<node>_<kind>.json" or "<node>_<kind>.tmp"; NULL for other
 * names. Owned by the caller. */
static char *
node_in_name (const char *path)
{
  static const char *const kinds[] = { "_pythontimeline.", "_model_timeline.", "_horovod_timeline.",
                                       "_smdataparallel_timeline." };
  g_autofree char *base = base_name (path);
  const char *start = base + strspn (base, "0123456789");
  start = start > base && *start == '_' ? start + 1 : base;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    const char *end = strstr (start, kinds[i]);
    if (end != NULL && end > start)
      return g_strndup (start, (gsize) (end - start));
  }
  return NULL;
}

/* Returns a node id with the host first: "algo-1-151" for "151-algo-1", so that names sort by host. Frees `node`. Owned
 * by the caller. */
static char *
swap_host (char *node)
{
  const char *host = g_strrstr (node, "-algo");
  if (host == NULL)
    return node;
  char *swapped = g_strdup_printf ("%s-%.*s", host + 1, (int) (host - node), node);
  g_free (node);
  return swapped;
}

char *
loom_smdebug_node_display (const char *path, const char *format, const char *node, gint rank)
{
  char *named = node_in_name (path);
  if (named != NULL)
    return swap_host (named);
  if (strcmp (format, "tensorflow") == 0) {
    g_autofree char *base = base_name (path);
    return g_strndup (base, strcspn (base, "."));
  }
  if (node != NULL && rank >= 0)
    return g_strdup_printf ("%s-%d", node, rank);
  if (node != NULL)
    return g_strdup (node);
  return rank >= 0 ? g_strdup_printf ("rank-%d", rank) : base_name (path);
}

gboolean
loom_smdebug_node_is_python_timeline (const char *path)
{
  g_autofree char *base = base_name (path);
  return strstr (base, "pythontimeline.") != NULL;
}
