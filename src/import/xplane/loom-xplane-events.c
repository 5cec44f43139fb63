/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts the events of an XSpace file to Chrome trace events in the form of TensorFlow's profiler: each plane becomes
 * a process, each line of a plane a thread, and their names become metadata events. The interface is described in
 * loom-xplane-events.h.
 */
#include "loom-xplane-events.h"

#include "loom-made-json.h"
#include "loom-xplane-args.h"
#include "loom-xplane-fields.h"

enum { LINE_EVENT = 4 };
enum { EVENT_NAME = 1, EVENT_OFFSET, EVENT_DURATION, EVENT_STAT, EVENT_OCCURRENCES };

#define MOST_EVENT_BYTES (16u * 1024 * 1024)

static void
parse_event (const guint8 *begin, gsize n_bytes, LoomXplaneEvent *event)
{
  const guint8 *p = begin;
  LoomProtoField field;
  *event = (LoomXplaneEvent) { .begin = begin, .end = begin + n_bytes };
  while (loom_proto_next (&p, event->end, &field))
    switch (field.number) {
    case EVENT_NAME: event->name_id = (gint64) field.value; break;
    case EVENT_OFFSET: event->offset_ps = (gint64) field.value; break;
    case EVENT_DURATION: event->duration_ps = (gint64) field.value; break;
    case EVENT_OCCURRENCES: event->is_aggregated = TRUE; break;
    default: break;
    }
  event->is_damaged = p != event->end;
}

static gboolean
has_stat (const LoomXplane *plane, const LoomXplaneEvent *event, const char *name)
{
  const guint8 *p = event->begin;
  LoomProtoField field;
  LoomXplaneStat stat;
  while (loom_proto_next (&p, event->end, &field)) {
    if (field.number != EVENT_STAT || field.wire != LOOM_PROTO_BYTES || !loom_xplane_space_parse_stat (&field, &stat))
      continue;
    if (g_strcmp0 (g_hash_table_lookup (plane->stats, &stat.id), name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Returns the category of an event on a line of a device. Only the lines of streams and of XLA operations contain work.
 * The events on all other lines are annotations, whose times repeat those of the work. */
static const char *
find_device_category (const LoomXplane *plane, const LoomXplaneLine *line, const LoomXplaneEvent *event,
                      const char *name)
{
  const char *label = line->name != NULL ? line->name : "";
  if (strcmp (label, "XLA Ops") == 0)
    return "kernel";
  if (strcmp (label, "Async XLA Ops") == 0)
    return "async";
  if (!g_str_has_prefix (label, "Stream"))
    return "gpu_user_annotation";
  if (g_str_has_prefix (name, "Memset"))
    return "gpu_memset";
  return g_str_has_prefix (name, "Memcpy") || has_stat (plane, event, "memcpy_details") ? "gpu_memcpy" : "kernel";
}

static const char *
find_category (const LoomXplane *plane, const LoomXplaneLine *line, const LoomXplaneEvent *event, const char *name)
{
  if (plane->kind == LOOM_XPLANE_DEVICE)
    return find_device_category (plane, line, event, name);
  if (name[0] == '$')
    return "python_function";
  return plane->links.correlation != 0 && has_stat (plane, event, "correlation_id") ? "cuda_runtime" : "host";
}

static void
append_name_event (const char *kind, const LoomXplaneLine *line, const char *name, GString *text)
{
  g_string_append_printf (text, "{\"ph\":\"M\",\"name\":\"%s\"%s,\"args\":{\"name\":\"%s\"}},\n", kind, line->place,
                          name);
}

static void
append_line_names (const LoomXplaneSpace *self, const LoomXplaneLine *line, GString *text)
{
  const LoomXplane *plane = &g_array_index (self->planes, LoomXplane, line->plane);
  g_autofree char *number = g_strdup_printf ("line %" G_GINT64_FORMAT, line->id);
  if (line->is_first)
    append_name_event ("process_name", line, plane->name, text);
  append_name_event ("thread_name", line, line->name != NULL ? line->name : number, text);
}

static void
append_flow (char phase, const char *kind, gint64 time_ns, const char *place, guint64 type, guint64 id, GString *text)
{
  loom_made_json_append (text, phase == 'f' ? "{\"ph\":\"f\",\"cat\":\"" : "{\"ph\":\"s\",\"cat\":\"");
  loom_made_json_append (text, kind);
  loom_made_json_append (text, "\",\"name\":\"");
  loom_made_json_append (text, kind);
  loom_made_json_append (text, "\",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"id\":\"");
  loom_xplane_args_append_unsigned (text, type);
  loom_made_json_append (text, ":");
  loom_xplane_args_append_unsigned (text, id);
  loom_made_json_append (text, phase == 'f' ? "\",\"bp\":\"e\"},\n" : "\"},\n");
}

static guint64
find_number (const LoomXplane *plane, const LoomXplaneEvent *event, gint64 id)
{
  const guint8 *p = event->begin;
  LoomProtoField field;
  LoomXplaneStat stat;
  while (loom_proto_next (&p, event->end, &field))
    if (field.number == EVENT_STAT && field.wire == LOOM_PROTO_BYTES && loom_xplane_space_parse_stat (&field, &stat) &&
        stat.id == id && stat.value.wire == LOOM_PROTO_VARINT)
      return stat.value.value;
  return 0;
}

static void
append_flows (const LoomXplaneSpace *self, const LoomXplane *plane, const LoomXplaneLine *line, guint64 number,
              const LoomXplaneEvent *event, gint64 start_ns, GString *text)
{
  const LoomXplaneLinkIds *ids = &plane->links;
  gboolean launched = loom_launch_links_is_launched (self->launches, number);
  if (launched || loom_launch_links_launches (self->launches, number))
    append_flow (launched ? 'f' : 's', "ac2g", start_ns, line->place, 0, find_number (plane, event, ids->correlation),
                 text);
  if (loom_launch_links_is_launched (self->tasks, number))
    append_flow ('f', "task", start_ns, line->place, find_number (plane, event, ids->consumer_type),
                 find_number (plane, event, ids->consumer), text);
  if (loom_launch_links_launches (self->tasks, number))
    append_flow ('s', "task", start_ns, line->place, find_number (plane, event, ids->producer_type),
                 find_number (plane, event, ids->producer), text);
}

/* Returns TRUE if the event is linked to another event. It is then written as a span even if it has no duration,
 * because arrows connect only spans. */
static gboolean
is_linked (const LoomXplaneSpace *self, guint64 number)
{
  return loom_launch_links_is_launched (self->launches, number) ||
         loom_launch_links_launches (self->launches, number) || loom_launch_links_is_launched (self->tasks, number) ||
         loom_launch_links_launches (self->tasks, number);
}

static void
append_span (const LoomXplaneLine *line, const char *name, const char *category, gint64 start_ns, gint64 dur_ns,
             gboolean is_span, GString *text)
{
  loom_made_json_append (text, is_span ? "{\"ph\":\"X\",\"cat\":\"" : "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"");
  loom_made_json_append (text, category);
  loom_made_json_append (text, "\",\"name\":\"");
  loom_made_json_append (text, name);
  loom_made_json_append (text, "\"");
  loom_made_json_append (text, line->place);
  loom_made_json_append (text, ",\"ts\":");
  loom_made_json_append_us (text, start_ns);
  if (is_span) {
    loom_made_json_append (text, ",\"dur\":");
    loom_made_json_append_us (text, dur_ns);
  }
}

/* Returns TRUE if the event is a sample of a counter: it is on the line of counters, and has a numeric statistic with
 * the same name as the event. Sets `stat` to this statistic. */
static gboolean
find_counter_value (const LoomXplane *plane, const LoomXplaneLine *line, const LoomXplaneEvent *event, const char *name,
                    LoomXplaneStat *stat)
{
  const guint8 *p = event->begin;
  LoomProtoField field;
  if (event->duration_ps > 0 || g_strcmp0 (line->name, "_counters_") != 0)
    return FALSE;
  while (loom_proto_next (&p, event->end, &field)) {
    if (field.number != EVENT_STAT || field.wire != LOOM_PROTO_BYTES || !loom_xplane_space_parse_stat (&field, stat))
      continue;
    guint kind = stat->value.number;
    if ((kind == LOOM_XPLANE_STAT_DOUBLE || kind == LOOM_XPLANE_STAT_UNSIGNED || kind == LOOM_XPLANE_STAT_SIGNED) &&
        g_strcmp0 (g_hash_table_lookup (plane->stats, &stat->id), name) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
append_sample (const LoomXplane *plane, const LoomXplaneLine *line, const char *name, gint64 time_ns,
               const LoomXplaneStat *stat, GString *text)
{
  loom_made_json_append (text, "{\"ph\":\"C\",\"name\":\"");
  loom_made_json_append (text, name);
  loom_made_json_append (text, "\"");
  loom_made_json_append (text, line->place);
  loom_made_json_append (text, ",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  loom_made_json_append (text, ",\"args\":{\"value\":");
  loom_xplane_args_append_value (plane, &stat->value, text);
  loom_made_json_append (text, "}},\n");
}

/* Appends an event. Start and end are both rounded down from picoseconds to nanoseconds, so that adjacent events stay
 * adjacent. `is_first`: the text of this event is made for the first time. Problems are counted only if `is_first` is
 * TRUE. */
static void
append_event (LoomXplaneSpace *self, const LoomXplaneLine *line, guint64 number, const LoomXplaneEvent *event,
              gboolean is_first, GString *text)
{
  const LoomXplane *plane = &g_array_index (self->planes, LoomXplane, line->plane);
  const LoomXplaneName *known = g_hash_table_lookup (plane->names, &event->name_id);
  g_autofree char *own = known == NULL ? g_strdup_printf ("#%" G_GINT64_FORMAT, event->name_id) : NULL;
  const char *name = known != NULL ? known->name : own;
  gint64 begin_ns = loom_xplane_fields_floor_ns (event->offset_ps),
         end_ns = loom_xplane_fields_floor_ns (event->offset_ps + event->duration_ps),
         start_ns = line->start_ns + begin_ns;
  self->n_unnamed += is_first && known == NULL;
  LoomXplaneStat sample;
  if (find_counter_value (plane, line, event, name, &sample)) {
    append_sample (plane, line, name, start_ns, &sample, text);
    return;
  }
  append_span (line, name, find_category (plane, line, event, name), start_ns, end_ns - begin_ns,
               event->duration_ps > 0 || is_linked (self, number), text);
  loom_made_json_append (text, ",\"args\":{");
  loom_xplane_args_append (plane, event, known, text);
  loom_made_json_append (text, "}},\n");
  append_flows (self, plane, line, number, event, start_ns, text);
}

static gboolean
is_shown (LoomXplaneSpace *self, const LoomXplaneLine *line, const LoomXplaneEvent *event, gboolean is_first)
{
  const gint64 most = G_MAXINT64 / 4;
  gboolean is_backwards = event->duration_ps < 0 || event->duration_ps > most || event->offset_ps < -most ||
                          event->offset_ps > most || line->start_ns < -most || line->start_ns > most;
  self->n_aggregated += is_first && event->is_aggregated;
  self->n_damaged += is_first && event->is_damaged;
  self->n_backwards += is_first && !event->is_aggregated && is_backwards;
  return !event->is_aggregated && !is_backwards;
}

static void
make_event (LoomXplaneSpace *self, const LoomXplaneLine *line, guint64 number, guint64 content, guint64 n_bytes,
            gboolean is_first, GString *text)
{
  LoomXplaneEvent event;
  const guint8 *bytes =
    n_bytes <= MOST_EVENT_BYTES ? loom_proto_window_get (self->file, content, (gsize) n_bytes) : NULL;
  if (bytes == NULL)
    return;
  parse_event (bytes, (gsize) n_bytes, &event);
  if (is_shown (self, line, &event, is_first))
    append_event (self, line, number, &event, is_first, text);
}

gboolean
loom_xplane_events_make (gpointer space, LoomMadePlace *place, gboolean is_first, GString *text)
{
  LoomXplaneSpace *self = space;
  if (place->part >= self->lines->len)
    return FALSE;
  const LoomXplaneLine *line = &g_array_index (self->lines, LoomXplaneLine, place->part);
  guint64 at = MAX ((guint64) place->at, line->begin), content;
  LoomProtoField field;
  if (place->at == 0)
    append_line_names (self, line, text);
  gboolean found;
  do
    found = loom_proto_window_next (self->file, &at, line->end, &field, &content);
  while (found && (field.number != LINE_EVENT || field.wire != LOOM_PROTO_BYTES));
  if (!found) {
    *place = (LoomMadePlace) { .part = place->part + 1 };
    return place->part < self->lines->len;
  }
  make_event (self, line, line->first_event + place->number, content, field.value, is_first, text);
  place->at = (gint64) at;
  place->number++;
  return TRUE;
}
