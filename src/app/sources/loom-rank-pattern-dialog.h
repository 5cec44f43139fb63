/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog in which the user types a regular expression. The expression matches the rank and the node of each source in
 * its path. A preview shows the result. Called on the main thread.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Makes and shows the dialog. It holds a reference to the document while it is open. */
GtkWindow *loom_rank_pattern_dialog_present (GtkWindow *parent, LoomDocument *document);
