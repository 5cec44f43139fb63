/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a fuzz target once for every file of a folder, and once for an empty input. It prints the name of each file
 * before it runs the target, so that a crash shows which file caused it and the test fails.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  const char *name;
  if (dir == NULL)
    g_error ("%s", error->message);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

int
main (int argc, char **argv)
{
  if (argc != 2) {
    g_printerr ("usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  g_autoptr (GPtrArray) names = list (argv[1]);
  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("1..%u\n", names->len + 1);
  LLVMFuzzerTestOneInput ((const guint8 *) "", 0);
  printf ("ok 1 nothing\n");
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (argv[1], names->pdata[i], NULL), *text = NULL;
    g_autoptr (GError) error = NULL;
    gsize length;
    if (!g_file_get_contents (path, &text, &length, &error))
      g_error ("%s", error->message);
    printf ("# %s\n", (char *) names->pdata[i]);
    g_autofree char *exact = fuzz_exact (text, length);
    LLVMFuzzerTestOneInput ((const guint8 *) exact, length);
    printf ("ok %u %s\n", i + 2, (char *) names->pdata[i]);
  }
  return 0;
}
