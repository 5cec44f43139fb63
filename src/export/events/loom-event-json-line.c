/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-json-line.h"

#include "loom-trace-event-writer.h"
#include "loom-track-rank.h"

#include <string.h>

/* Appends the pid and tid of a flow event whose thread has no track, as the literals in the input. If the input is a
 * merged file of Traceloom, these are the literals in the file from which the merged file was made. */
static void
append_literal_place (GString *line, const LoomExportEvent *drawn)
{
  static const struct {
    const char *key;
    LoomMember member;
    const char *first;
  } parts[] = { { "process", LOOM_MEMBER_PID, LOOM_MEMBER_FIRST_PID },
                { "thread", LOOM_MEMBER_TID, LOOM_MEMBER_FIRST_TID } };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    LoomJsonSlice value = { NULL, 0 };
    if (drawn->has_event)
      value = loom_json_slice_member (drawn->event.text, parts[i].first);
    if (drawn->has_event && value.text == NULL)
      value = drawn->event.member[parts[i].member];
    g_autofree char *text = value.text != NULL ? loom_json_slice_dup_decoded (value) : g_strdup ("");
    loom_trace_event_writer_append_text (line, parts[i].key, text);
  }
}

/* Appends the name that the user gave to the source, if there is one. */
static void
append_source (GString *line, const LoomSourceOverrides *edits, const char *path)
{
  const char *name = loom_source_overrides_get_name (edits, path);
  if (name != NULL)
    loom_trace_event_writer_append_text (line, "source", name);
}

static void
append_place (GString *line, const LoomTrace *trace, const LoomMergeItem *item, const LoomExportEvent *drawn,
              const LoomSourceOverrides *names)
{
  if (item->track == G_MAXUINT) {
    append_literal_place (line, drawn);
    loom_trace_event_writer_append_text (line, "rank", NULL);
    loom_trace_event_writer_append_node (line, NULL);
    return;
  }
  const LoomTrack *track = loom_trace_get_track (trace, item->track);
  loom_trace_event_writer_append_text (line, "process", track->process);
  loom_trace_event_writer_append_text (line, "thread", track->thread);
  const LoomSource *source = loom_trace_get_source (trace, track->source);
  loom_trace_event_writer_append_worker (line, track->rank, loom_track_rank_is_process (track, source->format));
  loom_trace_event_writer_append_node (line, track->node);
  append_source (line, names, source->path);
}

/* Appends the call stacks at the begin and at the end of an event, if the input contains them. */
static void
append_stacks (GString *line, const LoomTrace *trace, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  static const char *const keys[LOOM_N_EVENT_STACKS] = { "stack", "end_stack" };
  LoomEventStack stack;
  if (!drawn->has_event)
    return;
  loom_event_stack_find (&drawn->event, &stack);
  loom_event_stack_take_end (&stack, &drawn->end);
  const LoomStackFrames *stacks = loom_trace_get_source (trace, loom_source_ref_source (item->ref))->stacks;
  for (guint side = 0; side < LOOM_N_EVENT_STACKS; side++)
    loom_event_stack_append_names (line, keys[side], &stack, side, &drawn->event, stacks);
}

void
loom_event_json_line_append (GString *line, const LoomTrace *trace, const LoomMergeItem *item,
                             const LoomExportEvent *drawn, const LoomSourceOverrides *names, gboolean with_args)
{
  const char phase[2] = { drawn->phase, '\0' };
  g_string_append_c (line, '{');
  loom_trace_event_writer_append_int (line, "ts_ns", item->start_ns);
  loom_trace_event_writer_append_int (line, "dur_ns", loom_time_sub (item->end_ns, item->start_ns));
  loom_trace_event_writer_append_text (line, "ph", phase);
  loom_trace_event_writer_append_text (line, "name", drawn->name);
  loom_trace_event_writer_append_text (line, "cat", drawn->category);
  append_place (line, trace, item, drawn, names);
  loom_trace_event_writer_append_int (line, "depth", item->depth);
  if (with_args) {
    loom_trace_event_writer_append_key (line, "args");
    gsize before = line->len;
    loom_export_event_reader_append_args (drawn, line);
    if (line->len == before)
      g_string_append (line, "{}");
  }
  append_stacks (line, trace, item, drawn);
  g_string_append_c (line, '}');
}
