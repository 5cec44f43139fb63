/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the events of a session of a rocpd database, to which the rows of its calls, kernels and samples refer, and
 * converts samples without counter values to instants. The interface is described in loom-rocpd-events.h.
 */
#include "loom-rocpd-events.h"

#include "loom-json-slice.h"
#include "loom-rocpd-stacks.h"

#include <string.h>

enum { EVENT_CATEGORY = 1, EVENT_STACK, EVENT_PARENT_STACK, EVENT_DATA };
enum { TRACK_PROCESS = 1, TRACK_THREAD, TRACK_NAME };
enum { SAMPLE_TIME = 1, SAMPLE_EVENT, SAMPLE_TRACK };

#define ANNOTATION "user_annotation"
#define RUNTIME "cuda_runtime"

const char *const loom_rocpd_sample_columns[] = { "timestamp", "event_id", "track_id", NULL };

/* A category, with the name that it has in the file. */
typedef struct {
  gint64 id;
  const char *word; /* encoded as JSON without quotes; NULL: the file does not contain the category */
  gboolean is_marker;
} Word;

struct _LoomRocpdEvents {
  LoomRocmCursor *event, *track;
  LoomRocpdStacks *stacks; /* NULL after loom_rocpd_events_forget() */
  LoomRowNames *texts;
  Word word; /* the category that was looked up last; valid if `has_word` */
  gboolean has_word;
  GHashTable *categories; /* set of the categories that were returned, in lower case and encoded as JSON without quotes;
                           * owns its elements */
  GString *message;       /* buffer for the text of a marker, encoded as JSON without quotes; reused for each event */
};

LoomRocpdEvents *
loom_rocpd_events_new (LoomDatabase *database, const char *table, const char *tracks, LoomRowNames *texts)
{
  static const char *const event[] = { "category_id", "stack_id", "parent_stack_id", "extdata", NULL },
                           *const track[] = { "pid", "tid", "name_id", NULL };
  LoomRocpdEvents *self = g_new0 (LoomRocpdEvents, 1);
  self->event = loom_rocm_cursor_new (database, table, "id", event);
  self->stacks = loom_rocpd_stacks_new (database, table);
  self->track = loom_rocm_cursor_new (database, tracks, "id", track);
  self->texts = texts;
  self->categories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->message = g_string_new (NULL);
  return self;
}

void
loom_rocpd_events_free (LoomRocpdEvents *self)
{
  loom_rocm_cursor_free (self->event);
  loom_rocm_cursor_free (self->track);
  loom_rocpd_stacks_free (self->stacks);
  g_hash_table_unref (self->categories);
  g_string_free (self->message, TRUE);
  g_free (self);
}

void
loom_rocpd_events_forget (LoomRocpdEvents *self)
{
  g_clear_pointer (&self->stacks, loom_rocpd_stacks_free);
}

/* Sets the stack id and the category of an event. Returns FALSE if the file does not contain the event. */
static gboolean
find_event (LoomRocpdEvents *self, gint64 event, gint64 *stack, gint64 *category)
{
  if (self->stacks != NULL && loom_rocpd_stacks_find (self->stacks, event, stack, category))
    return TRUE;
  if (!loom_rocm_cursor_find (self->event, event))
    return FALSE;
  *stack = sqlite3_column_int64 (self->event->row, EVENT_STACK);
  *stack = *stack != 0 ? *stack : sqlite3_column_int64 (self->event->row, EVENT_PARENT_STACK);
  *category = sqlite3_column_int64 (self->event->row, EVENT_CATEGORY);
  return TRUE;
}

gint64
loom_rocpd_events_find_stack (LoomRocpdEvents *self, gint64 event)
{
  gint64 stack, category;
  return find_event (self, event, &stack, &category) ? stack : 0;
}

static gboolean
begins (const char *text, const char *const *words)
{
  for (; *words != NULL; words++)
    if (g_str_has_prefix (text, *words))
      return TRUE;
  return FALSE;
}

/* Returns the category of an event as the file states it. Valid until the next call. */
static const Word *
find_word (LoomRocpdEvents *self, gint64 event)
{
  static const char *const markers[] = { "MARKER", "rocm_marker", NULL };
  static const Word none = { 0 };
  gint64 stack, category;
  if (!find_event (self, event, &stack, &category))
    return &none;
  if (self->has_word && self->word.id == category)
    return &self->word;
  const char *word = loom_row_names_get (self->texts, category);
  self->word = (Word) { category, word, word != NULL && begins (word, markers) };
  self->has_word = TRUE;
  return &self->word;
}

static const char *
keep_in_lower_case (LoomRocpdEvents *self, const char *word)
{
  g_autofree char *lower = g_ascii_strdown (word, -1);
  gpointer known;
  if (g_hash_table_lookup_extended (self->categories, lower, &known, NULL))
    return known;
  known = g_steal_pointer (&lower);
  g_hash_table_add (self->categories, known);
  return known;
}

const char *
loom_rocpd_events_find_category (LoomRocpdEvents *self, gint64 event, const char *name)
{
  /* rocprofv3 writes words such as HIP_RUNTIME_API_EXT; rocprof-sys writes the words in lower case, and "user" for
   * regions that the program marked */
  static const char *const annotations[] = { "MARKER", "RCCL", "rocm_marker", "rocm_rccl", "user", NULL },
                           *const calls[] = { "HIP_", "HSA_", "rocm_hip", "rocm_hsa", NULL },
                           *const names[] = { "hip", "hsa_", NULL };
  const char *word = find_word (self, event)->word;
  if (word == NULL || word[0] == '\0')
    return name != NULL && begins (name, names) ? RUNTIME : "region";
  if (begins (word, annotations))
    return ANNOTATION;
  return begins (word, calls) ? RUNTIME : keep_in_lower_case (self, word);
}

const char *
loom_rocpd_events_find_message (LoomRocpdEvents *self, gint64 event)
{
  const char *data = find_word (self, event)->is_marker && loom_rocm_cursor_find (self->event, event)
                       ? (const char *) sqlite3_column_text (self->event->row, EVENT_DATA)
                       : NULL;
  if (data == NULL)
    return NULL;
  LoomJsonSlice message = loom_json_slice_member ((LoomJsonSlice) { data, strlen (data) }, "message");
  if (!loom_json_slice_is_string (message))
    return NULL;
  g_autofree char *decoded = loom_json_slice_dup_decoded (message);
  g_string_truncate (self->message, 0);
  loom_row_names_append_escaped (self->message, decoded, strlen (decoded));
  return self->message->len > 0 ? self->message->str : NULL;
}

void
loom_rocpd_events_find_track (LoomRocpdEvents *self, sqlite3_stmt *sample, gint64 *process, gint64 *thread)
{
  gboolean found = loom_rocm_cursor_find (self->track, sqlite3_column_int64 (sample, SAMPLE_TRACK));
  *process = found ? sqlite3_column_int64 (self->track->row, TRACK_PROCESS) : 0;
  *thread = found ? sqlite3_column_int64 (self->track->row, TRACK_THREAD) : 0;
}

gint64
loom_rocpd_events_get_event (sqlite3_stmt *sample)
{
  return sqlite3_column_int64 (sample, SAMPLE_EVENT);
}

/* Returns the name of a sample, encoded as JSON without quotes. The name is the text of the sample; if it has none, the
 * name of its track; if the track has no name, the category. NULL: the sample has none of these. */
static const char *
find_sample_name (LoomRocpdEvents *self, sqlite3_stmt *sample)
{
  const char *name = loom_rocpd_events_find_message (self, loom_rocpd_events_get_event (sample));
  if (name == NULL && loom_rocm_cursor_find (self->track, sqlite3_column_int64 (sample, SAMPLE_TRACK)))
    name = loom_row_names_get (self->texts, sqlite3_column_int64 (self->track->row, TRACK_NAME));
  return name != NULL ? name : find_word (self, loom_rocpd_events_get_event (sample))->word;
}

void
loom_rocpd_events_format_sample (LoomRocpdEvents *self, LoomRocmReader *reader, sqlite3_stmt *sample, const char *place,
                                 gboolean is_first, GString *text)
{
  gint64 time_ns = sqlite3_column_int64 (sample, SAMPLE_TIME), event = loom_rocpd_events_get_event (sample);
  reader->common.losses[LOOM_ROCM_TIMELESS] += is_first && time_ns <= 0;
  if (time_ns <= 0)
    return;
  const char *name = find_sample_name (self, sample);
  loom_made_json_append (text, "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"");
  loom_made_json_append (text, loom_rocpd_events_find_category (self, event, name));
  loom_made_json_append (text, "\",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  loom_rocm_append_name (reader, text, name, event, is_first);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"args\":{\"correlation\":");
  loom_made_json_append_int (text, loom_rocpd_events_find_stack (self, event));
  loom_made_json_append (text, "}},\n");
}
