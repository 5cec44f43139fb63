/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds when a rotated timeline of Horovod really began. The interface is described in loom-horovod-anchor.h.
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

typedef struct {
  const char *node;
  gint64 metric_ns;               /* time in the name of the first file with system metrics */
  const LoomFoundFile *framework; /* the first timeline of the framework on the node; NULL: there is none */
  gint64 framework_us;            /* time in its name */
} Siblings;

/* Notes a file with system metrics. Their names begin with the time in s since 1970. */
static void
note_metrics (Siblings *siblings, const char *name)
{
  char *end;
  guint64 time_s = g_ascii_strtoull (name, &end, 10);
  if (end - name != 10 || *end != '.')
    return;
  gint64 time_ns = (gint64) time_s * LOOM_NS_PER_S;
  if (siblings->metric_ns == LOOM_TIME_NONE || time_ns < siblings->metric_ns)
    siblings->metric_ns = time_ns;
}

static void
note_timeline (Siblings *siblings, const LoomFoundFile *file, const char *name)
{
  gint64 time_us;
  gint number = -1;
  const char *suffix;
  g_autofree char *id = NULL, *host = NULL;
  if (!loom_sniff_smdebug_parse_name (name, &time_us, &id, &suffix) || strcmp (suffix, "pythontimeline.json") != 0)
    return;
  loom_sniff_smdebug_split_node (id, &number, &host);
  if (g_strcmp0 (host, siblings->node) != 0 || (siblings->framework != NULL && time_us >= siblings->framework_us))
    return;
  siblings->framework = file;
  siblings->framework_us = time_us;
}

/* Finds the files of the same job: those in the folders beside the folder of the timelines. */
static Siblings
find_siblings (const LoomImporter *import, const char *path, const char *node)
{
  Siblings siblings = { .node = node, .metric_ns = LOOM_TIME_NONE };
  const char *framework = g_strrstr (path, FRAMEWORK);
  gsize n = framework != NULL ? (gsize) (framework - path) : 0;
  for (guint i = 0; framework != NULL && import->all != NULL && i < import->all->len; i++) {
    const LoomFoundFile *file = g_ptr_array_index (import->all, i);
    if (strncmp (file->path, path, n) != 0)
      continue;
    g_autofree char *name = g_path_get_basename (file->path);
    if (g_str_has_prefix (file->path + n, SYSTEM))
      note_metrics (&siblings, name);
    else if (g_str_has_prefix (file->path + n, FRAMEWORK))
      note_timeline (&siblings, file, name);
  }
  return siblings;
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

/* Returns the time of the first event of a timeline of the framework, in ns since 1970; LOOM_TIME_NONE: unknown. */
static gint64
read_first (const LoomFoundFile *file)
{
  static const LoomScanHandler handler = { .event = on_event };
  First first = { .first_ns = LOOM_TIME_NONE };
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (file->path, file->origin, NULL, NULL);
  if (reader == NULL)
    return LOOM_TIME_NONE;
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, &first, FALSE);
  loom_stream_reader_scan (reader, scanner, 0, NULL);
  return first.first_ns;
}

gint64
loom_horovod_anchor_find (const LoomImporter *import, const char *path, const char *node, gint64 first_ns)
{
  Siblings siblings = find_siblings (import, path, node);
  if (siblings.metric_ns == LOOM_TIME_NONE || first_ns >= loom_time_sub (siblings.metric_ns, MOST_EARLY_NS))
    return LOOM_TIME_NONE;
  gint64 found_ns = siblings.framework != NULL ? read_first (siblings.framework) : LOOM_TIME_NONE;
  if (found_ns != LOOM_TIME_NONE && first_ns >= loom_time_sub (found_ns, MOST_EARLY_NS))
    return LOOM_TIME_NONE; /* the metrics begin later, because not all of them are open */
  return found_ns != LOOM_TIME_NONE ? found_ns : siblings.metric_ns;
}
