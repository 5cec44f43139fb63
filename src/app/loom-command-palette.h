/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of all commands with their keys, to search by typing and to choose from: what one does not know the key of.
 */
#pragma once

#include "loom-timeline-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LOOM_TYPE_COMMAND_PALETTE (loom_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (LoomCommandPalette, loom_command_palette, LOOM, COMMAND_PALETTE, AdwWindow)

/* Commands run in `window`; those of `timeline` only while it is mapped. Closes itself. */
LoomCommandPalette *loom_command_palette_new (GtkWindow *window, LoomTimelineView *timeline);

GtkEditable *loom_command_palette_get_entry (LoomCommandPalette *palette);

G_END_DECLS
