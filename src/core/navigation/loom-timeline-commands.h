/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that the keys of the timeline start, such as selecting the next span. Commands also work if the pointer is
 * outside of the timeline and another widget has the focus. They read and change the timeline state of a
 * LoomViewAnimator; this state must have a timeline. Main thread only.
 */
#pragma once

#include "loom-flow-navigation.h"
#include "loom-view-animator.h"

typedef enum {
  /* this command and the next three select a span near the selected span; if nothing is selected, the four commands
   * start at the first visible span */
  LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN,
  LOOM_TIMELINE_COMMAND_NEXT_SPAN,
  LOOM_TIMELINE_COMMAND_PARENT_SPAN,
  LOOM_TIMELINE_COMMAND_CHILD_SPAN,
  LOOM_TIMELINE_COMMAND_FLOW_BACK,
  LOOM_TIMELINE_COMMAND_FLOW_FORWARD,
  /* this command and the next select another span that could have been reached by the last move along an arrow */
  LOOM_TIMELINE_COMMAND_PREVIOUS_FLOW,
  LOOM_TIMELINE_COMMAND_NEXT_FLOW,
  LOOM_TIMELINE_COMMAND_FIT,
  LOOM_TIMELINE_COMMAND_FOCUS_SELECTION,
  LOOM_TIMELINE_COMMAND_VIEW_BACK, /* goes back in the history of views */
  LOOM_TIMELINE_COMMAND_VIEW_FORWARD,
  LOOM_TIMELINE_COMMAND_PAGE_UP,
  LOOM_TIMELINE_COMMAND_PAGE_DOWN,
  LOOM_TIMELINE_COMMAND_TOP,
  LOOM_TIMELINE_COMMAND_BOTTOM,
  /* this command and the next move the cursor by a few pixels; if there is no cursor yet, the cursor starts at the
   * pointer or, if the pointer is outside of the timeline, in the middle of the view */
  LOOM_TIMELINE_COMMAND_CURSOR_EARLIER,
  LOOM_TIMELINE_COMMAND_CURSOR_LATER,
  /* if rows are hidden, selects the spans of the shown rows; else selects the whole run as a range */
  LOOM_TIMELINE_COMMAND_SELECT_ALL,
  LOOM_TIMELINE_COMMAND_SELECT_RANGE, /* selects the range of the selected spans */
  LOOM_TIMELINE_COMMAND_MARK,         /* adds a temporary mark, which the next temporary mark replaces */
  LOOM_TIMELINE_COMMAND_KEEP_MARK,
  /* removes the marks in the selection or, if nothing is selected, those near the pointer */
  LOOM_TIMELINE_COMMAND_REMOVE_MARKS,
  /* pins or unpins the row of the selection or, if nothing is selected, the row under the pointer */
  LOOM_TIMELINE_COMMAND_PIN,
  /* folds or unfolds the row under the pointer or, if the pointer is elsewhere, the row of the selection */
  LOOM_TIMELINE_COMMAND_FOLD,
  LOOM_N_TIMELINE_COMMANDS,
} LoomTimelineCommand;

/* Runs a command. `flows` stores the last move along an arrow between calls; the caller resets it when the timeline
 * changes. */
void loom_timeline_commands_run (LoomViewAnimator *flight, LoomFlowNavigation *flows, LoomTimelineCommand command);

/* Returns the mark at the pointer or, if no mark is there, the mark at the start of the selection; NULL: no mark is at
 * these places. Borrowed until marks change. */
const LoomMarker *loom_timeline_commands_find_mark (LoomTimelineState *state);
