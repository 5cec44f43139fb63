/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-event-reader.h"

#include <string.h>

#include "loom-error.h"
#include "loom-trace-event-writer.h"

struct _LoomExportEventReader {
  LoomTimeline *timeline;
  gboolean keeps_all;
  gboolean is_unchecked; /* TRUE: events are not checked for strict JSON when they are read */
  LoomBlockCache *cache;
  /* working memory: the merged args of a begin/end pair, or args that were made because the file does not contain
   * any */
  GString *args;
  GString *end_args; /* args of the E event of a begin/end pair, kept while the B event is read */
  GString *end_text; /* text of the call stacks of the E event of a begin/end pair, kept while the B event is read */
  LoomEventStack end;
  const LoomMergeSample *samples; /* samples of the current item */
  guint n_samples;
};

LoomExportEventReader *
loom_export_event_reader_new (LoomTimeline *timeline, gboolean keeps_all)
{
  LoomExportEventReader *reader = g_new0 (LoomExportEventReader, 1);
  reader->keeps_all = keeps_all;
  reader->timeline = loom_timeline_ref (timeline);
  reader->cache = loom_block_cache_new ();
  reader->args = g_string_new (NULL);
  reader->end_args = g_string_new (NULL);
  reader->end_text = g_string_new (NULL);
  return reader;
}

void
loom_export_event_reader_free (LoomExportEventReader *reader)
{
  if (reader == NULL)
    return;
  loom_timeline_unref (reader->timeline);
  loom_block_cache_free (reader->cache);
  g_string_free (reader->args, TRUE);
  g_string_free (reader->end_args, TRUE);
  g_string_free (reader->end_text, TRUE);
  g_free (reader);
}

void
loom_export_event_reader_set_window (LoomExportEventReader *reader, LoomSharedBlockWindow *window)
{
  loom_block_cache_set_window (reader->cache, window);
}

/* --- reading an event from its file ------------------------------------------------------------------------------- */

/* Reads an event. If the input contains no text of the event (as for events of a cProfile file), sets `has_event` to
 * FALSE. Returns FALSE with `error` if the event cannot be read. */
static gboolean
read_event (LoomExportEventReader *reader, const LoomTrace *trace, LoomRef ref, LoomEvent *event, gboolean *has_event,
            GError **error)
{
  gboolean is_known = ref != LOOM_REF_NONE && loom_source_ref_source (ref) < loom_trace_get_n_sources (trace);
  const LoomSource *source = is_known ? loom_trace_get_source (trace, loom_source_ref_source (ref)) : NULL;
  *has_event = source != NULL && source->text != NULL;
  if (!*has_event || loom_block_cache_read (reader->cache, source->text, loom_source_ref_offset (ref), event, error))
    return TRUE;
  g_prefix_error (error, "%s: ", source->path);
  return FALSE;
}

/* Copies the call stacks of the E event of a begin/end pair, if it has any. Most E events have none. */
static void
keep_end_stack (LoomExportEventReader *reader, const LoomEvent *end)
{
  LoomEventStack found;
  reader->end = (LoomEventStack) { 0 };
  if (!loom_event_stack_find (end, &found))
    return;
  LoomJsonSlice frame = found.frame[LOOM_EVENT_STACK_BEGIN], list = found.list[LOOM_EVENT_STACK_BEGIN];
  g_string_truncate (reader->end_text, 0);
  if (frame.text != NULL)
    g_string_append_len (reader->end_text, frame.text, (gssize) frame.length);
  if (list.text != NULL)
    g_string_append_len (reader->end_text, list.text, (gssize) list.length);
  if (frame.text != NULL)
    reader->end.frame[LOOM_EVENT_STACK_BEGIN] = (LoomJsonSlice) { reader->end_text->str, frame.length };
  if (list.text != NULL)
    reader->end.list[LOOM_EVENT_STACK_BEGIN] =
      (LoomJsonSlice) { reader->end_text->str + reader->end_text->len - list.length, list.length };
}

/* Copies the args of the E event of a begin/end pair to end_args, and its call stacks to end_text. Returns FALSE with
 * `error` if the event cannot be read. */
static gboolean
keep_end (LoomExportEventReader *reader, const LoomTrace *trace, guint32 span, GError **error)
{
  LoomEvent end;
  gboolean has_end;
  g_string_truncate (reader->end_args, 0);
  reader->end = (LoomEventStack) { 0 };
  if (!read_event (reader, trace, loom_trace_get_end_ref (trace, span), &end, &has_end, error))
    return FALSE;
  if (!has_end)
    return TRUE;
  LoomJsonSlice args = end.member[LOOM_MEMBER_ARGS];
  if (args.text != NULL)
    g_string_append_len (reader->end_args, args.text, (gssize) args.length);
  keep_end_stack (reader, &end);
  return TRUE;
}

static LoomJsonSlice
slice_of (const GString *text)
{
  return (LoomJsonSlice) { text->len > 0 ? text->str : NULL, text->len };
}

static gboolean
read_span (LoomExportEventReader *reader, const LoomTrace *trace, const LoomMergeItem *item, LoomExportEvent *drawn,
           GError **error)
{
  gboolean spans = item->kind == LOOM_KWAY_MERGE_SPAN || item->kind == LOOM_KWAY_MERGE_ASYNC ||
                   item->kind == LOOM_KWAY_MERGE_ASYNC_END;
  gboolean pair = spans && item->ref != LOOM_REF_NONE && (loom_source_ref_flags (item->ref) & LOOM_REF_END) != 0 &&
                  !(reader->keeps_all && item->kind == LOOM_KWAY_MERGE_ASYNC);
  gboolean end_only = reader->keeps_all && item->kind == LOOM_KWAY_MERGE_ASYNC_END;
  if (pair && !keep_end (reader, trace, item->index, error))
    return FALSE;
  if (pair)
    drawn->end = reader->end;
  if (!read_event (reader, trace, item->ref, &drawn->event, &drawn->has_event, error))
    return FALSE;
  drawn->no_args = end_only;
  if (!pair || reader->end_args->len == 0)
    return TRUE;
  g_string_truncate (reader->args, 0);
  LoomJsonSlice begin_args =
    drawn->has_event && !end_only ? drawn->event.member[LOOM_MEMBER_ARGS] : (LoomJsonSlice) { NULL, 0 };
  drawn->repaired = !loom_trace_event_writer_append_merged_args (reader->args, begin_args, slice_of (reader->end_args),
                                                                 reader->keeps_all);
  drawn->args = reader->args;
  drawn->no_args = FALSE;
  return TRUE;
}

/* --- args of a counter -------------------------------------------------------------------------------------------- */

/* Sets reader->args to the args of a counter event: a JSON object with one member for each element of reader->samples.
 * The key is the name of the series; the value is the value of the sample. `literal`: the text of the value in the
 * file; may be given only if there is one sample. If literal.text is NULL, the values are written as the trace stores
 * them (double). */
static void
make_counter_args (LoomExportEventReader *reader, const LoomTrace *trace, LoomJsonSlice literal)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  GString *args = reader->args;
  g_string_assign (args, "{");
  for (guint i = 0; i < reader->n_samples; i++) {
    const LoomSeries *series = loom_trace_get_series (trace, reader->samples[i].series);
    if (args->len > 1)
      g_string_append_c (args, ',');
    loom_json_slice_append_string (args, series->name, strlen (series->name));
    g_string_append_c (args, ':');
    if (literal.text != NULL)
      loom_trace_event_writer_append_value (args, literal, FALSE);
    else
      g_string_append (args, g_ascii_dtostr (digits, sizeof digits, series->value[reader->samples[i].position]));
  }
  g_string_append_c (args, '}');
}

/* Returns TRUE if the name of the event in the file is composed of the names of the track, the series and the node, as
 * in a merged file of smdebug. Such an event has the value of one series only. */
static gboolean
is_named_by_parts (const LoomTrace *trace, const LoomMergeItem *item, const LoomEvent *event)
{
  if (strcmp (loom_trace_get_source (trace, loom_source_ref_source (item->ref))->format, "smdebug-merged") != 0 ||
      event->member[LOOM_MEMBER_NAME].text == NULL)
    return FALSE;
  g_autofree char *name = loom_json_slice_dup_decoded (event->member[LOOM_MEMBER_NAME]);
  return strcmp (name, loom_trace_get_track (trace, item->track)->name) != 0;
}

static gboolean
read_counter (LoomExportEventReader *reader, const LoomTrace *trace, const LoomMergeItem *item, LoomExportEvent *drawn,
              GError **error)
{
  LoomJsonSlice literal = { NULL, 0 };
  if (!read_event (reader, trace, item->ref, &drawn->event, &drawn->has_event, error))
    return FALSE;
  if (drawn->has_event && loom_event_phase (&drawn->event) == 'C') {
    if (is_named_by_parts (trace, item, &drawn->event)) {
      make_counter_args (reader, trace, loom_json_slice_member (drawn->event.member[LOOM_MEMBER_ARGS], "value"));
      drawn->args = reader->args;
    }
    return TRUE;
  }
  /* the item is not a counter event. It is either a line of system metrics with the member "Value", or an item without
   * a text */
  if (drawn->has_event && reader->n_samples == 1)
    literal = loom_json_slice_member (drawn->event.text, "Value");
  if (loom_json_slice_is_string (literal)) /* the value may be a number in quotes, as in "12.5" */
    literal = (LoomJsonSlice) { literal.text + 1, literal.length - 2 };
  drawn->has_event = FALSE;
  make_counter_args (reader, trace, literal);
  drawn->args = reader->args;
  return TRUE;
}

/* --- description of the drawn event ------------------------------------------------------------------------------- */

static gboolean
is_old_async (char phase)
{
  return phase == 'S' || phase == 'T' || phase == 'p' || phase == 'F';
}

static void
set_name (LoomExportEvent *drawn, const LoomTrace *trace, guint32 name_id)
{
  const LoomName *name = loom_trace_get_name (trace, name_id);
  drawn->name = name->text;
  drawn->category = name->category;
}

void
loom_export_event_reader_describe (LoomExportEvent *drawn, const LoomTrace *trace, const LoomMergeItem *item,
                                   char phase)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 n;
  drawn->scope = '\0';
  switch (item->kind) {
  case LOOM_KWAY_MERGE_COUNTER: {
    const LoomTrack *track = loom_trace_get_track (trace, item->track);
    drawn->name = track->name;
    drawn->category = track->category;
    drawn->phase = 'C';
    return;
  }
  case LOOM_KWAY_MERGE_FLOW:
    set_name (drawn, trace, loom_trace_get_flow_points (trace, &n)[item->index].name_id);
    drawn->phase = phase;
    return;
  case LOOM_KWAY_MERGE_INSTANT:
    drawn->phase = LOOM_INSTANT_PHASE (spans->dur_ns[item->index]);
    drawn->scope = LOOM_INSTANT_SCOPE (spans->dur_ns[item->index]);
    break;
  case LOOM_KWAY_MERGE_ASYNC: drawn->phase = is_old_async (phase) ? 'S' : 'b'; break;
  case LOOM_KWAY_MERGE_ASYNC_END: drawn->phase = is_old_async (phase) ? 'F' : 'e'; break;
  case LOOM_KWAY_MERGE_SPAN: drawn->phase = 'X'; break;
  }
  set_name (drawn, trace, spans->name_id[item->index]);
}

void
loom_export_event_reader_set_unchecked (LoomExportEventReader *reader)
{
  reader->is_unchecked = TRUE;
}

void
loom_export_event_reader_check (LoomExportEvent *drawn)
{
  drawn->clean = drawn->has_event && loom_trace_event_writer_is_clean (&drawn->event);
  drawn->repaired |= drawn->has_event && !drawn->clean;
}

gboolean
loom_export_event_reader_read_sampled (LoomExportEventReader *reader, const LoomMergeSample *samples, guint n_samples,
                                       const LoomMergeItem *item, LoomExportEvent *drawn, GError **error)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (reader->timeline), item->trace);
  reader->samples = samples;
  reader->n_samples = n_samples;
  drawn->repaired = FALSE;
  drawn->args = NULL;
  drawn->no_args = FALSE;
  drawn->end = (LoomEventStack) { 0 };
  if (!(item->kind == LOOM_KWAY_MERGE_COUNTER ? read_counter : read_span) (reader, trace, item, drawn, error))
    return FALSE;
  drawn->clean = FALSE;
  if (!reader->is_unchecked)
    loom_export_event_reader_check (drawn);
  loom_export_event_reader_describe (drawn, trace, item, drawn->has_event ? loom_event_phase (&drawn->event) : '\0');
  return TRUE;
}

gboolean
loom_export_event_reader_read (LoomExportEventReader *reader, const LoomKwayMerge *sweep, const LoomMergeItem *item,
                               LoomExportEvent *drawn, GError **error)
{
  guint n;
  const LoomMergeSample *samples = loom_kway_merge_get_samples (sweep, &n);
  return loom_export_event_reader_read_sampled (reader, samples, n, item, drawn, error);
}

/* Appends args that are not an object, as an object with the member "value". Appends nothing if the args are null, or
 * only the text "__stripped__", with which the program that wrote the file replaced the args. */
static void
append_odd_args (const LoomExportEvent *drawn, LoomJsonSlice args, GString *out)
{
  if (loom_json_slice_equal (args, "null") || loom_json_slice_equal (args, "\"__stripped__\""))
    return;
  g_string_append (out, "{\"value\":");
  loom_trace_event_writer_append_value (out, args, drawn->clean);
  g_string_append_c (out, '}');
}

void
loom_export_event_reader_append_args (const LoomExportEvent *drawn, GString *out)
{
  if (drawn->no_args)
    return;
  if (drawn->args != NULL)
    g_string_append_len (out, drawn->args->str, (gssize) drawn->args->len);
  else if (drawn->has_event && drawn->event.member[LOOM_MEMBER_ARGS].text != NULL) {
    LoomJsonSlice args = drawn->event.member[LOOM_MEMBER_ARGS];
    if (args.text[0] == '{')
      loom_trace_event_writer_append_value (out, args, drawn->clean);
    else
      append_odd_args (drawn, args, out);
  }
}
