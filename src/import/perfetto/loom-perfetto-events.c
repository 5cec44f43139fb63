/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the events of a Perfetto trace as Chrome trace events, which the importer for Chrome traces then reads. The
 * interface is described in loom-perfetto-events.h.
 */
#include "loom-perfetto-events.h"

#include "loom-made-json.h"
#include "loom-perfetto-args.h"
#include "loom-perfetto-fields.h"

#include <string.h>

enum { DIRECTION_IN = 1, DIRECTION_OUT = 2 };
enum { SCOPE_GLOBAL = 1, SCOPE_PROCESS = 2 };

#define MOST_CATEGORIES 32

/* The fields of a track event or GPU stage that are needed to write its text. */
typedef struct {
  LoomPerfettoArgs from;
  LoomProtoField message; /* the track event or GPU stage; its length is 0 if the packet contains neither */
  LoomProtoField name, legacy;
  LoomProtoField category; /* the field with the first category of the event */
  guint n_categories;
} Message;

/* --- packets ------------------------------------------------------------------------------------------------------ */

gboolean
loom_perfetto_events_find_message (LoomPerfettoReader *reader, guint64 place, LoomProtoField *message)
{
  gsize n_bytes;
  const guint8 *p = loom_perfetto_packets_get (reader, place, &n_bytes), *end = p + (p != NULL ? n_bytes : 0);
  LoomProtoField field;
  message->bytes = NULL;
  while (p != NULL && loom_proto_next (&p, end, &field))
    if ((field.number == LOOM_PERFETTO_PACKET_EVENT || field.number == LOOM_PERFETTO_PACKET_STAGE) &&
        field.wire == LOOM_PROTO_BYTES)
      *message = field;
  return message->bytes != NULL;
}

static void
read_event (Message *message)
{
  const guint8 *p = message->message.bytes, *end = p + message->message.value;
  LoomProtoField field;
  message->name.number = message->legacy.number = message->n_categories = 0;
  while (loom_proto_next (&p, end, &field))
    switch (field.number) {
    case LOOM_PERFETTO_EVENT_NAME_ID:
      if (message->name.number != LOOM_PERFETTO_EVENT_NAME)
        message->name = field;
      break;
    case LOOM_PERFETTO_EVENT_NAME:
      if (field.wire == LOOM_PROTO_BYTES)
        message->name = field;
      break;
    case LOOM_PERFETTO_EVENT_CATEGORY_ID:
    case LOOM_PERFETTO_EVENT_CATEGORY:
      if (message->n_categories++ == 0)
        message->category = field;
      break;
    case LOOM_PERFETTO_EVENT_LEGACY:
      if (field.wire == LOOM_PROTO_BYTES)
        message->legacy = field;
      break;
    default: break;
    }
}

/* Returns a field of the legacy event in a message; if the message has no legacy event, or this event lacks the
 * field, returns a field whose member `number` is 0. */
static LoomProtoField
find_legacy (const Message *message, guint number)
{
  LoomProtoField field, found = { 0 };
  const guint8 *p = message->legacy.bytes, *end = message->legacy.value > 0 ? p + message->legacy.value : p;
  while (message->legacy.number != 0 && loom_proto_next (&p, end, &field))
    if (field.number == number)
      found = field;
  return found;
}

/* --- names and categories ----------------------------------------------------------------------------------------- */

static void
append_bytes (const LoomProtoField *field, GString *text)
{
  g_autofree char *json =
    loom_perfetto_tracks_dup_json ((const char *) field->bytes, (gsize) MIN (field->value, 1024 * 1024));
  loom_made_json_append (text, json);
}

static gboolean
append_name (const Message *message, GString *text)
{
  LoomProtoField old = message->name.number == 0 ? find_legacy (message, LOOM_PERFETTO_LEGACY_NAME_ID) : message->name;
  if (old.number == 0)
    return FALSE;
  loom_made_json_append (text, "\"name\":\"");
  if (old.number == LOOM_PERFETTO_EVENT_NAME)
    append_bytes (&old, text);
  else
    loom_perfetto_args_append_text (&message->from, LOOM_PERFETTO_TEXT_EVENT_NAME, old.value, text);
  loom_made_json_append (text, "\",");
  return TRUE;
}

static void
append_category (const Message *message, const LoomProtoField *field, gsize first, GString *text)
{
  if (text->len > first)
    loom_made_json_append (text, ",");
  if (field->number == LOOM_PERFETTO_EVENT_CATEGORY && field->wire == LOOM_PROTO_BYTES) {
    append_bytes (field, text);
    return;
  }
  const guint8 *p = field->bytes, *end = field->wire == LOOM_PROTO_BYTES ? p + field->value : p;
  guint64 number = field->value;
  for (guint i = 0; i < MOST_CATEGORIES; i++) {
    if (field->wire == LOOM_PROTO_BYTES && !loom_proto_read_varint (&p, end, &number))
      break;
    if (i > 0)
      loom_made_json_append (text, ",");
    loom_perfetto_args_append_text (&message->from, LOOM_PERFETTO_TEXT_CATEGORY, number, text);
    if (field->wire != LOOM_PROTO_BYTES)
      break;
  }
}

static void
append_categories (const Message *message, GString *text)
{
  const guint8 *p = message->message.bytes, *end = p + message->message.value;
  LoomProtoField field;
  guint n = 0;
  if (message->n_categories == 0)
    return;
  loom_made_json_append (text, "\"cat\":\"");
  gsize first = text->len;
  if (message->n_categories == 1)
    append_category (message, &message->category, first, text);
  while (message->n_categories > 1 && n < MOST_CATEGORIES && loom_proto_next (&p, end, &field))
    if (field.number == LOOM_PERFETTO_EVENT_CATEGORY_ID || field.number == LOOM_PERFETTO_EVENT_CATEGORY) {
      append_category (message, &field, first, text);
      n++;
    }
  loom_made_json_append (text, "\",");
}

/* Marks the track of an event as used. If the track has no name, sets its name to the name of the event. */
static void
name_track (LoomPerfettoTrace *trace, guint32 number, GString *text)
{
  const LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, number);
  LoomPerfettoTrack *track = loom_perfetto_tracks_get (trace->tracks, loom_perfetto_trace_get_track (trace, event));
  if (track->is_used)
    return;
  track->is_used = TRUE;
  Message message = { .from = { trace, loom_perfetto_trace_get_event_context (trace, event)->generation,
                                event->place } };
  if (track->name != NULL || track->has_process || track->is_queue || track->uuid == 0 ||
      !loom_perfetto_events_find_message (trace->begins, event->place, &message.message))
    return;
  read_event (&message);
  g_string_assign (text, "{");
  if (append_name (&message, text)) /* `text` is now {"name":"…", and the code below extracts the name between the
                                     * quotes */
    track->event_name = g_strndup (text->str + 9, text->len - 11);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  return (x > y) - (x < y);
}

/* Finds the first event with each look (name, category, track and context, see loom-perfetto-looks.h). Called after the
 * list of events was changed. */
static void
find_firsts (LoomPerfettoTrace *trace)
{
  GArray *firsts = trace->survey.firsts;
  g_array_set_size (firsts, trace->looks->looks->len);
  for (guint i = 0; i < firsts->len; i++)
    g_array_index (firsts, guint32, i) = G_MAXUINT32;
  for (guint32 i = trace->events.len; i-- > 0;)
    g_array_index (firsts, guint32, loom_perfetto_trace_get_event (trace, i)->look) = i;
}

void
loom_perfetto_events_name_tracks (LoomPerfettoTrace *trace)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GArray *firsts = trace->survey.firsts;
  if (trace->survey.is_unusual)
    find_firsts (trace);
  g_array_sort (firsts, compare_numbers);
  for (guint i = 0; i < firsts->len; i++)
    if (g_array_index (firsts, guint32, i) != G_MAXUINT32)
      name_track (trace, g_array_index (firsts, guint32, i), text);
}

/* --- arrows ------------------------------------------------------------------------------------------------------- */

static guint
find_arrow (const LoomPerfettoTrace *trace, guint32 event)
{
  guint low = 0, high = trace->arrows->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (trace->arrows, LoomPerfettoArrow, middle).event < event)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
append_arrow (const LoomPerfettoArrow *arrow, const char *place, gint64 time_ns, GString *text)
{
  static const char *const kinds[] = { "flow", "ac2g", "wait" };
  const char *kind = kinds[MIN (arrow->kind, G_N_ELEMENTS (kinds) - 1)];
  loom_made_json_append (text, arrow->is_head ? "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"" : "{\"ph\":\"s\",\"cat\":\"");
  loom_made_json_append (text, kind);
  loom_made_json_append (text, "\",\"name\":\"");
  loom_made_json_append (text, kind);
  loom_made_json_append (text, "\",\"id\":");
  loom_made_json_append_int (text, arrow->number);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  loom_made_json_append (text, "},\n");
}

static void
append_arrows (const LoomPerfettoTrace *trace, guint32 number, const LoomPerfettoEvent *event, const char *place,
               GString *text)
{
  for (guint i = find_arrow (trace, number); i < trace->arrows->len; i++) {
    const LoomPerfettoArrow *arrow = &g_array_index (trace->arrows, LoomPerfettoArrow, i);
    if (arrow->event != number)
      break;
    append_arrow (arrow, place, event->start_ns, text);
  }
}

static gboolean
launches (const LoomPerfettoTrace *trace, guint32 number)
{
  for (guint i = find_arrow (trace, number); i < trace->arrows->len; i++) {
    const LoomPerfettoArrow *arrow = &g_array_index (trace->arrows, LoomPerfettoArrow, i);
    if (arrow->event != number)
      break;
    if (arrow->kind == LOOM_PERFETTO_LAUNCH && !arrow->is_head)
      return TRUE;
  }
  return FALSE;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void
append_times (const LoomPerfettoEvent *event, gboolean is_span, GString *text)
{
  loom_made_json_append (text, ",\"ts\":");
  loom_made_json_append_us (text, event->start_ns);
  if (!is_span || event->end_ns == LOOM_PERFETTO_OPEN)
    return;
  loom_made_json_append (text, ",\"dur\":");
  loom_made_json_append_us (text, event->end_ns - event->start_ns);
}

/* Appends a category to a span whose event has no category, if analyses find such spans by their category:
 * "cuda_runtime" for a call that launches work of a GPU, "user_annotation" for a step. `name`: offset in `text` of the
 * member with the name of the span. */
static void
append_missing_category (const LoomPerfettoTrace *trace, guint32 number, const LoomPerfettoEvent *event, gsize name,
                         GString *text)
{
  if (event->kind != LOOM_PERFETTO_SPAN)
    return;
  if (event->has_arrows && launches (trace, number))
    loom_made_json_append (text, "\"cat\":\"cuda_runtime\",");
  else if (g_str_has_prefix (text->str + name, "\"name\":\"step ") ||
           g_str_has_prefix (text->str + name, "\"name\":\"ProfilerStep#"))
    loom_made_json_append (text, "\"cat\":\"user_annotation\",");
}

/* Appends the flow of a legacy event: the member bind_id, and the members flow_in and flow_out for its directions. */
static void
append_bound_flow (const Message *message, GString *text)
{
  LoomProtoField id = find_legacy (message, LOOM_PERFETTO_LEGACY_BIND_ID),
                 direction = find_legacy (message, LOOM_PERFETTO_LEGACY_DIRECTION);
  if (id.number == 0 || direction.number == 0)
    return;
  g_string_append_printf (text, ",\"bind_id\":\"0x%" G_GINT64_MODIFIER "x\"%s%s", id.value,
                          (direction.value & DIRECTION_IN) != 0 ? ",\"flow_in\":true" : "",
                          (direction.value & DIRECTION_OUT) != 0 ? ",\"flow_out\":true" : "");
}

static void
append_ids (const Message *message, GString *text)
{
  LoomProtoField id = find_legacy (message, LOOM_PERFETTO_LEGACY_UNSCOPED_ID),
                 local = find_legacy (message, LOOM_PERFETTO_LEGACY_LOCAL_ID),
                 global = find_legacy (message, LOOM_PERFETTO_LEGACY_GLOBAL_ID),
                 scope = find_legacy (message, LOOM_PERFETTO_LEGACY_SCOPE);
  if (local.number != 0)
    g_string_append_printf (text, ",\"id2\":{\"local\":\"0x%" G_GINT64_MODIFIER "x\"}", local.value);
  else if (global.number != 0)
    g_string_append_printf (text, ",\"id2\":{\"global\":\"0x%" G_GINT64_MODIFIER "x\"}", global.value);
  else if (id.number != 0)
    g_string_append_printf (text, ",\"id\":\"0x%" G_GINT64_MODIFIER "x\"", id.value);
  if (scope.number == 0 || scope.wire != LOOM_PROTO_BYTES)
    return;
  loom_made_json_append (text, ",\"scope\":\"");
  append_bytes (&scope, text);
  loom_made_json_append (text, "\"");
}

static const LoomPerfettoTail *
find_tail (const LoomPerfettoTrace *trace, guint32 event)
{
  guint low = 0, high = trace->tails->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (trace->tails, LoomPerfettoTail, middle).event < event)
      low = middle + 1;
    else
      high = middle;
  }
  return &g_array_index (trace->tails, LoomPerfettoTail, low);
}

/* Appends the args of a span's end event after those of its begin event. End events are read with `trace->ends`, and
 * begin events with `trace->begins`. Two readers are used because both events of a span are far apart in the file, so
 * that a single reader would have to move back and forth. */
static void
append_tail (LoomPerfettoTrace *trace, guint32 number, const Message *begin, GString *text)
{
  Message end = { .from = begin->from };
  end.from.place = find_tail (trace, number)->place;
  if (loom_perfetto_events_find_message (trace->ends, end.from.place, &end.message))
    loom_perfetto_args_append_event (&end.from, &end.message, text);
}

static void
append_head (const LoomPerfettoEvent *event, const Message *message, GString *text)
{
  guint64 scope;
  switch (event->kind) {
  case LOOM_PERFETTO_PHASE:
    loom_made_json_append (text, "{\"ph\":\"");
    g_string_append_c (text, (char) find_legacy (message, LOOM_PERFETTO_LEGACY_PHASE).value);
    loom_made_json_append (text, "\",");
    break;
  case LOOM_PERFETTO_INSTANT:
    if (event->has_arrows) /* an instant with arrows is written as a span, because arrows connect only spans */
      break;
    scope = find_legacy (message, LOOM_PERFETTO_LEGACY_INSTANT_SCOPE).value;
    loom_made_json_append (text, scope == SCOPE_GLOBAL    ? "{\"ph\":\"i\",\"s\":\"g\","
                                 : scope == SCOPE_PROCESS ? "{\"ph\":\"i\",\"s\":\"p\","
                                                          : "{\"ph\":\"i\",\"s\":\"t\",");
    return;
  default: break;
  }
  if (event->kind != LOOM_PERFETTO_PHASE)
    loom_made_json_append (text, "{\"ph\":\"X\",");
}

/* Returns JSON text with the members pid and tid of an event; "" for an instant of a merged file that belongs to the
 * whole trace and therefore has no track and no process. */
static const char *
find_place (const LoomPerfettoTrace *trace, const LoomPerfettoEvent *event, const Message *message)
{
  const LoomPerfettoTrack *track =
    loom_perfetto_tracks_get (trace->tracks, loom_perfetto_trace_get_track (trace, event));
  gboolean is_global = trace->tracks->is_merged && track->uuid == 0 && event->kind == LOOM_PERFETTO_INSTANT &&
                       find_legacy (message, LOOM_PERFETTO_LEGACY_INSTANT_SCOPE).value == SCOPE_GLOBAL;
  return is_global ? "" : track->place;
}

/* Removes the mark that Traceloom writes into merged files (LOOM_PERFETTO_TEXTS_MARK) from the end of the args. Returns
 * the JSON text of a member with the mark. The caller adds this member to the event instead of its args, because merged
 * JSON files have the mark there. The text is static. NULL: there is no mark. */
static const char *
take_mark (GString *text)
{
  static const char *const marks[] = { "\"traceloom\":\"open\"", "\"traceloom\":\"suspect\"",
                                       "\"traceloom\":\"open suspect\"" };
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++) {
    gsize length = strlen (marks[i]);
    if (text->len <= length || memcmp (text->str + text->len - length, marks[i], length) != 0)
      continue;
    char before = text->str[text->len - length - 1];
    if (before != ',' && before != '{')
      continue;
    g_string_truncate (text, text->len - length - (before == ','));
    return marks[i];
  }
  return NULL;
}

static void
append_event (LoomPerfettoTrace *trace, guint32 number, const LoomPerfettoEvent *event, Message *message, GString *text)
{
  read_event (message);
  const char *place = find_place (trace, event, message);
  append_head (event, message, text);
  append_categories (message, text);
  gsize name = text->len;
  append_name (message, text);
  if (message->n_categories == 0)
    append_missing_category (trace, number, event, name, text);
  text->str[--text->len] = '\0'; /* removes the last comma, because the text `place` begins with a comma */
  loom_made_json_append (text, place);
  append_times (
    event, event->kind != LOOM_PERFETTO_PHASE && (event->kind != LOOM_PERFETTO_INSTANT || event->has_arrows), text);
  if (message->legacy.number != 0) {
    append_bound_flow (message, text);
    append_ids (message, text);
    if (find_legacy (message, LOOM_PERFETTO_LEGACY_BIND_TO_ENCLOSING).value != 0)
      loom_made_json_append (text, ",\"bp\":\"e\"");
  }
  loom_made_json_append (text, ",\"args\":{");
  loom_perfetto_args_append_event (&message->from, &message->message, text);
  const char *mark = trace->tracks->is_merged ? take_mark (text) : NULL;
  if (event->has_tail)
    append_tail (trace, number, message, text);
  loom_made_json_append (text, "}");
  if (mark != NULL)
    g_string_append_printf (text, ",%s", mark);
  loom_made_json_append (text, "},\n");
  if (event->has_arrows)
    append_arrows (trace, number, event, place, text);
}

/* --- text of the work of GPUs ------------------------------------------------------------------------------------- */

typedef struct {
  LoomProtoField name, name_id, kernel, kind, old_kind;
  gboolean is_launched;
} Stage;

static void
read_stage (const Message *message, Stage *stage)
{
  const guint8 *p = message->message.bytes, *end = p + message->message.value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    switch (field.number) {
    case LOOM_PERFETTO_STAGE_NAME:
      if (field.wire == LOOM_PROTO_BYTES && field.value > 0)
        stage->name = field;
      break;
    case LOOM_PERFETTO_STAGE_NAME_ID: stage->name_id = field; break;
    case LOOM_PERFETTO_STAGE_KERNEL: stage->kernel = field; break;
    case LOOM_PERFETTO_STAGE_KIND: stage->kind = field; break;
    case LOOM_PERFETTO_STAGE_OLD_STAGE: stage->old_kind = field; break;
    case LOOM_PERFETTO_STAGE_LAUNCH: stage->is_launched = TRUE; break;
    default: break;
    }
}

static const char *
get_text (const Message *message, LoomPerfettoTextKind kind, guint64 number)
{
  return loom_perfetto_texts_get (message->from.trace->texts, message->from.generation, kind, number,
                                  message->from.place);
}

static const char *
get_stage_kind (const Message *message, const Stage *stage)
{
  if (stage->kind.number != 0)
    return get_text (message, LOOM_PERFETTO_TEXT_GPU_SPECIFICATION, stage->kind.value);
  return stage->old_kind.number != 0 ? get_text (message, LOOM_PERFETTO_TEXT_OLD_STAGE, stage->old_kind.value) : NULL;
}

static const char *
find_category (const Stage *stage, const char *kind, const char *name)
{
  const char *text = kind != NULL ? kind : name != NULL ? name : "";
  if (stage->is_launched || g_ascii_strcasecmp (text, "kernel") == 0)
    return "kernel";
  if (g_ascii_strncasecmp (text, "memcpy", 6) == 0)
    return "gpu_memcpy";
  return g_ascii_strncasecmp (text, "memset", 6) == 0 ? "gpu_memset" : "gpu";
}

static void
append_stage_name (const Message *message, const Stage *stage, const char *kind, GString *text)
{
  const char *name =
    stage->name_id.number != 0 ? get_text (message, LOOM_PERFETTO_TEXT_EVENT_NAME, stage->name_id.value) : NULL;
  if (name == NULL && stage->kernel.number != 0)
    name = get_text (message, LOOM_PERFETTO_TEXT_KERNEL, stage->kernel.value);
  loom_made_json_append (text, "\",\"name\":\"");
  if (stage->name.number != 0)
    append_bytes (&stage->name, text);
  else if (name != NULL || kind != NULL)
    loom_made_json_append (text, name != NULL ? name : kind);
  else
    loom_perfetto_args_append_text (&message->from, LOOM_PERFETTO_TEXT_GPU_SPECIFICATION, stage->kind.value, text);
  loom_made_json_append (text, "\"");
}

static void
append_stage (LoomPerfettoTrace *trace, guint32 number, const LoomPerfettoEvent *event, const Message *message,
              GString *text)
{
  const char *place = loom_perfetto_tracks_get (trace->tracks, loom_perfetto_trace_get_track (trace, event))->place;
  Stage stage = { 0 };
  read_stage (message, &stage);
  const char *kind = get_stage_kind (message, &stage);
  loom_made_json_append (text, "{\"ph\":\"X\",\"cat\":\"");
  loom_made_json_append (text, find_category (&stage, kind, NULL));
  append_stage_name (message, &stage, kind, text);
  loom_made_json_append (text, place);
  append_times (event, TRUE, text);
  loom_made_json_append (text, ",\"args\":{");
  loom_perfetto_args_append_stage (&message->from, &message->message, text);
  loom_made_json_append (text, "}},\n");
  if (event->has_arrows)
    append_arrows (trace, number, event, place, text);
}

/* --- text of a single event, sample or name ----------------------------------------------------------------------- */

static void
make_event (LoomPerfettoTrace *trace, guint32 number, gboolean is_first, GString *text)
{
  LoomPerfettoEvent event = loom_perfetto_trace_read_event (trace, number);
  guint64 place = loom_perfetto_trace_find_place (trace, number);
  Message message = { .from = { trace, loom_perfetto_trace_get_event_context (trace, &event)->generation, place,
                                is_first, text->len } };
  if (!loom_perfetto_events_find_message (trace->begins, place, &message.message))
    return;
  if (event.kind == LOOM_PERFETTO_STAGE)
    append_stage (trace, number, &event, &message, text);
  else
    append_event (trace, number, &event, &message, text);
}

static void
make_sample (const LoomPerfettoTrace *trace, const LoomPerfettoSample *sample, GString *text)
{
  const LoomPerfettoTrack *track = loom_perfetto_tracks_get (trace->tracks, sample->track);
  if (sample->context == G_MAXUINT32)
    return;
  loom_made_json_append (text, "{\"ph\":\"C\",\"name\":\"");
  loom_made_json_append (text, track->label);
  if (track->category != NULL) {
    loom_made_json_append (text, "\",\"cat\":\"");
    loom_made_json_append (text, track->category);
  }
  loom_made_json_append (text, "\"");
  loom_made_json_append (text, track->place);
  loom_made_json_append (text, ",\"ts\":");
  loom_made_json_append_us (text, sample->time_ns);
  loom_made_json_append (text, ",\"args\":{\"");
  loom_made_json_append (text, track->series != NULL ? track->series : "value");
  loom_made_json_append (text, "\":");
  if (!sample->is_real)
    loom_made_json_append_int (text, sample->value.integer);
  else
    loom_perfetto_args_append_real (text, sample->value.real);
  loom_made_json_append (text, "}},\n");
}

gboolean
loom_perfetto_events_make (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text)
{
  LoomPerfettoTrace *trace = maker;
  gboolean has_item = FALSE;
  switch (place->part) {
  case LOOM_PERFETTO_PART_NAMES:
    has_item = loom_perfetto_tracks_append_name (trace->tracks, place->number, text);
    break;
  case LOOM_PERFETTO_PART_EVENTS:
    has_item = place->number < trace->n_events;
    if (has_item)
      make_event (trace, (guint32) place->number, is_first, text);
    break;
  case LOOM_PERFETTO_PART_SAMPLES:
    has_item = place->number < trace->samples->len;
    if (has_item)
      make_sample (trace, &g_array_index (trace->samples, LoomPerfettoSample, place->number), text);
    break;
  default: break;
  }
  if (has_item)
    place->number++;
  else
    *place = (LoomMadePlace) { .part = place->part + 1 };
  return place->part < LOOM_PERFETTO_N_PARTS;
}
