/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source.h"

LoomSource *
loom_source_new (const char *path)
{
  LoomSource *source = g_new0 (LoomSource, 1);
  source->path = g_strdup (path);
  source->input = loom_input_files_new (path);
  source->format = "chrome";
  source->rank = -1;
  source->start_ns = LOOM_TIME_NONE;
  source->end_ns = LOOM_TIME_NONE;
  source->log = loom_import_log_new ();
  source->facts = g_ptr_array_new_with_free_func (g_free);
  return source;
}

void
loom_source_free (LoomSource *source)
{
  if (source == NULL)
    return;
  loom_input_files_free (source->input);
  g_free (source->path);
  g_free (source->node);
  g_free (source->indexed_path);
  loom_byte_source_unref (source->text);
  loom_byte_source_unref (source->file_text);
  loom_import_log_free (source->log);
  loom_python_profile_unref (source->profile);
  loom_flight_dump_free (source->flight);
  loom_stack_frames_free (source->stacks);
  g_ptr_array_unref (source->facts);
  loom_byte_index_free (source->byte_index);
  g_clear_pointer (&source->step_numbers, g_array_unref);
  g_free (source);
}

LoomByteSource *
loom_source_get_file_text (const LoomSource *source)
{
  return source->file_text != NULL ? source->file_text : source->text;
}

void
loom_source_add_fact (LoomSource *source, const char *key, const char *value)
{
  g_ptr_array_add (source->facts, g_strdup (key));
  g_ptr_array_add (source->facts, g_strdup (value));
}

void
loom_source_add_step_number (LoomSource *source, guint64 offset, gint64 number)
{
  LoomStepNumber step = { offset, number };
  if (source->step_numbers == NULL)
    source->step_numbers = g_array_new (FALSE, FALSE, sizeof (LoomStepNumber));
  g_array_append_val (source->step_numbers, step);
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  const LoomStepNumber *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

gint64
loom_source_find_step_number (const LoomSource *source, guint64 offset)
{
  LoomStepNumber wanted = { offset, -1 };
  guint at;
  gboolean found =
    source->step_numbers != NULL && g_array_binary_search (source->step_numbers, &wanted, compare_offsets, &at);
  return found ? g_array_index (source->step_numbers, LoomStepNumber, at).number : -1;
}

gboolean
loom_source_add_frame (LoomSource *source, const LoomStackFrame *frame)
{
  if (source->stacks == NULL)
    source->stacks = loom_stack_frames_new ();
  if (loom_stack_frames_add (source->stacks, frame))
    return TRUE;
  loom_import_log_printf (
    source->log, LOOM_SEVERITY_WARNING, "stack-frames", LOOM_OFFSET_NONE,
    "More than %u stack frames; further frames are skipped, and stacks end where a frame is missing",
    LOOM_STACK_FRAMES_MAX_FRAMES);
  return FALSE;
}
