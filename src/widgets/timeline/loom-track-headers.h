/* SPDX-License-Identifier: Apache-2.0
 *
 * The column of track headers: fold arrows, names, values at the pointer. A click on an arrow or a group folds it; the
 * lower edge of a plot resizes its height, the right edge of the column its width. Keyboard: up and down choose a row,
 * left, right and space fold, the menu key opens the row's menu.
 *
 * Signal: "row-menu" (char *key, double x, double y) to show the menu of a row.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_TRACK_HEADERS (loom_track_headers_get_type ())
G_DECLARE_FINAL_TYPE (LoomTrackHeaders, loom_track_headers, LOOM, TRACK_HEADERS, LoomTimelineArea)

/* Sets the scene that the widget shows (takes a reference), and the animator that moves the view (borrowed). Call it
 * once, before use. */
void loom_track_headers_set_scene (LoomTrackHeaders *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* Returns the index of the row whose header has the keyboard focus; G_MAXUINT: none. */
guint loom_track_headers_get_focus_row (LoomTrackHeaders *self);
