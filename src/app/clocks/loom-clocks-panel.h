/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel of the run's clocks: a table of all clocks, and details of the selected clock: the quality of its fit, and
 * the residuals of the pairs of events to which the clock was fitted. A worker thread computes the residuals, only
 * while the panel is visible. Called on the main thread.
 *
 * Signals: "offset-set" (guint clock, gint64 offset_ns) when the user typed an offset; "clock-moved" (guint clock,
 * gint64 by_ns, gboolean begins) when the user pressed Alt with an arrow key in the table. `by_ns` is ±1 µs, with Shift
 * ±100 µs, with Ctrl ±1 ns; `begins` is always FALSE.
 */
#pragma once

#include "loom-chart-view.h"
#include "loom-table-view.h"

#include <adwaita.h>

#define LOOM_TYPE_CLOCKS_PANEL (loom_clocks_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomClocksPanel, loom_clocks_panel, LOOM, CLOCKS_PANEL, AdwBin)

GtkWidget *loom_clocks_panel_new (LoomRenderContext *scene);

/* Sets the timeline; takes a reference; NULL for no timeline. The chosen clock is kept if the new timeline has a
 * clock with the same index. */
void loom_clocks_panel_set_timeline (LoomClocksPanel *self, LoomTimeline *timeline);

/* Updates the names of sources. Must be called after the user renamed sources. */
void loom_clocks_panel_names_changed (LoomClocksPanel *self);
