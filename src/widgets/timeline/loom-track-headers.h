/* SPDX-License-Identifier: Apache-2.0
 *
 * The column of track headers: fold arrows, names, values at the pointer. A click on an arrow or a group folds, the
 * lower edge of a plot drags its height, the right edge of the column its width. With the keyboard: up and down choose
 * a row, left and right or space fold, the menu key opens its menu.
 *
 * Signal: "row-menu" (char *key, double x, double y) when a row's menu is asked for.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_TRACK_HEADERS (loom_track_headers_get_type ())
G_DECLARE_FINAL_TYPE (LoomTrackHeaders, loom_track_headers, LOOM, TRACK_HEADERS, LoomTimelineArea)

/* What is shown and what moves it; the scene is kept alive by a reference, the animator is not. Once, before it is used. */
void loom_track_headers_set_scene (LoomTrackHeaders *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* The row with keyboard focus as the rows stand now, G_MAXUINT for none. */
guint loom_track_headers_get_focus_row (LoomTrackHeaders *self);
