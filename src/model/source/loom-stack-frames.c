/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-stack-frames.h"

#include <string.h>

typedef struct {
  guint32 name, category, parent; /* ids of the texts in LoomStackFrames.texts */
} Frame;

LoomStackFrames *
loom_stack_frames_new (void)
{
  LoomStackFrames *stacks = g_new0 (LoomStackFrames, 1);
  stacks->keys = loom_string_pool_new ();
  stacks->texts = loom_string_pool_new ();
  stacks->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  stacks->key = g_string_new (NULL);
  return stacks;
}

void
loom_stack_frames_free (LoomStackFrames *stacks)
{
  if (stacks == NULL)
    return;
  loom_string_pool_free (stacks->keys);
  loom_string_pool_free (stacks->texts);
  g_array_unref (stacks->frames);
  g_string_free (stacks->key, TRUE);
  g_free (stacks);
}

static void
make_key (GString *key, const char *scope, const char *id)
{
  g_string_assign (key, scope);
  g_string_append_c (key, '\0');
  g_string_append (key, id);
}

gboolean
loom_stack_frames_add (LoomStackFrames *stacks, const LoomStackFrame *frame)
{
  make_key (stacks->key, frame->scope, frame->id);
  gboolean known = loom_string_pool_find (stacks->keys, stacks->key->str, stacks->key->len) != G_MAXUINT32;
  if (!known && stacks->frames->len >= LOOM_STACK_FRAMES_MAX_FRAMES)
    return FALSE;
  guint32 number = loom_string_pool_intern (stacks->keys, stacks->key->str, stacks->key->len) - 1;
  if (!known)
    g_array_set_size (stacks->frames, number + 1);
  g_array_index (stacks->frames, Frame, number) = (Frame) {
    loom_string_pool_intern (stacks->texts, frame->name, strlen (frame->name)),
    loom_string_pool_intern (stacks->texts, frame->category, strlen (frame->category)),
    loom_string_pool_intern (stacks->texts, frame->parent, strlen (frame->parent)),
  };
  stacks->have_scopes |= *frame->scope != '\0';
  return TRUE;
}

LoomStackFrame
loom_stack_frames_get (const LoomStackFrames *stacks, guint32 number)
{
  const Frame *frame = &g_array_index (stacks->frames, Frame, number);
  const char *scope = loom_string_pool_get (stacks->keys, number + 1);
  return (LoomStackFrame) { scope, scope + strlen (scope) + 1, loom_string_pool_get (stacks->texts, frame->name),
                            loom_string_pool_get (stacks->texts, frame->category),
                            loom_string_pool_get (stacks->texts, frame->parent) };
}

static guint32
find_in (const LoomStackFrames *stacks, GString *key, const char *scope, const char *id)
{
  make_key (key, scope, id);
  guint32 found = loom_string_pool_find (stacks->keys, key->str, key->len);
  return found != G_MAXUINT32 ? found - 1 : LOOM_STACK_FRAMES_NONE;
}

guint32
loom_stack_frames_find (const LoomStackFrames *stacks, const char *scope, const char *id)
{
  g_autoptr (GString) key = g_string_new (NULL);
  guint32 found = *scope != '\0' && stacks->have_scopes ? find_in (stacks, key, scope, id) : LOOM_STACK_FRAMES_NONE;
  return found != LOOM_STACK_FRAMES_NONE ? found : find_in (stacks, key, "", id);
}

guint32
loom_stack_frames_get_parent (const LoomStackFrames *stacks, guint32 number)
{
  LoomStackFrame frame = loom_stack_frames_get (stacks, number);
  return *frame.parent != '\0' ? loom_stack_frames_find (stacks, frame.scope, frame.parent) : LOOM_STACK_FRAMES_NONE;
}

void
loom_stack_frames_resolve (const LoomStackFrames *stacks, const char *scope, const char *id, GArray *numbers)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 at = loom_stack_frames_find (stacks, scope, id);
  for (guint depth = 0; at != LOOM_STACK_FRAMES_NONE && depth < LOOM_STACK_FRAMES_MAX_DEPTH; depth++) {
    if (!g_hash_table_add (seen, GUINT_TO_POINTER (at)))
      return;
    g_array_append_val (numbers, at);
    at = loom_stack_frames_get_parent (stacks, at);
  }
}
