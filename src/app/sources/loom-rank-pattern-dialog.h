/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog in which the user types a regular expression that takes the rank and the node of each source from its path.
 * It shows a preview of the result. Called on the main thread.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Makes and presents the dialog, which holds a reference to the document while it is open. */
GtkWindow *loom_rank_pattern_dialog_present (GtkWindow *parent, LoomDocument *document);
