/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks and nodes from the paths of sources, by a regular expression, with a preview of what it gives. Main thread.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A reference to the document is held while the dialog is open. Presented at once. */
GtkWindow *loom_rank_pattern_dialog_present (GtkWindow *parent, LoomDocument *document);

G_END_DECLS
