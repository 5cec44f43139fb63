/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinguishes open files that have the same name by the name of a parent folder, which precedes the file name. The
 * interface is described in loom-disambiguate.h.
 */
#include "loom-disambiguate.h"

#include "loom-archive-path.h"

#include <string.h>

/* Returns the number of trailing path components that two paths share. */
static guint
count_common (char **a, char **b)
{
  guint n_a = g_strv_length (a), n_b = g_strv_length (b), n = 0;
  while (n < n_a && n < n_b && g_str_equal (a[n_a - 1 - n], b[n_b - 1 - n]))
    n++;
  return n;
}

/* Returns the name of a folder and `name`, such as "may/run". If there are other folders between the folder and `name`,
 * returns "may/…/run". `parts`: components of a path. `n`: the folder is `n` components before the last component. In
 * the path of an archive member, the component after the archive is empty; it is skipped. */
static char *
with_folder (const char *name, char **parts, guint n)
{
  guint n_parts = g_strv_length (parts);
  while (n > 0 && n < n_parts && *parts[n_parts - 1 - n] == '\0')
    n++;
  if (n == 0 || n >= n_parts)
    return g_strdup (name);
  const char *between = n > 1 ? G_DIR_SEPARATOR_S "…" G_DIR_SEPARATOR_S : G_DIR_SEPARATOR_S;
  g_autofree char *folder = loom_archive_path_dup_printable (parts[n_parts - 1 - n]);
  return g_strconcat (folder, between, name, NULL);
}

char *
loom_disambiguate_dup (const char *name, const char *place, const char *const *others, guint n_others)
{
  guint most = 0;
  if (place == NULL)
    return g_strdup (name);
  g_auto (GStrv) parts = g_strsplit (place, G_DIR_SEPARATOR_S, -1);
  for (guint i = 0; i < n_others; i++) {
    if (others[i] == NULL || g_str_equal (others[i], place))
      continue;
    g_auto (GStrv) other = g_strsplit (others[i], G_DIR_SEPARATOR_S, -1);
    most = MAX (most, count_common (parts, other));
  }
  return with_folder (name, parts, most);
}
