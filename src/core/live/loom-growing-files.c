/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-growing-files.h. Takes snapshots (loom-folder-snapshot.h: names, sizes and times of all opened
 * files), and reads files if a snapshot differs from the last one. The first snapshot after a load is compared with the
 * run.
 */
#include "loom-growing-files.h"

#include "loom-folder-snapshot.h"
#include "loom-session-file.h"

/* Delay between a file event and the snapshot, in ms. */
#define DEBOUNCE_MS 250
/* Intervals between snapshots when no file event arrives: WATCHED_MS if all folders can be monitored, else POLL_MS. */
#define WATCHED_MS 10000
#define POLL_MS 2000
/* Limits of the cost: snapshots take at most about 1/LOOK_SHARE of the time, and reading files takes at most about
 * 1/READ_SHARE. */
#define LOOK_SHARE 20
#define READ_SHARE 4
#define MOST_MONITORS 512

struct _LoomGrowingFiles {
  LoomDocument *document;
  gboolean active;
  GHashTable *monitors;     /* key: path of a folder (char *); value: GFileMonitor * */
  gboolean polls;           /* TRUE if not all folders could be monitored */
  GCancellable *looking;    /* cancels the worker that takes a snapshot; NULL: no worker is running */
  gint64 looking_us;        /* time when the worker that takes a snapshot was started, in µs */
  LoomFolderSnapshot *last; /* the last snapshot that was taken after the load; NULL: there is none */
  gboolean wanted;          /* TRUE if a file event arrived during the snapshot, so that another snapshot is needed */
  guint timer;
  gint64 due_us;     /* time at which `timer` fires, in µs */
  gint64 rest_us;    /* no snapshot is taken before this time of the monotonic clock, in µs */
  gint64 reading_us; /* start time of the running load if this object started it, in µs; 0: no such load */
};

static void look_in (LoomGrowingFiles *self, gint64 delay_ms);

static void
drop_look (LoomGrowingFiles *self)
{
  loom_worker_cancel (&self->looking);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->last, loom_folder_snapshot_free);
  self->wanted = FALSE;
  self->reading_us = 0;
}

/* --- monitors ----------------------------------------------------------------------------------------------------- */

static void
folder_changed (LoomGrowingFiles *self)
{
  if (self->looking != NULL)
    self->wanted = TRUE;
  else
    look_in (self, DEBOUNCE_MS);
}

static void
drop_monitor (gpointer monitor)
{
  g_file_monitor_cancel (monitor);
  g_object_unref (monitor);
}

/* Starts monitoring a folder. Returns FALSE if that is impossible. */
static gboolean
watch_folder (LoomGrowingFiles *self, const char *path)
{
  if (g_hash_table_contains (self->monitors, path))
    return TRUE;
  if (g_hash_table_size (self->monitors) >= MOST_MONITORS)
    return FALSE;
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GFileMonitor *monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (monitor == NULL)
    return FALSE;
  g_file_monitor_set_rate_limit (monitor, DEBOUNCE_MS);
  g_signal_connect_swapped (monitor, "changed", G_CALLBACK (folder_changed), self);
  g_hash_table_insert (self->monitors, g_strdup (path), monitor);
  return TRUE;
}

static void
watch_folders (LoomGrowingFiles *self, const LoomFolderSnapshot *look)
{
  const char *how = g_getenv ("LOOM_FOLLOW");
  self->polls = look->is_remote || g_strcmp0 (how, "poll") == 0;
  for (guint i = 0; i < look->folders->len && !self->polls; i++)
    self->polls = !watch_folder (self, look->folders->pdata[i]);
  if (self->polls)
    g_hash_table_remove_all (self->monitors);
}

/* --- snapshots ---------------------------------------------------------------------------------------------------- */

static void
rest (LoomGrowingFiles *self, gint64 from_us, guint share)
{
  gint64 now_us = g_get_monotonic_time ();
  self->rest_us = MAX (self->rest_us, now_us + (now_us - from_us) * share);
}

static void
take_look (LoomGrowingFiles *self, LoomFolderSnapshot *look)
{
  gboolean news = self->last != NULL ? !loom_folder_snapshot_equal (self->last, look)
                                     : loom_folder_snapshot_differs (look, loom_document_get_run (self->document));
  watch_folders (self, look);
  if (news && !loom_document_follow (self->document)) { /* another load is running; a new snapshot is taken after it */
    loom_folder_snapshot_free (look);
    return;
  }
  /* loom_document_follow() starts no load if the user cancelled the load of the run */
  if (news && loom_document_is_loading (self->document))
    self->reading_us = g_get_monotonic_time ();
  g_clear_pointer (&self->last, loom_folder_snapshot_free);
  self->last = look;
}

static void
looked (gpointer owner, gpointer look, const GError *error, gpointer input)
{
  LoomGrowingFiles *self = owner;
  rest (self, self->looking_us, LOOK_SHARE);
  take_look (self, look);
  look_in (self, self->wanted ? DEBOUNCE_MS : self->polls ? POLL_MS : WATCHED_MS);
  self->wanted = FALSE;
}

static gboolean
begin_look (gpointer data)
{
  LoomGrowingFiles *self = data;
  self->timer = 0;
  self->looking_us = g_get_monotonic_time ();
  loom_folder_snapshot_async (&self->looking, loom_document_get_paths (self->document), looked, self);
  return G_SOURCE_REMOVE;
}

static gboolean
can_look (LoomGrowingFiles *self)
{
  const char *const *paths = loom_document_get_paths (self->document);
  if (!self->active || loom_document_is_loading (self->document) || loom_document_get_run (self->document) == NULL)
    return FALSE;
  for (guint i = 0; paths[i] != NULL; i++)
    if (loom_session_file_is_location (paths[i]))
      return FALSE;
  return paths[0] != NULL;
}

/* Schedules a snapshot in `delay_ms`, unless one is already scheduled for an earlier time. */
static void
look_in (LoomGrowingFiles *self, gint64 delay_ms)
{
  gint64 now_us = g_get_monotonic_time (), due_us = MAX (now_us + delay_ms * 1000, self->rest_us);
  if (self->looking != NULL || !can_look (self) || (self->timer != 0 && self->due_us <= due_us))
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->due_us = due_us;
  self->timer = g_timeout_add ((guint) ((due_us - now_us) / 1000), begin_look, self);
}

/* Called when a load begins or ends. If the user began the load, drops the snapshot that is being taken. If a load has
 * ended, schedules the next snapshot. */
static void
loading_changed (LoomGrowingFiles *self)
{
  if (loom_document_is_loading (self->document)) {
    if (!loom_document_is_quiet (self->document))
      drop_look (self);
    return;
  }
  if (self->reading_us != 0)
    rest (self, self->reading_us, READ_SHARE);
  self->reading_us = 0;
  if (self->last == NULL)
    g_hash_table_remove_all (self->monitors);
  look_in (self, DEBOUNCE_MS);
}

LoomGrowingFiles *
loom_growing_files_new (LoomDocument *document)
{
  LoomGrowingFiles *self = g_new0 (LoomGrowingFiles, 1);
  self->document = document;
  self->active = TRUE;
  self->monitors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, drop_monitor);
  g_signal_connect_swapped (document, "loading-changed", G_CALLBACK (loading_changed), self);
  return self;
}

void
loom_growing_files_free (LoomGrowingFiles *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->document, self);
  drop_look (self);
  g_hash_table_unref (self->monitors);
  g_free (self);
}

void
loom_growing_files_set_active (LoomGrowingFiles *self, gboolean active)
{
  if (self->active == active)
    return;
  self->active = active;
  drop_look (self);
  g_hash_table_remove_all (self->monitors);
  look_in (self, 0);
}
