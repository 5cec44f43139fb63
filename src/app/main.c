/* SPDX-License-Identifier: Apache-2.0
 *
 * The program traceloom: sets up translations and crash reports, and runs the application (loom-application.h).
 */
#include "loom-application.h"
#include "loom-crash-handler.h"
#include "loom-locale.h"

#include <glib/gi18n.h>

int
main (int argc, char **argv)
{
  loom_locale_bind (LOOM_BUILD_DIR);
  textdomain (GETTEXT_PACKAGE);
#ifndef __SANITIZE_ADDRESS__ /* the address sanitizer installs handlers of its own for crashes */
  loom_crash_handler_catch ();
#endif

  g_autoptr (LoomApplication) application = loom_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
