/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts the events of an XSpace file to Chrome trace events in the form of TensorFlow's profiler: each plane becomes
 * a process, each line of a plane a thread, and their names become metadata events. The interface is described in
 * loom-xplane-events.h.
 */
#include "loom-xplane-events.h"

#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-made-json.h"

#include <stdio.h>

enum { LINE_EVENT = 4 };
enum { EVENT_NAME = 1, EVENT_OFFSET, EVENT_DURATION, EVENT_STAT, EVENT_OCCURRENCES };
enum { NAME_STAT = 5 };
enum { STAT_DOUBLE = 2, STAT_UNSIGNED, STAT_SIGNED, STAT_TEXT, STAT_BYTES, STAT_NAME };

#define PS_PER_NS 1000
#define MOST_EVENT_BYTES (16u * 1024 * 1024)
#define MOST_DETAIL_BYTES 4096
/* If the statistics of an event have more than this number of bytes, the names of its args are kept in a set. Otherwise
 * the text is searched for each name; for many statistics this would take quadratic time. */
#define FEW_STAT_BYTES 2048

typedef struct {
  gint64 name_id, offset_ps, duration_ps;
  gboolean is_aggregated, is_damaged;
  const guint8 *begin, *end;
} Event;

static gint64
floor_ns (gint64 ps)
{
  return ps >= 0 ? ps / PS_PER_NS : -((PS_PER_NS - 1 - ps) / PS_PER_NS);
}

static void
parse_event (const guint8 *begin, gsize n_bytes, Event *event)
{
  const guint8 *p = begin;
  LoomProtoField field;
  *event = (Event) { .begin = begin, .end = begin + n_bytes };
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

/* --- args --------------------------------------------------------------------------------------------------------- */

static void
append_string (GString *text, const guint8 *bytes, guint64 n_bytes)
{
  loom_json_slice_append_string (text, (const char *) bytes, (gsize) MIN (n_bytes, LOOM_LIMIT_NAME_BYTES));
}

static void
append_double (GString *text, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (value - value == 0) /* FALSE for infinite values and NaN, which JSON cannot express */
    g_string_append (text, g_ascii_dtostr (digits, sizeof digits, value));
  else
    loom_made_json_append (text, "null");
}

static void
append_unsigned (GString *text, guint64 value)
{
  char digits[24];
  if (value <= G_MAXINT64) {
    loom_made_json_append_int (text, (gint64) value);
    return;
  }
  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value);
  loom_made_json_append (text, digits);
}

static void
append_value (const LoomXplane *plane, const LoomProtoField *value, GString *text)
{
  const char *name;
  switch (value->number) {
  case STAT_DOUBLE: append_double (text, loom_proto_to_double (value->value)); break;
  case STAT_UNSIGNED: append_unsigned (text, value->value); break;
  case STAT_SIGNED: loom_made_json_append_int (text, (gint64) value->value); break;
  case STAT_TEXT:
    append_string (text, value->wire == LOOM_PROTO_BYTES ? value->bytes : NULL,
                   value->wire == LOOM_PROTO_BYTES ? value->value : 0);
    break;
  case STAT_NAME:
    name = g_hash_table_lookup (plane->stats, &value->value);
    loom_made_json_append (text, "\"");
    loom_made_json_append (text, name != NULL ? name : "");
    loom_made_json_append (text, "\"");
    break;
  default: g_string_append_printf (text, "\"%" G_GUINT64_FORMAT " bytes\"", value->value); break;
  }
}

/* Returns the number after "key:" in a text such as "regs:32 grid:1,2,3". Sets `end` to the character after the
 * number. Returns −1 if the key is missing or the number exceeds `most`. */
static gint64
find_detail (const char *text, const char *key, gint64 most, const char **end)
{
  const char *at = strstr (text, key);
  /* continues the search if `at` is the end of a longer key */
  while (at != NULL && at > text && at[-1] != ' ')
    at = strstr (at + 1, key);
  if (at == NULL)
    return -1;
  char *rest;
  gint64 value = g_ascii_strtoll (at + strlen (key), &rest, 10);
  *end = rest;
  return value >= 0 && value <= most ? value : -1;
}

/* Reads a comma and a number, and moves `*at` behind them. Returns FALSE if they are not there. */
static gboolean
read_next (const char **at, gint64 *number)
{
  char *end = NULL;
  if (**at != ',')
    return FALSE;
  *number = g_ascii_strtoll (*at + 1, &end, 10);
  gboolean has_number = end > *at + 1;
  *at = end;
  return has_number;
}

static void
append_triple (const char *details, const char *key, const char *name, GString *text)
{
  const char *rest = NULL;
  gint64 sizes[3] = { find_detail (details, key, G_MAXINT32, &rest), 0, 0 };
  if (sizes[0] < 0 || !read_next (&rest, &sizes[1]) || !read_next (&rest, &sizes[2]))
    return;
  loom_made_json_append (text, ",\"");
  loom_made_json_append (text, name);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    loom_made_json_append (text, i == 0 ? "\":[" : ",");
    loom_made_json_append_int (text, sizes[i]);
  }
  loom_made_json_append (text, "]");
}

/* Returns the text of a statistic; NULL if its value is not a text. Owned by the caller. */
static char *
dup_details (const LoomXplane *plane, const LoomProtoField *value)
{
  if (value->number == STAT_NAME)
    return g_strdup (g_hash_table_lookup (plane->stats, &value->value));
  return value->number == STAT_TEXT && value->wire == LOOM_PROTO_BYTES
           ? g_strndup ((const char *) value->bytes, (gsize) MIN (value->value, MOST_DETAIL_BYTES))
           : NULL;
}

/* Appends the details of a kernel or copy as args with the names that PyTorch's profiler uses. */
static void
append_details (const LoomXplane *plane, const char *name, const LoomProtoField *value, GString *text)
{
  gboolean is_kernel = strcmp (name, "kernel_details") == 0;
  if (!is_kernel && strcmp (name, "memcpy_details") != 0)
    return;
  const char *rest;
  g_autofree char *details = dup_details (plane, value);
  gint64 number = details == NULL ? -1
                  : is_kernel     ? find_detail (details, "regs:", G_MAXINT32, &rest)
                              : find_detail (details, "size:", G_MAXINT64 - 1, &rest); /* rejects G_MAXINT64, because
                                                                                        * that value means that the
                                                                                        * number in the text was too
                                                                                        * large */
  if (number >= 0) {
    loom_made_json_append_key (text, is_kernel ? "registers per thread" : "bytes");
    loom_made_json_append_int (text, number);
  }
  if (is_kernel && details != NULL) {
    append_triple (details, "grid:", "grid", text);
    append_triple (details, "block:", "block", text);
  }
}

/* The args of an event that have been written to the text. */
typedef struct {
  gsize first;       /* offset in the text at which the args begin */
  GHashTable *names; /* set of the names of the statistics; NULL: there are few, so the text is searched */
} Args;

/* Returns TRUE if the args already contain this key. If they do not, records the key, because the caller then adds the
 * arg. Needed because an event and its metadata may have the same statistic. */
static gboolean
has_key (const Args *args, const GString *text, const char *name)
{
  if (args->names != NULL)
    return !g_hash_table_add (args->names, g_strdup (name));
  if (text->len == args->first)
    return FALSE;
  g_autofree char *key = g_strconcat ("\"", name, "\":", NULL);
  return strstr (text->str + args->first, key) != NULL;
}

static void
append_stat (const LoomXplane *plane, const LoomProtoField *message, const Args *args, GString *text)
{
  LoomXplaneStat stat;
  if (!loom_xplane_space_parse_stat (message, &stat))
    return;
  const char *name = g_hash_table_lookup (plane->stats, &stat.id);
  g_autofree char *number = name == NULL ? g_strdup_printf ("#%" G_GINT64_FORMAT, stat.id) : NULL;
  name = name != NULL ? name : number;
  if (strcmp (name, "correlation_id") == 0)
    name = "correlation";
  if (has_key (args, text, name))
    return;
  loom_made_json_append_key (text, name);
  append_value (plane, &stat.value, text);
  append_details (plane, name, &stat.value, text);
}

static void
append_stats (const LoomXplane *plane, const guint8 *p, const guint8 *end, guint number, const Args *args,
              GString *text)
{
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == number && field.wire == LOOM_PROTO_BYTES)
      append_stat (plane, &field, args, text);
}

/* Appends the statistics of an event and of its metadata. `known`: data from the metadata; NULL: the event has none. */
static void
append_all_stats (const LoomXplane *plane, const Event *event, const LoomXplaneName *known, gsize first, GString *text)
{
  gsize n_known = known != NULL ? known->n_stats : 0, n_bytes = (gsize) (event->end - event->begin) + n_known;
  g_autoptr (GHashTable) names =
    n_bytes > FEW_STAT_BYTES ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) : NULL;
  const Args args = { first, names };
  append_stats (plane, event->begin, event->end, EVENT_STAT, &args, text);
  if (event->duration_ps % PS_PER_NS != 0 || event->offset_ps % PS_PER_NS != 0) {
    loom_made_json_append_key (text, "duration_ps");
    loom_made_json_append_int (text, event->duration_ps);
    if (names != NULL)
      g_hash_table_add (names, g_strdup ("duration_ps"));
  }
  if (n_known > 0)
    append_stats (plane, known->stats, known->stats + n_known, NAME_STAT, &args, text);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static gboolean
has_stat (const LoomXplane *plane, const Event *event, const char *name)
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

/* Returns the category of an event on a line of a device. Only lines of streams and of XLA operations show work. Events
 * on all other lines are annotations, which repeat the times of this work. */
static const char *
find_device_category (const LoomXplane *plane, const LoomXplaneLine *line, const Event *event, const char *name)
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
find_category (const LoomXplane *plane, const LoomXplaneLine *line, const Event *event, const char *name)
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
  append_unsigned (text, type);
  loom_made_json_append (text, ":");
  append_unsigned (text, id);
  loom_made_json_append (text, phase == 'f' ? "\",\"bp\":\"e\"},\n" : "\"},\n");
}

static guint64
find_number (const LoomXplane *plane, const Event *event, gint64 id)
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
              const Event *event, gint64 start_ns, GString *text)
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
find_counter_value (const LoomXplane *plane, const LoomXplaneLine *line, const Event *event, const char *name,
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
    if ((kind == STAT_DOUBLE || kind == STAT_UNSIGNED || kind == STAT_SIGNED) &&
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
  append_value (plane, &stat->value, text);
  loom_made_json_append (text, "}},\n");
}

/* Appends an event. Start and end are both rounded down from picoseconds to nanoseconds, so that adjacent events stay
 * adjacent. `is_first`: the text of this event is made for the first time; only then problems are counted. */
static void
append_event (LoomXplaneSpace *self, const LoomXplaneLine *line, guint64 number, const Event *event, gboolean is_first,
              GString *text)
{
  const LoomXplane *plane = &g_array_index (self->planes, LoomXplane, line->plane);
  const LoomXplaneName *known = g_hash_table_lookup (plane->names, &event->name_id);
  g_autofree char *own = known == NULL ? g_strdup_printf ("#%" G_GINT64_FORMAT, event->name_id) : NULL;
  const char *name = known != NULL ? known->name : own;
  gint64 begin_ns = floor_ns (event->offset_ps), end_ns = floor_ns (event->offset_ps + event->duration_ps),
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
  append_all_stats (plane, event, known, text->len, text);
  loom_made_json_append (text, "}},\n");
  append_flows (self, plane, line, number, event, start_ns, text);
}

static gboolean
is_shown (LoomXplaneSpace *self, const LoomXplaneLine *line, const Event *event, gboolean is_first)
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
  Event event;
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
