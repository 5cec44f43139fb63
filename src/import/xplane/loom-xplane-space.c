/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the contents of an XSpace file except its events (tsl/profiler/protobuf/xplane.proto). The interface is
 * described in loom-xplane-space.h.
 */
#include "loom-xplane-space.h"

#include "loom-int64-hash.h"
#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-xplane-links.h"

/* Field numbers of the messages in an XSpace file (xplane.proto). */
enum { SPACE_PLANE = 1, SPACE_ERROR, SPACE_WARNING, SPACE_HOST };
enum { PLANE_NAME = 2, PLANE_LINE, PLANE_EVENT_NAME, PLANE_STAT_NAME, PLANE_STAT };
enum { LINE_ID = 1, LINE_NAME, LINE_START, LINE_EVENT, LINE_SHOWN_NAME = 11 };
enum { ENTRY_KEY = 1, ENTRY_VALUE };
enum { NAME_ID = 1, NAME_TEXT, NAME_SHOWN = 4, NAME_STAT };

#define MOST_NAMES (4u * 1024 * 1024)
/* Maximum length in bytes of a metadata message whose statistics are read. The statistics in longer messages are not
 * shown. */
#define MOST_NAME_BYTES (1024u * 1024)
#define MOST_EVENT_BYTES (16u * 1024 * 1024)
#define MOST_PROBLEMS 100
#define LOOK_BYTES (64u * 1024)
/* Number of fields after which the memory budget is checked again. This number is small, because a field of two bytes
 * can be a plane, which takes half a kilobyte of memory. */
#define FIELDS_PER_LOOK 2048

static void
clear_name (gpointer data)
{
  LoomXplaneName *name = data;
  g_free (name->name);
  g_free (name->stats);
  g_free (name);
}

static void
clear_plane (gpointer data)
{
  LoomXplane *plane = data;
  g_free (plane->name);
  g_hash_table_unref (plane->names);
  g_hash_table_unref (plane->stats);
}

static void
clear_line (gpointer data)
{
  LoomXplaneLine *line = data;
  g_free (line->name);
  g_free (line->place);
}

void
loom_xplane_space_free (LoomXplaneSpace *self)
{
  if (self == NULL)
    return;
  loom_proto_window_free (self->file);
  g_array_unref (self->planes);
  g_array_unref (self->lines);
  g_ptr_array_unref (self->hosts);
  g_ptr_array_unref (self->problems);
  loom_launch_links_free (self->launches);
  loom_launch_links_free (self->tasks);
  g_free (self);
}

/* Returns TRUE if the memory budget is used up. Called for each field that may need memory. */
static gboolean
is_full (LoomXplaneSpace *self)
{
  return ++self->n_fields % FIELDS_PER_LOOK == 0 ? loom_memory_budget_check (self->budget)
                                                 : loom_memory_budget_is_reached (self->budget);
}

static void
note_damage (LoomXplaneSpace *self, guint64 at, guint64 end)
{
  /* the rest of a message is also unread if the memory budget is used up; this is not damage */
  if (at < end && !loom_memory_budget_is_reached (self->budget))
    self->damage = MIN (self->damage, at);
}

/* Returns a text of the file, encoded as JSON without quotes. Owned by the caller. */
static char *
dup_text (LoomXplaneSpace *self, guint64 offset, guint64 n_bytes)
{
  gsize n = (gsize) MIN (n_bytes, LOOM_LIMIT_NAME_BYTES);
  const char *bytes = (const char *) loom_proto_window_get (self->file, offset, n);
  g_autoptr (GString) text = g_string_new (NULL);
  loom_json_slice_append_string (text, bytes != NULL ? bytes : "", bytes != NULL ? n : 0);
  return g_strndup (text->str + 1, text->len - 2);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Sets `key` to the key of a map entry, and `value` and `n_bytes` to the offset and length of its value. An entry
 * without a value has the length 0. */
static void
read_entry (LoomXplaneSpace *self, guint64 at, guint64 end, gint64 *key, guint64 *value, guint64 *n_bytes)
{
  LoomProtoField field;
  guint64 content;
  *key = 0;
  *value = *n_bytes = 0;
  while (loom_proto_window_next (self->file, &at, end, &field, &content))
    if (field.number == ENTRY_KEY) {
      *key = (gint64) field.value;
    } else if (field.number == ENTRY_VALUE && field.wire == LOOM_PROTO_BYTES) {
      *value = content;
      *n_bytes = field.value;
    }
}

/* Returns the name that is displayed for a metadata message. Owned by the caller. */
static char *
dup_name (LoomXplaneSpace *self, guint64 at, guint64 end)
{
  LoomProtoField field;
  guint64 content;
  char *name = NULL;
  gboolean is_shown = FALSE;
  while (loom_proto_window_next (self->file, &at, end, &field, &content)) {
    gboolean shows = field.number == NAME_SHOWN && field.value > 0;
    if (field.wire != LOOM_PROTO_BYTES || !(shows || (field.number == NAME_TEXT && !is_shown)))
      continue;
    g_free (name);
    name = dup_text (self, content, field.value);
    is_shown |= shows;
  }
  return name != NULL ? name : g_strdup ("");
}

/* Copies the statistics in a metadata message to `name->stats`. */
static void
keep_stats (LoomXplaneSpace *self, guint64 at, guint64 n_bytes, LoomXplaneName *name)
{
  const guint8 *p = n_bytes <= MOST_NAME_BYTES ? loom_proto_window_get (self->file, at, (gsize) n_bytes) : NULL,
               *end = p != NULL ? p + n_bytes : NULL;
  g_autoptr (GByteArray) stats = NULL;
  LoomProtoField field;
  for (const guint8 *begin = p; p != NULL && loom_proto_next (&p, end, &field); begin = p) {
    if (field.number != NAME_STAT || field.wire != LOOM_PROTO_BYTES)
      continue;
    stats = stats != NULL ? stats : g_byte_array_new ();
    g_byte_array_append (stats, begin, (guint) (p - begin));
  }
  if (stats != NULL)
    name->stats = g_byte_array_steal (stats, &name->n_stats);
}

static void
read_event_name (LoomXplaneSpace *self, LoomXplane *plane, guint64 at, guint64 end)
{
  gint64 id;
  guint64 value, n_bytes;
  read_entry (self, at, end, &id, &value, &n_bytes);
  if (g_hash_table_size (plane->names) >= MOST_NAMES)
    return;
  LoomXplaneName *name = g_new0 (LoomXplaneName, 1);
  name->name = dup_name (self, value, value + n_bytes);
  if (plane->kind != LOOM_XPLANE_HIDDEN)
    keep_stats (self, value, n_bytes, name);
  g_hash_table_insert (plane->names, g_memdup2 (&id, sizeof id), name);
}

static void
read_stat_name (LoomXplaneSpace *self, LoomXplane *plane, guint64 at, guint64 end)
{
  static const struct {
    const char *name;
    gsize offset;
  } links[] = { { "correlation_id", G_STRUCT_OFFSET (LoomXplaneLinkIds, correlation) },
                { "_p", G_STRUCT_OFFSET (LoomXplaneLinkIds, producer) },
                { "_pt", G_STRUCT_OFFSET (LoomXplaneLinkIds, producer_type) },
                { "_c", G_STRUCT_OFFSET (LoomXplaneLinkIds, consumer) },
                { "_ct", G_STRUCT_OFFSET (LoomXplaneLinkIds, consumer_type) } };
  gint64 id;
  guint64 value, n_bytes;
  read_entry (self, at, end, &id, &value, &n_bytes);
  if (g_hash_table_size (plane->stats) >= MOST_NAMES)
    return;
  char *name = dup_name (self, value, value + n_bytes);
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    if (strcmp (name, links[i].name) == 0)
      G_STRUCT_MEMBER (gint64, &plane->links, links[i].offset) = id;
  g_hash_table_insert (plane->stats, g_memdup2 (&id, sizeof id), name);
}

static LoomXplaneKind
find_kind (const char *name)
{
  static const char *const hidden[] = { "/host:metadata", "Task Environment", "/host:__ScopeRangeCallStack__",
                                        "/host:tfstreamz" };
  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    if (strcmp (name, hidden[i]) == 0)
      return LOOM_XPLANE_HIDDEN;
  return g_str_has_prefix (name, "/device:") ? LOOM_XPLANE_DEVICE : LOOM_XPLANE_HOST;
}

gboolean
loom_xplane_space_parse_stat (const LoomProtoField *message, LoomXplaneStat *stat)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  gboolean has_value = FALSE;
  stat->id = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == 1) {
      stat->id = (gint64) field.value;
    } else {
      stat->value = field;
      has_value = TRUE;
    }
  return has_value;
}

/* Reads the start time of the profile, a statistic of the plane “Task Environment”. */
static void
read_plane_stat (LoomXplaneSpace *self, const LoomXplane *plane, guint64 at, guint64 n_bytes)
{
  LoomProtoField message = { .value = n_bytes, .bytes = loom_proto_window_get (self->file, at, (gsize) n_bytes) };
  LoomXplaneStat stat;
  if (message.bytes == NULL || !loom_xplane_space_parse_stat (&message, &stat))
    return;
  const char *name = g_hash_table_lookup (plane->stats, &stat.id);
  gboolean is_number = stat.value.wire == LOOM_PROTO_VARINT && stat.value.value < G_MAXINT64;
  if (name != NULL && is_number && strcmp (name, "profile_start_time") == 0)
    self->start_ns = (gint64) stat.value.value;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomXplaneSpace *space;
  guint64 n_events;
  LoomXplaneLinks *links;
} Pass;

static void
read_line_field (LoomXplaneSpace *self, LoomXplaneLine *line, const LoomProtoField *field, guint64 content)
{
  gboolean is_name = field->wire == LOOM_PROTO_BYTES && field->value > 0 &&
                     (field->number == LINE_SHOWN_NAME || (field->number == LINE_NAME && line->name == NULL));
  if (is_name) {
    g_free (line->name);
    line->name = dup_text (self, content, field->value);
  } else if (field->number == LINE_ID && field->wire == LOOM_PROTO_VARINT) {
    line->id = (gint64) field->value;
  } else if (field->number == LINE_START && field->wire == LOOM_PROTO_VARINT) {
    line->start_ns = (gint64) field->value;
  }
}

static void
read_event (Pass *pass, const LoomXplane *plane, const LoomProtoField *field, guint64 content)
{
  const guint8 *bytes =
    field->value <= MOST_EVENT_BYTES ? loom_proto_window_get (pass->space->file, content, (gsize) field->value) : NULL;
  if (bytes != NULL)
    loom_xplane_links_add (pass->links, plane, pass->n_events, bytes, (gsize) field->value);
  pass->n_events++;
}

/* Reads successive events from `*at` on, as far as they are completely in the window, and moves `*at` behind the last
 * of them. Returns FALSE if no complete event is at `*at` in the window. */
static gboolean
read_run (Pass *pass, const LoomXplane *plane, guint64 *at, guint64 end)
{
  const guint8 *bytes, *p;
  gsize n_bytes = (gsize) MIN (loom_proto_window_peek (pass->space->file, *at, &bytes), end - *at);
  p = bytes;
  /* stops where the budget must be checked: after each FIELDS_PER_LOOK fields */
  guint most = FIELDS_PER_LOOK - (guint) (pass->space->n_fields % FIELDS_PER_LOOK) - 1,
        n = loom_xplane_links_add_run (pass->links, plane, pass->n_events, &p, bytes + n_bytes, most);
  pass->n_events += n;
  pass->space->n_fields += n;
  *at += (guint64) (p - bytes);
  return n > 0;
}

static void
read_line (Pass *pass, guint number, guint64 begin, guint64 end)
{
  LoomXplaneSpace *self = pass->space;
  const LoomXplane *plane = &g_array_index (self->planes, LoomXplane, number);
  const LoomXplaneLine *last =
    self->lines->len > 0 ? &g_array_index (self->lines, LoomXplaneLine, self->lines->len - 1) : NULL;
  LoomXplaneLine line = { .plane = number, .begin = begin, .end = end, .first_event = pass->n_events };
  LoomProtoField field;
  guint64 content, at = begin;
  line.is_first = last == NULL || last->plane != number;
  while (!is_full (self)) {
    if (read_run (pass, plane, &at, end))
      continue;
    if (!loom_proto_window_next (self->file, &at, end, &field, &content))
      break;
    if (field.number == LINE_EVENT && field.wire == LOOM_PROTO_BYTES)
      read_event (pass, plane, &field, content);
    else
      read_line_field (self, &line, &field, content);
  }
  note_damage (self, at, end);
  line.n_events = pass->n_events - line.first_event;
  if (line.n_events > 0 && plane->kind != LOOM_XPLANE_HIDDEN) {
    line.place =
      g_strdup_printf (",\"pid\":%" G_GUINT64_FORMAT ",\"tid\":%" G_GINT64_FORMAT, (guint64) number + 1, line.id);
    g_array_append_val (self->lines, line);
    return;
  }
  self->n_hidden += line.n_events;
  g_free (line.name);
}

/* --- planes ------------------------------------------------------------------------------------------------------- */

/* Reads a field whose content is the bytes from `at` to `end` of the file. */
typedef void (*FieldFunc) (LoomXplaneSpace *self, LoomXplane *plane, guint64 at, guint64 end);

/* Calls `func` for each byte field with this number in the message from `at` to `end`. */
static void
for_each_field (LoomXplaneSpace *self, LoomXplane *plane, guint64 at, guint64 end, guint number, FieldFunc func)
{
  LoomProtoField field;
  guint64 content;
  while (!is_full (self) && loom_proto_window_next (self->file, &at, end, &field, &content))
    if (field.number == number && field.wire == LOOM_PROTO_BYTES)
      func (self, plane, content, content + field.value);
}

static void
take_plane_name (LoomXplaneSpace *self, LoomXplane *plane, guint64 at, guint64 end)
{
  g_free (plane->name);
  plane->name = dup_text (self, at, end - at);
}

static void
take_plane_stat (LoomXplaneSpace *self, LoomXplane *plane, guint64 at, guint64 end)
{
  read_plane_stat (self, plane, at, end - at);
}

/* Reads a plane in several passes, because names may follow the lines that use them. */
static void
read_plane (Pass *pass, guint64 begin, guint64 end)
{
  LoomXplaneSpace *self = pass->space;
  LoomXplane plane = { .name = g_strdup (""),
                       .names = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, clear_name),
                       .stats = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free) };
  for_each_field (self, &plane, begin, end, PLANE_NAME, take_plane_name);
  plane.kind = find_kind (plane.name);
  if (strcmp (plane.name, "/host:metadata") != 0)
    for_each_field (self, &plane, begin, end, PLANE_EVENT_NAME, read_event_name);
  for_each_field (self, &plane, begin, end, PLANE_STAT_NAME, read_stat_name);
  for_each_field (self, &plane, begin, end, PLANE_STAT, take_plane_stat);
  g_array_append_val (self->planes, plane);
  LoomProtoField field;
  guint64 content, at = begin;
  gboolean is_cut = FALSE;
  while (!is_full (self) && loom_proto_window_next_cut (self->file, &at, end, &field, &content, &is_cut)) {
    if (field.number == PLANE_LINE && field.wire == LOOM_PROTO_BYTES)
      read_line (pass, self->planes->len - 1, content, content + field.value);
    self->n_programs += field.number == PLANE_EVENT_NAME && strcmp (plane.name, "/host:metadata") == 0;
  }
  note_damage (self, is_cut ? begin : at, end);
}

static void
read_space_field (Pass *pass, const LoomProtoField *field, guint64 content)
{
  LoomXplaneSpace *self = pass->space;
  gboolean is_problem = field->number == SPACE_ERROR || field->number == SPACE_WARNING;
  if (field->wire != LOOM_PROTO_BYTES)
    return;
  if (field->number == SPACE_PLANE)
    read_plane (pass, content, content + field->value);
  else if (field->number == SPACE_HOST)
    g_ptr_array_add (self->hosts, dup_text (self, content, field->value));
  else if (is_problem && self->problems->len < MOST_PROBLEMS)
    g_ptr_array_add (self->problems, dup_text (self, content, field->value));
}

static void
read_planes (Pass *pass, guint64 n_bytes, LoomProgress *progress)
{
  LoomXplaneSpace *self = pass->space;
  LoomProtoField field;
  guint64 content, at = 0, before = 0;
  gboolean is_cut = FALSE;
  while (!is_full (self) && loom_proto_window_next_cut (self->file, &at, n_bytes, &field, &content, &is_cut) &&
         !loom_progress_is_cancelled (progress)) {
    read_space_field (pass, &field, content);
    note_damage (self, is_cut ? before : n_bytes, n_bytes);
    self->cut = is_cut ? n_bytes : 0;
    before = at;
  }
  note_damage (self, at, n_bytes);
}

/* Returns TRUE if the beginning of the file contains U+FFFD more than five times per 1,000 bytes. In this case, a
 * program has treated the file as text and replaced bytes that are not UTF-8. */
static gboolean
is_converted (LoomProtoWindow *file, guint64 n_bytes)
{
  gsize n = (gsize) MIN (n_bytes, LOOK_BYTES), n_found = 0;
  const guint8 *bytes = loom_proto_window_get (file, 0, n);
  for (gsize i = 0; bytes != NULL && i + 2 < n; i++)
    n_found += bytes[i] == 0xEF && bytes[i + 1] == 0xBF && bytes[i + 2] == 0xBD;
  return n_found * 200 > n;
}

LoomXplaneSpace *
loom_xplane_space_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress, LoomMemoryBudget *budget)
{
  LoomXplaneSpace *self = g_new0 (LoomXplaneSpace, 1);
  self->budget = budget;
  self->file = loom_proto_window_new (file);
  self->planes = g_array_new (FALSE, FALSE, sizeof (LoomXplane));
  g_array_set_clear_func (self->planes, clear_plane);
  self->lines = g_array_new (FALSE, FALSE, sizeof (LoomXplaneLine));
  g_array_set_clear_func (self->lines, clear_line);
  self->hosts = g_ptr_array_new_with_free_func (g_free);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  self->damage = G_MAXUINT64;
  Pass pass = { .space = self, .links = loom_xplane_links_new () };
  self->is_converted = is_converted (self->file, n_bytes);
  read_planes (&pass, n_bytes, progress);
  loom_xplane_links_finish (pass.links, &self->launches, &self->tasks);
  self->budget = NULL;
  if (!loom_progress_is_cancelled (progress))
    return self;
  loom_xplane_space_free (self);
  return NULL;
}
