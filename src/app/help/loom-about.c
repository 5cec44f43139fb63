/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-about.h"

#include <glib/gi18n.h>

void
loom_about_present (GtkWindow *parent)
{
  adw_show_about_window (
    parent, "application-name", "Traceloom", "application-icon", LOOM_APP_ID, "version", LOOM_VERSION, "developer-name",
    _ ("The Traceloom authors"), "copyright", _ ("© The Traceloom authors"), "comments",
    _ ("Merges the profiler traces of a training job into one timeline on one clock."), "release-notes-version",
    LOOM_VERSION, "release-notes",
    /* Translators: what is new; keep the tags. */
    _ ("<p>First release.</p><ul>"
       "<li>PyTorch, SageMaker Debugger, Composer, TensorFlow, JAX and Horovod traces on one timeline</li>"
       "<li>Clocks that disagree are aligned using evidence in the traces</li>"
       "<li>Analyses, findings and reports show where the time went</li>"
       "<li>The merged timeline opens in other trace viewers</li></ul>"),
    "license-type", GTK_LICENSE_APACHE_2_0,
    /* Translators: your names, one per line. */
    "translator-credits", _ ("translator-credits"), NULL);
}
