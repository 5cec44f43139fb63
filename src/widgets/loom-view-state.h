/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timeline shows right now: the timeline and its rows, the view, the selection, the pointer, marks, search
 * hits. Every part of the timeline draws from it and changes it; nobody keeps a copy.
 *
 * A new timeline (a source arrived) keeps the view, the selection and what was done to rows. Main thread only.
 *
 * Signals: "view-changed" the viewport; "rows-changed" the outline was laid out anew; "selection-changed" spans or
 * range; "overlay-changed" pointer and marks: what lies on top; "facts-changed" hits, steps, overview, reading;
 * "timeline-changed" another timeline; "counter-changed" the counter a person is at; "range-made" a person made a range on the timeline.
 */
#pragma once

#include "loom-draw-list.h"
#include "loom-finding-marks.h"
#include "loom-span-look.h"
#include "loom-outline.h"
#include "loom-overview.h"
#include "loom-ruler.h"
#include "loom-timeline-painter.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_VIEW_STATE (loom_view_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomViewState, loom_view_state, LOOM, VIEW_STATE, GObject)

LoomViewState *loom_view_state_new (void);

/* The timeline; NULL for none. A reference is taken, the getter borrows. */
void loom_view_state_set_timeline (LoomViewState *state, LoomTimeline *timeline);
LoomTimeline *loom_view_state_get_timeline (LoomViewState *state);

/* Rows. Whoever changes the outline says so afterwards. */
LoomOutline *loom_view_state_get_outline (LoomViewState *state);
void loom_view_state_rows_changed (LoomViewState *state);

/* Isolates sources (paths, NULL-terminated, copied); NULL: all. */
void loom_view_state_show_sources (LoomViewState *state, const char *const *paths);
gboolean loom_view_state_shows_all (LoomViewState *state);
/* Whether the track's source is shown; folding and hiding rows does not count. */
gboolean loom_view_state_shows_track (LoomViewState *state, LoomTrackId track);

/* All of the run; one second from 0 while there is nothing. */
LoomRange loom_view_state_get_extent (LoomViewState *state);

/* The view. set_viewport keeps the size; it is cut to what can be scrolled. */
const LoomViewport *loom_view_state_get_viewport (LoomViewState *state);
void loom_view_state_set_viewport (LoomViewState *state, const LoomViewport *viewport);
/* How often set_viewport changed the view; another size or timeline does not count. */
guint loom_view_state_get_n_moves (LoomViewState *state);
void loom_view_state_set_size (LoomViewState *state, double width_px, double height_px);
/* A copy of `from` (NULL: of the view) that shows everything, the selection, or a range; FALSE when there is none. */
LoomViewport loom_view_state_fitted (LoomViewState *state);
/* TRUE as long as nobody moved away from the view of everything. */
gboolean loom_view_state_is_fitted (LoomViewState *state);

/* Selection: either spans, in the order they were chosen, or a range. Each clears the other. */
void loom_view_state_select_span (LoomViewState *state, LoomSpanId span, gboolean add);
/* An array of LoomSpanId, each once, the one that leads last; taken over: of `n_wanted` that were meant. More than
 * LOOM_SELECTED_MOST are cut: each is outlined, and their times are summed up. */
#define LOOM_SELECTED_MOST 1000000
void loom_view_state_take_selected (LoomViewState *state, GArray *spans, guint64 n_wanted);
/* How many spans were meant to be selected; more than are where there were too many. */
guint64 loom_view_state_get_n_wanted (LoomViewState *state);
void loom_view_state_select_range (LoomViewState *state, LoomRange range);
/* The same by hand, on the timeline itself: "range-made" follows. */
void loom_view_state_make_range (LoomViewState *state, LoomRange range);
void loom_view_state_select_nothing (LoomViewState *state);
const LoomSpanId *loom_view_state_get_selected (LoomViewState *state, guint *n);
/* The one chosen last; LOOM_SPAN_ID_NONE when there is none. */
LoomSpanId loom_view_state_get_lead (LoomViewState *state);
LoomRange loom_view_state_get_range (LoomViewState *state); /* empty when no range is selected */
/* What the selected spans or the range cover; FALSE when nothing is selected. */
gboolean loom_view_state_get_selected_range (LoomViewState *state, LoomRange *range);

/* The pointer: an instant (LOOM_TIME_NONE: away), the row under it (G_MAXUINT), the span under it. */
void loom_view_state_set_pointer (LoomViewState *state, gint64 time_ns, guint row, LoomSpanId span);
/* The same where somebody reads the values of counters: at the ruler, or with keys. Until the pointer is set again. */
void loom_view_state_set_cursor (LoomViewState *state, gint64 time_ns);
gboolean loom_view_state_has_cursor (LoomViewState *state);
/* While timing all counters say their values at the pointer, and at the two marks around it. */
void loom_view_state_set_timing (LoomViewState *state, gboolean timing);
/* Whether they do so now. */
gboolean loom_view_state_is_reading (LoomViewState *state);
gint64 loom_view_state_get_pointer_ns (LoomViewState *state);
guint loom_view_state_get_pointer_row (LoomViewState *state);
LoomSpanId loom_view_state_get_pointer_span (LoomViewState *state);

/* The counter a person is at: whose row was under the pointer or had the focus last, else the first row of one. NULL when
 * no row is one. Borrowed until rows change. Setting it emits "counter-changed". */
void loom_view_state_set_counter (LoomViewState *state, const char *key);
const char *loom_view_state_get_counter (LoomViewState *state);

/* Marks, ascending. A temporary one gives way to the next temporary one. Toggling where one is removes it. */
void loom_view_state_toggle_mark (LoomViewState *state, gint64 time_ns, gboolean temporary);
void loom_view_state_toggle_marks_of_range (LoomViewState *state, LoomRange range, gboolean temporary);
/* One that stays, where none stays yet. */
void loom_view_state_add_mark (LoomViewState *state, gint64 time_ns, const char *label);
/* Removes marks within the range, both ends included; TRUE when there was one. */
gboolean loom_view_state_remove_marks (LoomViewState *state, LoomRange range);
/* Writes on the mark at that instant, which stays from then on; NULL or "" takes its label away. */
void loom_view_state_set_mark_label (LoomViewState *state, gint64 time_ns, const char *label);
/* The mark next to an instant; NULL when none is that near. Borrowed until marks change. */
const LoomTimeMark *loom_view_state_find_mark (LoomViewState *state, gint64 time_ns, gint64 within_ns);
const LoomTimeMark *loom_view_state_get_marks (LoomViewState *state, guint *n);

/* Search hits: LoomSpanId sorted by trace, then span; with the instants they start at, ascending, for the overview.
 * The arrays are taken over; NULL for none. */
void loom_view_state_take_hits (LoomViewState *state, GArray *hits, GArray *times_ns);
/* Only rows with hits, while there are hits. */
void loom_view_state_set_only_hits (LoomViewState *state, gboolean only);
const LoomSpanId *loom_view_state_get_hits (LoomViewState *state, gsize *n);

/* What the analyses leave on the timeline; whoever changes it says so afterwards. A new timeline has no instants, another
 * selection neither rows nor stretches. */
LoomFindingMarks *loom_view_state_get_finding_marks (LoomViewState *state);
void loom_view_state_finding_marks_changed (LoomViewState *state);

/* What workers found out about the timeline; NULL until then. Borrowed. */
void loom_view_state_set_facts (LoomViewState *state, LoomOverview *overview, LoomSteps *steps, LoomCollectives *collectives);
LoomOverview *loom_view_state_get_overview (LoomViewState *state);
LoomSteps *loom_view_state_get_steps (LoomViewState *state);
LoomCollectives *loom_view_state_get_collectives (LoomViewState *state); /* of a timeline of the same run, perhaps not the latest */

void loom_view_state_set_reading (LoomViewState *state, LoomReading reading);
LoomReading loom_view_state_get_reading (LoomViewState *state);
void loom_view_state_set_look (LoomViewState *state, LoomSpanLook look);
LoomSpanLook loom_view_state_get_look (LoomViewState *state);

/* Fills in what of the paint options is state: selection, marks, pointer, flows, ticks. Borrowed until the next change. */
void loom_view_state_fill_options (LoomViewState *state, LoomPaintOptions *options);

G_END_DECLS
