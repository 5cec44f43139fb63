/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-names.h: collects the names of all traces in a worker, and searches them.
 */
#include "loom-query-names.h"

#include "loom-track-name.h"

#include <gio/gio.h>
#include <string.h>

/* --- collecting --------------------------------------------------------------------------------------------------- */

static void
add (GHashTable *names, const char *text)
{
  if (text == NULL || text[0] == '\0' || g_hash_table_size (names) >= LOOM_QUERY_NAMES_MOST)
    return;
  if (strlen (text) <= LOOM_QUERY_NAMES_LONGEST && g_utf8_validate (text, -1, NULL))
    g_hash_table_add (names, (gpointer) text);
}

/* Adds the names of tracks, processes and threads. The set borrows the texts of the trace. */
static void
add_tracks (GHashTable *names, const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    add (names, track->name);
    add (names, track->process);
    if (loom_track_name_get_origin (track) != LOOM_TRACK_NAME_STREAM)
      add (names, track->thread);
  }
}

static void
add_names (GHashTable *names, const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    add (names, name->category);
    add (names, name->text);
  }
}

/* Calls `add_some` for each trace of the run. Returns FALSE when cancelled. */
static gboolean
add_each (LoomRun *run, GHashTable *names, void (*add_some) (GHashTable *names, const LoomTrace *trace),
          GCancellable *cancellable)
{
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    add_some (names, loom_run_get_trace (run, t));
  }
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;
  int order = g_ascii_strcasecmp (x, y);
  return order != 0 ? order : strcmp (x, y);
}

/* Returns copies of the names of the set, sorted; owned by the caller. */
static GPtrArray *
sort (GHashTable *names)
{
  GPtrArray *sorted = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (sorted, g_strdup (name));
  g_ptr_array_sort (sorted, compare);
  return sorted;
}

/* Collects the names of tracks first, because there are few of them. If the names of spans came first, the names of the
 * spans of a single trace could use up the limit. */
GPtrArray *
loom_query_names_collect (LoomTimeline *timeline, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  if (!add_each (run, names, add_tracks, cancellable) || !add_each (run, names, add_names, cancellable))
    return NULL;
  return sort (names);
}

GPtrArray *
loom_query_names_collect_values (LoomQueryRun *run, const char *sql, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 0, cancellable, NULL);
  while (query != NULL && loom_query_next (query, NULL) == LOOM_QUERY_ROW)
    if (loom_query_get_type (query, 0) == LOOM_QUERY_TEXT)
      g_ptr_array_add (texts, g_strdup (loom_query_get_text (query, 0, NULL)));
  for (guint i = 0; i < texts->len; i++)
    add (names, texts->pdata[i]);
  return g_cancellable_is_cancelled (cancellable) ? NULL : sort (names);
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

/* Rates how well a name fits the typed text: 0 if the name begins with `text`, 1 if it contains `text` elsewhere, 2 if
 * it does not contain `text`. `text` is in lower case. */
static guint
rate (const char *name, const char *text, gsize length)
{
  char first = text[0];
  if (g_ascii_strncasecmp (name, text, length) == 0)
    return 0;
  for (const char *at = name; *at != '\0'; at++)
    if (g_ascii_tolower (*at) == first && g_ascii_strncasecmp (at, text, length) == 0)
      return 1;
  return 2;
}

GPtrArray *
loom_query_names_find (const GPtrArray *names, const char *text, guint most)
{
  g_autofree char *lower = g_ascii_strdown (text, -1);
  gsize length = strlen (lower);
  GPtrArray *found = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  for (guint i = 0; i < names->len && found->len < most; i++) {
    guint place = rate (names->pdata[i], lower, length);
    if (place < 2 && (place == 0 ? found : others)->len < most)
      g_ptr_array_add (place == 0 ? found : others, names->pdata[i]);
  }
  for (guint i = 0; i < others->len && found->len < most; i++)
    g_ptr_array_add (found, others->pdata[i]);
  return found;
}
