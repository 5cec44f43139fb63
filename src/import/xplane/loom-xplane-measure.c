/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the lengths of the text of usual events of an XSpace. The interface is described in loom-xplane-measure.h.
 * The lengths must be exactly those of the text that loom-xplane-events.c and loom-xplane-args.c write, because the
 * args are later read at offsets in this text. For unusual events no lengths are computed; those two files make their
 * text.
 */
#include "loom-xplane-measure.h"

#include "loom-limits.h"
#include "loom-made-json.h"
#include "loom-xplane-args.h"
#include "loom-xplane-fields.h"
#include "loom-xplane-kinds.h"

#define N_LINKS (sizeof (LoomXplaneLinkIds) / sizeof (gint64))
/* Events with more bytes are rare and not measured. */
#define MOST_EVENT_BYTES (64u * 1024)
#define N_TEXTS 256 /* a power of two */
#define MOST_TEXT_BYTES 232

enum { LINK_CORRELATION, LINK_PRODUCER, LINK_PRODUCER_TYPE, LINK_CONSUMER, LINK_CONSUMER_TYPE };
enum { VARIANT_CORRELATION = 1, VARIANT_COPY = 2 };
enum { NAME_STAT = 5 };

/* Result of measuring a statistic kernel_details or memcpy_details: the total length of its arg and of the args that
 * are made from the details in its text. */
typedef struct {
  gsize n_bytes;
  guint keys; /* bits: LOOM_XPLANE_KEY_REGISTERS to LOOM_XPLANE_KEY_BLOCK */
} Details;

/* An entry of the cache: the text of a statistic kernel_details or memcpy_details, and its lengths. The
 * kernels of a trace usually have only a few different texts. */
typedef struct {
  Details details;
  guint kind; /* LoomXplaneDetails */
  guint n_bytes;
  guint8 bytes[MOST_TEXT_BYTES];
} Text;

/* An arg that the metadata adds to all events with a name. */
typedef struct {
  guint32 key;
  guint32 n_bytes;
} Arg;

struct _LoomXplaneMeasure {
  const LoomXplaneSpace *space;
  LoomProtoWindow *window;
  guint part; /* index of the line that is read; G_MAXUINT: none */
  const LoomXplaneLine *line;
  guint plane_number; /* index of the plane to which `kinds` and `args` belong; G_MAXUINT: none */
  const LoomXplane *plane;
  LoomXplaneKinds *kinds;
  GArray *args;       /* Arg */
  gboolean is_usable; /* FALSE: the length of no event of the line can be computed */
  /* array indexed by LoomXplaneStatKind.key: value of `n_events` when an arg with this name occurred last; shows
   * whether the current event already has such an arg */
  guint64 *seen;
  guint64 n_events;
  GString *scratch;
  Text texts[N_TEXTS];
};

/* Sums over the args of the event that is being measured. */
typedef struct {
  gsize n_bytes;
  guint variant;
  gboolean has_details;
  guint has; /* bit set: which of `numbers` are set */
  guint64 numbers[N_LINKS];
} Sum;

LoomXplaneMeasure *
loom_xplane_measure_new (const LoomXplaneSpace *space)
{
  LoomXplaneMeasure *self = g_new0 (LoomXplaneMeasure, 1);
  self->space = space;
  self->window = loom_proto_window_dup (space->file);
  self->part = self->plane_number = G_MAXUINT;
  self->args = g_array_new (FALSE, FALSE, sizeof (Arg));
  self->scratch = g_string_new (NULL);
  return self;
}

void
loom_xplane_measure_free (LoomXplaneMeasure *self)
{
  if (self == NULL)
    return;
  loom_proto_window_free (self->window);
  loom_xplane_kinds_free (self->kinds);
  g_array_unref (self->args);
  g_free (self->seen);
  g_string_free (self->scratch, TRUE);
  g_free (self);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if a JSON text can contain these bytes without escapes. */
static gboolean
is_plain (const guint8 *bytes, gsize n)
{
  guint bad = 0;
  for (gsize i = 0; i < n; i++)
    bad |= bytes[i] < 0x20 || bytes[i] >= 0x7F || bytes[i] == '"' || bytes[i] == '\\';
  return bad == 0;
}

static gsize
measure_by_writing (LoomXplaneMeasure *self, const LoomProtoField *value)
{
  g_string_truncate (self->scratch, 0);
  loom_xplane_args_append_value (self->plane, value, self->scratch);
  return self->scratch->len;
}

static inline gsize
measure_value (LoomXplaneMeasure *self, const LoomProtoField *value)
{
  switch (value->number) {
  case LOOM_XPLANE_STAT_UNSIGNED: return loom_made_json_count_digits (value->value);
  case LOOM_XPLANE_STAT_SIGNED: return loom_made_json_measure_int ((gint64) value->value);
  case LOOM_XPLANE_STAT_TEXT:
    if (value->wire == LOOM_PROTO_BYTES && value->value <= LOOM_LIMIT_NAME_BYTES &&
        is_plain (value->bytes, value->value))
      return value->value + strlen ("\"\"");
    break;
  case LOOM_XPLANE_STAT_NAME: {
    const LoomXplaneStatKind *kind = loom_xplane_kinds_find_stat (self->kinds, (gint64) value->value);
    return kind != NULL ? kind->n_text : strlen ("\"\"");
  }
  default: break;
  }
  return measure_by_writing (self, value);
}

/* --- details ------------------------------------------------------------------------------------------------------ */

static Details
read_details (LoomXplaneMeasure *self, const LoomXplaneStatKind *kind, const LoomProtoField *value)
{
  static const char *const names[] = { [LOOM_XPLANE_KEY_REGISTERS] = "\"registers per thread\":",
                                       [LOOM_XPLANE_KEY_BYTES] = "\"bytes\":",
                                       [LOOM_XPLANE_KEY_GRID] = "\"grid\":",
                                       [LOOM_XPLANE_KEY_BLOCK] = "\"block\":" };
  Details details = { .n_bytes = measure_value (self, value) };
  g_string_assign (self->scratch, "0"); /* a text before the args, so that the first arg is written with a comma */
  loom_xplane_args_append_details (self->plane, kind->name, value, self->scratch);
  details.n_bytes += self->scratch->len - 1;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strstr (self->scratch->str, names[i]) != NULL)
      details.keys |= 1u << i;
  return details;
}

static guint64
hash_bytes (const guint8 *bytes, gsize n)
{
  guint64 hash = n, part;
  for (; n >= sizeof part; bytes += sizeof part, n -= sizeof part) {
    memcpy (&part, bytes, sizeof part);
    hash = (hash ^ part) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
  }
  for (; n > 0; n--)
    hash = (hash ^ *bytes++) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

/* A statistic kernel_details or memcpy_details becomes several args of an event: one with its text, and one for each
 * detail that the text states. Returns how many bytes all of them take in the JSON text of the event. If the cache
 * contains the result for an equal text, returns this result. */
static Details
find_details (LoomXplaneMeasure *self, const LoomXplaneStatKind *kind, const LoomProtoField *value)
{
  if (value->number != LOOM_XPLANE_STAT_TEXT || value->wire != LOOM_PROTO_BYTES || value->value > MOST_TEXT_BYTES)
    return read_details (self, kind, value);
  Text *text = &self->texts[hash_bytes (value->bytes, value->value) & (N_TEXTS - 1)];
  if (text->kind != kind->details || text->n_bytes != value->value ||
      memcmp (text->bytes, value->bytes, text->n_bytes) != 0) {
    text->details = read_details (self, kind, value);
    text->kind = kind->details;
    text->n_bytes = (guint) value->value;
    memcpy (text->bytes, value->bytes, text->n_bytes);
  }
  return text->details;
}

static gsize
measure_details (LoomXplaneMeasure *self, const LoomXplaneStatKind *kind, const LoomProtoField *value)
{
  Details details = find_details (self, kind, value);
  for (guint i = 0; i < LOOM_XPLANE_KEY_DURATION; i++)
    if ((details.keys >> i & 1) != 0)
      self->seen[i] = self->n_events;
  return details.n_bytes;
}

/* --- args --------------------------------------------------------------------------------------------------------- */

static inline void
add_arg (Sum *sum, gsize n_bytes)
{
  sum->n_bytes += n_bytes + (sum->n_bytes > 0); /* the comma between the args is counted, too */
}

/* Adds a statistic of the event. Returns FALSE if its length cannot be computed. */
static inline gboolean
add_stat (LoomXplaneMeasure *self, const LoomXplaneStat *stat, Sum *sum)
{
  const LoomXplaneStatKind *kind = loom_xplane_kinds_find_stat (self->kinds, stat->id);
  if (G_UNLIKELY (kind == NULL || !kind->is_usable))
    return FALSE;
  sum->variant |=
    (kind->is_correlation ? VARIANT_CORRELATION : 0) | (kind->details == LOOM_XPLANE_COPY_DETAILS ? VARIANT_COPY : 0);
  if (kind->link != 0 && stat->value.wire == LOOM_PROTO_VARINT && (sum->has >> kind->link & 1) == 0) {
    sum->has |= 1u << kind->link;
    sum->numbers[kind->link - 1] = stat->value.value;
  }
  if (self->seen[kind->key] == self->n_events)
    return TRUE;
  self->seen[kind->key] = self->n_events;
  sum->has_details |= kind->details != LOOM_XPLANE_NO_DETAILS;
  add_arg (sum, kind->n_key + (kind->details != LOOM_XPLANE_NO_DETAILS ? measure_details (self, kind, &stat->value)
                                                                       : measure_value (self, &stat->value)));
  return TRUE;
}

/* Adds a statistic of the metadata to the list of args. Returns FALSE if its length cannot be computed. */
static gboolean
add_known_stat (LoomXplaneMeasure *self, const guint8 *begin, const guint8 *end)
{
  LoomXplaneStat stat;
  if (!loom_xplane_fields_read_stat (begin, end, &stat))
    return TRUE; /* a statistic without a value is not shown */
  const LoomXplaneStatKind *kind = loom_xplane_kinds_find_stat (self->kinds, stat.id);
  if (kind == NULL || !kind->is_usable || kind->details != LOOM_XPLANE_NO_DETAILS)
    return FALSE;
  gsize n_bytes = kind->n_key + measure_value (self, &stat.value);
  Arg arg = { kind->key, (guint32) n_bytes };
  g_array_append_val (self->args, arg);
  return n_bytes < G_MAXUINT32;
}

/* Lists the args that the metadata of a name adds to its events. */
static void
look_at_name (LoomXplaneMeasure *self, LoomXplaneEventName *name)
{
  const guint8 *p = name->name->stats, *end = p + name->name->n_stats;
  LoomProtoField field;
  name->is_looked = name->is_usable = TRUE;
  name->first = self->args->len;
  while (p != NULL && name->is_usable && loom_proto_next (&p, end, &field))
    if (field.number == NAME_STAT && field.wire == LOOM_PROTO_BYTES)
      name->is_usable = add_known_stat (self, field.bytes, field.bytes + field.value);
  name->n = self->args->len - name->first;
}

static inline void
add_known_args (LoomXplaneMeasure *self, const LoomXplaneEventName *name, Sum *sum)
{
  for (guint32 i = 0; i < name->n; i++) {
    const Arg *arg = &g_array_index (self->args, Arg, name->first + i);
    if (self->seen[arg->key] == self->n_events)
      continue;
    self->seen[arg->key] = self->n_events;
    add_arg (sum, arg->n_bytes);
  }
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Reads the fields of an event. Returns FALSE if the event has a field that is not usual. */
static inline gboolean
read_event (LoomXplaneMeasure *self, const guint8 *p, const guint8 *end, LoomXplaneEvent *event, Sum *sum)
{
  guint64 number;
  const guint8 *content;
  LoomXplaneStat stat;
  while (p < end)
    switch (*p++) {
    case LOOM_XPLANE_KEY_EVENT_NAME:
      if (!loom_proto_read_varint (&p, end, &number))
        return FALSE;
      event->name_id = (gint64) number;
      break;
    case LOOM_XPLANE_KEY_EVENT_OFFSET:
      if (!loom_proto_read_varint (&p, end, &number))
        return FALSE;
      event->offset_ps = (gint64) number;
      break;
    case LOOM_XPLANE_KEY_EVENT_DURATION:
      if (!loom_proto_read_varint (&p, end, &number))
        return FALSE;
      event->duration_ps = (gint64) number;
      break;
    case LOOM_XPLANE_KEY_EVENT_STAT:
      if (!loom_xplane_fields_read_bytes (&p, end, &content))
        return FALSE;
      if (loom_xplane_fields_read_stat (content, p, &stat) && !add_stat (self, &stat, sum))
        return FALSE;
      break;
    default: return FALSE;
    }
  return TRUE;
}

static inline guint64
get_number (const Sum *sum, guint link)
{
  return (sum->has >> (link + 1) & 1) != 0 ? sum->numbers[link] : 0;
}

static gboolean
set_flow (LoomXplaneItem *item, LoomXplaneFlow flow, guint64 group, guint64 number)
{
  gboolean is_only = item->flow == LOOM_XPLANE_NO_FLOW;
  item->flow = (guint8) flow;
  item->flow_group = (gint64) group;
  item->flow_number = (gint64) number;
  return is_only && group <= G_MAXINT64 && number <= G_MAXINT64;
}

/* Sets the members of `item`, an event of the plane, that describe its flow event. `number`: index of the event among
 * all events; `sum`: the statistics of the event. Returns FALSE if the event has several flow events, or if the id of
 * its flow event is too large. */
static inline gboolean
find_flow (const LoomXplaneMeasure *self, guint64 number, const Sum *sum, LoomXplaneItem *item)
{
  const LoomXplaneSpace *space = self->space;
  const LoomXplaneLinkIds *ids = &self->plane->links;
  gboolean good = TRUE;
  item->flow = LOOM_XPLANE_NO_FLOW;
  if (ids->correlation != 0 && loom_launch_links_is_launched (space->launches, number))
    good = set_flow (item, LOOM_XPLANE_LAUNCHED, 0, get_number (sum, LINK_CORRELATION));
  else if (ids->correlation != 0 && loom_launch_links_launches (space->launches, number))
    good = set_flow (item, LOOM_XPLANE_LAUNCHES, 0, get_number (sum, LINK_CORRELATION));
  if (ids->consumer != 0 && loom_launch_links_is_launched (space->tasks, number))
    good &=
      set_flow (item, LOOM_XPLANE_CONSUMES, get_number (sum, LINK_CONSUMER_TYPE), get_number (sum, LINK_CONSUMER));
  if (ids->producer != 0 && loom_launch_links_launches (space->tasks, number))
    good &=
      set_flow (item, LOOM_XPLANE_PRODUCES, get_number (sum, LINK_PRODUCER_TYPE), get_number (sum, LINK_PRODUCER));
  return good;
}

/* Returns TRUE if the times of the event are plausible, as loom-xplane-events.c requires. */
static inline gboolean
has_good_times (const LoomXplaneEvent *event)
{
  const gint64 most = G_MAXINT64 / 4;
  return event->duration_ps >= 0 && event->duration_ps <= most && event->offset_ps >= -most && event->offset_ps <= most;
}

/* Clears only the members that say which other members are set. Compilers clear a large structure as a whole with an
 * instruction that takes longer than reading an event. */
static inline void
clear (Sum *sum)
{
  sum->n_bytes = 0;
  sum->variant = sum->has = 0;
  sum->has_details = FALSE;
}

/* Computes the length of the args of the event with the number `number` among all events. Returns FALSE if the event is
 * not usual (see loom-xplane-measure.h); its text must then be written to learn the length. */
static inline gboolean
measure_event (LoomXplaneMeasure *self, const guint8 *bytes, gsize n_bytes, guint64 number, LoomXplaneItem *item)
{
  LoomXplaneEvent event = { 0 };
  Sum sum;
  clear (&sum);
  self->n_events++;
  if (!read_event (self, bytes, bytes + n_bytes, &event, &sum))
    return FALSE;
  LoomXplaneEventName *name = loom_xplane_kinds_find_name (self->kinds, event.name_id);
  if (name == NULL || !has_good_times (&event))
    return FALSE;
  if (!name->is_looked)
    look_at_name (self, name);
  /* If an event has many statistics, loom_xplane_args_append() does not compare their names with the names of the args
   * that are made from details, so it may write an arg twice. The length of such an event is not computed. */
  gboolean has_many = n_bytes + name->name->n_stats > LOOM_XPLANE_FEW_STAT_BYTES;
  if (!name->is_usable || (sum.has_details && has_many) || !find_flow (self, number, &sum, item))
    return FALSE;
  if (event.duration_ps == 0 && item->flow == LOOM_XPLANE_NO_FLOW) /* an instant */
    return FALSE;
  if (event.duration_ps % LOOM_XPLANE_PS_PER_NS != 0 || event.offset_ps % LOOM_XPLANE_PS_PER_NS != 0) {
    self->seen[LOOM_XPLANE_KEY_DURATION] = self->n_events;
    add_arg (&sum, strlen ("\"duration_ps\":") + loom_made_json_measure_int (event.duration_ps));
  }
  add_known_args (self, name, &sum);
  item->start_ns = self->line->start_ns + loom_xplane_fields_floor_ns (event.offset_ps);
  item->end_ns = self->line->start_ns + loom_xplane_fields_floor_ns (event.offset_ps + event.duration_ps);
  item->name = (guint32) (name - (LoomXplaneEventName *) (gpointer) self->kinds->names->data);
  item->variant = (guint8) sum.variant;
  item->n_args_bytes = (guint32) (sum.n_bytes + strlen ("{}"));
  return item->start_ns >= 0 && sum.n_bytes < G_MAXINT32;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void
begin_plane (LoomXplaneMeasure *self, guint number)
{
  self->plane_number = number;
  self->plane = &g_array_index (self->space->planes, LoomXplane, number);
  loom_xplane_kinds_free (self->kinds);
  self->kinds = loom_xplane_kinds_new (self->plane);
  g_array_set_size (self->args, 0);
  g_free (self->seen);
  self->seen = g_new0 (guint64, self->kinds->n_keys);
  for (guint i = 0; i < N_TEXTS; i++)
    self->texts[i].kind = LOOM_XPLANE_NO_DETAILS;
}

static void
begin_line (LoomXplaneMeasure *self, guint part)
{
  const gint64 most = G_MAXINT64 / 4;
  self->part = part;
  self->line = &g_array_index (self->space->lines, LoomXplaneLine, part);
  self->is_usable =
    self->line->start_ns >= -most && self->line->start_ns <= most && g_strcmp0 (self->line->name, "_counters_") != 0;
  if (self->line->plane != self->plane_number)
    begin_plane (self, self->line->plane);
}

/* Moves `place` to the next event, or to the next line, without measuring. */
static void
pass_item (LoomXplaneMeasure *self, LoomMadePlace *place)
{
  guint64 at = MAX ((guint64) place->at, self->line->begin), content;
  LoomProtoField field;
  gboolean found;
  do
    found = loom_proto_window_next (self->window, &at, self->line->end, &field, &content);
  while (found && (field.number != LOOM_XPLANE_KEY_LINE_EVENT >> 3 || field.wire != LOOM_PROTO_BYTES));
  if (!found) {
    *place = (LoomMadePlace) { .part = place->part + 1 };
    return;
  }
  place->at = (gint64) at;
  place->number++;
}

/* Measures successive events that are completely in the window. Returns their number. */
static guint
read_run (LoomXplaneMeasure *self, LoomMadePlace *place, LoomXplaneItem *items, guint most)
{
  const guint8 *bytes, *content;
  guint64 at = (guint64) place->at, length;
  gsize n_bytes = (gsize) MIN (loom_proto_window_peek (self->window, at, &bytes), self->line->end - at);
  const guint8 *p = bytes, *end = bytes + n_bytes;
  guint n = 0;
  for (; n < most && p < end && *p == LOOM_XPLANE_KEY_LINE_EVENT; n++) {
    LoomXplaneItem *item = &items[n];
    content = p + 1;
    if (!loom_proto_read_varint (&content, end, &length) || length > (guint64) (end - content) ||
        length > MOST_EVENT_BYTES)
      break;
    p = content + length;
    item->end = at + (guint64) (p - bytes);
    if (!self->is_usable ||
        !measure_event (self, content, (gsize) length, self->line->first_event + place->number + n, item))
      item->n_args_bytes = 0;
  }
  place->number += n;
  place->at = (gint64) (at + (guint64) (p - bytes));
  return n;
}

guint
loom_xplane_measure_read (LoomXplaneMeasure *self, LoomMadePlace *place, LoomXplaneItem *items, guint most)
{
  guint n = 0;
  while (n < most && place->part < self->space->lines->len) {
    if (place->part != self->part)
      begin_line (self, place->part);
    /* read_run() cannot read the first item of a line (`at` is 0), because its text also contains the names of the
     * line */
    guint n_read = place->at != 0 ? read_run (self, place, items + n, most - n) : 0;
    n += n_read;
    if (n_read > 0)
      continue;
    pass_item (self, place);
    items[n] = (LoomXplaneItem) { .end = (guint64) place->at };
    n++;
  }
  return n;
}
