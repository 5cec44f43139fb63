/* SPDX-License-Identifier: Apache-2.0
 *
 * The stack frames of one source, to which its events refer by id. A frame names its caller, so the innermost frame
 * identifies a stack. Frames belong to the whole source (scope "") or to one process (scope: text of its pid). One
 * writer, then any number of readers.
 */
#pragma once

#include "loom-string-pool.h"

/* Maximum number of frames of one source; real traces have some ten thousand. Exceeding it is logged with the code
 * "stack-frames". */
#define LOOM_STACK_FRAMES_MAX_FRAMES (4u << 20)

/* Maximum number of frames shown of one stack. */
#define LOOM_STACK_FRAMES_MAX_DEPTH 1024

#define LOOM_STACK_FRAMES_NONE G_MAXUINT32

typedef struct {
  GArray *frames;       /* numbered from 0 in the order of their first appearance: loom_stack_frames_get() */
  gboolean have_scopes; /* TRUE if any frame belongs to one process only */
  /* Private: */
  LoomStringPool *keys; /* scope, NUL, id; the id of frame i is i + 1 */
  LoomStringPool *texts;
  GString *key; /* scratch buffer of the writer */
} LoomStackFrames;

/* Texts are borrowed and valid until a frame is added. */
typedef struct {
  const char *scope; /* "": frame of the whole source */
  const char *id;
  const char *name;
  const char *category; /* "" for none */
  const char *parent;   /* id of the caller; "" for none */
} LoomStackFrame;

LoomStackFrames *loom_stack_frames_new (void);
void loom_stack_frames_free (LoomStackFrames *stacks);

/* Copies the frame; a later frame of the same id and scope replaces an earlier one. Returns FALSE if there is no
 * room. */
gboolean loom_stack_frames_add (LoomStackFrames *stacks, const LoomStackFrame *frame);

LoomStackFrame loom_stack_frames_get (const LoomStackFrames *stacks, guint32 number);

/* Returns the frame with this id in the scope, else in the whole source; LOOM_STACK_FRAMES_NONE if there is none. */
guint32 loom_stack_frames_find (const LoomStackFrames *stacks, const char *scope, const char *id);

/* Returns the caller of a frame; LOOM_STACK_FRAMES_NONE if it has none or an unknown one. */
guint32 loom_stack_frames_get_parent (const LoomStackFrames *stacks, guint32 number);

/* Appends the numbers of the stack's frames (guint32), innermost first. Stops at an unknown id, at a frame that is in
 * the stack already, and at LOOM_STACK_FRAMES_MAX_DEPTH. */
void loom_stack_frames_resolve (const LoomStackFrames *stacks, const char *scope, const char *id, GArray *numbers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStackFrames, loom_stack_frames_free)
