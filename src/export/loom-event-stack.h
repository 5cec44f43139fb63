/* SPDX-License-Identifier: Apache-2.0
 *
 * The call stacks that an event states for its begin (members sf, stack) and for its end (esf, estack). A stack is the
 * id of its innermost stack frame, or a list of function names.
 */
#pragma once

#include "loom-event.h"
#include "loom-source.h"

/* Distinguishes the two call stacks of an event: at its begin and at its end. */
typedef enum {
  LOOM_EVENT_STACK_BEGIN,
  LOOM_EVENT_STACK_END,
  LOOM_N_EVENT_STACKS,
} LoomEventStackSide;

/* The call stacks in the text of an event. If a stack is missing, its slices have a NULL text. Valid as long as the
 * text of the event. */
typedef struct {
  LoomJsonSlice frame[LOOM_N_EVENT_STACKS]; /* id of the innermost stack frame */
  LoomJsonSlice list[LOOM_N_EVENT_STACKS];  /* JSON array of strings: the names of the functions */
} LoomEventStack;

/* Finds the call stacks in the text of an event. Returns FALSE if there are none; all slices in `stack` are absent
 * then. Reads the members of the event once. */
gboolean loom_event_stack_find (const LoomEvent *event, LoomEventStack *stack);

/* Replaces the end stack in `stack` by the call stack of `end`, which was read from the E event of a begin/end pair.
 * Does nothing if `end` has no call stack. */
void loom_event_stack_take_end (LoomEventStack *stack, const LoomEventStack *end);

/* Returns the names of the functions in the call stack at the begin or the end (`side`) of an event, innermost first.
 * `stacks`: the stack frames of the source; may be NULL. The names come from these frames or, if they do not contain
 * the id in `stack`, from the list of names in `stack`. Returns NULL if there are no names. Free with
 * g_ptr_array_unref(). */
GPtrArray *loom_event_stack_dup_names (const LoomEventStack *stack, LoomEventStackSide side, const LoomEvent *event,
                                       const LoomStackFrames *stacks);

/* Appends a member `,"KEY":["name",…]` with the functions of a call stack; nothing if there are none. */
void loom_event_stack_append_names (GString *line, const char *key, const LoomEventStack *stack,
                                    LoomEventStackSide side, const LoomEvent *event, const LoomStackFrames *stacks);

/* Returns the index of the stack frame to which `id` refers in this event; LOOM_STACK_FRAMES_NONE if it is unknown. */
guint32 loom_event_stack_find_frame (const LoomEvent *event, LoomJsonSlice id, const LoomStackFrames *stacks);
