/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog in which the user edits the name, the rank and the node of one or several sources (loaded files). Called on
 * the main thread.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Makes and shows the dialog. It holds a reference to the document while it is open. `paths` is NULL-terminated and
 * copied. */
GtkWindow *loom_source_dialog_present (GtkWindow *parent, LoomDocument *document, const char *const *paths);
