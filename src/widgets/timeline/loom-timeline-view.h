/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline of one state: overview bar, ruler, track headers and tracks, with the keyboard commands, the hover card
 * and the menus of rows.
 *
 * Signals:
 *   "search-requested"                                          when the key / is pressed
 *   "clock-moved" (guint clock, gint64 by_ns, gboolean begins)  for each movement of a clock by the user
 *   "span-hovered" (guint trace, guint span)                    when another span is under the pointer, or none
 *                                                               (LOOM_SPAN_ID_NONE)
 *   "escaped"                                                   when Escape is pressed and nothing is selected
 */
#pragma once

#include "loom-drag-mode.h"
#include "loom-render-context.h"
#include "loom-row-filter.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_TIMELINE_VIEW (loom_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimelineView, loom_timeline_view, LOOM, TIMELINE_VIEW, GtkWidget)

/* Sets the state that the widget shows and the animator that moves the view, and takes references to both. Must be
 * called once, before use. */
void loom_timeline_view_set_state (LoomTimelineView *self, LoomTimelineState *state, LoomViewAnimator *flight);

LoomTimelineState *loom_timeline_view_get_state (LoomTimelineView *self);
LoomRenderContext *loom_timeline_view_get_scene (LoomTimelineView *self);
LoomViewAnimator *loom_timeline_view_get_flight (LoomTimelineView *self);
/* Returns the track area: the part of the view that takes the keyboard focus and receives pointer events. */
GtkWidget *loom_timeline_view_get_tracks (LoomTimelineView *self);

/* Makes the view handle the keys of a window while the view is visible, wherever the focus is, except in text entries.
 * Only one window at a time: replaces the window that was set before. */
void loom_timeline_view_listen (LoomTimelineView *self, GtkWidget *window);

/* Sets what dragging without modifier keys does. The action "timeline.mode" of the widget does the same. */
void loom_timeline_view_set_mode (LoomTimelineView *self, LoomDragMode mode);
LoomDragMode loom_timeline_view_get_mode (LoomTimelineView *self);
/* Cancels the box that the user drags. If the user drags no box, clears the selection. If nothing is selected either,
 * emits "escaped". */
void loom_timeline_view_escape (LoomTimelineView *self);
/* Sets whether dragging pans in every mode, which is the case while Space is held down. */
void loom_timeline_view_set_hand (LoomTimelineView *self, gboolean hand);

/* Returns the action group "counter" of the widget (loom-counter-actions.h). Borrowed. */
GActionGroup *loom_timeline_view_get_counter_actions (LoomTimelineView *self);

/* Sets additional lines that the hover card shows for a span; NULL: none. */
void loom_timeline_view_set_note (LoomTimelineView *self, LoomSpanId span, const char *note);

/* Opens the menu of the selected span. The menu is at the start of the span or, if the start is outside of the view, at
 * the edge of the view. Returns FALSE if no span is selected. */
gboolean loom_timeline_view_open_span_menu (LoomTimelineView *self);

/* Opens the popover in which the user edits the label of the mark at `time_ns`. */
void loom_timeline_view_edit_note (LoomTimelineView *self, gint64 time_ns);

/* Adds a widget between the ruler and the rows. */
void loom_timeline_view_add_above (LoomTimelineView *self, GtkWidget *child);
/* Makes `header` as wide as the headers, and `end` as wide as the scrollbar, so that a widget between them has the same
 * time axis as the tracks. The minimum width of `header` must not be greater than the width of the headers. */
void loom_timeline_view_align (LoomTimelineView *self, GtkWidget *header, GtkWidget *end);

/* Shows or hides the overview bar with its legend, and the ruler. A window with two timelines shows these parts only in
 * one of them. */
void loom_timeline_view_show_parts (LoomTimelineView *self, gboolean overview, gboolean ruler);

LoomRowFilter *loom_timeline_view_get_row_filter (LoomTimelineView *self);

/* Acts like a key press outside of text entries. Returns FALSE if the key has no function. loom_timeline_view_listen()
 * must have been called before. */
gboolean loom_timeline_view_press_key (LoomTimelineView *self, guint keyval, GdkModifierType modifiers);

/* Returns the width of the header column in logical px. */
int loom_timeline_view_get_header_width (LoomTimelineView *self);
