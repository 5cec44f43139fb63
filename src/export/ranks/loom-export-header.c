/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the head of a file in the ranks layout (Chrome trace JSON). The head contains the origin of the times, the
 * applied clock maps, and a table of the new pids and tids. For each pid and tid, the table has the key of the process
 * or thread in the input.
 */
#include <string.h>

#include "loom-export-head.h"
#include "loom-export-private.h"
#include "loom-import-losses.h"
#include "loom-installed.h"
#include "loom-track-rank.h"

#define LAYOUT_VERSION 1

static void
append_bool (GString *out, const char *key, gboolean value)
{
  loom_trace_event_writer_append_key (out, key);
  g_string_append (out, value ? "true" : "false");
}

/* Appends a drift in parts per 10⁹. `drift_ppt`: the drift in parts per 10¹². The number is exact, because no double is
 * used. */
static void
append_drift (GString *out, gint64 drift_ppt)
{
  char digits[LOOM_TIME_US_MAX];
  loom_trace_event_writer_append_key (out, "drift_ppb");
  g_string_append_len (out, digits, (gssize) loom_time_write_us (drift_ppt, digits));
}

static void
append_clock (LoomExport *merge, GString *out, guint number)
{
  const LoomSource *source = loom_run_get_source (merge->run, number);
  LoomAlignment *alignment = loom_timeline_get_alignment (merge->timeline);
  const LoomClockFit *fit = loom_alignment_get (alignment, loom_run_get_clock_of_source (merge->run, number));
  g_string_append_c (out, '{');
  loom_trace_event_writer_append_int (out, "source", number);
  loom_export_head_append_source (out, source);
  loom_trace_event_writer_append_text (out, "format", source->format);
  loom_trace_event_writer_append_text (out, "node", source->node);
  loom_trace_event_writer_append_worker (out, source->rank, loom_rank_label_is_process (source->format, source->rank));
  loom_trace_event_writer_append_text (out, "state", loom_declared_clock_state_to_string (fit->state));
  loom_trace_event_writer_append_text (out, "basis", fit->basis);
  loom_trace_event_writer_append_int (out, "offset_ns", fit->map.offset_ns);
  append_drift (out, fit->map.drift_ppt);
  loom_trace_event_writer_append_int (out, "reference_ns", fit->map.reference_ns);
  loom_trace_event_writer_append_int (out, "user_offset_ns", fit->user_offset_ns);
  loom_trace_event_writer_append_known (out, "error_ns", fit->error_ns);
  loom_trace_event_writer_append_known (out, "residual_ns", fit->residual_ns);
  append_bool (out, "placed", fit->placed);
  g_string_append_c (out, '}');
}

static void
append_clocks (LoomExport *merge, GString *out)
{
  gboolean first = TRUE;
  g_string_append (out, "\"clocks\":[");
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    if (!loom_export_wants (merge, i))
      continue;
    g_string_append (out, first ? "\n" : ",\n");
    append_clock (merge, out, i);
    first = FALSE;
  }
  g_string_append (out, "],\n");
}

static const struct {
  guint flag;
  const char *word;
} flag_words[] = { { LOOM_TRACK_DERIVED, "derived" },
                   { LOOM_TRACK_COLLAPSED, "collapsed" },
                   { LOOM_TRACK_NO_EXTENT, "no-extent" },
                   { LOOM_TRACK_DEVICE, "device" },
                   { LOOM_TRACK_GLOBAL, "global" } };

void
loom_export_append_flag_words (GString *out, guint flags)
{
  for (guint i = 0; i < G_N_ELEMENTS (flag_words); i++)
    if ((flags & flag_words[i].flag) != 0)
      g_string_append_printf (out, " %s", flag_words[i].word);
}

static void
append_flags (GString *out, guint flags)
{
  /* two flags have no word here: LOOM_TRACK_PROCESS_ID is written as the member "process_id", and
   * LOOM_TRACK_RANKLESS is known from the absence of a rank */
  if ((flags & ~(guint) (LOOM_TRACK_PROCESS_ID | LOOM_TRACK_RANKLESS)) == 0)
    return;
  loom_trace_event_writer_append_key (out, "flags");
  g_string_append_c (out, '[');
  for (guint i = 0; i < G_N_ELEMENTS (flag_words); i++) {
    if ((flags & flag_words[i].flag) == 0)
      continue;
    if (out->str[out->len - 1] != '[')
      g_string_append_c (out, ',');
    loom_json_slice_append_string (out, flag_words[i].word, strlen (flag_words[i].word));
  }
  g_string_append_c (out, ']');
}

static void
append_threads (GString *out, const LoomPidTidProcess *process)
{
  gboolean first = TRUE;
  loom_trace_event_writer_append_key (out, "threads");
  g_string_append_c (out, '[');
  for (guint i = 0; i < process->threads->len; i++) {
    const LoomPidTidThread *thread = g_ptr_array_index (process->threads, i);
    if (!thread->written)
      continue;
    g_string_append (out, first ? "{" : ",{");
    loom_trace_event_writer_append_int (out, "tid", thread->tid);
    loom_trace_event_writer_append_text (out, "key", thread->track->thread_key);
    append_flags (out, thread->flags);
    g_string_append_c (out, '}');
    first = FALSE;
  }
  g_string_append_c (out, ']');
}

static gboolean
is_alone (const LoomExport *merge, const LoomPidTidProcess *process)
{
  guint n = 0;
  for (guint i = 0; i < merge->places->processes->len; i++) {
    const LoomPidTidProcess *other = merge->places->processes->pdata[i];
    n += other->written && loom_export_get_source (merge, other) == loom_export_get_source (merge, process);
  }
  return n == 1;
}

char *
loom_export_dup_process_name (const LoomExport *merge, const LoomPidTidProcess *process)
{
  const char *path = loom_run_get_source (merge->run, loom_export_get_source (merge, process))->path,
             *label = process->track->process;
  const char *name = loom_source_overrides_get_name (merge->options->edits, path);
  if (name == NULL)
    return g_strdup (label);
  return *label == '\0' || is_alone (merge, process) ? g_strdup (name) : g_strdup_printf ("%s · %s", name, label);
}

/* Returns TRUE if the name of a process contains the rank. "python (Rank 1)" contains "rank 1"; "rank 12" does not. */
static gboolean
says_rank (const char *process, const char *rank)
{
  gsize n = strlen (rank);
  g_autofree char *label = g_ascii_strdown (process, -1);
  for (const char *at = label; (at = strstr (at, rank)) != NULL; at++)
    if (!g_ascii_isdigit (at[n]) && (at == label || !g_ascii_isalnum (at[-1])))
      return TRUE;
  return FALSE;
}

char *
loom_export_dup_ranked_name (const LoomExport *merge, const LoomPidTidProcess *process)
{
  char *name = loom_export_dup_process_name (merge, process);
  gint rank = process->track->rank;
  gboolean is_process = loom_track_rank_is_process (process->track, loom_export_get_format (merge, process));
  g_autofree char *word = g_strdup_printf (is_process ? "process %d" : "rank %d", rank);
  if (rank < 0 || says_rank (name, word))
    return name;
  char *ranked = *name != '\0' ? g_strdup_printf ("%s · %s", word, name) : g_strdup (word);
  g_free (name);
  return ranked;
}

/* Writes path and format of the file that recorded the process, if the source is the result of an earlier merge. For
 * other sources, the list of clocks already contains path and format. */
static void
append_recorder (const LoomExport *merge, GString *out, const LoomPidTidProcess *process)
{
  if (strcmp (process->track->format, loom_export_get_format (merge, process)) == 0)
    return;
  loom_trace_event_writer_append_text (out, "path", process->track->path);
  loom_trace_event_writer_append_text (out, "format", process->track->format);
}

static void
append_processes (LoomExport *merge, GString *out)
{
  gboolean first = TRUE;
  g_string_append (out, "\"processes\":[");
  for (guint i = 0; i < merge->places->processes->len; i++) {
    const LoomPidTidProcess *process = merge->places->processes->pdata[i];
    guint source = loom_export_get_source (merge, process);
    if (!process->written || !loom_export_wants (merge, source))
      continue;
    g_autofree char *name = loom_export_dup_process_name (merge, process);
    g_string_append (out, first ? "\n{" : ",\n{");
    loom_trace_event_writer_append_int (out, "pid", process->pid);
    loom_trace_event_writer_append_int (out, "source", source);
    loom_trace_event_writer_append_text (out, "key", process->track->process_key);
    loom_trace_event_writer_append_text (out, "node", process->track->node);
    loom_trace_event_writer_append_worker (
      out, process->track->rank, loom_track_rank_is_process (process->track, loom_export_get_format (merge, process)));
    loom_trace_event_writer_append_text (out, "name", name);
    append_recorder (merge, out, process);
    append_flags (out, process->flags);
    append_threads (out, process);
    g_string_append_c (out, '}');
    first = FALSE;
  }
  g_string_append (out, "]");
}

static void
append_unit (GString *out, gint64 pid, const LoomTrack *track, const LoomSeries *series)
{
  g_string_append (out, out->str[out->len - 1] == '[' ? "\n{" : ",\n{");
  loom_trace_event_writer_append_int (out, "pid", pid);
  loom_trace_event_writer_append_text (out, "category", track->category);
  loom_trace_event_writer_append_text (out, "name", track->name);
  loom_trace_event_writer_append_text (out, "id", track->id);
  loom_trace_event_writer_append_text (out, "series", series->name);
  loom_trace_event_writer_append_text (out, "unit", series->unit);
  g_string_append_c (out, '}');
}

static void
append_units_of (const LoomExport *merge, GString *out, guint number)
{
  const LoomTrace *trace = loom_run_get_trace (merge->run, number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    const LoomPidTidProcess *process = loom_pid_tid_map_process_of (merge->places, number, i);
    if (track->kind != LOOM_TRACK_COUNTER || !process->written ||
        !loom_export_wants (merge, loom_export_get_source (merge, process)))
      continue;
    for (guint k = 0; k < track->n_series; k++) {
      const LoomSeries *series = loom_trace_get_series (trace, track->first_series + k);
      if (series->unit[0] != '\0')
        append_unit (out, process->pid, track, series);
    }
  }
}

/* Writes a list with the units of all counters, because a counter event has no member for its unit. */
static void
append_units (const LoomExport *merge, GString *out)
{
  g_string_append (out, ",\n\"units\":[");
  for (guint t = 0; t < loom_run_get_n_traces (merge->run); t++)
    append_units_of (merge, out, t);
  g_string_append_c (out, ']');
}

/* Writes a list that names the parts of the input which could not be read and are therefore missing in the file. Writes
 * nothing if there are none. */
static void
append_losses (LoomExport *merge, GString *out)
{
  g_autoptr (GArray) losses = loom_import_losses_new (merge->run);
  gboolean first = TRUE;
  for (guint i = 0; i < losses->len; i++) {
    const LoomMissingInput *loss = &g_array_index (losses, LoomMissingInput, i);
    gboolean wanted = loss->source != G_MAXUINT ? loom_export_wants (merge, loss->source) : merge->wanted == NULL;
    if (!wanted)
      continue;
    g_string_append (out, first ? "\"incomplete\":[\n{" : ",\n{");
    loom_trace_event_writer_append_text (out, "file", loss->path);
    loom_trace_event_writer_append_text (out, "code", loss->code);
    loom_trace_event_writer_append_text (out, "message", loss->message);
    g_string_append_c (out, '}');
    first = FALSE;
  }
  if (!first)
    g_string_append (out, "],\n");
}

/* --- distributedInfo ---------------------------------------------------------------------------------------------- */

#define DISTRIBUTED "distributedInfo"

/* Returns the object "distributedInfo" of a source's file; a slice without text if the file does not have this
 * object. */
static LoomJsonSlice
find_distributed (const LoomSource *source)
{
  LoomJsonSlice found = { NULL, 0 };
  for (guint i = 0; i + 1 < source->facts->len; i += 2) {
    const char *value = source->facts->pdata[i + 1];
    if (strcmp (source->facts->pdata[i], DISTRIBUTED) == 0 && *value == '{')
      found = (LoomJsonSlice) { value, strlen (value) };
  }
  return found;
}

/* Returns TRUE if the member `key` has this value in the object "distributedInfo" of every written source. Sources
 * without this object don't count. */
static gboolean
is_agreed (const LoomExport *merge, LoomJsonSlice key, LoomJsonSlice value)
{
  g_autofree char *name = loom_json_slice_dup_decoded (key);
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    LoomJsonSlice object = find_distributed (loom_run_get_source (merge->run, i));
    if (object.text == NULL || !loom_export_wants (merge, i))
      continue;
    LoomJsonSlice other = loom_json_slice_member (object, name);
    if (other.length != value.length || memcmp (other.text, value.text, value.length) != 0)
      return FALSE;
  }
  return TRUE;
}

static void
append_agreed (const LoomExport *merge, LoomJsonSlice object, GString *out)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_iter_init (&iter, object))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (!is_agreed (merge, key, value))
      continue;
    if (out->str[out->len - 1] != '{')
      g_string_append_c (out, ',');
    loom_trace_event_writer_append_value (out, key, FALSE);
    g_string_append_c (out, ':');
    loom_trace_event_writer_append_value (out, value, FALSE);
  }
}

/* Writes the object "distributedInfo", from which readers of PyTorch traces take the rank. It contains only the
 * members whose values are equal in all written sources that have this object. */
static void
append_distributed (const LoomExport *merge, GString *out)
{
  LoomJsonSlice first = { NULL, 0 };
  for (guint i = 0; i < loom_run_get_n_sources (merge->run) && first.text == NULL; i++)
    if (loom_export_wants (merge, i))
      first = find_distributed (loom_run_get_source (merge->run, i));
  if (first.text == NULL)
    return;
  g_autoptr (GString) object = g_string_new ("{");
  append_agreed (merge, first, object);
  if (object->len > 1)
    g_string_append_printf (out, "\"" DISTRIBUTED "\":%s},\n", object->str);
}

/* --- the head of the file ----------------------------------------------------------------------------------------- */

/* Returns the least certain LoomClockState among the clocks that are related to UTC; LOOM_CLOCK_NONE if there are
 * none. */
static LoomClockState
weakest_state (LoomExport *merge)
{
  LoomAlignment *alignment = loom_timeline_get_alignment (merge->timeline);
  LoomClockState weakest = LOOM_CLOCK_NONE;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    if (!loom_export_wants (merge, i))
      continue;
    LoomClockState state = loom_alignment_get (alignment, loom_run_get_clock_of_source (merge->run, i))->state;
    if (state != LOOM_CLOCK_NONE && (weakest == LOOM_CLOCK_NONE || state < weakest))
      weakest = state;
  }
  return weakest;
}

void
loom_export_append_head (LoomExport *merge, gint64 origin_ns)
{
  g_autoptr (GString) out = g_string_sized_new (16 * 1024), devices = g_string_new (NULL);
  gboolean anchored = loom_timeline_is_anchored (merge->timeline);
  g_string_append (out, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"traceloom\":{");
  loom_trace_event_writer_append_int (out, "version", LAYOUT_VERSION);
  loom_trace_event_writer_append_text (out, "program", LOOM_VERSION);
  loom_trace_event_writer_append_int (out, "origin_ns", origin_ns);
  append_bool (out, "anchored", anchored);
  loom_trace_event_writer_append_text (
    out, "state", loom_declared_clock_state_to_string (anchored ? weakest_state (merge) : LOOM_CLOCK_NONE));
  loom_trace_event_writer_append_text (out, "basis", "merged");
  g_string_append (out, ",\n");
  append_losses (merge, out);
  append_clocks (merge, out);
  append_processes (merge, out);
  append_units (merge, out);
  g_string_append (out, "}},\n");
  append_distributed (merge, out);
  if (loom_export_head_append_devices (merge, devices))
    g_string_append_printf (out, "\"deviceProperties\":%s,\n", devices->str);
  g_string_append (out, "\"traceEvents\":[");
  loom_output_file_append (merge->output, out->str, out->len);
}
