/* SPDX-License-Identifier: Apache-2.0
 *
 * The counters of a session in a rocpd database. The interface is described in loom-rocpd-counters.h.
 */
#include "loom-rocpd-counters.h"

#include "loom-int64-hash.h"
#include "loom-json-slice.h"

#include <string.h>

enum { INFO_AGENT = 1, INFO_UNIT, INFO_ID };
enum { VALUE_EVENT = 1, VALUE_COUNTER, VALUE_NUMBER };

const char *const loom_rocpd_counter_columns[] = { "event_id", "pmc_id", "value", NULL };

typedef struct {
  gint64 agent;
  char *unit; /* unit of the counter's values; NULL: unknown */
  gboolean is_unit_noted;
} Info;

/* A value of a counter for an event that is not a sample, such as the dispatch of a kernel. */
typedef struct {
  gint64 event, counter;
  double value;
  gboolean is_shown;
} Value;

typedef struct {
  gint64 time_ns;
  gboolean has_values; /* there are values of counters for this sample */
} Sample;

struct _LoomRocpdCounters {
  LoomRowNames *names;
  GHashTable *infos;   /* id of a counter → Info */
  GHashTable *samples; /* id of an event → Sample *, the sample that belongs to it */
  GHashTable *gpus;
  GArray *values; /* Value elements: the values that do not belong to samples, sorted by event, then by counter */
  GString *pid;   /* buffer for the pid of the current row; reused for each row */
};

static void
info_free (gpointer data)
{
  g_free (((Info *) data)->unit);
  g_free (data);
}

static GHashTable *
read_infos (LoomDatabase *database, const char *table)
{
  static const char *const columns[] = { "agent_id", "units", "id", NULL };
  GHashTable *infos = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, info_free);
  sqlite3_stmt *row = loom_database_select (database, table, columns, NULL);
  while (row != NULL && loom_database_step (database, row) == SQLITE_ROW) {
    gint64 id = loom_row_ids_of_row (row, INFO_ID);
    Info *info = g_new0 (Info, 1);
    info->agent = sqlite3_column_type (row, INFO_AGENT) != SQLITE_NULL ? sqlite3_column_int64 (row, INFO_AGENT) : -1;
    g_autofree char *unit = loom_rocm_dup_shown (row, INFO_UNIT);
    info->unit = unit[0] != '\0' ? g_steal_pointer (&unit) : NULL;
    g_hash_table_insert (infos, g_memdup2 (&id, sizeof id), info);
  }
  sqlite3_finalize (row);
  return infos;
}

static GHashTable *
read_samples (LoomDatabase *database, const char *table)
{
  static const char *const columns[] = { "event_id", "timestamp", NULL };
  GHashTable *samples = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free);
  sqlite3_stmt *row = loom_database_select (database, table, columns, NULL);
  while (row != NULL && loom_database_step (database, row) == SQLITE_ROW) {
    gint64 event = sqlite3_column_int64 (row, 1);
    const Sample sample = { .time_ns = sqlite3_column_int64 (row, 2) };
    g_hash_table_insert (samples, g_memdup2 (&event, sizeof event), g_memdup2 (&sample, sizeof sample));
  }
  sqlite3_finalize (row);
  return samples;
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  const Value *x = a, *y = b;
  if (x->event != y->event)
    return x->event < y->event ? -1 : 1;
  return x->counter < y->counter ? -1 : x->counter > y->counter;
}

static void
read_values (LoomRocpdCounters *self, LoomRocmReader *reader, const char *table)
{
  sqlite3_stmt *row = loom_database_select (reader->database, table, loom_rocpd_counter_columns, NULL);
  while (row != NULL && loom_database_step (reader->database, row) == SQLITE_ROW) {
    Value value = { .event = sqlite3_column_int64 (row, VALUE_EVENT),
                    .counter = sqlite3_column_int64 (row, VALUE_COUNTER) };
    Sample *sample = g_hash_table_lookup (self->samples, &value.event);
    if (sample != NULL) {
      sample->has_values = TRUE;
      continue;
    }
    if (loom_row_json_take_number (row, VALUE_NUMBER, &value.value))
      g_array_append_val (self->values, value);
    else
      reader->common.losses[LOOM_ROCM_NO_NUMBER]++;
  }
  sqlite3_finalize (row);
  g_array_sort (self->values, compare_values);
}

LoomRocpdCounters *
loom_rocpd_counters_new (LoomRocmReader *reader, LoomRocpdCounterTables tables, GHashTable *gpus)
{
  LoomRocpdCounters *self = g_new0 (LoomRocpdCounters, 1);
  self->names = loom_row_names_new (reader->database, tables.infos, "name");
  self->infos = read_infos (reader->database, tables.infos);
  self->samples = read_samples (reader->database, tables.samples);
  self->gpus = gpus;
  self->values = g_array_new (FALSE, FALSE, sizeof (Value));
  self->pid = g_string_new (NULL);
  read_values (self, reader, tables.values);
  return self;
}

void
loom_rocpd_counters_free (LoomRocpdCounters *self)
{
  loom_row_names_free (self->names);
  g_hash_table_unref (self->infos);
  g_hash_table_unref (self->samples);
  g_array_unref (self->values);
  g_string_free (self->pid, TRUE);
  g_free (self);
}

static const char *
find_name (LoomRocpdCounters *self, gint64 counter)
{
  const char *name = loom_row_names_get (self->names, counter);
  return name != NULL ? name : "counter";
}

/* Returns the pid of a counter, as JSON without quotes: the pid of its GPU, or "counters". Valid until the next row. */
static const char *
write_pid (LoomRocpdCounters *self, const Info *info, const char *session)
{
  const gint64 *gpu = info != NULL ? g_hash_table_lookup (self->gpus, &info->agent) : NULL;
  g_string_truncate (self->pid, 0);
  loom_made_json_append (self->pid, gpu != NULL ? "GPU " : "counters");
  if (gpu != NULL)
    loom_made_json_append_int (self->pid, *gpu);
  loom_made_json_append (self->pid, session);
  return self->pid->str;
}

static void
append_number (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  loom_made_json_append (text, g_ascii_dtostr (digits, sizeof digits, number));
}

void
loom_rocpd_counters_format (LoomRocpdCounters *self, LoomRocmReader *reader, sqlite3_stmt *row, const char *session,
                            gboolean is_first, GString *text)
{
  gint64 event = sqlite3_column_int64 (row, VALUE_EVENT), counter = sqlite3_column_int64 (row, VALUE_COUNTER);
  const Sample *sample = g_hash_table_lookup (self->samples, &event);
  double value;
  if (sample == NULL)
    return;
  if (!loom_row_json_take_number (row, VALUE_NUMBER, &value)) {
    reader->common.losses[LOOM_ROCM_NO_NUMBER] += is_first;
    return;
  }
  Info *info = g_hash_table_lookup (self->infos, &counter);
  const char *name = find_name (self, counter), *pid = write_pid (self, info, session);
  if (info != NULL && info->unit != NULL && !info->is_unit_noted)
    loom_rocm_note_unit (reader, pid, name, info->unit);
  if (info != NULL)
    info->is_unit_noted = TRUE;
  loom_made_json_append (text, "{\"ph\":\"C\",\"pid\":\"");
  loom_made_json_append (text, pid);
  loom_made_json_append (text, "\",\"ts\":");
  loom_made_json_append_us (text, sample->time_ns);
  loom_made_json_append (text, ",\"name\":\"");
  loom_made_json_append (text, name);
  loom_made_json_append (text, "\",\"args\":{\"value\":");
  append_number (text, value);
  loom_made_json_append (text, "}},\n");
}

/* Returns the index of the first value of an event. If the event has no value, returns the index at which it would be
 * inserted. */
static guint
find_first (const GArray *values, gint64 event)
{
  guint low = 0, high = values->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (values, Value, middle).event < event)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void
loom_rocpd_counters_append_args (LoomRocpdCounters *self, gint64 event, gboolean is_first, GString *text)
{
  Value *all = (Value *) (gpointer) self->values->data;
  for (guint i = find_first (self->values, event), next; i < self->values->len && all[i].event == event; i = next) {
    double sum = 0;
    for (next = i; next < self->values->len && compare_values (&all[next], &all[i]) == 0; next++) {
      sum += all[next].value;
      all[next].is_shown |= is_first;
    }
    loom_made_json_append_key (text, find_name (self, all[i].counter));
    append_number (text, sum);
  }
}

gboolean
loom_rocpd_counters_has_args (const LoomRocpdCounters *self)
{
  return self->values->len > 0;
}

gboolean
loom_rocpd_counters_has_values (const LoomRocpdCounters *self, gint64 event)
{
  const Sample *sample = g_hash_table_lookup (self->samples, &event);
  return sample != NULL && sample->has_values;
}

guint64
loom_rocpd_counters_count_hidden (const LoomRocpdCounters *self)
{
  guint64 n = 0;
  for (guint i = 0; i < self->values->len; i++)
    n += !g_array_index (self->values, Value, i).is_shown;
  return n;
}
