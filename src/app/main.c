/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-application.h"

#include <glib/gi18n.h>
#include <locale.h>

/* A program that runs from where it was built speaks what was built beside it, whatever is installed. The environment is
 * for tests. Owned by the caller. */
static char *
dup_locale_dir (void)
{
  const char *given = g_getenv ("LOOM_LOCALE_DIR");
  if (given != NULL)
    return g_strdup (given);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program != NULL && g_str_has_prefix (program, LOOM_BUILD_DIR G_DIR_SEPARATOR_S))
    return g_build_filename (LOOM_BUILD_DIR, "po", NULL);
  return g_strdup (LOOM_LOCALE_DIR);
}

int
main (int argc, char **argv)
{
  g_autofree char *locale_dir = dup_locale_dir ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_autoptr (LoomApplication) application = loom_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
