/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the deepest common folder of several paths (loom-common-folder.h). Repeatedly replaces two paths by their
 * common folder.
 */
#include "loom-common-folder.h"

/* Returns the deepest folder that contains both paths. */
static char *
dup_folder_of_two (const char *a, const char *b)
{
  gsize n = 0, last_slash = 0;
  for (; a[n] != '\0' && a[n] == b[n]; n++)
    if (a[n] == G_DIR_SEPARATOR)
      last_slash = n;
  if (a[n] == '\0' && (b[n] == '\0' || b[n] == G_DIR_SEPARATOR))
    last_slash = n;
  return g_strndup (a, MAX (last_slash, 1));
}

char *
loom_common_folder_dup (const char *const *paths, guint n)
{
  g_autofree char *folder = g_canonicalize_filename (paths[0], NULL);
  for (guint i = 1; i < n; i++) {
    g_autofree char *next = g_canonicalize_filename (paths[i], NULL);
    g_autofree char *common = dup_folder_of_two (folder, next);
    g_free (folder);
    folder = g_steal_pointer (&common);
  }
  return g_steal_pointer (&folder);
}
