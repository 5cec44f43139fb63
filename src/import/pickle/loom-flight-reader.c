/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a dump of PyTorch's flight recorder from the values of a pickle or JSON file. The flight recorder
 * (torch/csrc/distributed/c10d/FlightRecorder) records collectives. The interface is described in loom-flight-reader.h.
 */
#include "loom-flight-reader.h"

#include "loom-int64-hash.h"
#include "loom-time.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Limits on the text that is shown for one entry of the dump: number of tensor shapes, number of sizes in a shape,
 * number of frames of the call stack, length of a text in bytes. */
#define MAX_SHAPES 4
#define MAX_SIZES 8
#define MAX_FRAMES 64
#define MAX_TEXT_BYTES 512
/* Maximum number of keys of an entry; entries usually have about 20. A dict with more keys is not an entry; looking up
 * keys in it would take long. */
#define MAX_KEYS 256

typedef struct {
  const LoomPlainValues *values;
  LoomFlightDump *dump;
  LoomImportLog *log;
  GHashTable *groups;  /* name of a process group (owned by the dump) → index + 1 */
  GHashTable *handles; /* gint64 *: pg_id (number by which entries and statuses refer to a group) → index + 1 of the
                        * group */
  gsize n_members, n_frame_bytes;
} Reader;

static const LoomPlainValue *
find (const Reader *self, const LoomPlainValue *dict, const char *key)
{
  return loom_plain_values_find (self->values, dict, key);
}

static gint64
find_int (const Reader *self, const LoomPlainValue *dict, const char *key, gint64 fallback)
{
  return loom_plain_values_to_int (find (self, dict, key), fallback);
}

/* Returns a copy of a text, cut for display. Owned by the dump. */
static const char *
keep (const Reader *self, const LoomPlainValue *value)
{
  LoomPlainValue cut = value != NULL ? *value : (LoomPlainValue) { LOOM_PLAIN_NONE, 0, .integer = 0 };
  if (cut.type == LOOM_PLAIN_TEXT)
    cut.length = MIN (cut.length, MAX_TEXT_BYTES);
  g_autofree char *text = loom_plain_values_dup_text (&cut);
  return loom_flight_dump_keep (self->dump, text);
}

static gboolean
is_dict (const LoomPlainValue *value)
{
  return value != NULL && value->type == LOOM_PLAIN_DICT;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static void
add_rank (Reader *self, GArray *ranks, gint64 rank)
{
  gint value = (gint) rank;
  if (rank < 0 || rank > G_MAXINT || self->n_members >= LOOM_FLIGHT_MAX_MEMBERS)
    return;
  self->n_members++;
  g_array_append_val (ranks, value);
}

/* Reads a list of ranks such as "[0, 1]". Ignores a list that PyTorch has shortened ("[0, 1, …]"), because it lacks
 * ranks. */
static void
parse_ranks (Reader *self, const LoomPlainValue *value, GArray *ranks)
{
  g_autofree char *text = g_strndup (value->text, value->length);
  if (strstr (text, "...") != NULL || strstr (text, "…") != NULL)
    return;
  for (const char *at = text; *at != '\0';) {
    char *end;
    gint64 rank = g_ascii_strtoll (at, &end, 10);
    if (end > at)
      add_rank (self, ranks, rank);
    at = end > at ? end : at + 1;
  }
}

static void
read_ranks (Reader *self, const LoomPlainValue *value, GArray *ranks)
{
  if (value != NULL && value->type == LOOM_PLAIN_TEXT)
    parse_ranks (self, value, ranks);
  for (guint i = 0; value != NULL && value->type == LOOM_PLAIN_LIST && i < loom_plain_values_get_n (value); i++)
    add_rank (self, ranks, loom_plain_values_to_int (loom_plain_values_get_item (self->values, value, i), -1));
}

static void
read_group (Reader *self, const LoomPlainValue *key, const LoomPlainValue *value)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  const LoomPlainValue *name = find (self, value, "name");
  read_ranks (self, find (self, value, "ranks"), ranks);
  guint index = loom_flight_dump_add_group (self->dump, keep (self, name != NULL ? name : key),
                                            keep (self, find (self, value, "desc")),
                                            (const gint *) (gpointer) ranks->data, ranks->len);
  g_hash_table_insert (self->groups, (gpointer) g_array_index (self->dump->groups, LoomFlightGroup, index).name,
                       GUINT_TO_POINTER (index + 1));
}

static void
read_groups (Reader *self, const LoomPlainValue *config)
{
  guint n = is_dict (config) ? loom_plain_values_get_n (config) : 0;
  for (guint i = 0; i < MIN (n, LOOM_FLIGHT_MAX_GROUPS); i++) {
    const LoomPlainValue *value = loom_plain_values_get_value (self->values, config, i);
    if (is_dict (value) && loom_plain_values_get_n (value) <= MAX_KEYS)
      read_group (self, loom_plain_values_get_key (self->values, config, i), value);
  }
  if (n > LOOM_FLIGHT_MAX_GROUPS || self->n_members >= LOOM_FLIGHT_MAX_MEMBERS)
    loom_import_log_add (self->log, LOOM_SEVERITY_ERROR, "too-many-groups", LOOM_OFFSET_NONE,
                         "There are too many process groups or members; the last ones are skipped");
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

static void
append_shape (const Reader *self, const LoomPlainValue *shape, const LoomPlainValue *type, GString *text)
{
  guint n = loom_plain_values_get_n (shape);
  g_string_append_c (text, '[');
  for (guint i = 0; i < MIN (n, MAX_SIZES); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                            loom_plain_values_to_int (loom_plain_values_get_item (self->values, shape, i), -1));
  g_string_append (text, n > MAX_SIZES ? ", …]" : "]");
  if (type != NULL)
    g_string_append_printf (text, " %s", keep (self, type));
}

static void
append_shapes (const Reader *self, const LoomPlainValue *entry, const char *sizes_key, const char *types_key,
               GString *text)
{
  const LoomPlainValue *sizes = find (self, entry, sizes_key), *types = find (self, entry, types_key);
  guint n = loom_plain_values_get_n (sizes);
  for (guint i = 0; i < MIN (n, MAX_SHAPES); i++) {
    g_string_append (text, i > 0 ? ", " : "");
    append_shape (self, loom_plain_values_get_item (self->values, sizes, i),
                  loom_plain_values_get_item (self->values, types, i), text);
  }
  if (n > MAX_SHAPES)
    g_string_append_printf (text, ", … (%u)", n);
}

static const char *
keep_sizes (const Reader *self, const LoomPlainValue *entry)
{
  g_autoptr (GString) text = g_string_new (NULL);
  append_shapes (self, entry, "input_sizes", "input_dtypes", text);
  gsize n_input = text->len;
  g_string_append (text, n_input > 0 ? " → " : "");
  gsize n_before = text->len;
  append_shapes (self, entry, "output_sizes", "output_dtypes", text);
  if (text->len == n_before)
    g_string_truncate (text, n_input);
  return loom_flight_dump_keep (self->dump, text->str);
}

/* Returns the call stack as lines "name (file:line)". Owned by the dump. */
static const char *
keep_frames (Reader *self, const LoomPlainValue *frames)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = self->n_frame_bytes < LOOM_FLIGHT_MAX_FRAME_BYTES ? loom_plain_values_get_n (frames) : 0;
  for (guint i = 0; i < MIN (n, MAX_FRAMES); i++) {
    const LoomPlainValue *frame = loom_plain_values_get_item (self->values, frames, i);
    if (!is_dict (frame) || loom_plain_values_get_n (frame) > MAX_KEYS)
      continue;
    g_string_append_printf (text, "%s%s (%s:%" G_GINT64_FORMAT ")", text->len > 0 ? "\n" : "",
                            keep (self, find (self, frame, "name")), keep (self, find (self, frame, "filename")),
                            find_int (self, frame, "line", 0));
  }
  self->n_frame_bytes += text->len;
  return loom_flight_dump_keep (self->dump, text->str);
}

static LoomFlightState
parse_state (const char *text)
{
  return strcmp (text, "completed") == 0 ? LOOM_FLIGHT_COMPLETED
         : strcmp (text, "started") == 0 ? LOOM_FLIGHT_STARTED
                                         : LOOM_FLIGHT_SCHEDULED;
}

/* Finds the process group of an entry by its name. Returns the index of the group; G_MAXUINT: the dump does not list
 * the group. Also stores in `handles` that the pg_id of the entry means this group. */
static guint
find_group (Reader *self, const LoomPlainValue *entry)
{
  const LoomPlainValue *group = find (self, entry, "process_group"),
                       *name = group != NULL && group->type == LOOM_PLAIN_LIST
                                 ? loom_plain_values_get_item (self->values, group, 0)
                                 : group;
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->groups, keep (self, name)));
  gint64 handle = find_int (self, entry, "pg_id", G_MININT64);
  if (index == 0)
    loom_import_log_add (self->log, LOOM_SEVERITY_WARNING, "unknown-group", LOOM_OFFSET_NONE,
                         "A collective belongs to a process group that the dump does not list");
  else if (handle != G_MININT64)
    g_hash_table_insert (self->handles, g_memdup2 (&handle, sizeof handle), GUINT_TO_POINTER (index));
  return index > 0 ? index - 1 : G_MAXUINT;
}

/* Returns the time that the entry has under the key `key`, in ns since 1970; 0 if the time is missing or negative. */
static gint64
find_time (const Reader *self, const LoomPlainValue *entry, const char *key)
{
  return MAX (find_int (self, entry, key, 0), 0);
}

static void
read_entry (Reader *self, const LoomPlainValue *value)
{
  const char *name = keep (self, find (self, value, "profiling_name"));
  gboolean is_message = find_int (self, value, "is_p2p", FALSE) != 0;
  gint64 timeout_ms = find_int (self, value, "timeout_ms", 0);
  gboolean has_timeout = timeout_ms > 0 && timeout_ms < G_MAXINT64 / LOOM_NS_PER_MS;
  LoomFlightEntry entry = {
    .record = find_int (self, value, "record_id", 0),
    .group = find_group (self, value),
    .sequence = find_int (self, value, is_message ? "p2p_seq_id" : "collective_seq_id", LOOM_FLIGHT_UNKNOWN),
    .is_message = is_message,
    .is_retired = find_int (self, value, "retired", FALSE) != 0,
    .state = parse_state (keep (self, find (self, value, "state"))),
    .name = g_str_has_prefix (name, "nccl:") ? name + strlen ("nccl:") : name,
    .sizes = keep_sizes (self, value),
    .frames = keep_frames (self, find (self, value, "frames")),
    .thread = keep (self, find (self, value, "thread_name")),
    .created_ns = find_time (self, value, "time_created_ns"),
    .started_ns = find_time (self, value, "time_discovered_started_ns"),
    .completed_ns = find_time (self, value, "time_discovered_completed_ns"),
    .timeout_ns = has_timeout ? timeout_ms * LOOM_NS_PER_MS : 0,
  };
  g_array_append_val (self->dump->entries, entry);
}

static void
note_losses (Reader *self, guint n)
{
  LoomFlightDump *dump = self->dump;
  if (n > LOOM_FLIGHT_MAX_ENTRIES)
    loom_import_log_printf (self->log, LOOM_SEVERITY_ERROR, "too-many-entries", LOOM_OFFSET_NONE,
                            "The dump has %u entries; only the first %u are read", n, LOOM_FLIGHT_MAX_ENTRIES);
  if (self->n_frame_bytes >= LOOM_FLIGHT_MAX_FRAME_BYTES)
    loom_import_log_add (self->log, LOOM_SEVERITY_WARNING, "stack-frames", LOOM_OFFSET_NONE,
                         "There are too many call stacks; the last entries are shown without stacks");
  dump->n_lost = dump->entries->len > 0 ? MAX (g_array_index (dump->entries, LoomFlightEntry, 0).record, 0) : 0;
  if (dump->n_lost > 0)
    loom_import_log_printf (self->log, LOOM_SEVERITY_INFO, "ring-overwritten", LOOM_OFFSET_NONE,
                            "The recorder kept only the last %u entries; %" PRId64 " earlier entries are lost",
                            dump->entries->len, dump->n_lost);
}

static void
read_entries (Reader *self, const LoomPlainValue *entries)
{
  guint n = loom_plain_values_get_n (entries), n_wrong = 0;
  for (guint i = 0; i < MIN (n, LOOM_FLIGHT_MAX_ENTRIES); i++) {
    const LoomPlainValue *entry = loom_plain_values_get_item (self->values, entries, i);
    if (is_dict (entry) && loom_plain_values_get_n (entry) <= MAX_KEYS)
      read_entry (self, entry);
    else
      n_wrong++;
  }
  if (n_wrong > 0)
    loom_import_log_add_n (self->log, LOOM_SEVERITY_WARNING, "no-entry", LOOM_OFFSET_NONE, n_wrong,
                           "An entry of the recorder is damaged and was skipped");
  note_losses (self, n);
}

/* --- status ------------------------------------------------------------------------------------------------------- */

static int
compare_ints (const void *a, const void *b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;
  return (first > second) - (first < second);
}

/* Returns the numbers of groups (pg_id) for which the dump has a status, ascending; NULL if a key is not a number. */
static GArray *
list_handles (const Reader *self, const LoomPlainValue *status)
{
  g_autoptr (GArray) handles = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < loom_plain_values_get_n (status); i++) {
    gint64 handle = loom_plain_values_to_int (loom_plain_values_get_key (self->values, status, i), G_MININT64);
    if (handle == G_MININT64)
      return NULL;
    g_array_append_val (handles, handle);
  }
  g_array_sort (handles, compare_ints);
  return g_steal_pointer (&handles);
}

typedef struct {
  gint64 number;
  guint index;
} NumberedGroup;

static GArray *
list_groups (const Reader *self)
{
  g_autoptr (GArray) numbered = g_array_new (FALSE, FALSE, sizeof (NumberedGroup));
  for (guint i = 0; i < self->dump->groups->len; i++) {
    const char *name = g_array_index (self->dump->groups, LoomFlightGroup, i).name;
    char *end;
    NumberedGroup group = { g_ascii_strtoll (name, &end, 10), i };
    if (name[0] == '\0' || *end != '\0')
      return NULL;
    g_array_append_val (numbered, group);
  }
  g_array_sort (numbered, compare_ints);
  return g_steal_pointer (&numbered);
}

/* Finds which group number (pg_id) in `status` belongs to which group of the dump, and stores this in `handles`.
 * Assumes that the numbers and the groups, both sorted, belong to each other one by one, because both are in the order
 * in which the groups were created. Stores nothing if there are not as many numbers as groups, or if the pg_id of an
 * entry contradicts the assumption. Needed for groups without entries, because no entry states their numbers. */
static void
guess_handles (Reader *self, const LoomPlainValue *status)
{
  g_autoptr (GArray) handles = list_handles (self, status), groups = list_groups (self);
  gboolean fits = handles != NULL && groups != NULL && handles->len == groups->len;
  for (guint i = 0; fits && i < handles->len; i++) {
    guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->handles, &g_array_index (handles, gint64, i)));
    fits = known == 0 || known == g_array_index (groups, NumberedGroup, i).index + 1;
  }
  self->dump->is_doubtful = !fits && loom_plain_values_get_n (status) > 0;
  for (guint i = 0; fits && i < handles->len; i++)
    g_hash_table_insert (self->handles, g_memdup2 (&g_array_index (handles, gint64, i), sizeof (gint64)),
                         GUINT_TO_POINTER (g_array_index (groups, NumberedGroup, i).index + 1));
}

static void
read_status (Reader *self, const LoomPlainValue *status)
{
  guess_handles (self, status);
  for (guint i = 0; i < loom_plain_values_get_n (status); i++) {
    gint64 handle = loom_plain_values_to_int (loom_plain_values_get_key (self->values, status, i), G_MININT64);
    const LoomPlainValue *value = loom_plain_values_get_value (self->values, status, i);
    guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->handles, &handle));
    if (index == 0 || !is_dict (value) || loom_plain_values_get_n (value) > MAX_KEYS)
      continue;
    LoomFlightGroup *group = &g_array_index (self->dump->groups, LoomFlightGroup, index - 1);
    group->enqueued = find_int (self, value, "last_enqueued_collective", LOOM_FLIGHT_UNKNOWN);
    group->completed = find_int (self, value, "last_completed_collective", LOOM_FLIGHT_UNKNOWN);
  }
  if (self->dump->is_doubtful)
    loom_import_log_add (
      self->log, LOOM_SEVERITY_WARNING, "unknown-status", LOOM_OFFSET_NONE,
      "There are process groups without entries, so it is unknown which status belongs to which process group");
}

/* --- recognizing and reading a dump ------------------------------------------------------------------------------- */

gboolean
loom_flight_reader_recognise (const LoomPlainValues *values)
{
  const LoomPlainValue *top = loom_plain_values_get_top (values);
  return is_dict (top) && (loom_plain_values_find (values, top, "pg_config") != NULL ||
                           (loom_plain_values_find (values, top, "entries") != NULL &&
                            loom_plain_values_find (values, top, "version") != NULL));
}

LoomFlightDump *
loom_flight_reader_read (const LoomPlainValues *values, LoomImportLog *log)
{
  Reader self = { .values = values, .dump = loom_flight_dump_new (), .log = log };
  const LoomPlainValue *top = loom_plain_values_get_top (values), *status = find (&self, top, "pg_status");
  self.groups = g_hash_table_new (g_str_hash, g_str_equal);
  self.handles = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  self.dump->version = keep (&self, find (&self, top, "version"));
  self.dump->nccl_version = keep (&self, find (&self, top, "nccl_version"));
  read_groups (&self, find (&self, top, "pg_config"));
  read_entries (&self, find (&self, top, "entries"));
  if (is_dict (status))
    read_status (&self, status);
  g_hash_table_unref (self.groups);
  g_hash_table_unref (self.handles);
  return self.dump;
}

static int
compare_ranks (const void *a, const void *b)
{
  gint first = *(const gint *) a, second = *(const gint *) b;
  return (first > second) - (first < second);
}

static gboolean
is_member (const LoomFlightGroup *group, gint rank)
{
  return bsearch (&rank, group->ranks, group->n_ranks, sizeof (gint), compare_ranks) != NULL;
}

gint
loom_flight_reader_find_rank (const LoomFlightDump *dump)
{
  const LoomFlightGroup *groups = (const LoomFlightGroup *) (gpointer) dump->groups->data, *smallest = NULL;
  for (guint i = 0; i < dump->groups->len; i++)
    if (groups[i].n_ranks > 0 && (smallest == NULL || groups[i].n_ranks < smallest->n_ranks))
      smallest = &groups[i];
  gint found = -1;
  for (guint k = 0; smallest != NULL && k < smallest->n_ranks; k++) {
    gboolean in_all = TRUE;
    for (guint i = 0; in_all && i < dump->groups->len; i++)
      in_all = groups[i].n_ranks == 0 || is_member (&groups[i], smallest->ranks[k]);
    if (in_all && found >= 0)
      return -1;
    if (in_all)
      found = smallest->ranks[k];
  }
  return found;
}
