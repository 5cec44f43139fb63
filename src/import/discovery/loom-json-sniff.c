/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises the formats of traces in JSON, by members of the events and of the outermost object. The interface is
 * described in loom-json-sniff.h.
 */
#define _GNU_SOURCE /* makes <string.h> declare memmem() */
#include "loom-json-sniff.h"

#include "loom-limits.h"
#include "loom-parse-time.h"
#include "loom-regex.h"
#include "loom-sniff-private.h"
#include "loom-time.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_EVENTS 200
/* Number of events after which reading stops (instead of MAX_EVENTS) if all features found so far indicate Kineto. */
#define ENOUGH_EVENTS 32

/* Features found in the beginning of a JSON file. */
typedef struct {
  guint n_events;  /* number of objects with a member "ph" (events) */
  guint n_other;   /* number of objects without a member "ph" */
  guint n_samples; /* number of lines with system metrics */
  gboolean traceloom;
  gboolean kineto_key;
  gboolean kineto_cat;
  gboolean kineto_args;
  gboolean composer;
  gboolean start_time; /* the file has the member start_time_since_epoch_in_micros */
  gboolean negotiate;
  gboolean has_tid;
  gboolean highres;
  gboolean unit_ns;
  gboolean tf_process;
  gboolean profiler_config;
  gboolean rule_report;
  gboolean own_about, own_findings; /* the file has the members "about" and "findings" of Traceloom's own reports */
  gboolean flight_recorder;         /* the file has members of a dump of a collective flight recorder */
  /* TRUE if a process has the pid that merged smdebug timelines give to processes of its name, for example 10000 for
   * "Forward" */
  gboolean phase_pids;
  gboolean absolute; /* at least one ts is 10^15 or greater, so the times count from 1970 */
  /* `has_phase`: the outermost object has a member "ph"; `has_time`: it has a member "ts", or it is a metadata event,
   * which needs no time. If both are TRUE, the outermost object is an event, and the file consists of JSON lines. */
  gboolean has_phase, has_time;
  gboolean is_open;    /* the text ends before its brackets are closed */
  gboolean is_damaged; /* TRUE: the text is not valid JSON; an early end of the text (`is_open`) does not count */
  gsize n_bytes;       /* number of bytes that were examined */
} Features;

static gboolean
contains (LoomJsonSlice slice, const char *text)
{
  return slice.text != NULL && memmem (slice.text, slice.length, text, strlen (text)) != NULL;
}

static gboolean
begins (LoomJsonSlice slice, const char *text)
{
  gsize n = strlen (text);
  return slice.text != NULL && slice.length >= n && memcmp (slice.text, text, n) == 0;
}

static gboolean
is_kineto_category (LoomJsonSlice cat)
{
  static const char *const known[] = {
    "\"cpu_op\"",
    "\"user_annotation\"",
    "\"gpu_user_annotation\"",
    "\"kernel\"",
    "\"gpu_memcpy\"",
    "\"gpu_memset\"",
    "\"cuda_runtime\"",
    "\"cuda_driver\"",
    "\"python_function\"",
    "\"Operator\"",
    "\"Kernel\"",
    "\"Runtime\"",
    "\"Memcpy\"",
    "\"Memset\"",
    "\"mtia_runtime\"",
    "\"mtia_ccp_events\"",
    "\"xpu_runtime\"",
    "\"hip_runtime\"",
    "\"cpu_instant_event\"",
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (loom_json_slice_equal (cat, known[i]))
      return TRUE;
  return FALSE;
}

/* Returns TRUE if `pid` is a pid that the phase table of merged smdebug timelines assigns to processes with this name.
 * The table assigns the pids from 1,000,000 on to names that it does not contain. Of these, the function accepts only
 * 1,000,000, because a process of another program may have a pid of seven digits. */
static gboolean
is_phase_pid (LoomJsonSlice name, LoomJsonSlice pid)
{
  static const struct {
    const char *key;
    gint64 first;
  } table[] = {
    { "Step:", 1 },
    { "Forward", 10000 },
    { "Backward", 20000 },
    { "DataIterator", 30000 },
    { "Dataset", 40000 },
    { "/device", 50000 },
    { "/host", 60000 },
    { "gpu_functions", 70000 },
    { "cpu_functions", 80000 },
    { "Horovod", 90000 },
    { "", 1000000 },
  };
  gint64 value;
  if (!loom_parse_time_parse_int (pid.text, pid.length, &value))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (contains (name, table[i].key))
      return value >= table[i].first && value < table[i].first + (table[i].key[0] != '\0' ? 9999 : 1);
  return FALSE;
}

static void
look_at_metadata (const LoomEvent *event, Features *seen)
{
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  seen->composer |=
    loom_json_slice_equal (name, "\"global_rank\"") || loom_json_slice_equal (name, "\"clock_sync_timestamp_us\"");
  if (!loom_json_slice_equal (name, "\"process_name\""))
    return;
  seen->start_time |= contains (args, "start_time_since_epoch_in_micros");
  LoomJsonSlice label = loom_json_slice_member (args, "name");
  seen->tf_process |= begins (label, "\"/host:") || begins (label, "\"/device:");
  seen->composer |= begins (label, "\"Rank ") && contains (label, "training loop process");
  seen->phase_pids |= label.text != NULL && is_phase_pid (label, event->member[LOOM_MEMBER_PID]);
}

static gboolean
goes_on (const Features *seen)
{
  gboolean is_kineto = seen->kineto_key && seen->kineto_cat && seen->kineto_args && seen->has_tid;
  return seen->n_events < (is_kineto ? ENOUGH_EVENTS : MAX_EVENTS);
}

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  Features *seen = user_data;
  if (loom_event_phase (event) == '\0') {
    if (event->text.length > 2 && loom_json_slice_member (event->text, "Timestamp").text != NULL &&
        loom_json_slice_member (event->text, "NodeId").text != NULL)
      seen->n_samples++;
    seen->n_other += event->text.length > 2;
    return seen->n_events + seen->n_other < MAX_EVENTS;
  }
  seen->n_events++;
  if (loom_event_phase (event) == 'M') {
    look_at_metadata (event, seen);
  } else {
    LoomExactTime ts;
    LoomJsonSlice text = event->member[LOOM_MEMBER_TS];
    seen->has_tid |= event->member[LOOM_MEMBER_TID].text != NULL;
    seen->kineto_cat = seen->kineto_cat || is_kineto_category (event->member[LOOM_MEMBER_CAT]);
    seen->negotiate |= begins (event->member[LOOM_MEMBER_NAME], "\"NEGOTIATE_");
    seen->absolute |=
      text.text != NULL && loom_parse_time_parse_us (text.text, text.length, &ts) && ts.ns >= LOOM_TIME_EPOCH_MIN;
  }
  LoomJsonSlice args = event->member[LOOM_MEMBER_ARGS];
  seen->kineto_args = seen->kineto_args || contains (args, "xternal id\"") || contains (args, "\"Ev Idx\"") ||
                      contains (args, "\"correlation\"");
  return goes_on (seen);
}

static void
on_member (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data)
{
  Features *seen = user_data;
  seen->has_phase |= loom_json_slice_equal (key, "\"ph\"");
  seen->has_time |= loom_json_slice_equal (key, "\"ts\"");
  seen->has_time |= loom_json_slice_equal (key, "\"ph\"") && loom_json_slice_equal (value, "\"M\"");
  if (loom_json_slice_equal (key, "\"schemaVersion\"") || loom_json_slice_equal (key, "\"deviceProperties\"") ||
      loom_json_slice_equal (key, "\"distributedInfo\"") || loom_json_slice_equal (key, "\"traceName\"") ||
      loom_json_slice_equal (key, "\"baseTimeNanoseconds\""))
    seen->kineto_key = TRUE;
  seen->composer |= loom_json_slice_equal (key, "\"clock_sync_timestamp_us\"");
  seen->traceloom |=
    loom_json_slice_equal (key, "\"otherData\"") && loom_json_slice_member (value, "traceloom").text != NULL;
  seen->highres |= loom_json_slice_equal (key, "\"metadata\"") && contains (value, "highres-ticks");
  seen->unit_ns |= loom_json_slice_equal (key, "\"displayTimeUnit\"") && loom_json_slice_equal (value, "\"ns\"");
  seen->profiler_config |= loom_json_slice_equal (key, "\"ProfilingIntervalInMilliseconds\"") ||
                           (key.length == 21 && g_ascii_strncasecmp (key.text + 1, "ProfilingParameters", 19) == 0);
  seen->rule_report |= loom_json_slice_equal (key, "\"RuleTriggered\"");
  seen->own_about |= loom_json_slice_equal (key, "\"about\"") && loom_json_slice_member (value, "numbers").text != NULL;
  seen->own_findings |= loom_json_slice_equal (key, "\"findings\"");
  seen->flight_recorder |= loom_json_slice_equal (key, "\"pg_config\"") || loom_json_slice_equal (key, "\"pg_status\"");
}

static void
on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data)
{
  gboolean is_open = problem == LOOM_SCAN_UNTERMINATED || problem == LOOM_SCAN_CUT_EVENT;
  ((Features *) user_data)->is_open |= is_open;
  ((Features *) user_data)->is_damaged |= !is_open && problem != LOOM_SCAN_NOT_AN_EVENT;
}

/* Returns TRUE if a file has a name that Composer gives to its traces. These files cannot always be recognised by
 * their content, because any number of queued events may precede their metadata. */
static gboolean
is_composer_name (const char *base)
{
  static gsize kept;
  const GRegex *regex = loom_regex_get (&kept, "^(ep[0-9]+-ba[0-9]+-rank[0-9]+\\.json|rank_[0-9]+\\.trace\\.json)", 0);
  return g_regex_match (regex, base, 0, NULL);
}

static LoomFileFormat
decide (const char *base, const char *path, const Features *seen)
{
  gint64 time_us;
  g_autofree char *node = NULL;
  const char *suffix;
  if (seen->traceloom)
    return LOOM_FILE_FORMAT_TRACELOOM;
  if (seen->n_events == 0 && seen->n_samples > 0)
    return LOOM_FILE_FORMAT_SMDEBUG_SYSTEM;
  /* Content that identifies another format takes precedence over the name, because a file may have been renamed. */
  gboolean named_otherwise = seen->kineto_key || seen->composer || seen->highres;
  if (!named_otherwise && loom_sniff_smdebug_parse_name (base, &time_us, &node, &suffix))
    return LOOM_FILE_FORMAT_SMDEBUG;
  if (seen->negotiate && !seen->has_tid)
    return LOOM_FILE_FORMAT_HOROVOD;
  if (seen->start_time)
    return LOOM_FILE_FORMAT_SMDEBUG;
  if (seen->composer || (!seen->kineto_key && is_composer_name (base)))
    return LOOM_FILE_FORMAT_COMPOSER;
  gboolean tf_path = strstr (path, "/plugins/profile/") != NULL && strstr (base, "trace.json") != NULL;
  if (seen->highres + seen->unit_ns + seen->tf_process + tf_path >= 2 && !seen->kineto_key)
    return LOOM_FILE_FORMAT_TENSORFLOW;
  if (seen->kineto_key || (seen->kineto_cat && seen->kineto_args) || strstr (base, ".pt.trace.json") != NULL)
    return LOOM_FILE_FORMAT_KINETO;
  if (strstr (base, "_merged_timeline.json") != NULL || (seen->phase_pids && seen->absolute))
    return LOOM_FILE_FORMAT_SMDEBUG_MERGED;
  return LOOM_FILE_FORMAT_CHROME;
}

static char *
refusal (LoomJsonForm form, const Features *seen, gboolean events_array, gsize n_looked)
{
  g_autofree char *where = n_looked > 0 ? g_format_size_full (n_looked, G_FORMAT_SIZE_IEC_UNITS) : NULL;
  if (seen->profiler_config)
    return g_strdup (_ ("a profiler configuration, not a trace: “traceloom-cli config show” explains it"));
  if (seen->rule_report)
    return g_strdup (_ ("the report of a profiler rule, not a trace"));
  if (seen->own_about && seen->own_findings)
    return g_strdup (_ ("a report of Traceloom, not a trace"));
  if (form == LOOM_JSON_FORM_UNKNOWN && where != NULL)
    return g_strdup_printf (_ ("only whitespace in the first %s; the rest was not read"), where);
  if (form == LOOM_JSON_FORM_OTHER || form == LOOM_JSON_FORM_UNKNOWN)
    return g_strdup (_ ("not JSON: it starts with neither [ nor {"));
  if (form == LOOM_JSON_FORM_OBJECT && !events_array && where != NULL)
    return g_strdup_printf (_ ("JSON, but without a traceEvents array in the first %s; the rest was not read"), where);
  if (seen->is_open && (form == LOOM_JSON_FORM_OBJECT || form == LOOM_JSON_FORM_ARRAY) && where == NULL)
    return g_strdup_printf (_ ("truncated: it ends at byte %zu, before any complete event"), seen->n_bytes);
  if (form == LOOM_JSON_FORM_OBJECT && !events_array)
    return g_strdup (_ ("JSON, but not a trace, because it has no traceEvents array"));
  if (seen->n_other > 0)
    return g_strdup (_ ("JSON objects without “ph”, which are not trace events"));
  return g_strdup (_ ("the file contains no trace events"));
}

static LoomJsonForm
scan_start (const char *text, gsize n, gboolean final, gboolean lines, Features *seen, gboolean *events_array)
{
  static const LoomScanHandler handler = { on_event, on_member, on_problem };
  *seen = (Features) { .n_bytes = n };
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, seen, lines);
  loom_event_scanner_scan (scanner, text, n, 0, final);
  *events_array = loom_event_scanner_saw_events_array (scanner);
  return loom_event_scanner_get_form (scanner);
}

static gboolean
looks_like_lines (const char *text, gsize n, gboolean final, gboolean is_event, Features *seen)
{
  gboolean events_array;
  scan_start (text, n, final, TRUE, seen, &events_array);
  return seen->n_events > 0 ? is_event : seen->n_samples > 0;
}

/* Returns TRUE if the file is intact JSON, but neither its name nor its content indicates a trace. Such a file may be a
 * configuration that is stored next to the traces. `events_array`: the text has a member traceEvents with an array. */
static gboolean
is_other_json (const char *path, LoomJsonForm form, gboolean events_array, const Features *seen)
{
  return (form == LOOM_JSON_FORM_OBJECT || form == LOOM_JSON_FORM_ARRAY) && !events_array && !seen->is_open &&
         !seen->is_damaged && !loom_sniff_is_trace_name (path);
}

/* The beginning of a text, as far as it has been read and scanned. */
typedef struct {
  LoomStreamReader *reader;
  char **bytes;
  gsize n_bytes;
  /* `final`: no more of the text will be read; `is_cut`: the text is longer than LOOM_LIMIT_SNIFF_BYTES */
  gboolean final, is_cut;
  LoomJsonForm form;
  gboolean events_array;
  Features seen;
} Scan;

static void
scan_again (Scan *self)
{
  self->form = scan_start (*self->bytes, self->n_bytes, self->final, FALSE, &self->seen, &self->events_array);
}

/* Reads more of the text until it contains an event. Each attempt reads eight times as much and scans from the
 * beginning; all attempts together take little more time than a single scan. */
static void
scan_to_event (Scan *self)
{
  guint64 most = MAX (loom_limit (LOOM_LIMIT_SNIFF_BYTES), 2 * LOOM_SNIFF_FIRST_BYTES);
  self->final = self->n_bytes < LOOM_SNIFF_FIRST_BYTES;
  scan_again (self);
  for (gsize want = LOOM_SNIFF_FIRST_BYTES * 16;
       self->seen.n_events == 0 && self->seen.n_samples == 0 && !self->final && self->form != LOOM_JSON_FORM_OTHER;
       want *= 8) {
    gsize limit = (gsize) MIN (want, most);
    self->n_bytes = loom_sniff_read_start (self->reader, self->bytes, self->n_bytes, limit, NULL);
    self->is_cut = self->n_bytes == most;
    self->final = self->n_bytes < limit || self->is_cut;
    scan_again (self);
  }
}

/* Returns TRUE if the text consists of JSON lines; the features found in the lines then replace those found in the text
 * as a whole. */
static gboolean
scan_lines (Scan *self)
{
  Features in_lines;
  const Features *seen = &self->seen;
  gboolean array_of_samples = self->form == LOOM_JSON_FORM_ARRAY && seen->n_samples > 0;
  if (seen->n_events > 0 || array_of_samples || self->events_array ||
      !looks_like_lines (*self->bytes, self->n_bytes, self->final, seen->has_phase && seen->has_time, &in_lines))
    return FALSE;
  self->seen = in_lines;
  return TRUE;
}

/* Returns TRUE if the text is an empty trace: [] or {"traceEvents": []}, both possibly truncated. Also returns TRUE for
 * an array whose first element is longer than the examined text. Such files are read like any other trace. */
static gboolean
is_empty_trace (const Scan *self)
{
  gboolean is_blank = self->is_cut || strspn (*self->bytes, "[]{}, \r\n\t\xEF\xBB\xBF") == self->n_bytes;
  return self->seen.n_other == 0 && ((self->form == LOOM_JSON_FORM_ARRAY && is_blank) || self->events_array);
}

static void
refuse (const char *path, const Scan *self, LoomSniff *sniff)
{
  const Features *seen = &self->seen;
  sniff->reason = refusal (self->form, seen, self->events_array, self->is_cut ? self->n_bytes : 0);
  /* An export must not overwrite a rule report. It may overwrite a profiler configuration, because users edit this file
   * while its run is open. */
  sniff->precious = seen->rule_report;
  sniff->silent = seen->profiler_config || seen->rule_report || (seen->own_about && seen->own_findings);
  if (!sniff->silent && !self->is_cut && is_other_json (path, self->form, self->events_array, seen))
    sniff->silent = sniff->elsewhere = TRUE;
}

void
loom_json_sniff (const char *path, LoomStreamReader *reader, char **bytes, gsize n_bytes, LoomSniff *sniff)
{
  g_autofree char *base = g_path_get_basename (path);
  Scan scan = { .reader = reader, .bytes = bytes, .n_bytes = n_bytes };
  scan_to_event (&scan);
  sniff->lines = scan_lines (&scan);
  if (scan.seen.flight_recorder && !scan.events_array)
    sniff->kind = LOOM_FILE_FORMAT_FLIGHT_RECORDER;
  else if (scan.seen.n_events > 0 || scan.seen.n_samples > 0 || is_empty_trace (&scan))
    sniff->kind = decide (base, path, &scan.seen);
  else
    refuse (path, &scan, sniff);
}
