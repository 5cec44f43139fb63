/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of LoomTraceBuilder for processes, threads, counters and series. A process, thread, counter or series is
 * found by the key that the file uses for it (such as a pid). Further functions set labels, positions and other
 * properties that the metadata of a file states.
 */
#include "loom-trace-builder-private.h"

#include "loom-limits.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY_ON_STACK 256
#define MOST_LABELS 64 /* maximum number of labels of a process; further labels are replaced by “…” */

/* Returns the id, from 0, of the key that consists of `n_numbers` numbers and a text. If the key is new, adds it if
 * `add` is TRUE, otherwise returns LOOM_ID_NONE. */
static guint32
look_up (LoomStringPool *keys, gboolean add, const guint32 *numbers, guint n_numbers, const char *text, gsize length)
{
  char on_stack[KEY_ON_STACK];
  gsize n_head = n_numbers * sizeof (guint32);
  gsize n_bytes = n_head + length;
  char *bytes = n_bytes <= sizeof on_stack ? on_stack : g_malloc (n_bytes);
  memcpy (bytes, numbers, n_head);
  if (length > 0)
    memcpy (bytes + n_head, text, length);
  guint32 id = add ? loom_string_pool_intern (keys, bytes, n_bytes) : loom_string_pool_find (keys, bytes, n_bytes);
  if (bytes != on_stack)
    g_free (bytes);
  return id == G_MAXUINT32 ? LOOM_ID_NONE : id - 1;
}

static inline gboolean
is_last (const LoomLastKey *last, guint32 owner, const char *key, gsize length)
{
  return last->key != NULL && last->owner == owner && last->length == length &&
         (length == 0 || memcmp (last->key, key, length) == 0);
}

/* Text of the key of the extra entry that represents all further processes (threads …) after the limit was reached.
 * Keys in files never begin like this. */
#define REST_KEY "\0rest"
#define REST_KEY_LENGTH 5

static gboolean
is_rest_key (const char *text, gsize length)
{
  return length == REST_KEY_LENGTH && memcmp (text, REST_KEY, length) == 0;
}

/* Returns TRUE if the key is new, but the maximum number of entries (`most_tracks`) is reached already. */
static gboolean
is_too_many (const LoomTraceBuilder *builder, const GArray *entries, LoomStringPool *keys, const guint32 *numbers,
             guint n_numbers, const char *text, gsize length)
{
  return G_UNLIKELY (entries->len >= builder->most_tracks) && !is_rest_key (text, length) &&
         look_up (keys, FALSE, numbers, n_numbers, text, length) == LOOM_ID_NONE;
}

char *
loom_trace_builder_dup_rest_label (const LoomTraceBuilder *builder)
{
  return g_strdup_printf ("All beyond %u", builder->most_tracks);
}

/* Logs that there are too many tracks, and returns the label of the extra track for the events of all further tracks.
 * Owned by the caller. */
static char *
dup_rest_label (LoomTraceBuilder *builder, guint source)
{
  g_autofree char *message = g_strdup_printf (
    _ (
      "There are more than %u tracks. Further tracks of a process share one track, and further processes share one process. If ids or names change with every event, record constant ids or names"),
    builder->most_tracks);
  loom_import_log_add (loom_trace_builder_peek_source (builder, source)->source->log, LOOM_SEVERITY_WARNING,
                       "too-many-tracks", builder->offset, message);
  return loom_trace_builder_dup_rest_label (builder);
}

void
loom_trace_builder_lift_limits (LoomTraceBuilder *builder)
{
  builder->most_tracks = G_MAXUINT;
}

static void
clear_process (gpointer data)
{
  LoomProcessEntry *process = data;
  g_free (process->label);
  g_free (process->labels);
  g_free (process->path);
  g_free (process->format);
  g_free (process->node);
  loom_chunk_list_clear (&process->instants);
}

static void
clear_thread (gpointer data)
{
  LoomThreadEntry *thread = data;
  g_free (thread->label);
  loom_chunk_list_clear (&thread->spans);
  loom_chunk_list_clear (&thread->instants);
  loom_chunk_list_clear (&thread->samples);
}

static void
clear_series (gpointer data)
{
  LoomSeriesEntry *series = data;
  g_free (series->unit);
  loom_chunk_list_clear (&series->samples);
}

static GArray *
new_entries (gsize size, GDestroyNotify clear)
{
  GArray *entries = g_array_new (FALSE, TRUE, (guint) size);
  if (clear != NULL)
    g_array_set_clear_func (entries, clear);
  return entries;
}

void
loom_trace_builder_init_entities (LoomTraceBuilder *builder)
{
  builder->most_tracks = (guint) loom_limit (LOOM_LIMIT_TRACKS);
  builder->labels = loom_string_pool_new ();
  builder->process_keys = loom_string_pool_new ();
  builder->thread_keys = loom_string_pool_new ();
  builder->counter_keys = loom_string_pool_new ();
  builder->series_keys = loom_string_pool_new ();
  builder->processes = new_entries (sizeof (LoomProcessEntry), clear_process);
  builder->threads = new_entries (sizeof (LoomThreadEntry), clear_thread);
  builder->counters = new_entries (sizeof (LoomCounterEntry), NULL);
  builder->series = new_entries (sizeof (LoomSeriesEntry), clear_series);
}

void
loom_trace_builder_clear_entities (LoomTraceBuilder *builder)
{
  g_array_unref (builder->processes);
  g_array_unref (builder->threads);
  g_array_unref (builder->counters);
  g_array_unref (builder->series);
  loom_string_pool_free (builder->labels);
  loom_string_pool_free (builder->process_keys);
  loom_string_pool_free (builder->thread_keys);
  loom_string_pool_free (builder->counter_keys);
  loom_string_pool_free (builder->series_keys);
}

guint32
loom_trace_builder_process (LoomTraceBuilder *builder, guint source, const char *key, gsize key_length)
{
  if (is_last (&builder->last_process, source, key, key_length))
    return builder->last_process.id;
  if (is_too_many (builder, builder->processes, builder->process_keys, &source, 1, key, key_length))
    key = REST_KEY, key_length = REST_KEY_LENGTH;
  guint32 process = look_up (builder->process_keys, TRUE, &source, 1, key, key_length);
  if (G_UNLIKELY (process == builder->processes->len)) {
    LoomProcessEntry entry = { .offset = builder->offset, .source = source, .rank = -1 };
    entry.key = loom_string_pool_get (builder->process_keys, process + 1) + sizeof (guint32);
    entry.is_rest = is_rest_key (key, key_length);
    if (entry.is_rest)
      entry.label = dup_rest_label (builder, source);
    g_array_append_val (builder->processes, entry);
  }
  const char *kept = loom_trace_builder_peek_process (builder, process)->key;
  builder->last_process = (LoomLastKey) { kept, key_length, source, process };
  return process;
}

static void
set_label (char **label, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  g_free (*label);
  *label = g_strdup (text);
}

void
loom_trace_builder_process_set_label (LoomTraceBuilder *builder, guint32 process, const char *label)
{
  g_return_if_fail (process < builder->processes->len);
  if (!loom_trace_builder_peek_process (builder, process)->is_rest)
    set_label (&loom_trace_builder_peek_process (builder, process)->label, label);
}

const char *
loom_trace_builder_process_get_label (LoomTraceBuilder *builder, guint32 process)
{
  g_return_val_if_fail (process < builder->processes->len, NULL);
  return loom_trace_builder_peek_process (builder, process)->label;
}

void
loom_trace_builder_process_add_labels (LoomTraceBuilder *builder, guint32 process, const char *labels)
{
  g_return_if_fail (process < builder->processes->len);
  if (labels == NULL)
    return;
  LoomProcessEntry *entry = loom_trace_builder_peek_process (builder, process);
  g_auto (GStrv) fresh = g_strsplit (labels, ",", -1);
  for (guint i = 0; fresh[i] != NULL; i++) {
    const char *label = g_strstrip (fresh[i]);
    g_auto (GStrv) known = g_strsplit (entry->labels != NULL ? entry->labels : "", ", ", -1);
    if (*label == '\0' || g_strv_contains ((const char *const *) known, label) || g_strv_length (known) > MOST_LABELS)
      continue;
    if (g_strv_length (known) == MOST_LABELS)
      label = "…";
    char *joined = entry->labels != NULL ? g_strconcat (entry->labels, ", ", label, NULL) : g_strdup (label);
    g_free (entry->labels);
    entry->labels = joined;
  }
}

void
loom_trace_builder_process_set_sort (LoomTraceBuilder *builder, guint32 process, gint64 sort_index)
{
  g_return_if_fail (process < builder->processes->len);
  LoomProcessEntry *entry = loom_trace_builder_peek_process (builder, process);
  entry->sort = sort_index;
  entry->has_sort = TRUE;
}

void
loom_trace_builder_process_set_place (LoomTraceBuilder *builder, guint32 process, const char *node, gint rank)
{
  g_return_if_fail (process < builder->processes->len);
  LoomProcessEntry *entry = loom_trace_builder_peek_process (builder, process);
  g_autofree char *previous = entry->node;
  entry->node = g_strdup (node);
  entry->rank = rank;
  entry->has_place = TRUE;
}

void
loom_trace_builder_process_set_recorder (LoomTraceBuilder *builder, guint32 process, const char *path,
                                         const char *format)
{
  g_return_if_fail (process < builder->processes->len);
  LoomProcessEntry *entry = loom_trace_builder_peek_process (builder, process);
  g_autofree char *previous_path = entry->path, *previous_format = entry->format;
  entry->path = g_strdup (path != NULL ? path : previous_path);
  entry->format = g_strdup (format != NULL ? format : previous_format);
}

void
loom_trace_builder_source_set_place (LoomTraceBuilder *builder, guint source, const char *node, gint rank)
{
  LoomSource *place = loom_trace_builder_get_source (builder, source);
  if (node != NULL) {
    g_free (place->node);
    place->node = g_strdup (node);
  }
  if (rank >= 0)
    place->rank = rank;
  for (guint32 i = 0; i < builder->processes->len; i++) {
    const LoomProcessEntry *entry = loom_trace_builder_peek_process (builder, i);
    if (entry->source == source)
      loom_trace_builder_process_set_place (builder, i,
                                            node != NULL       ? node
                                            : entry->has_place ? entry->node
                                                               : place->node,
                                            rank >= 0          ? rank
                                            : entry->has_place ? entry->rank
                                                               : place->rank);
  }
}

void
loom_trace_builder_process_add_flags (LoomTraceBuilder *builder, guint32 process, guint track_flags)
{
  g_return_if_fail (process < builder->processes->len);
  loom_trace_builder_peek_process (builder, process)->flags |= track_flags;
}

guint32
loom_trace_builder_get_n_processes (LoomTraceBuilder *builder)
{
  return builder->processes->len;
}

const char *
loom_trace_builder_process_get_key (LoomTraceBuilder *builder, guint32 process)
{
  g_return_val_if_fail (process < builder->processes->len, "");
  return loom_trace_builder_peek_process (builder, process)->key;
}

guint32
loom_trace_builder_thread (LoomTraceBuilder *builder, guint32 process, const char *key, gsize key_length)
{
  if (is_last (&builder->last_thread, process, key, key_length))
    return builder->last_thread.id;
  if (is_too_many (builder, builder->threads, builder->thread_keys, &process, 1, key, key_length))
    key = REST_KEY, key_length = REST_KEY_LENGTH;
  guint32 thread = look_up (builder->thread_keys, TRUE, &process, 1, key, key_length);
  if (G_UNLIKELY (thread == builder->threads->len)) {
    LoomThreadEntry entry = {
      .offset = builder->offset, .process = process, .next = LOOM_ID_NONE, .previous = LOOM_ID_NONE
    };
    entry.key = loom_string_pool_get (builder->thread_keys, thread + 1) + sizeof (guint32);
    entry.is_rest = is_rest_key (key, key_length);
    if (entry.is_rest)
      entry.label = dup_rest_label (builder, loom_trace_builder_peek_process (builder, process)->source);
    g_array_append_val (builder->threads, entry);
  }
  const char *kept = loom_trace_builder_peek_thread (builder, thread)->key;
  builder->last_thread = (LoomLastKey) { kept, key_length, process, thread };
  return thread;
}

void
loom_trace_builder_thread_set_label (LoomTraceBuilder *builder, guint32 thread, const char *label)
{
  g_return_if_fail (thread < builder->threads->len);
  if (!loom_trace_builder_peek_thread (builder, thread)->is_rest)
    set_label (&loom_trace_builder_peek_thread (builder, thread)->label, label);
}

const char *
loom_trace_builder_thread_get_label (LoomTraceBuilder *builder, guint32 thread)
{
  g_return_val_if_fail (thread < builder->threads->len, NULL);
  return loom_trace_builder_peek_thread (builder, thread)->label;
}

void
loom_trace_builder_thread_set_sort (LoomTraceBuilder *builder, guint32 thread, gint64 sort_index)
{
  g_return_if_fail (thread < builder->threads->len);
  LoomThreadEntry *entry = loom_trace_builder_peek_thread (builder, thread);
  entry->sort = sort_index;
  entry->has_sort = TRUE;
}

void
loom_trace_builder_thread_add_flags (LoomTraceBuilder *builder, guint32 thread, guint track_flags)
{
  g_return_if_fail (thread < builder->threads->len);
  loom_trace_builder_peek_thread (builder, thread)->flags |= track_flags;
}

guint32
loom_trace_builder_get_n_threads (LoomTraceBuilder *builder)
{
  return builder->threads->len;
}

const char *
loom_trace_builder_thread_get_key (LoomTraceBuilder *builder, guint32 thread)
{
  g_return_val_if_fail (thread < builder->threads->len, "");
  return loom_trace_builder_peek_thread (builder, thread)->key;
}

guint32
loom_trace_builder_thread_get_process (LoomTraceBuilder *builder, guint32 thread)
{
  g_return_val_if_fail (thread < builder->threads->len, LOOM_ID_NONE);
  return loom_trace_builder_peek_thread (builder, thread)->process;
}

void
loom_trace_builder_thread_continue (LoomTraceBuilder *builder, guint32 earlier, guint32 later)
{
  g_return_if_fail (earlier < builder->threads->len && later < builder->threads->len);
  for (guint32 at = later; at != LOOM_ID_NONE; at = loom_trace_builder_peek_thread (builder, at)->next) {
    if (at == earlier)
      return;
  }
  LoomThreadEntry *first = loom_trace_builder_peek_thread (builder, earlier);
  LoomThreadEntry *second = loom_trace_builder_peek_thread (builder, later);
  if (first->next != LOOM_ID_NONE || second->previous != LOOM_ID_NONE)
    return;
  first->next = later;
  second->previous = earlier;
}

guint32
loom_trace_builder_counter (LoomTraceBuilder *builder, guint32 process, const char *category, gsize category_length,
                            const char *name, gsize name_length, const char *id, gsize id_length)
{
  guint32 numbers[] = {
    process,
    loom_string_pool_intern (builder->labels, category, category_length),
    loom_string_pool_intern (builder->labels, name, name_length),
    loom_string_pool_intern (builder->labels, id, id_length),
  };
  if (is_too_many (builder, builder->counters, builder->counter_keys, numbers, G_N_ELEMENTS (numbers), NULL, 0)) {
    g_autofree char *label = dup_rest_label (builder, loom_trace_builder_peek_process (builder, process)->source);
    numbers[1] = numbers[3] = 0;
    numbers[2] = loom_string_pool_intern (builder->labels, label, strlen (label));
  }
  guint32 counter = look_up (builder->counter_keys, TRUE, numbers, G_N_ELEMENTS (numbers), NULL, 0);
  if (G_UNLIKELY (counter == builder->counters->len)) {
    LoomCounterEntry entry = { builder->offset, numbers[0], numbers[1], numbers[2], numbers[3] };
    g_array_append_val (builder->counters, entry);
  }
  return counter;
}

guint32
loom_trace_builder_series (LoomTraceBuilder *builder, guint32 counter, const char *name, gsize length)
{
  g_autofree char *label = NULL;
  if (is_too_many (builder, builder->series, builder->series_keys, &counter, 1, name, length)) {
    guint32 process = loom_trace_builder_peek_counter (builder, counter)->process;
    name = label = dup_rest_label (builder, loom_trace_builder_peek_process (builder, process)->source);
    length = strlen (label);
  }
  guint32 series = look_up (builder->series_keys, TRUE, &counter, 1, name, length);
  if (G_UNLIKELY (series == builder->series->len)) {
    LoomSeriesEntry entry = { .offset = builder->offset, .counter = counter };
    entry.name = loom_string_pool_get (builder->series_keys, series + 1) + sizeof (guint32);
    g_array_append_val (builder->series, entry);
  }
  return series;
}

void
loom_trace_builder_series_set_hold (LoomTraceBuilder *builder, guint32 series, gint64 hold_ns)
{
  g_return_if_fail (series < builder->series->len);
  loom_trace_builder_peek_series (builder, series)->hold_ns = hold_ns;
}

void
loom_trace_builder_series_set_unit (LoomTraceBuilder *builder, guint32 series, const char *unit)
{
  g_return_if_fail (series < builder->series->len);
  set_label (&loom_trace_builder_peek_series (builder, series)->unit, unit);
}
