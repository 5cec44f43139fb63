/* SPDX-License-Identifier: Apache-2.0
 *
 * One thing in two forms: the roomy one where there is room for it, else the tight one. Which it is stands with the size it is given,
 * before it is painted; AdwSqueezer changes them a frame later, so that a new window would be laid out and painted twice. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_ADAPTIVE_BIN (loom_adaptive_bin_get_type ())
G_DECLARE_FINAL_TYPE (LoomAdaptiveBin, loom_adaptive_bin, LOOM, ADAPTIVE_BIN, GtkWidget)

/* Takes ownership of both widgets. */
GtkWidget *loom_adaptive_bin_new (GtkWidget *roomy, GtkWidget *tight);
