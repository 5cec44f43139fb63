/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the file to which a path refers through symbolic links; this file does not have to exist. The interface is
 * described in loom-link-target.h.
 */
#include "loom-link-target.h"

#include <glib.h>
#include <stdlib.h>

char *
loom_link_target_resolve (const char *path)
{
  char *real = realpath (path, NULL);
  g_autofree char *content = real == NULL ? g_file_read_link (path, NULL) : NULL;
  if (real != NULL || content == NULL)
    return real != NULL ? real : g_strdup (path);
  g_autofree char *folder = g_path_get_dirname (path);
  return g_path_is_absolute (content) ? g_steal_pointer (&content) : g_build_filename (folder, content, NULL);
}
