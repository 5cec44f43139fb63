/* SPDX-License-Identifier: Apache-2.0
 *
 * The stack frames of one source, to which its events refer by id. A frame names its caller, so the innermost frame
 * identifies a stack. Frames belong to the whole source (scope "") or to one process (scope: text of its pid). Only one
 * thread adds frames; afterwards any number of threads may read them.
 */
#pragma once

#include "loom-string-pool.h"

/* Maximum number of frames of one source; real traces have some ten thousand. If there are more, the log has an
 * entry with the code "stack-frames". */
#define LOOM_STACK_FRAMES_MAX_FRAMES (4u << 20)

/* Maximum number of frames of a stack that are shown. */
#define LOOM_STACK_FRAMES_MAX_DEPTH 1024

#define LOOM_STACK_FRAMES_NONE G_MAXUINT32

typedef struct {
  /* the frames, in the order in which they were added; their numbers count from 0. Use loom_stack_frames_get() */
  GArray *frames;
  gboolean have_scopes; /* TRUE if any frame has a scope, that is, belongs to a single process */
  /* The members below are private: */
  /* key of each frame: its scope, a NUL byte, and its id; the key of the frame with number i has the id i + 1 in this
   * pool */
  LoomStringPool *keys;
  LoomStringPool *texts;
  GString *key; /* buffer in which loom_stack_frames_add() makes a key */
} LoomStackFrames;

/* A frame. Its texts are borrowed, and valid until another frame is added. */
typedef struct {
  const char *scope; /* process to which the frame belongs; "": the frame is valid in the whole source */
  const char *id;
  const char *name;
  const char *category; /* category of the frame; "": none */
  const char *parent;   /* id of the calling frame; "": none */
} LoomStackFrame;

LoomStackFrames *loom_stack_frames_new (void);
void loom_stack_frames_free (LoomStackFrames *stacks);

/* Adds a copy of a frame. If a frame with the same id and scope exists, replaces it. Returns FALSE if there are too
 * many frames. */
gboolean loom_stack_frames_add (LoomStackFrames *stacks, const LoomStackFrame *frame);

LoomStackFrame loom_stack_frames_get (const LoomStackFrames *stacks, guint32 number);

/* Returns the number of the frame with this id in the scope. If the scope has no such frame, returns the number of the
 * frame with this id in the whole source; LOOM_STACK_FRAMES_NONE if there is none either. */
guint32 loom_stack_frames_find (const LoomStackFrames *stacks, const char *scope, const char *id);

/* Returns the number of the calling frame; LOOM_STACK_FRAMES_NONE: the frame has no caller, or the caller is
 * unknown. */
guint32 loom_stack_frames_get_parent (const LoomStackFrames *stacks, guint32 number);

/* Appends the numbers (guint32) of the frames of a stack, innermost first. Ends before an unknown id or a frame that is
 * already in the stack, and after LOOM_STACK_FRAMES_MAX_DEPTH frames. */
void loom_stack_frames_resolve (const LoomStackFrames *stacks, const char *scope, const char *id, GArray *numbers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStackFrames, loom_stack_frames_free)
