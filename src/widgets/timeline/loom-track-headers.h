/* SPDX-License-Identifier: Apache-2.0
 *
 * The column of track headers left of the tracks: arrows that fold rows, names of rows, and values of counters at the
 * pointer. A click on an arrow or on the name of a group folds it. Dragging the lower edge of a counter's header
 * changes the height of its plot; dragging the right edge of the column changes its width. Keys: Up and Down choose a
 * row, Left, Right and Space fold and unfold it, the menu key opens its menu.
 *
 * Signal: "row-menu" (char *key, double x, double y) to show the menu of a row.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_TRACK_HEADERS (loom_track_headers_get_type ())
G_DECLARE_FINAL_TYPE (LoomTrackHeaders, loom_track_headers, LOOM, TRACK_HEADERS, LoomTimelineArea)

/* Sets the scene that the widget shows, and takes a reference to it. Sets the animator that moves the view (borrowed).
 * Must be called once, before use. */
void loom_track_headers_set_scene (LoomTrackHeaders *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* Returns the index of the row whose header has the keyboard focus; G_MAXUINT if no header has it. */
guint loom_track_headers_get_focus_row (LoomTrackHeaders *self);
