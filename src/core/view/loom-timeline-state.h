/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timeline shows right now: the timeline and its rows, the view, the selection, the pointer, marks, search
 * hits. Every part of the timeline draws from it and changes it; nobody keeps a copy.
 *
 * A new timeline (a source arrived) keeps the view, the selection and what was done to rows. Main thread only.
 *
 * Signals: "view-changed" the viewport; "rows-changed" the outline was laid out anew; "selection-changed" spans or
 * range; "overlay-changed" pointer and marks: what lies on top; "facts-changed" hits, steps, overview, reading;
 * "timeline-changed" another timeline; "counter-changed" the counter a person is at; "range-made" a person made a range on the timeline;
 * "filter-set" the filter of rows by loom_timeline_state_set_row_filter(), before "rows-changed".
 */
#pragma once

#include "loom-draw-list.h"
#include "loom-minimap-data.h"
#include "loom-row-list.h"
#include "loom-ruler.h"
#include "loom-span-color-mode.h"
#include "loom-timeline-annotations.h"
#include "loom-timeline-painter.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_TIMELINE_STATE (loom_timeline_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimelineState, loom_timeline_state, LOOM, TIMELINE_STATE, GObject)

LoomTimelineState *loom_timeline_state_new (void);

/* The timeline; NULL for none. A reference is taken, the getter borrows. */
void loom_timeline_state_set_timeline (LoomTimelineState *state, LoomTimeline *timeline);
LoomTimeline *loom_timeline_state_get_timeline (LoomTimelineState *state);

/* Rows. Whoever changes the outline says so afterwards. */
LoomRowList *loom_timeline_state_get_row_list (LoomTimelineState *state);
void loom_timeline_state_rows_changed (LoomTimelineState *state);
/* Only rows whose path contains the text, "" for all: what a session or an undone step puts back. What a person types goes to the
 * outline. */
void loom_timeline_state_set_row_filter (LoomTimelineState *state, const char *text);

/* Isolates sources (paths, NULL-terminated, copied); NULL: all. */
void loom_timeline_state_show_sources (LoomTimelineState *state, const char *const *paths);
gboolean loom_timeline_state_shows_all (LoomTimelineState *state);
/* Whether the track's source is shown; folding and hiding rows does not count. */
gboolean loom_timeline_state_shows_track (LoomTimelineState *state, LoomTrackId track);

/* All of the run; one second from 0 while there is nothing. */
LoomRange loom_timeline_state_get_extent (LoomTimelineState *state);

/* The view. set_viewport keeps the size; it is cut to what can be scrolled. */
const LoomViewport *loom_timeline_state_get_viewport (LoomTimelineState *state);
void loom_timeline_state_set_viewport (LoomTimelineState *state, const LoomViewport *viewport);
/* How often set_viewport changed the view; another size or timeline does not count. */
guint loom_timeline_state_get_n_moves (LoomTimelineState *state);
void loom_timeline_state_set_size (LoomTimelineState *state, double width_px, double height_px);
/* A copy of `from` (NULL: of the view) that shows everything, the selection, or a range; FALSE when there is none. */
LoomViewport loom_timeline_state_fitted (LoomTimelineState *state);
/* TRUE as long as nobody moved away from the view of everything. */
gboolean loom_timeline_state_is_fitted (LoomTimelineState *state);

/* Selection: either spans, in the order they were chosen, or a range. Each clears the other. */
void loom_timeline_state_select_span (LoomTimelineState *state, LoomSpanId span, gboolean add);
/* An array of LoomSpanId, each once, the one that leads last; taken over: of `n_wanted` that were meant. More than
 * LOOM_SELECTED_MOST are cut: each is outlined, and their times are summed up. */
#define LOOM_SELECTED_MOST 1000000
void loom_timeline_state_take_selected (LoomTimelineState *state, GArray *spans, guint64 n_wanted);
/* How many spans were meant to be selected; more than are where there were too many. */
guint64 loom_timeline_state_get_n_wanted (LoomTimelineState *state);
void loom_timeline_state_select_range (LoomTimelineState *state, LoomRange range);
/* The same by hand, on the timeline itself: "range-made" follows. */
void loom_timeline_state_make_range (LoomTimelineState *state, LoomRange range);
void loom_timeline_state_select_nothing (LoomTimelineState *state);
const LoomSpanId *loom_timeline_state_get_selected (LoomTimelineState *state, guint *n);
/* The one chosen last; LOOM_SPAN_ID_NONE when there is none. */
LoomSpanId loom_timeline_state_get_lead (LoomTimelineState *state);
LoomRange loom_timeline_state_get_range (LoomTimelineState *state); /* empty when no range is selected */
/* What the selected spans or the range cover; FALSE when nothing is selected. */
gboolean loom_timeline_state_get_selected_range (LoomTimelineState *state, LoomRange *range);

/* The pointer: an instant (LOOM_TIME_NONE: away), the row under it (G_MAXUINT), the span under it. */
void loom_timeline_state_set_pointer (LoomTimelineState *state, gint64 time_ns, guint row, LoomSpanId span);
/* The same where somebody reads the values of counters: at the ruler, or with keys. Until the pointer is set again. */
void loom_timeline_state_set_cursor (LoomTimelineState *state, gint64 time_ns);
gboolean loom_timeline_state_has_cursor (LoomTimelineState *state);
/* While timing all counters say their values at the pointer, and at the two marks around it. */
void loom_timeline_state_set_timing (LoomTimelineState *state, gboolean timing);
/* Whether they do so now. */
gboolean loom_timeline_state_is_reading (LoomTimelineState *state);
gint64 loom_timeline_state_get_pointer_ns (LoomTimelineState *state);
guint loom_timeline_state_get_pointer_row (LoomTimelineState *state);
LoomSpanId loom_timeline_state_get_pointer_span (LoomTimelineState *state);

/* The counter a person is at: whose row was under the pointer or had the focus last, else the first row of one. NULL when
 * no row is one. Borrowed until rows change. Setting it emits "counter-changed". */
void loom_timeline_state_set_counter (LoomTimelineState *state, const char *key);
const char *loom_timeline_state_get_counter (LoomTimelineState *state);

/* Marks, ascending. A temporary one gives way to the next temporary one. Toggling where one is removes it. */
void loom_timeline_state_toggle_mark (LoomTimelineState *state, gint64 time_ns, gboolean temporary);
void loom_timeline_state_toggle_marks_of_range (LoomTimelineState *state, LoomRange range, gboolean temporary);
/* One that stays, where none stays yet. */
void loom_timeline_state_add_mark (LoomTimelineState *state, gint64 time_ns, const char *label);
/* Removes marks within the range, both ends included; TRUE when there was one. */
gboolean loom_timeline_state_remove_marks (LoomTimelineState *state, LoomRange range);
/* Writes on the mark at that instant, which stays from then on; NULL or "" takes its label away. */
void loom_timeline_state_set_mark_label (LoomTimelineState *state, gint64 time_ns, const char *label);
/* The mark next to an instant; NULL when none is that near. Borrowed until marks change. */
const LoomMarker *loom_timeline_state_find_mark (LoomTimelineState *state, gint64 time_ns, gint64 within_ns);
const LoomMarker *loom_timeline_state_get_marks (LoomTimelineState *state, guint *n);

/* Search hits: LoomSpanId sorted by trace, then span; with the instants they start at, ascending, for the overview.
 * The arrays are taken over; NULL for none. */
void loom_timeline_state_take_hits (LoomTimelineState *state, GArray *hits, GArray *times_ns);
/* Only rows with hits, while there are hits. */
void loom_timeline_state_set_only_hits (LoomTimelineState *state, gboolean only);
const LoomSpanId *loom_timeline_state_get_hits (LoomTimelineState *state, gsize *n);

/* What the analyses leave on the timeline; whoever changes it says so afterwards. A new timeline has no instants, another
 * selection neither rows nor stretches. */
LoomTimelineAnnotations *loom_timeline_state_get_finding_marks (LoomTimelineState *state);
void loom_timeline_state_finding_marks_changed (LoomTimelineState *state);

/* What workers found out about the timeline; NULL until then. Borrowed. */
void loom_timeline_state_set_facts (LoomTimelineState *state, LoomMinimapData *overview, LoomSteps *steps,
                                    LoomCollectives *collectives);
LoomMinimapData *loom_timeline_state_get_overview (LoomTimelineState *state);
LoomSteps *loom_timeline_state_get_steps (LoomTimelineState *state);
LoomCollectives *loom_timeline_state_get_collectives (
  LoomTimelineState *state); /* of a timeline of the same run, perhaps not the latest */

void loom_timeline_state_set_reading (LoomTimelineState *state, LoomRulerUnit reading);
LoomRulerUnit loom_timeline_state_get_reading (LoomTimelineState *state);
void loom_timeline_state_set_look (LoomTimelineState *state, LoomSpanColorMode look);
LoomSpanColorMode loom_timeline_state_get_look (LoomTimelineState *state);

/* Fills in what of the paint options is state: selection, marks, pointer, flows, ticks. Borrowed until the next change. */
void loom_timeline_state_fill_options (LoomTimelineState *state, LoomPaintOptions *options);

G_END_DECLS
