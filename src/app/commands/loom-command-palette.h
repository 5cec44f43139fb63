/* SPDX-License-Identifier: Apache-2.0
 *
 * A searchable list of all commands with their keys, and of all pages. While the search text is empty, recently used
 * commands are listed first.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-timeline-view.h"

#include <adwaita.h>

#define LOOM_TYPE_COMMAND_PALETTE (loom_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (LoomCommandPalette, loom_command_palette, LOOM, COMMAND_PALETTE, AdwWindow)

/* Makes a palette whose commands run in `window`. Commands of the timeline run only while `timeline` is mapped;
 * `timeline` is borrowed and must live as long as the window. The palette also lists the pages of `run`, which is
 * NULL if no run is shown. The palette closes itself. */
LoomCommandPalette *loom_command_palette_new (GtkWindow *window, LoomTimelineView *timeline, LoomRunState *run);

GtkEditable *loom_command_palette_get_entry (LoomCommandPalette *self);
