/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the timeline on the screen: the timeline and its rows, the view, the selection, the pointer, marks,
 * search hits. All widgets of the timeline (tracks, headers, ruler, overview) draw this state and change it; none of
 * them keeps a copy.
 *
 * A new timeline (e.g. after a source was added) keeps the view, the selection and the user's changes to rows. Main
 * thread only.
 *
 * Signals, each emitted after a change: "view-changed": the viewport; "rows-changed": the layout of rows;
 * "selection-changed": the selected spans or range; "overlay-changed": the pointer or marks, which are drawn on top of
 * the rows; "facts-changed": hits, steps, overview or the ruler unit; "timeline-changed": the timeline;
 * "counter-changed": the current counter. Other signals: "range-made": the user dragged a range on the timeline;
 * "filter-set": loom_timeline_state_set_row_filter() set the row filter, emitted before "rows-changed".
 */
#pragma once

#include "loom-cursor.h"
#include "loom-draw-list.h"
#include "loom-hovered-place.h"
#include "loom-minimap-data.h"
#include "loom-row-list.h"
#include "loom-ruler.h"
#include "loom-span-color-mode.h"
#include "loom-timeline-annotations.h"
#include "loom-timeline-painter.h"

#include <gio/gio.h>

#define LOOM_TYPE_TIMELINE_STATE (loom_timeline_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimelineState, loom_timeline_state, LOOM, TIMELINE_STATE, GObject)

LoomTimelineState *loom_timeline_state_new (void);

/* loom_timeline_state_set_timeline() takes a reference to the timeline; NULL: there is no timeline.
 * loom_timeline_state_get_timeline() returns it, borrowed. */
void loom_timeline_state_set_timeline (LoomTimelineState *self, LoomTimeline *timeline);
LoomTimeline *loom_timeline_state_get_timeline (LoomTimelineState *self);

/* Returns the list of rows. After changing it, call loom_timeline_state_rows_changed(). */
LoomRowList *loom_timeline_state_get_row_list (LoomTimelineState *self);
void loom_timeline_state_rows_changed (LoomTimelineState *self);
/* Shows only rows whose path contains `text`; "": shows all rows. Used by undo, and to restore a session. The filter
 * that the user types is set with loom_row_list_set_filter() instead. */
void loom_timeline_state_set_row_filter (LoomTimelineState *self, const char *text);

/* The next two functions show a detail in the rows, or remove it from the rows; see loom-row-list.h. A detail contains
 * events of a time range that were read from a trace in place of its index (loom-run-details.h). The rows at the top of
 * the view stay where they are. A detail must not be freed while one of its spans is selected. */
void loom_timeline_state_add_detail (LoomTimelineState *self, guint detail, LoomRange range);
void loom_timeline_state_remove_detail (LoomTimelineState *self, guint detail);
/* Replaces selected spans of the detail `from` by the same spans of the detail `to` (loom-run-details.h). Spans that
 * `to` lacks stay selected. */
void loom_timeline_state_follow_detail (LoomTimelineState *self, guint from, guint to);
/* Returns TRUE if a span of this trace, or of the detail (loom-run-details.h) with this number, is selected. O(log
 * spans). */
gboolean loom_timeline_state_selects_trace (LoomTimelineState *self, guint trace);
/* Sets the note in the row of a trace's rank: a message that events of the rank are being read, or why they cannot be
 * read. */
void loom_timeline_state_set_note (LoomTimelineState *self, guint trace, LoomRowNote note);

/* Shows only these sources (paths, NULL-terminated, copied); NULL: all sources. */
void loom_timeline_state_show_sources (LoomTimelineState *self, const char *const *paths);
gboolean loom_timeline_state_shows_all (LoomTimelineState *self);
/* Returns TRUE if the track's source is shown, even if its row is folded away or hidden. */
gboolean loom_timeline_state_shows_track (LoomTimelineState *self, LoomTrackId id);

/* The extent: the range of time that the view can show. By default it is the range of the run, or one second from 0 if
 * there is no timeline. Another extent can be set, for example to show two compared runs at the same scale; setting
 * another timeline resets it. */
LoomRange loom_timeline_state_get_extent (LoomTimelineState *self);
void loom_timeline_state_set_extent (LoomTimelineState *self, LoomRange extent);

/* The next two functions return and set the viewport. Setting the viewport does not change its size in pixels, and
 * limits the scroll position so that the view does not scroll beyond the last row. */
const LoomViewport *loom_timeline_state_get_viewport (LoomTimelineState *self);
void loom_timeline_state_set_viewport (LoomTimelineState *self, const LoomViewport *viewport);
/* Returns the number of calls of loom_timeline_state_set_viewport() that changed the viewport. Changes of the size of
 * the viewport, and changes by a new timeline, do not count. */
guint loom_timeline_state_get_n_moves (LoomTimelineState *self);
void loom_timeline_state_set_size (LoomTimelineState *self, double width_px, double height_px);
/* Returns a viewport that shows the whole run. */
LoomViewport loom_timeline_state_fitted (LoomTimelineState *self);
/* Returns TRUE while the view shows the whole run, or the range that it showed when the run was opened. */
gboolean loom_timeline_state_is_fitted (LoomTimelineState *self);
/* Returns TRUE while the view shows the range that it showed when the run was opened. */
gboolean loom_timeline_state_is_as_opened (LoomTimelineState *self);

/* The selection consists either of spans, in the order in which they were selected, or of a range. Selecting spans
 * removes a selected range, and selecting a range removes selected spans. loom_timeline_state_select_span() selects
 * only `span`; if `add` is TRUE, it adds the span to the selected spans or, if the span is selected already, removes it
 * from them. */
void loom_timeline_state_select_span (LoomTimelineState *self, LoomSpanId span, gboolean add);
/* Selects spans: LoomSpanId, each once; the last one counts as selected last (loom_timeline_state_get_lead()). Takes
 * ownership of the array. Selects at most LOOM_SELECTED_MOST, because the outline of each is drawn and their durations
 * are summed up. `n_wanted`: number of spans that would be selected without this limit. */
#define LOOM_SELECTED_MOST 1000000
void loom_timeline_state_take_selected (LoomTimelineState *self, GArray *spans, guint64 n_wanted);
/* Returns the number of spans that would be selected without the limit LOOM_SELECTED_MOST. It is greater than the
 * number of selected spans only if the limit was reached. */
guint64 loom_timeline_state_get_n_wanted (LoomTimelineState *self);
void loom_timeline_state_select_range (LoomTimelineState *self, LoomRange range);
/* Selects a range while the user still drags. loom_timeline_state_is_dragging() returns TRUE while "selection-changed"
 * is emitted for this range. When the drag ends, the caller must select the range or zoom in on it. */
void loom_timeline_state_drag_range (LoomTimelineState *self, LoomRange range);
gboolean loom_timeline_state_is_dragging (LoomTimelineState *self);
/* Like loom_timeline_state_select_range(), but also emits "range-made". Used for a range that the user dragged on the
 * timeline. */
void loom_timeline_state_make_range (LoomTimelineState *self, LoomRange range);
void loom_timeline_state_select_nothing (LoomTimelineState *self);
const LoomSpanId *loom_timeline_state_get_selected (LoomTimelineState *self, guint *n);
/* Returns TRUE if the span is selected. O(log spans). */
gboolean loom_timeline_state_is_selected (LoomTimelineState *self, LoomSpanId span);
/* Returns the lead, which is the span selected last; LOOM_SPAN_ID_NONE if no span is selected. */
LoomSpanId loom_timeline_state_get_lead (LoomTimelineState *self);
/* Returns the selected range; an empty range if none is selected. */
LoomRange loom_timeline_state_get_range (LoomTimelineState *self);
/* Sets `range` to the selected range, or to the range from the first begin to the last end of the selected spans.
 * Returns FALSE if nothing is selected. */
gboolean loom_timeline_state_get_selected_range (LoomTimelineState *self, LoomRange *range);

/* Sets the place under the pointer: a time (LOOM_TIME_NONE: the pointer is outside the timeline), a row (G_MAXUINT: no
 * row) and a span (LOOM_SPAN_ID_NONE: no span). */
void loom_timeline_state_set_pointer (LoomTimelineState *self, gint64 time_ns, guint row, LoomSpanId span);
/* Returns the place under the pointer, on the timeline or on a page of results. If the pointer is on the timeline,
 * loom_timeline_state_set_pointer() sets this place, with `self` as its origin. Borrowed. */
LoomHoveredPlace *loom_timeline_state_get_hovered_place (LoomTimelineState *self);
/* Sets a cursor, a time at which counters show their values. Used when the pointer is over the ruler, and when the user
 * moves the cursor with keys. Setting the pointer removes the cursor. */
void loom_timeline_state_set_cursor (LoomTimelineState *self, gint64 time_ns);
/* Sets timing mode, in which all counters show their values at the pointer and at the two marks around it. */
void loom_timeline_state_set_timing (LoomTimelineState *self, gboolean timing);
/* Returns the pointer and the cursor. Borrowed. */
const LoomCursor *loom_timeline_state_get_pointer (LoomTimelineState *self);

/* The next two functions set and return the key of the current counter's row. The current counter is the one whose row
 * was last under the pointer or focused; at first, it is the first counter. NULL: there is no counter row. The returned
 * key is borrowed until rows change. Setting another counter emits "counter-changed". */
void loom_timeline_state_set_counter (LoomTimelineState *self, const char *key);
const char *loom_timeline_state_get_counter (LoomTimelineState *self);

/* loom_timeline_state_toggle_mark() removes the user's mark at a time; if there is no mark, it adds one.
 * loom_timeline_state_toggle_marks_of_range() removes the marks at both ends of a range if both exist; otherwise it
 * adds the missing marks. If `temporary` is FALSE and there is a temporary mark at the time, this mark becomes
 * permanent instead. A new temporary mark replaces the previous temporary mark. */
void loom_timeline_state_toggle_mark (LoomTimelineState *self, gint64 time_ns, gboolean temporary);
void loom_timeline_state_toggle_marks_of_range (LoomTimelineState *self, LoomRange range, gboolean temporary);
/* Adds a permanent mark, unless there is a permanent mark at this time already. */
void loom_timeline_state_add_mark (LoomTimelineState *self, gint64 time_ns, const char *label);
/* Removes the marks in the range, both ends included. Returns TRUE if there were any. */
gboolean loom_timeline_state_remove_marks (LoomTimelineState *self, LoomRange range);
/* Sets the label of the mark at `time_ns` and makes the mark permanent; NULL or "" removes the label. */
void loom_timeline_state_set_mark_label (LoomTimelineState *self, gint64 time_ns, const char *label);
/* Returns the mark nearest to `time_ns`, at most `within_ns` away; NULL if no mark is that near. Borrowed until marks
 * change. */
const LoomMarker *loom_timeline_state_find_mark (LoomTimelineState *self, gint64 time_ns, gint64 within_ns);
const LoomMarker *loom_timeline_state_get_marks (LoomTimelineState *self, guint *n);

/* Sets the search hits and takes ownership of both arrays; both are NULL if there is no search. `hits`: LoomSpanId
 * sorted by trace, then span; `times_ns`: the starts of the hits, ascending, for the overview. */
void loom_timeline_state_take_hits (LoomTimelineState *self, GArray *hits, GArray *times_ns);
/* Sets whether only rows with search hits are shown. If there are no hits, all rows are shown. */
void loom_timeline_state_set_only_hits (LoomTimelineState *self, gboolean only);
const LoomSpanId *loom_timeline_state_get_hits (LoomTimelineState *self, gsize *n);

/* Returns the marks of analyses. After the caller has changed them, it must call
 * loom_timeline_state_finding_marks_changed(). A new timeline removes the marks of findings and bottlenecks; a new
 * selection removes the highlighting of rows and ranges. */
LoomTimelineAnnotations *loom_timeline_state_get_finding_marks (LoomTimelineState *self);
void loom_timeline_state_finding_marks_changed (LoomTimelineState *self);
/* Marks the ranks for which other ranks wait, in their rows and in the overview; copied. A new timeline removes these
 * marks. */
void loom_timeline_state_set_late_ranks (LoomTimelineState *self, const LoomRowLateness *late, guint n);

/* Sets the results that workers have computed for the timeline: overview, steps and collectives; NULL: not computed
 * yet. The getters below return these results, borrowed. */
void loom_timeline_state_set_facts (LoomTimelineState *self, LoomMinimapData *overview, LoomSteps *steps,
                                    LoomCollectives *collectives);
LoomMinimapData *loom_timeline_state_get_overview (LoomTimelineState *self);
LoomSteps *loom_timeline_state_get_steps (LoomTimelineState *self);
/* Returns the collectives of the run; they may be of an earlier timeline of the same run. Borrowed. */
LoomCollectives *loom_timeline_state_get_collectives (LoomTimelineState *self);

/* The waits for data of the whole run (loom-data-waits.h), which the lanes of ranks show.
 * loom_timeline_state_take_data_waits() takes ownership; NULL: not computed yet. loom_timeline_state_get_data_waits()
 * returns the waits, borrowed. The waits may be of an earlier timeline of the same run; if they are of another run, the
 * function returns NULL. */
void loom_timeline_state_take_data_waits (LoomTimelineState *self, LoomDataWaits *waits);
const LoomDataWaits *loom_timeline_state_get_data_waits (LoomTimelineState *self);

/* The shares of the kinds of work in the lanes of ranks (loom-lane-shares.h). loom_timeline_state_take_lane_shares()
 * takes ownership, and emits no signal; the timeline is drawn with the shares when it is drawn next. NULL: not computed
 * yet. loom_timeline_state_get_lane_shares() returns the shares, borrowed; they may be of an earlier timeline, and the
 * timeline is then drawn without them. */
void loom_timeline_state_take_lane_shares (LoomTimelineState *self, LoomLaneShares *shares);
const LoomLaneShares *loom_timeline_state_get_lane_shares (LoomTimelineState *self);

/* The critical path that is marked on the timeline; NULL: no path is marked. loom_timeline_state_set_path() takes a
 * reference. loom_timeline_state_get_path() returns the path, borrowed; it returns NULL also if the path was computed
 * for an earlier timeline. */
void loom_timeline_state_set_path (LoomTimelineState *self, LoomPathOverlay *path);
LoomPathOverlay *loom_timeline_state_get_path (LoomTimelineState *self);

void loom_timeline_state_set_reading (LoomTimelineState *self, LoomRulerUnit reading);
LoomRulerUnit loom_timeline_state_get_reading (LoomTimelineState *self);
void loom_timeline_state_set_look (LoomTimelineState *self, LoomSpanColorMode look);
LoomSpanColorMode loom_timeline_state_get_look (LoomTimelineState *self);

/* Sets the members of `options` that show parts of the state: selection, marks, pointer, arrows and search hits. Their
 * arrays are borrowed until the next change of the state. */
void loom_timeline_state_fill_options (LoomTimelineState *self, LoomPaintOptions *options);
