/* SPDX-License-Identifier: Apache-2.0
 *
 * The stack frames of one source: what the ids in its events stand for. A frame names the frame it was called from, so a
 * stack is told by its innermost frame. Frames count in the whole source (scope "") or in one process (the text of its pid).
 * One writer, then any number of readers.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Frames of one source; those of real traces are some ten thousand. "stack-frames" */
#define LOOM_STACK_FRAMES_MAX_FRAMES (4u << 20)

/* Frames of one stack that are shown. */
#define LOOM_STACK_FRAMES_MAX_DEPTH 1024

#define LOOM_STACK_FRAMES_NONE G_MAXUINT32

typedef struct _LoomStackFrames LoomStackFrames;

/* Texts are borrowed, and valid until a frame is added. */
typedef struct {
  const char *scope; /* "": of the whole source */
  const char *id;
  const char *name;
  const char *category; /* "" for none */
  const char *parent;   /* its id; "" for none */
} LoomStackFrame;

LoomStackFrames *loom_stack_frames_new (void);
void loom_stack_frames_free (LoomStackFrames *stacks);

/* Copies the frame; of two with one id in one scope the last counts. FALSE when there is no room for it. */
gboolean loom_stack_frames_add (LoomStackFrames *stacks, const LoomStackFrame *frame);

/* Frames have numbers from 0 on, in the order of their first appearance. */
guint32 loom_stack_frames_get_n (const LoomStackFrames *stacks);
LoomStackFrame loom_stack_frames_get (const LoomStackFrames *stacks, guint32 number);

/* Whether any frame counts in one process only. */
gboolean loom_stack_frames_have_scopes (const LoomStackFrames *stacks);

/* The frame of that id in the scope, else in the whole source; LOOM_STACK_FRAMES_NONE when there is none. */
guint32 loom_stack_frames_find (const LoomStackFrames *stacks, const char *scope, const char *id);

/* The frame it was called from; LOOM_STACK_FRAMES_NONE when it names none, or one that is not known. */
guint32 loom_stack_frames_get_parent (const LoomStackFrames *stacks, guint32 number);

/* Adds the numbers of the stack's frames (guint32), innermost first. Ends where an id is not known, where the stack comes
 * back to one of its own frames, and at LOOM_STACK_FRAMES_MAX_DEPTH. */
void loom_stack_frames_resolve (const LoomStackFrames *stacks, const char *scope, const char *id, GArray *numbers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStackFrames, loom_stack_frames_free)

G_END_DECLS
