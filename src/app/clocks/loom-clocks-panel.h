/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks of the run: a table of all clocks, and the fit quality and the residuals of the selected clock. A worker
 * computes the residuals, only while the panel is visible. Called on the main thread.
 *
 * Signals: "offset-set" (guint clock, gint64 offset_ns) when the user typed an offset; "clock-moved" (guint clock, gint64
 * by_ns, gboolean begins) on Alt with an arrow key in the table: 1 µs, with Shift 100 µs, with Ctrl 1 ns.
 */
#pragma once

#include "loom-chart-view.h"
#include "loom-table-view.h"

#include <adwaita.h>

#define LOOM_TYPE_CLOCKS_PANEL (loom_clocks_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomClocksPanel, loom_clocks_panel, LOOM, CLOCKS_PANEL, AdwBin)

GtkWidget *loom_clocks_panel_new (LoomRenderContext *scene);

/* Sets the timeline; takes a reference. NULL: no timeline. If the new timeline has a clock with the number of the clock
 * that was chosen before, this clock stays chosen. */
void loom_clocks_panel_set_timeline (LoomClocksPanel *self, LoomTimeline *timeline);

/* Updates the names of sources. Must be called after the user renamed sources. */
void loom_clocks_panel_names_changed (LoomClocksPanel *self);
