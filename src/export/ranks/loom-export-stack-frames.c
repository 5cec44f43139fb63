/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-stack-frames.h"

#include <string.h>

/* When the buffer of stack frames has at least this many bytes, it is written to the file. */
#define PART_BYTES (256 * 1024)

gboolean
loom_export_stack_frames_needs_rename (const LoomRun *run)
{
  guint n = loom_run_get_n_sources (run);
  gboolean any = FALSE, scopes = FALSE;
  for (guint i = 0; i < n; i++) {
    const LoomStackFrames *stacks = loom_run_get_source (run, i)->stacks;
    any |= stacks != NULL;
    scopes |= stacks != NULL && stacks->have_scopes;
  }
  return any && (n > 1 || scopes);
}

static void
append_number (GString *out, guint source, guint32 number)
{
  g_string_append_printf (out, "\"%u:%u\"", source, number);
}

/* Appends a replacement for an id that the table of stack frames does not contain: "<source>:?<id>". The "?"
 * distinguishes the replacement from the ids of all frames in the merged file. */
static void
append_unknown (GString *out, guint source, const char *id)
{
  g_autofree char *text = g_strdup_printf ("%u:?%s", source, id);
  loom_json_slice_append_string (out, text, strlen (text));
}

void
loom_export_stack_frames_append_id (GString *out, const LoomEvent *event, LoomJsonSlice id,
                                    const LoomStackFrames *stacks, guint source)
{
  guint32 number = loom_event_stack_find_frame (event, id, stacks);
  if (number != LOOM_STACK_FRAMES_NONE) {
    append_number (out, source, number);
    return;
  }
  g_autofree char *text = loom_json_slice_dup_plain (id);
  if (*text != '\0')
    append_unknown (out, source, text);
  else
    loom_json_slice_append_strict (out, id.text, id.length);
}

static void
append_text (GString *out, const char *key, const char *text)
{
  if (*text == '\0')
    return;
  loom_trace_event_writer_append_key (out, key);
  loom_json_slice_append_string (out, text, strlen (text));
}

static void
append_parent (GString *out, const LoomStackFrames *stacks, guint source, guint32 number, const LoomStackFrame *frame)
{
  guint32 parent = loom_stack_frames_get_parent (stacks, number);
  if (*frame->parent == '\0')
    return;
  loom_trace_event_writer_append_key (out, "parent");
  if (parent != LOOM_STACK_FRAMES_NONE)
    append_number (out, source, parent);
  else
    append_unknown (out, source, frame->parent);
}

static void
append_frame (GString *out, const LoomStackFrames *stacks, guint source, guint32 number, gboolean renamed)
{
  LoomStackFrame frame = loom_stack_frames_get (stacks, number);
  if (renamed)
    append_number (out, source, number);
  else
    loom_json_slice_append_string (out, frame.id, strlen (frame.id));
  g_string_append (out, ":{");
  append_text (out, "category", frame.category);
  append_text (out, "name", frame.name);
  if (renamed)
    append_parent (out, stacks, source, number, &frame);
  else
    append_text (out, "parent", frame.parent);
  g_string_append_c (out, '}');
}

/* State for writing the table of stack frames. The buffer `out` is written to the file whenever it is full, so that
 * memory stays bounded. */
typedef struct {
  LoomExport *merge;
  GString *out;
  const char *head;    /* text before the first stack frame */
  const char *between; /* text before each further stack frame */
  gboolean any;
} FrameWriter;

static void
flush (FrameWriter *writer)
{
  loom_output_file_append (writer->merge->output, writer->out->str, writer->out->len);
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
loom_export_stack_frames_write (LoomExport *merge)
{
  g_autoptr (GString) out = g_string_new (NULL);
  FrameWriter writer = { merge, out, ",\n\"stackFrames\":{\n", ",\n", FALSE };
  gboolean renamed = loom_export_stack_frames_needs_rename (merge->run);
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomStackFrames *stacks = loom_run_get_source (merge->run, i)->stacks;
    guint32 n = stacks != NULL && loom_export_wants (merge, i) ? stacks->frames->len : 0;
    for (guint32 number = 0; number < n; number++)
      put_frame (&writer, i, number, renamed);
  }
  if (writer.any)
    g_string_append_c (out, '}');
  flush (&writer);
}

/* Returns TRUE if two conditions are met: the frame `number` belongs to the whole source, not to a single process; and
 * the process `process` has no frame of its own with the same id. If an event of this process contains the id, it then
 * refers to the frame `number`. */
static gboolean
is_meant (const LoomStackFrames *stacks, guint32 number, const char *process)
{
  LoomStackFrame frame = loom_stack_frames_get (stacks, number);
  return *frame.scope == '\0' && loom_stack_frames_find (stacks, process, frame.id) == number;
}

gboolean
loom_export_stack_frames_write_source (LoomExport *merge, guint source, const char *process, const char *head)
{
  g_autoptr (GString) out = g_string_new (NULL);
  FrameWriter writer = { merge, out, head, ",", FALSE };
  const LoomStackFrames *stacks = loom_run_get_source (merge->run, source)->stacks;
  for (guint32 number = 0; number < stacks->frames->len; number++)
    if (process == NULL || is_meant (stacks, number, process))
      put_frame (&writer, source, number, process == NULL);
  flush (&writer);
  return writer.any;
}

void
loom_export_stack_frames_rename (GString *text, const LoomEvent *event, const LoomStackFrames *stacks, guint source)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  g_autoptr (GString) out = g_string_sized_new (text->len);
  const char *from = text->str;
  if (!loom_json_slice_iter_init (&iter, (LoomJsonSlice) { text->str, text->len }))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (!loom_json_slice_equal (key, "\"sf\"") && !loom_json_slice_equal (key, "\"esf\""))
      continue;
    g_string_append_len (out, from, value.text - from);
    loom_export_stack_frames_append_id (out, event, value, stacks, source);
    from = value.text + value.length;
  }
  g_string_append_len (out, from, text->str + text->len - from);
  g_string_truncate (text, 0);
  g_string_append_len (text, out->str, (gssize) out->len);
}
