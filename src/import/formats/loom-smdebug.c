/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports framework timelines of SageMaker Debugger (smdebug). All files of one writer (node id and kind) are imported
 * together, as a stream in the order of the times in their names. A pid in a file is the number of a phase (such as
 * “Forward”). The files define these numbers in metadata events; the latest definition applies.
 */
#include "loom-chrome-importer.h"

#include "loom-chrome-track-cache.h"
#include "loom-horovod-anchor.h"
#include "loom-sniff.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_START_NS (G_GINT64_CONSTANT (9000000000) * LOOM_NS_PER_S)

/* Kinds of values in LoomChromeImporter.carry, which is kept from one file of a writer to the next. For each pid,
 * CARRY_PROCESS is the key of its current process, and CARRY_FILE is the number of the file that defined the pid
 * last. */
enum { CARRY_PROCESS = 'p', CARRY_FILE = 'f' };

typedef struct {
  guint n_files; /* number of files that have been opened so far */
  char file[16]; /* number of the file that is being read, as text */
  char *node_id;
  char *node;
  gint rank;
  const char *kind;    /* kind of the timeline and end of the file name, such as "pythontimeline.json" */
  gboolean horovod;    /* TRUE: the files are timelines of Horovod, according to `kind` */
  gint64 name_time_ns; /* end of the latest event, which the file's name states, in ns since 1970; 0: unknown */
  /* TRUE: the time in the file's name is too large for a gint64 in ns, so name_time_ns is 0 */
  gboolean has_far_name;
  gint64 start_ns;      /* latest start time in the metadata of earlier files, in ns since 1970; 0: none */
  gint64 first_ns;      /* for Horovod: time of the first event of the first file; LOOM_TIME_NONE: none yet */
  gint64 shift_ns;      /* for Horovod: difference that is added to the times in the files
                         * (loom_horovod_anchor_find()) */
  gboolean is_anchored; /* TRUE: the first file was read, and shift_ns is known */
} Stream;

static guint32
phase_process (LoomChromeImporter *chrome, Stream *stream, const char *key)
{
  /* All files of a writer share one process for each phase, whichever file defines the phase. */
  guint32 process = loom_trace_builder_process (chrome->builder, 0, key, strlen (key));
  loom_trace_builder_process_set_place (chrome->builder, process, stream->node, stream->rank);
  return process;
}

/* Returns TRUE if the metadata of this file defines the pid; FALSE if only an earlier file or no file defines it. */
static gboolean
is_own (LoomChromeImporter *chrome, const Stream *stream, LoomJsonSlice id)
{
  return g_strcmp0 (loom_chrome_carry_over_get (chrome->carry, CARRY_FILE, id), stream->file) == 0;
}

static char *
unknown_key (LoomJsonSlice id)
{
  return g_strdup_printf ("?%.*s", (int) id.length, id.text);
}

static void
define_phase (LoomChromeImporter *chrome, LoomJsonSlice pid, const char *name)
{
  Stream *stream = chrome->data;
  LoomJsonSlice id = loom_chrome_importer_id_key (pid);
  g_autofree char *unknown = unknown_key (id);
  const char *known = loom_chrome_carry_over_get (chrome->carry, CARRY_PROCESS, id);
  if (g_strcmp0 (known, unknown) == 0) {
    /* Events with this pid came before its definition and were put into a temporary process, which now gets the defined
     * name. */
    loom_trace_builder_process_set_label (chrome->builder, phase_process (chrome, stream, unknown), name);
  }
  guint32 process = phase_process (chrome, stream, name);
  if (g_strcmp0 (known, name) == 0 && is_own (chrome, stream, id))
    return; /* already known: some writers repeat the definition before every event */
  loom_chrome_track_cache_reset (chrome->lanes);
  loom_trace_builder_process_set_label (chrome->builder, process, name);
  loom_chrome_carry_over_set (chrome->carry, CARRY_FILE, id, stream->file);
  loom_chrome_carry_over_set (chrome->carry, CARRY_PROCESS, id, name);
}

static void
take_start (LoomChromeImporter *chrome, LoomJsonSlice value)
{
  LoomExactTime time;
  if (!loom_parse_time_parse_us (value.text, value.length, &time) || time.ns < LOOM_TIME_EPOCH_MIN ||
      time.ns >= MAX_START_NS)
    return;
  if (chrome->base_ns == 0 && loom_chrome_importer_is_ahead (chrome)) {
    /* The start time may also apply to events before this piece of the file, and another reader reads those events.
     * Therefore the piece is refused: the reader of the whole file must read it again. */
    chrome->refused = TRUE;
    return;
  }
  /* the first start time in the file applies to the events before it, too */
  if (chrome->base_ns == 0 && chrome->n_timed > 0) {
    loom_trace_builder_shift_source (chrome->builder, chrome->source,
                                     loom_time_add (time.ns, ((Stream *) chrome->data)->shift_ns));
    loom_import_log_add (
      chrome->info->log, LOOM_SEVERITY_WARNING, "late-start", LOOM_OFFSET_NONE,
      "The file states its start time only after some events; the start time was applied to these events as well");
  }
  chrome->base_ns = loom_time_add (time.ns, ((Stream *) chrome->data)->shift_ns);
}

static guint32
process_for (LoomChromeImporter *chrome, const LoomEvent *event)
{
  Stream *stream = chrome->data;
  LoomJsonSlice id = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_PID]);
  const char *known = loom_chrome_carry_over_get (chrome->carry, CARRY_PROCESS, id);
  char phase = loom_event_phase (event);
  if (known != NULL && !(phase == 'i' && !is_own (chrome, stream, id)))
    return phase_process (chrome, stream, known);
  /* An instant with a pid that this file does not define: the pid is the number of a phase whose name the file does not
   * contain. The instant gets a process named after the kind of the timeline. */
  if (phase == 'i') {
    g_autofree char *label = g_strndup (stream->kind, strcspn (stream->kind, "."));
    guint32 process = phase_process (chrome, stream, label);
    loom_trace_builder_process_set_label (chrome->builder, process, label);
    return process;
  }
  g_autofree char *key = unknown_key (id);
  guint32 process = phase_process (chrome, stream, key);
  loom_trace_builder_process_set_label (chrome->builder, process, "Unknown");
  loom_chrome_carry_over_set (chrome->carry, CARRY_PROCESS, id, key);
  return process;
}

static gboolean
on_metadata (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  if (loom_json_slice_equal (name, "\"process_name\"")) {
    LoomJsonSlice start = loom_json_slice_member (args, "start_time_since_epoch_in_micros"),
                  label = loom_json_slice_member (args, "name");
    if (start.text != NULL)
      take_start (chrome, start);
    if (label.text != NULL) {
      g_autofree char *text = loom_json_slice_dup_decoded (label);
      define_phase (chrome, event->member[LOOM_MEMBER_PID], text);
    }
    return TRUE;
  }
  if (loom_json_slice_equal (name, "\"thread_name\"") || loom_json_slice_equal (name, "\"thread_sort_index\"")) {
    LoomJsonSlice label = loom_json_slice_member (args, "name"),
                  tid = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_TID]);
    if (label.text != NULL && tid.length > 0) {
      guint32 thread = loom_trace_builder_thread (chrome->builder, process_for (chrome, event), tid.text, tid.length);
      loom_trace_builder_thread_set_label (chrome->builder, thread, loom_chrome_importer_text (chrome, label));
    }
    return TRUE;
  }
  return loom_json_slice_equal (name, "\"process_sort_index\"");
}

/* Quick test: returns TRUE if a string in args ends in "id", like the keys "tid" and "thread_id". */
static gboolean
may_name_thread (LoomJsonSlice args)
{
  const char *end = args.text + args.length;
  for (const char *p = args.text + MIN (args.length, 4); (p = memchr (p, '"', (gsize) (end - p))) != NULL; p++)
    if (p[-1] == 'd' && p[-2] == 'i')
      return TRUE;
  return FALSE;
}

/* Returns the value of the member "thread_id" of args. If args lack this member, returns the value of "tid"; if they
 * lack both, a slice with text NULL. */
static LoomJsonSlice
thread_in_args (LoomJsonSlice args)
{
  LoomJsonIter iter;
  LoomJsonSlice thread_id = { NULL, 0 }, tid = { NULL, 0 }, key, value;
  if (!loom_json_slice_is_object (args) || !may_name_thread (args) || !loom_json_slice_iter_init (&iter, args))
    return tid;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (loom_json_slice_equal (key, "\"thread_id\""))
      thread_id = value;
    else if (loom_json_slice_equal (key, "\"tid\""))
      tid = value;
  }
  return thread_id.text != NULL ? thread_id : tid;
}

/* Returns the id of the thread on which the event is shown: the thread in its args or, without one, its tid. For phases
 * B and E only the tid is used, because end events (E) often have no args. */
static LoomJsonSlice
lane_of (const LoomEvent *event)
{
  LoomJsonSlice tid = event->member[LOOM_MEMBER_TID], args = event->member[LOOM_MEMBER_ARGS];
  char phase = loom_event_phase (event);
  if (phase == 'B' || phase == 'E')
    return loom_chrome_importer_id_key (tid);
  LoomJsonSlice inside = thread_in_args (args);
  if (loom_json_slice_is_string (inside) && inside.length > 2 &&
      strspn (inside.text + 1, "0123456789") == inside.length - 2)
    /* native code writes the id as a string of digits; the quotes are removed */
    return (LoomJsonSlice) { inside.text + 1, inside.length - 2 };
  if (inside.text != NULL && (inside.text[0] == '"' || inside.text[0] == '-' || g_ascii_isdigit (inside.text[0])))
    return loom_chrome_importer_id_key (inside);
  return loom_chrome_importer_id_key (tid);
}

static void
on_place (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  Stream *stream = chrome->data;
  LoomJsonSlice lane = lane_of (event), pid = event->member[LOOM_MEMBER_PID];
  gboolean cached = loom_event_phase (event) != 'i';
  if (cached && loom_chrome_track_cache_find (chrome->lanes, pid, lane, process, thread))
    return;
  *process = process_for (chrome, event);
  *thread = loom_trace_builder_thread (chrome->builder, *process, lane.text, lane.length);
  if (lane.length == 0 && loom_trace_builder_thread_get_label (chrome->builder, *thread) == NULL)
    loom_trace_builder_thread_set_label (chrome->builder, *thread, stream->node_id);
  if (cached)
    loom_chrome_track_cache_add (chrome->lanes, pid, lane, *process, *thread);
}

static void
on_adjust (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  Stream *stream = chrome->data;
  gint64 own_ns = loom_time_sub (*start_ns, chrome->base_ns);
  if (own_ns >= LOOM_TIME_EPOCH_MIN && chrome->base_ns != 0)
    *start_ns = own_ns; /* the time in the file counts from 1970 already, so the base is subtracted again */
  if (stream->horovod) {
    loom_chrome_importer_adjust_tick (chrome, event, dur_ns);
    if (*start_ns >= LOOM_TIME_EPOCH_MIN && (stream->first_ns == LOOM_TIME_NONE || *start_ns < stream->first_ns))
      stream->first_ns = *start_ns;
  }
  if (*dur_ns == LOOM_DUR_OPEN && loom_event_phase (event) == 'X')
    *dur_ns = LOOM_DUR_TO_NEXT;
  if (*dur_ns > 0 && stream->name_time_ns != 0 && chrome->base_ns != 0 &&
      loom_time_add (*start_ns, *dur_ns) > loom_time_add (stream->name_time_ns, LOOM_NS_PER_S)) {
    *flags |= LOOM_REF_SUSPECT;
    loom_import_log_add (
      chrome->info->log, LOOM_SEVERITY_WARNING, "suspicious-duration", event->offset,
      "A span ends more than a second after the time in the file’s name; it is kept, but does not extend the time range of the run");
  }
}

/* Computes the base of the times in the file from the time in its name, which is the end of the latest event. */
static void
anchor_by_name (LoomChromeImporter *chrome, gint64 name_time_ns)
{
  gint64 base_ns = loom_time_sub (name_time_ns, chrome->max_end_ns);
  if (loom_time_is_saturated (base_ns)) {
    loom_chrome_importer_note_far_date (chrome, N_ ("the start time computed from the file’s name and its last event"));
    return;
  }
  loom_trace_builder_shift_source (chrome->builder, chrome->source, base_ns);
  loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_DERIVED, N_ ("end time in the file’s name"), base_ns);
  loom_import_log_add (
    chrome->info->log, LOOM_SEVERITY_WARNING, "no-start-time", LOOM_OFFSET_NONE,
    "Neither this file nor an earlier one has a start time, so the start time was computed from the file’s name");
}

/* Corrects the times of a timeline of Horovod if they are far too early. The times in the first file determine the
 * correction for all files. */
static void
anchor_horovod (LoomChromeImporter *chrome, Stream *stream)
{
  if (!stream->is_anchored && stream->first_ns != LOOM_TIME_NONE) {
    gint64 right_ns = loom_horovod_anchor_find (chrome->import->anchors, chrome->info->path, stream->node,
                                                stream->first_ns, chrome->import->progress);
    stream->is_anchored = TRUE;
    stream->shift_ns = right_ns != LOOM_TIME_NONE ? loom_time_sub (right_ns, stream->first_ns) : 0;
    chrome->base_ns = loom_time_add (chrome->base_ns, stream->shift_ns);
    loom_trace_builder_shift_source (chrome->builder, chrome->source, stream->shift_ns);
  }
  if (stream->shift_ns != 0)
    loom_import_log_add (
      chrome->info->log, LOOM_SEVERITY_WARNING, "horovod-start", LOOM_OFFSET_NONE,
      "The times in this file are far too early, because SageMaker Debugger misread the clock of Horovod; its first event was placed at the first event of the framework or of the system metrics");
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  Stream *stream = chrome->data;
  if (stream->horovod && chrome->base_ns != 0)
    anchor_horovod (chrome, stream);
  stream->start_ns = chrome->base_ns;
  if (stream->has_far_name)
    loom_chrome_importer_note_far_date (chrome, N_ ("the time in the file’s name"));
  chrome->info->node = g_strdup (stream->node);
  chrome->info->rank = stream->rank;
  if (stream->shift_ns != 0) {
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_APPROXIMATE, N_ ("first event of the job"), stream->start_ns);
  } else if (stream->start_ns != 0) {
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, "start_time_since_epoch_in_micros", stream->start_ns);
  } else if (loom_chrome_importer_is_absolute (chrome) && chrome->n_timed > 0) {
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("microseconds since 1970"), 0);
  } else if (stream->name_time_ns != 0 && chrome->n_timed > 0) {
    anchor_by_name (chrome, stream->name_time_ns);
  }
}

static void
open_file (Stream *stream, const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  const char *suffix;
  g_autofree char *node_id = NULL;
  gint64 time_us = 0;
  g_snprintf (stream->file, sizeof stream->file, "%u", stream->n_files++);
  if (loom_sniff_smdebug_parse_name (base, &time_us, &node_id, &suffix)) {
    stream->kind = suffix;
    time_us = time_us == G_MAXINT64 ? 0 : time_us;
  } else { /* the name has another form: guesses the kind and the node from it */
    stream->kind = strstr (base, "horovod") != NULL ? "horovod_timeline.json"
                   : strstr (base, "model") != NULL ? "model_timeline.json"
                                                    : "pythontimeline.json";
    node_id = g_strndup (base, strcspn (base, "_."));
  }
  stream->horovod = g_str_has_prefix (stream->kind, "horovod");
  gint64 name_time_ns = loom_time_from (time_us, LOOM_NS_PER_US);
  stream->has_far_name = loom_time_is_saturated (name_time_ns);
  stream->name_time_ns = stream->has_far_name ? 0 : loom_time_add (name_time_ns, stream->shift_ns);
  if (stream->node_id == NULL) {
    stream->node_id = g_steal_pointer (&node_id);
    loom_sniff_smdebug_split_node (stream->node_id, &stream->rank, &stream->node);
  }
}

gboolean
loom_importer_smdebug (LoomImporter *import, GError **error)
{
  static const LoomChromeImporterHooks hooks = { .metadata = on_metadata, .place = on_place, .adjust = on_adjust };
  g_autoptr (LoomChromeState) carry = loom_chrome_carry_over_new (NULL);
  Stream stream = { .rank = -1, .first_ns = LOOM_TIME_NONE };
  guint clock = loom_trace_builder_add_clock (import->builder);
  gboolean good = TRUE;
  for (guint i = 0; i < import->n_files && good; i++) {
    open_file (&stream, import->files[i]->path);
    LoomChromeImporterJob job = { .format = "smdebug",
                                  .hooks = &hooks,
                                  .data = &stream,
                                  .clock = clock,
                                  .base_ns = stream.start_ns,
                                  .splittable = !stream.horovod,
                                  .carry = carry,
                                  .keeps_places = TRUE,
                                  .finish = finish };
    good = loom_chrome_importer_read (import, import->files[i], &job, error);
  }
  g_free (stream.node_id);
  g_free (stream.node);
  return good;
}
