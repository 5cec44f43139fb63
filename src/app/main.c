/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-application.h"

#include <glib/gi18n.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LOOM_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_autoptr (LoomApplication) application = loom_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
