/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks at an event's begin (sf, stack) and end (esf, estack), as stated by the event: ids of frames, or lists of
 * names.
 */
#pragma once

#include "loom-event.h"
#include "loom-source.h"

/* The stack at the begin or at the end of an event. */
typedef enum {
  LOOM_EVENT_STACK_BEGIN,
  LOOM_EVENT_STACK_END,
  LOOM_N_EVENT_STACKS,
} LoomEventStackSide;

/* The stacks in the event's text; missing ones have NULL text. Valid as long as the event's text. */
typedef struct {
  LoomJsonSlice frame[LOOM_N_EVENT_STACKS]; /* id of a frame */
  LoomJsonSlice list[LOOM_N_EVENT_STACKS];  /* JSON array of strings */
} LoomEventStack;

/* Finds the stacks in an event's text. Returns FALSE, with all members absent, if there are none. One pass over the
 * event's members. */
gboolean loom_event_stack_find (const LoomEvent *event, LoomEventStack *stack);

/* Copies `end`, the end stack that the E event of a begin/end pair states, to `stack`; nothing if it states none. */
void loom_event_stack_take_end (LoomEventStack *stack, const LoomEventStack *end);

/* Returns the names of functions, innermost first, from the frames; if the frame's id is unknown, the names in the
 * list. NULL if there are none. `stacks`: frames of the source, may be NULL. Free with g_ptr_array_unref(). */
GPtrArray *loom_event_stack_dup_names (const LoomEventStack *stack, LoomEventStackSide side, const LoomEvent *event,
                                       const LoomStackFrames *stacks);

/* Appends `,"KEY":["name",…]`; nothing if there are no names. */
void loom_event_stack_append_names (GString *line, const char *key, const LoomEventStack *stack,
                                    LoomEventStackSide side, const LoomEvent *event, const LoomStackFrames *stacks);

/* Returns the index of the frame to which `id` refers in this event; LOOM_STACK_FRAMES_NONE if it is unknown. */
guint32 loom_event_stack_find_frame (const LoomEvent *event, LoomJsonSlice id, const LoomStackFrames *stacks);
