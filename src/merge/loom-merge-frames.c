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

/* Members of an object, written in parts so that memory stays bounded. */
typedef struct {
  LoomMerge *merge;
  GString *out;
  const char *head;    /* before the first frame */
  const char *between; /* before each other */
  gboolean any;
} FrameWriter;

static void
flush (FrameWriter *writer)
{
  loom_output_append (writer->merge->output, writer->out->str, writer->out->len);
  g_string_truncate (writer->out, 0);
}

static void
put_frame (FrameWriter *writer, guint source, guint32 number, gboolean renamed)
{
  g_string_append (writer->out, writer->any ? writer->between : writer->head);
  writer->any = TRUE;
  append_frame (writer->out, loom_run_get_source (writer->merge->run, source)->stacks, source, number, renamed);
  if (writer->out->len >= PART_BYTES)
    flush (writer);
}

void
loom_merge_put_frames (LoomMerge *merge)
{
  g_autoptr (GString) out = g_string_new (NULL);
  FrameWriter writer = { merge, out, ",\n\"stackFrames\":{\n", ",\n", FALSE };
  gboolean renamed = loom_merge_renames_frames (merge->run);
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomStacks *stacks = loom_run_get_source (merge->run, i)->stacks;
    guint32 n = stacks != NULL && loom_merge_wants (merge, i) ? loom_stacks_get_n (stacks) : 0;
    for (guint32 number = 0; number < n; number++)
      put_frame (&writer, i, number, renamed);
  }
  if (writer.any)
    g_string_append_c (out, '}');
  flush (&writer);
}

/* Whether an event of that process means the frame by its id, and the frame counts in the whole source. */
static gboolean
is_meant (const LoomStacks *stacks, guint32 number, const char *process)
{
  LoomStackFrame frame = loom_stacks_get (stacks, number);
  return *frame.scope == '\0' && loom_stacks_find (stacks, process, frame.id) == number;
}

gboolean
loom_merge_put_frames_of (LoomMerge *merge, guint source, const char *process, const char *head)
{
  g_autoptr (GString) out = g_string_new (NULL);
  FrameWriter writer = { merge, out, head, ",", FALSE };
  const LoomStacks *stacks = loom_run_get_source (merge->run, source)->stacks;
  for (guint32 number = 0; number < loom_stacks_get_n (stacks); number++)
    if (process == NULL || is_meant (stacks, number, process))
      put_frame (&writer, source, number, process == NULL);
  flush (&writer);
  return writer.any;
}

void
loom_merge_rename_frames (GString *text, const LoomEvent *event, const LoomStacks *stacks, guint source)
{
  LoomJsonIter iter;
  LoomSlice key, value;
  g_autoptr (GString) out = g_string_sized_new (text->len);
  const char *from = text->str;
  if (!loom_json_iter_init (&iter, (LoomSlice) { text->str, text->len }))
    return;
  while (loom_json_iter_next (&iter, &key, &value)) {
    if (!loom_slice_equal (key, "\"sf\"") && !loom_slice_equal (key, "\"esf\""))
      continue;
    g_string_append_len (out, from, value.text - from);
    loom_merge_append_frame_id (out, event, value, stacks, source);
    from = value.text + value.length;
  }
  g_string_append_len (out, from, text->str + text->len - from);
  g_string_truncate (text, 0);
  g_string_append_len (text, out->str, (gssize) out->len);
}
