/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-stacks.h"

#include "loom-strings.h"

#include <string.h>

typedef struct {
  guint32 name, category, parent; /* in the texts */
} Frame;

struct _LoomStacks {
  LoomStrings *keys;  /* scope, NUL, id; that of frame i is i + 1 */
  LoomStrings *texts;
  GArray *frames;     /* Frame */
  GString *key;       /* scratch of the writer */
  gboolean have_scopes;
};

LoomStacks *
loom_stacks_new (void)
{
  LoomStacks *stacks = g_new0 (LoomStacks, 1);
  stacks->keys = loom_strings_new ();
  stacks->texts = loom_strings_new ();
  stacks->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  stacks->key = g_string_new (NULL);
  return stacks;
}

void
loom_stacks_free (LoomStacks *stacks)
{
  if (stacks == NULL)
    return;
  loom_strings_free (stacks->keys);
  loom_strings_free (stacks->texts);
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
loom_stacks_add (LoomStacks *stacks, const LoomStackFrame *frame)
{
  make_key (stacks->key, frame->scope, frame->id);
  gboolean known = loom_strings_find (stacks->keys, stacks->key->str, stacks->key->len) != G_MAXUINT32;
  if (!known && stacks->frames->len >= LOOM_STACKS_MAX_FRAMES)
    return FALSE;
  guint32 number = loom_strings_intern (stacks->keys, stacks->key->str, stacks->key->len) - 1;
  if (!known)
    g_array_set_size (stacks->frames, number + 1);
  g_array_index (stacks->frames, Frame, number) = (Frame) {
    loom_strings_intern (stacks->texts, frame->name, strlen (frame->name)),
    loom_strings_intern (stacks->texts, frame->category, strlen (frame->category)),
    loom_strings_intern (stacks->texts, frame->parent, strlen (frame->parent)),
  };
  stacks->have_scopes |= *frame->scope != '\0';
  return TRUE;
}

guint32
loom_stacks_get_n (const LoomStacks *stacks)
{
  return stacks->frames->len;
}

LoomStackFrame
loom_stacks_get (const LoomStacks *stacks, guint32 number)
{
  const Frame *frame = &g_array_index (stacks->frames, Frame, number);
  const char *scope = loom_strings_get (stacks->keys, number + 1);
  return (LoomStackFrame) { scope, scope + strlen (scope) + 1, loom_strings_get (stacks->texts, frame->name),
                            loom_strings_get (stacks->texts, frame->category), loom_strings_get (stacks->texts, frame->parent) };
}

gboolean
loom_stacks_have_scopes (const LoomStacks *stacks)
{
  return stacks->have_scopes;
}

static guint32
find_in (const LoomStacks *stacks, GString *key, const char *scope, const char *id)
{
  make_key (key, scope, id);
  guint32 found = loom_strings_find (stacks->keys, key->str, key->len);
  return found != G_MAXUINT32 ? found - 1 : LOOM_STACKS_NONE;
}

guint32
loom_stacks_find (const LoomStacks *stacks, const char *scope, const char *id)
{
  g_autoptr (GString) key = g_string_new (NULL);
  guint32 found = *scope != '\0' && stacks->have_scopes ? find_in (stacks, key, scope, id) : LOOM_STACKS_NONE;
  return found != LOOM_STACKS_NONE ? found : find_in (stacks, key, "", id);
}

guint32
loom_stacks_get_parent (const LoomStacks *stacks, guint32 number)
{
  LoomStackFrame frame = loom_stacks_get (stacks, number);
  return *frame.parent != '\0' ? loom_stacks_find (stacks, frame.scope, frame.parent) : LOOM_STACKS_NONE;
}

void
loom_stacks_resolve (const LoomStacks *stacks, const char *scope, const char *id, GArray *numbers)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 at = loom_stacks_find (stacks, scope, id);
  for (guint depth = 0; at != LOOM_STACKS_NONE && depth < LOOM_STACKS_MAX_DEPTH; depth++) {
    if (!g_hash_table_add (seen, GUINT_TO_POINTER (at)))
      return;
    g_array_append_val (numbers, at);
    at = loom_stacks_get_parent (stacks, at);
  }
}
