/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks what a source is called and where it ran, for one or for some together. Main thread.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Makes and presents the dialog, which holds a reference to the document while it is open. `paths` is
 * NULL-terminated and copied. */
GtkWindow *loom_source_dialog_present (GtkWindow *parent, LoomDocument *document, const char *const *paths);
