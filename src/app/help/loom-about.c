/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-about.h"

#include <glib/gi18n.h>

void
loom_about_present (GtkWindow *parent)
{
  adw_show_about_window (
    parent, "application-name", "Traceloom", "application-icon", LOOM_APP_ID, "version", LOOM_VERSION, "developer-name",
    _ ("The Traceloom authors"), "copyright", _ ("© The Traceloom authors"), "comments",
    _ ("Weaves the profiler traces of a training job into one timeline on one clock."), "release-notes-version",
    LOOM_VERSION, "release-notes",
    /* Translators: what is new; keep the tags. */
    _ ("<p>The first version.</p><ul>"
       "<li>Traces of PyTorch, SageMaker Debugger, Composer, TensorFlow, JAX and Horovod on one timeline</li>"
       "<li>Clocks that disagree are aligned by what the traces themselves say</li>"
       "<li>Panels, findings and reports say where the time went</li>"
       "<li>The merged timeline opens in every other tool</li></ul>"),
    "license-type", GTK_LICENSE_APACHE_2_0,
    /* Translators: your names, one per line. */
    "translator-credits", _ ("translator-credits"), NULL);
}
