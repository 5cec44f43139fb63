/* SPDX-License-Identifier: Apache-2.0
 *
 * The action group "source" of a widget. The parameter of each action is an array of the paths (aay) of the sources to
 * which it applies. The actions are: solo (show only these sources), mute (hide these sources, or show them again),
 * describe (edit name, rank and node), reload, remove, and read-trace. The action read-trace is for index files; it
 * replaces an index file by the trace from which it was made. Called on the main thread.
 */
#pragma once

#include "loom-document.h"
#include "loom-source-item.h"

#include <gtk/gtk.h>

/* Adds the action group. The document is borrowed and must live longer than the widget. */
void loom_source_actions_add (GtkWidget *widget, LoomDocument *document);

/* Returns the context menu for a line of the list of sources. Owned by the caller. */
GMenuModel *loom_source_actions_new_menu (LoomSourceItem *item, gboolean is_solo);
