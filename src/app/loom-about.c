/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-about.h"

#include <glib/gi18n.h>

void
loom_about_present (GtkWindow *parent)
{
  adw_show_about_window (parent, "application-name", "Traceloom", "application-icon", LOOM_APP_ID, "version",
                         LOOM_VERSION, "developer-name", _ ("The Traceloom authors"), "copyright",
                         _ ("© The Traceloom authors"), "comments",
                         _ ("Weaves the profiler traces of a training job into one timeline on one clock."),
                         "license-type", GTK_LICENSE_APACHE_2_0,
                         /* Translators: your names, one per line. */
                         "translator-credits", _ ("translator-credits"), NULL);
}
