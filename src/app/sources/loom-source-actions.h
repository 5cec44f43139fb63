/* SPDX-License-Identifier: Apache-2.0
 *
 * The action group "source" of a widget: solo (show only these sources), mute (hide them, or show them again), describe
 * (edit name, rank and node), reload, remove and, for sources that are indexes, read-trace (replace the index by the
 * trace of which it was made). The parameter of each action is the paths (aay) of its sources. Called on the main
 * thread.
 */
#pragma once

#include "loom-document.h"
#include "loom-source-item.h"

#include <gtk/gtk.h>

/* Adds the action group; the document is borrowed and must outlive the widget. */
void loom_source_actions_add (GtkWidget *widget, LoomDocument *document);

/* Returns the context menu for a line of the list of sources. Owned by the caller. */
GMenuModel *loom_source_actions_new_menu (LoomSourceItem *item, gboolean is_solo);
