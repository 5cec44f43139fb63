/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks an event says it began (sf, stack) and ended with (esf, estack): ids of frames, or lists of names.
 */
#pragma once

#include "loom-event.h"
#include "loom-source.h"

G_BEGIN_DECLS

/* Which of them. */
typedef enum {
  LOOM_EVENT_STACK_BEGIN,
  LOOM_EVENT_STACK_END,
  LOOM_N_EVENT_STACKS,
} LoomEventStackSide;

/* What the event's text has, absent where it has none. Valid as long as that text. */
typedef struct {
  LoomJsonSlice frame[LOOM_N_EVENT_STACKS]; /* an id */
  LoomJsonSlice list[LOOM_N_EVENT_STACKS];  /* an array of strings */
} LoomEventStack;

/* FALSE, and all absent, when it has none of them. Walks once over the event's members. */
gboolean loom_event_stack_find (const LoomEvent *event, LoomEventStack *stack);

/* Of a pair: where its end, an event of its own, says in what it ended, that is what the pair ended with. */
void loom_event_stack_take_end (LoomEventStack *stack, const LoomEventStack *end);

/* Names of functions: by the frames innermost first; where no frame of that id is known, the list as it stands. NULL when
 * there are none. `stacks` are the source's, may be NULL. Free with g_ptr_array_unref(). */
GPtrArray *loom_event_stack_dup_names (const LoomEventStack *stack, LoomEventStackSide side, const LoomEvent *event,
                                       const LoomStackFrames *stacks);

/* Appends `,"KEY":["name",…]`; nothing when there are none. */
void loom_event_stack_append_names (GString *line, const char *key, const LoomEventStack *stack,
                                    LoomEventStackSide side, const LoomEvent *event, const LoomStackFrames *stacks);

/* The number of the frame an event means by that id; LOOM_STACK_FRAMES_NONE when it is not known. */
guint32 loom_event_stack_find_frame (const LoomEvent *event, LoomJsonSlice id, const LoomStackFrames *stacks);

G_END_DECLS
