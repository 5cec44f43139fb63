/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-about.h"

#include "loom-alert-dialog.h"
#include "loom-installed.h"

#include <glib/gi18n.h>

void
loom_about_present (GtkWindow *parent)
{
  /* The cast to gpointer makes the call compile with adw_show_about_window(), which expects a GtkWindow, and with
   * the newer adw_show_about_dialog(), which expects a GtkWidget. */
  loom_alert_dialog_show_about (
    (gpointer) parent, "application-name", "Traceloom", "application-icon", LOOM_APP_ID, "version", LOOM_VERSION,
    "developer-name", _ ("The Traceloom authors"), "copyright", _ ("© The Traceloom authors"), "comments",
    _ ("Merges the profiler traces of a training job into one timeline on one clock."), "release-notes-version",
    LOOM_VERSION, "release-notes",
    /* Translators: what is new; keep the tags. */
    _ ("<p>New in this version:</p><ul>"
       "<li>Opens Nsight Systems, ROCm, Perfetto, XSpace and NCCL flight recorder files</li>"
       "<li>New pages: critical path, idle time, operators, call tree, collectives, hangs, trace health</li>"
       "<li>Says what a slow rank costs, and compares two runs step by step</li>"
       "<li>Answers SQL queries, in the window and on the command line</li></ul>"),
    "license-type", GTK_LICENSE_APACHE_2_0,
    /* Translators: your names, one per line. */
    "translator-credits", _ ("translator-credits"), NULL);
}
