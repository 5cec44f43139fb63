/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline: overview, ruler, track headers and tracks around one state, with the keys that fly through it, the
 * hover card and the menus of rows.
 *
 * Signals: "search-requested" when / is pressed; "clock-moved" (guint clock, gint64 by_ns, gboolean begins) when a person
 * moves a source against the others, bit by bit; "span-hovered" (guint trace, guint span) when another span comes under
 * the pointer (LOOM_SPAN_ID_NONE: none).
 */
#pragma once

#include "loom-drag-mode.h"
#include "loom-render-context.h"
#include "loom-row-filter.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_TIMELINE_VIEW (loom_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimelineView, loom_timeline_view, LOOM, TIMELINE_VIEW, GtkWidget)

/* The state the view shows and the animator that moves it. References are taken. Once, before the view is used. */
void loom_timeline_view_set_state (LoomTimelineView *self, LoomTimelineState *state, LoomViewAnimator *flight);

LoomTimelineState *loom_timeline_view_get_state (LoomTimelineView *self);
LoomRenderContext *loom_timeline_view_get_scene (LoomTimelineView *self);
LoomViewAnimator *loom_timeline_view_get_flight (LoomTimelineView *self);
/* The widget that takes the focus and the pointer. */
GtkWidget *loom_timeline_view_get_tracks (LoomTimelineView *self);

/* Listens to the keys of a whole window: they work wherever its focus is, except in a text entry, while
 * the view shows. Another window instead of the one before. */
void loom_timeline_view_listen (LoomTimelineView *self, GtkWidget *window);

/* What a plain drag does; also the action "timeline.mode" of the widget. */
void loom_timeline_view_set_mode (LoomTimelineView *self, LoomDragMode mode);
LoomDragMode loom_timeline_view_get_mode (LoomTimelineView *self);
/* A box that is being drawn is given up, else nothing is selected any more. */
void loom_timeline_view_escape (LoomTimelineView *self);
/* While Space is held. */
void loom_timeline_view_set_hand (LoomTimelineView *self, gboolean hand);

/* The group "counter" of the widget: loom-counter-actions.h. Borrowed. */
GActionGroup *loom_timeline_view_get_counter_actions (LoomTimelineView *self);

/* More lines for the hover card while it is about that span; NULL: none. */
void loom_timeline_view_set_note (LoomTimelineView *self, LoomSpanId span, const char *note);

/* Opens a note for a mark. */
void loom_timeline_view_edit_note (LoomTimelineView *self, gint64 time_ns);

LoomRowFilter *loom_timeline_view_get_row_filter (LoomTimelineView *self);

/* As if the key were pressed where no text is typed; FALSE when it does nothing. After loom_timeline_view_listen(). */
gboolean loom_timeline_view_press_key (LoomTimelineView *self, guint keyval, GdkModifierType modifiers);

/* The width of the column of names, logical pixels. */
int loom_timeline_view_get_header_width (LoomTimelineView *self);
