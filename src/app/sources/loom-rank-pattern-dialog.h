/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog in which the user types a regular expression that finds the rank and the node of a source in the path of the
 * source. A preview lists the sources with the ranks and nodes found. Called on the main thread.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Makes and shows the dialog. It holds a reference to the document while it is open. */
GtkWindow *loom_rank_pattern_dialog_present (GtkWindow *parent, LoomDocument *document);
