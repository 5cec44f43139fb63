/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the real start of a timeline of Horovod that SageMaker Debugger split into files. The interface is described in
 * loom-horovod-anchor.h.
 */
#include "loom-horovod-anchor.h"

#include "loom-event-scanner.h"
#include "loom-parse-time.h"
#include "loom-sniff.h"
#include "loom-time.h"

#include <string.h>

#define FRAMEWORK "/framework/"
#define SYSTEM "/system/"
#define MOST_EARLY_NS (3600 * LOOM_NS_PER_S)

/* The earliest file "…_pythontimeline.json" that one node wrote into the folder “framework” of a job. The time in the
 * name of the file determines which file is the earliest. */
typedef struct {
  char *path;
  LoomSourceLocation *origin; /* borrowed; NULL: the file is at `path` */
  gint64 name_us;             /* time in the name of the file, in µs since 1970 */
  GMutex lock;                /* guards the members below */
  gboolean is_read;
  gint64 first_ns; /* time of the first event in the file, in ns since 1970; LOOM_TIME_NONE: unknown */
} Timeline;

/* The files of a job: those in the folders “framework” and “system” of one folder. */
typedef struct {
  gint64 metric_ns;      /* time in the name of the first file with system metrics, in ns since 1970; LOOM_TIME_NONE:
                          * there is none */
  GHashTable *timelines; /* name of the node, "" if it is unknown → Timeline */
} Job;

struct _LoomHorovodAnchors {
  GHashTable *jobs; /* path of the folder of the job → Job */
};

static void
free_timeline (gpointer data)
{
  Timeline *timeline = data;
  g_mutex_clear (&timeline->lock);
  g_free (timeline->path);
  g_free (timeline);
}

static void
free_job (gpointer data)
{
  Job *job = data;
  g_hash_table_unref (job->timelines);
  g_free (job);
}

/* Returns the job whose folder is the first `length` bytes of `path`. Adds it if necessary. */
static Job *
job_at (LoomHorovodAnchors *self, const char *path, gsize length)
{
  g_autofree char *folder = g_strndup (path, length);
  Job *job = g_hash_table_lookup (self->jobs, folder);
  if (job != NULL)
    return job;
  job = g_new (Job, 1);
  job->metric_ns = LOOM_TIME_NONE;
  job->timelines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_timeline);
  g_hash_table_insert (self->jobs, g_steal_pointer (&folder), job);
  return job;
}

/* Notes a file with system metrics. The name of such a file begins with the time in s since 1970. */
static void
note_metrics (Job *job, const char *name)
{
  char *end;
  guint64 time_s = g_ascii_strtoull (name, &end, 10);
  if (end - name != 10 || *end != '.')
    return;
  gint64 time_ns = (gint64) time_s * LOOM_NS_PER_S;
  if (job->metric_ns == LOOM_TIME_NONE || time_ns < job->metric_ns)
    job->metric_ns = time_ns;
}

static Timeline *
timeline_of (Job *job, const char *host)
{
  Timeline *timeline = g_hash_table_lookup (job->timelines, host);
  if (timeline != NULL)
    return timeline;
  timeline = g_new0 (Timeline, 1);
  g_mutex_init (&timeline->lock);
  timeline->first_ns = LOOM_TIME_NONE;
  g_hash_table_insert (job->timelines, g_strdup (host), timeline);
  return timeline;
}

static void
note_timeline (Job *job, const LoomFoundFile *file, const char *name)
{
  gint64 time_us;
  gint number = -1;
  const char *suffix;
  g_autofree char *id = NULL, *host = NULL;
  if (!loom_sniff_smdebug_parse_name (name, &time_us, &id, &suffix) || strcmp (suffix, "pythontimeline.json") != 0)
    return;
  loom_sniff_smdebug_split_node (id, &number, &host);
  Timeline *timeline = timeline_of (job, host != NULL ? host : "");
  if (timeline->path != NULL && time_us >= timeline->name_us)
    return;
  g_free (timeline->path);
  timeline->path = g_strdup (file->path);
  timeline->origin = file->origin;
  timeline->name_us = time_us;
}

/* Notes a file in the job to which it belongs. If the path contains several folders “framework” or “system”, the last
 * of these folders determines the job. */
static void
note_file (LoomHorovodAnchors *self, const LoomFoundFile *file)
{
  const char *path = file->path, *name = strrchr (path, '/'), *system = g_strrstr (path, SYSTEM),
             *framework = g_strrstr (path, FRAMEWORK);
  if (system != NULL)
    note_metrics (job_at (self, path, (gsize) (system - path)), name + 1);
  if (framework != NULL)
    note_timeline (job_at (self, path, (gsize) (framework - path)), file, name + 1);
}

LoomHorovodAnchors *
loom_importer_horovod_anchors_new (const GPtrArray *files)
{
  LoomHorovodAnchors *self = g_new (LoomHorovodAnchors, 1);
  self->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_job);
  for (guint i = 0; i < files->len; i++)
    note_file (self, g_ptr_array_index (files, i));
  return self;
}

void
loom_importer_horovod_anchors_free (LoomHorovodAnchors *self)
{
  g_hash_table_unref (self->jobs);
  g_free (self);
}

/* Returns the job of the timeline at `path`; NULL if it belongs to none. */
static Job *
find_job (LoomHorovodAnchors *self, const char *path)
{
  const char *framework = g_strrstr (path, FRAMEWORK);
  if (self == NULL || framework == NULL)
    return NULL;
  g_autofree char *folder = g_strndup (path, (gsize) (framework - path));
  return g_hash_table_lookup (self->jobs, folder);
}

typedef struct {
  gint64 base_ns, first_ns;
} First;

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  First *first = user_data;
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS];
  LoomJsonSlice start = loom_event_phase (event) == 'M'
                          ? loom_json_slice_member (event->member[LOOM_MEMBER_ARGS], "start_time_since_epoch_in_micros")
                          : (LoomJsonSlice) { NULL, 0 };
  LoomExactTime time;
  if (start.text != NULL && loom_parse_time_parse_us (start.text, start.length, &time))
    first->base_ns = time.ns;
  if (loom_event_phase (event) == 'M' || ts.text == NULL || !loom_parse_time_parse_us (ts.text, ts.length, &time))
    return TRUE;
  gint64 time_ns = loom_time_add (first->base_ns, time.ns);
  if (time_ns >= LOOM_TIME_PLAUSIBLE_MIN && (first->first_ns == LOOM_TIME_NONE || time_ns < first->first_ns))
    first->first_ns = time_ns;
  return TRUE;
}

/* Reads a timeline that was recorded for the training framework, such as PyTorch, and not for Horovod. Sets
 * timeline->first_ns to the time of the earliest event in it. Returns FALSE if cancelled. */
static gboolean
read_first (Timeline *timeline, LoomProgress *progress)
{
  static const LoomScanHandler handler = { .event = on_event };
  First first = { .first_ns = LOOM_TIME_NONE };
  /* Uses a separate progress, because the progress of the load counts the bytes of this file later, when all events are
   * read. */
  g_autoptr (LoomProgress) own = loom_progress_new (loom_progress_get_cancellable (progress));
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (timeline->path, timeline->origin, own, NULL);
  if (reader != NULL) {
    g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, &first, FALSE);
    loom_stream_reader_scan (reader, scanner, 0, NULL);
  }
  if (loom_progress_is_cancelled (own))
    return FALSE;
  timeline->first_ns = first.first_ns;
  return TRUE;
}

/* Returns the time of the earliest event of the training framework on a node, in ns since 1970; LOOM_TIME_NONE:
 * unknown. */
static gint64
first_of_framework (const Job *job, const char *node, LoomProgress *progress)
{
  Timeline *timeline = g_hash_table_lookup (job->timelines, node != NULL ? node : "");
  if (timeline == NULL)
    return LOOM_TIME_NONE;
  g_mutex_lock (&timeline->lock);
  if (!timeline->is_read)
    timeline->is_read = read_first (timeline, progress);
  gint64 first_ns = timeline->first_ns;
  g_mutex_unlock (&timeline->lock);
  return first_ns;
}

/* Returns TRUE if the stated time `first_ns` of a timeline's first event is plausible for a job that began at
 * `began_ns`. */
static gboolean
is_credible (gint64 first_ns, gint64 began_ns)
{
  return first_ns >= loom_time_sub (began_ns, MOST_EARLY_NS);
}

gint64
loom_horovod_anchor_find (LoomHorovodAnchors *anchors, const char *path, const char *node, gint64 first_ns,
                          LoomProgress *progress)
{
  const Job *job = find_job (anchors, path);
  if (job == NULL || job->metric_ns == LOOM_TIME_NONE || is_credible (first_ns, job->metric_ns))
    return LOOM_TIME_NONE;
  gint64 found_ns = first_of_framework (job, node, progress);
  if (loom_progress_is_cancelled (progress))
    return LOOM_TIME_NONE;
  if (found_ns == LOOM_TIME_NONE)
    return job->metric_ns;
  /* The stated time is right if it agrees with the first time of the framework. In this case, the metrics seem to begin
   * later only because their first files were not loaded. */
  return is_credible (first_ns, found_ns) ? LOOM_TIME_NONE : found_ns;
}
