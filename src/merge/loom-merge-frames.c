/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-merge-frames.h"

#include <string.h>

/* Text that is kept before it is written. */
#define PART_BYTES (256 * 1024)

gboolean
loom_merge_renames_frames (const LoomRun *run)
{
  guint n = loom_run_get_n_sources (run);
  gboolean any = FALSE, scopes = FALSE;
  for (guint i = 0; i < n; i++) {
    const LoomStacks *stacks = loom_run_get_source (run, i)->stacks;
    any |= stacks != NULL;
    scopes |= stacks != NULL && loom_stacks_have_scopes (stacks);
  }
  return any && (n > 1 || scopes);
}

static void
append_number (GString *out, guint source, guint32 number)
{
  g_string_append_printf (out, "\"%u:%u\"", source, number);
}

/* An id that is not known may be one of another source's: the mark keeps it from becoming that. */
static void
append_unknown (GString *out, guint source, const char *id)
{
  g_autofree char *text = g_strdup_printf ("%u:?%s", source, id);
  loom_json_append_string (out, text, strlen (text));
}

void
loom_merge_append_frame_id (GString *out, const LoomEvent *event, LoomSlice id, const LoomStacks *stacks, guint source)
{
  guint32 number = loom_event_stack_find_frame (event, id, stacks);
  if (number != LOOM_STACKS_NONE) {
    append_number (out, source, number);
    return;
  }
  g_autofree char *text = loom_json_dup_plain (id);
  if (*text != '\0')
    append_unknown (out, source, text);
  else
    loom_json_append_strict (out, id.text, id.length);
}

static void
append_text (GString *out, const char *key, const char *text)
{
  if (*text == '\0')
    return;
  loom_event_line_append_key (out, key);
  loom_json_append_string (out, text, strlen (text));
}

static void
append_parent (GString *out, const LoomStacks *stacks, guint source, guint32 number, const LoomStackFrame *frame)
{
  guint32 parent = loom_stacks_get_parent (stacks, number);
  if (*frame->parent == '\0')
    return;
  loom_event_line_append_key (out, "parent");
  if (parent != LOOM_STACKS_NONE)
    append_number (out, source, parent);
  else
    append_unknown (out, source, frame->parent);
}

static void
append_frame (GString *out, const LoomStacks *stacks, guint source, guint32 number, gboolean renamed)
{
  LoomStackFrame frame = loom_stacks_get (stacks, number);
  if (renamed)
    append_number (out, source, number);
  else
    loom_json_append_string (out, frame.id, strlen (frame.id));
  g_string_append (out, ":{");
  append_text (out, "category", frame.category);
  append_text (out, "name", frame.name);
  if (renamed)
    append_parent (out, stacks, source, number, &frame);
  else
    append_text (out, "parent", frame.parent);
  g_string_append_c (out, '}');
}

void
loom_merge_put_frames (LoomMerge *merge)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean renamed = loom_merge_renames_frames (merge->run), first = TRUE;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomStacks *stacks = loom_run_get_source (merge->run, i)->stacks;
    guint32 n = stacks != NULL && loom_merge_wants (merge, i) ? loom_stacks_get_n (stacks) : 0;
    for (guint32 number = 0; number < n; number++) {
      g_string_append (out, first ? ",\n\"stackFrames\":{\n" : ",\n");
      first = FALSE;
      append_frame (out, stacks, i, number, renamed);
      if (out->len < PART_BYTES)
        continue;
      loom_output_append (merge->output, out->str, out->len);
      g_string_truncate (out, 0);
    }
  }
  if (!first)
    g_string_append_c (out, '}');
  loom_output_append (merge->output, out->str, out->len);
}
