/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses one event of a Chrome trace and adds it to the trace as a span, instant, counter sample, flow event or async
 * event, depending on its phase. The interface is described in loom-chrome-event.h.
 */
#include "loom-chrome-event.h"

#include "loom-chrome-counters.h"
#include "loom-chrome-hint.h"
#include "loom-chrome-parallel.h"
#include "loom-chrome-sync-events.h"
#include "loom-chrome-track-cache.h"
#include "loom-made-json.h"
#include "loom-name-cache.h"
#include "loom-string-pool.h"

#include <glib/gi18n.h>
#include <string.h>

#define EPOCH_MAX_NS (G_GINT64_CONSTANT (4000000000) * LOOM_NS_PER_S)

LoomJsonSlice
loom_chrome_importer_id_key (LoomJsonSlice id)
{
  if (id.text == NULL || loom_json_slice_equal (id, "null"))
    return (LoomJsonSlice) { "", 0 };
  if (id.text[0] != '"') {
    const char *point = memchr (id.text, '.', id.length);
    if (point != NULL && strspn (point + 1, "0") >= (gsize) (id.text + id.length - point - 1))
      id.length = (gsize) (point - id.text);
  }
  return id;
}

void
loom_chrome_importer_place_by_ids (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process,
                                   guint32 *thread)
{
  LoomJsonSlice pid = event->member[LOOM_MEMBER_PID], tid = event->member[LOOM_MEMBER_TID];
  if (loom_chrome_track_cache_find (chrome->lanes, pid, tid, process, thread))
    return;
  LoomJsonSlice pid_key = loom_chrome_importer_id_key (pid), tid_key = loom_chrome_importer_id_key (tid);
  *process = loom_trace_builder_process (chrome->builder, chrome->source, pid_key.text, pid_key.length);
  *thread = loom_trace_builder_thread (chrome->builder, *process, tid_key.text, tid_key.length);
  loom_chrome_track_cache_add (chrome->lanes, pid, tid, *process, *thread);
}

static inline guint32
read_name (LoomChromeImporter *chrome, const LoomEvent *event, LoomNameTraits *traits)
{
  guint32 name_id = loom_name_cache_get (chrome->names, event, traits);
  if (*traits & LOOM_NAME_CUT)
    loom_chrome_event_log_long (chrome, event->offset);
  return name_id;
}

static guint32
name_of (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomNameTraits traits;
  return read_name (chrome, event, &traits);
}

/* Returns the name id of an event that is shown under `name` instead of its own name. */
static guint32
name_as (LoomChromeImporter *chrome, const LoomEvent *event, LoomJsonSlice name)
{
  LoomEvent renamed = *event;
  renamed.member[LOOM_MEMBER_NAME] = name;
  return name_of (chrome, &renamed);
}

/* Returns the name id of a span. A span without a name gets the name "(unnamed)", for display and search. */
static inline guint32
read_slice_name (LoomChromeImporter *chrome, const LoomEvent *event, LoomNameTraits *traits)
{
  static const char unnamed[] = "\"(unnamed)\"";
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME];
  *traits = 0;
  if (G_UNLIKELY (name.text == NULL || loom_json_slice_equal (name, "null")))
    return name_as (chrome, event, (LoomJsonSlice) { unnamed, strlen (unnamed) });
  return read_name (chrome, event, traits);
}

static guint32
slice_name_of (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomNameTraits traits;
  return read_slice_name (chrome, event, &traits);
}

/* Returns the name id of a step of an async span in the old form (phases T and p). Uses the text of args.step as the
 * name, because the events of all steps of a span have the same name. */
static guint32
step_name_of (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice step = loom_json_slice_member (event->member[LOOM_MEMBER_ARGS], "step");
  return step.length > 2 && step.text[0] == '"' ? name_as (chrome, event, step) : name_of (chrome, event);
}

static gboolean
has_own_args (const LoomEvent *event)
{
  LoomJsonSlice args = event->member[LOOM_MEMBER_ARGS];
  return args.length > 2 && !loom_json_slice_equal (args, "null");
}

/* Returns TRUE if the event has a member "sf" or "stack". The result may also be TRUE if the event has none of them,
 * but contains another string that ends with one of these words. Searches the text of the event, because most end
 * events are short. */
static gboolean
says_stack (const LoomEvent *event)
{
  const char *p = event->text.text, *end = p + event->text.length;
  for (; (p = memchr (p, 's', (gsize) (end - p))) != NULL; p++)
    if ((end - p > 3 && memcmp (p, "sf\"", 3) == 0) || (end - p > 6 && memcmp (p, "stack\"", 6) == 0))
      return TRUE;
  return FALSE;
}

static void
drop (LoomChromeImporter *chrome, const LoomEvent *event, const char *code, const char *message)
{
  loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, code, event->offset, message);
}

static void
drop_far (LoomChromeImporter *chrome, guint64 offset)
{
  loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "too-far", offset,
                       N_ ("An event was skipped because it lies more than 256 GiB into the uncompressed file"));
}

/* Adds the file offset and times of a complete span to the byte index (LoomByteIndex) of the file. */
static void
note_span (LoomChromeImporter *chrome, const LoomEvent *event, gint64 start_ns, gint64 dur_ns)
{
  if (dur_ns == LOOM_DUR_OPEN)
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file has spans without an end"));
  else
    loom_byte_index_add_span (chrome->bytes, event->offset, event->text.text, event->text.length, start_ns, dur_ns);
}

static void
take_complete (LoomChromeImporter *chrome, const LoomEvent *event, LoomExactTime ts, guint32 thread, LoomRef ref)
{
  LoomJsonSlice dur = event->member[LOOM_MEMBER_DUR];
  gint64 start_ns = loom_time_add (ts.ns, chrome->base_ns), dur_ns = chrome->open_x_is_point ? 0 : LOOM_DUR_OPEN;
  guint flags = 0;
  if (dur.text != NULL && !loom_json_slice_equal (dur, "null")) {
    LoomExactTime length;
    if (!loom_parse_time_parse_us (dur.text, dur.length, &length) || length.ns < 0) {
      drop (chrome, event, "negative-duration", N_ ("A span with a negative or unreadable duration was skipped"));
      return;
    }
    dur_ns = loom_time_sub (loom_parse_time_add_exact (ts, length).ns, ts.ns);
  }
  if (G_UNLIKELY (chrome->bytes != NULL))
    note_span (chrome, event, ts.ns, dur_ns);
  if (chrome->hooks->adjust != NULL)
    chrome->hooks->adjust (chrome, event, &start_ns, &dur_ns, &flags);
  if (ts.ns < LOOM_TIME_EPOCH_MIN)
    chrome->max_end_ns = MAX (chrome->max_end_ns, loom_time_add (ts.ns, MAX (dur_ns, 0)));
  LoomNameTraits traits;
  guint32 name_id = read_slice_name (chrome, event, &traits);
  ref |= loom_source_ref_make (0, flags, 0) | loom_chrome_hint_args (event, traits);
  loom_trace_builder_span (chrome->builder, thread, start_ns, dur_ns, name_id, ref);
  loom_chrome_sync_events_add_span (chrome, event, thread, start_ns, dur_ns, name_id, ref);
  if (event->member[LOOM_MEMBER_BIND_ID].text != NULL)
    loom_chrome_event_parse_bound_flow (chrome, event, thread, start_ns, name_id, ref);
}

static void
take_instant (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 process, guint32 thread,
              gint64 time_ns, LoomRef ref)
{
  LoomJsonSlice s = event->member[LOOM_MEMBER_S];
  char scope = s.length >= 3 && s.text[0] == '"' && (s.text[1] == 'p' || s.text[1] == 'g') ? s.text[1] : 't';
  gboolean has_tid = event->member[LOOM_MEMBER_TID].text != NULL;
  if (scope == 't' && !has_tid && event->member[LOOM_MEMBER_PID].text != NULL)
    scope = 'p';
  /* a sample (phase P) with a tid is added to its thread even if it has no pid */
  gboolean is_sample = phase == 'P' && has_tid;
  if (scope == 'g' || (event->member[LOOM_MEMBER_PID].text == NULL && !is_sample))
    loom_trace_builder_instant (chrome->builder, chrome->source, scope == 'g' ? LOOM_ID_NONE : process, LOOM_ID_NONE,
                                time_ns, name_of (chrome, event), phase, scope, ref);
  else
    loom_trace_builder_instant (chrome->builder, chrome->source, process, scope == 't' ? thread : LOOM_ID_NONE, time_ns,
                                name_of (chrome, event), phase, scope, ref);
}

static void
take_flow (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 thread, gint64 time_ns, LoomRef ref)
{
  LoomNameTraits traits;
  guint32 name_id = read_name (chrome, event, &traits);
  loom_chrome_event_parse_flow (chrome, event, phase, thread, time_ns, name_id,
                                ref | loom_chrome_hint_flow (event, phase, traits));
}

/* Adds the file offset and time of an event that is not a complete span to the byte index (LoomByteIndex). */
static void
note_point (LoomChromeImporter *chrome, const LoomEvent *event, char phase, gint64 time_ns)
{
  if (strchr ("BEbneSTpF", phase) != NULL)
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file records the start and the end of a span as two events"));
  loom_byte_index_add_point (chrome->bytes, event->offset, event->text.length, time_ns);
}

static void
take_timed (LoomChromeImporter *chrome, const LoomEvent *event, char phase, LoomExactTime ts)
{
  LoomSource *info = chrome->info;
  LoomRef ref = loom_source_ref_make (chrome->source, 0, event->offset);
  guint32 process, thread;
  gint64 time_ns = loom_time_add (ts.ns, chrome->base_ns), no_dur = 0;
  guint flags = 0;
  loom_chrome_importer_place (chrome, event, &process, &thread);
  if (phase != 'X' && chrome->hooks->adjust != NULL)
    chrome->hooks->adjust (chrome, event, &time_ns, &no_dur, &flags);
  ref |= loom_source_ref_make (0, flags, 0);
  if (ts.ns < LOOM_TIME_EPOCH_MIN)
    chrome->max_end_ns = MAX (chrome->max_end_ns, ts.ns);
  if (G_UNLIKELY (chrome->bytes != NULL) && phase != 'X')
    note_point (chrome, event, phase, ts.ns);
  switch (phase) {
  case 'X': take_complete (chrome, event, ts, thread, ref); break;
  case 'B':
    loom_trace_builder_begin (chrome->builder, thread, time_ns, slice_name_of (chrome, event), ref);
    if (event->member[LOOM_MEMBER_BIND_ID].text != NULL)
      loom_chrome_event_parse_bound_flow (chrome, event, thread, time_ns, slice_name_of (chrome, event), ref);
    break;
  case 'E':
    loom_trace_builder_end (chrome->builder, thread, time_ns, name_of (chrome, event), ref,
                            has_own_args (event) || says_stack (event));
    break;
  case 'C':
    info->n_counters++;
    loom_chrome_counters_parse (chrome, event, process, time_ns, ref);
    break;
  case 's':
  case 't':
  case 'f':
    info->n_flows++;
    take_flow (chrome, event, phase, thread, time_ns, ref);
    break;
  case 'b':
  case 'n':
  case 'e':
  case 'S':
  case 'F':
    loom_chrome_event_parse_async (chrome, event, phase, process, thread, time_ns, name_of (chrome, event), ref);
    break;
  case 'T':
  case 'p':
    loom_chrome_event_parse_async (chrome, event, phase, process, thread, time_ns, step_name_of (chrome, event), ref);
    break;
  case 'c': loom_chrome_sync_events_add_clock_sync (chrome, event, time_ns, ref); G_GNUC_FALLTHROUGH;
  default: /* phases i, I and R (instants), and c; all other phases are shown as instants, too */
    take_instant (chrome, event, phase, process, thread, time_ns, ref);
  }
}

/* Logs that an object without a string "ph" (phase) was skipped, because it is neither an event nor metadata. Does
 * not log an empty object. */
static void
skip_phaseless (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice inside = event->text;
  gboolean empty = TRUE;
  for (gsize i = 1; i + 1 < inside.length && empty; i++)
    empty = g_ascii_isspace (inside.text[i]);
  if (!empty)
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "no-phase", event->offset,
                         "An object without “ph” was skipped");
}

static void
count_time (LoomChromeImporter *chrome, gint64 ns)
{
  chrome->n_timed++;
  chrome->n_absolute += ns >= LOOM_TIME_EPOCH_MIN && ns < EPOCH_MAX_NS;
}

static inline gboolean
is_known (char phase)
{
  static const guint8 known[256] = {
#define KNOWN(c) [c] = 1
    KNOWN ('X'), KNOWN ('B'), KNOWN ('E'), KNOWN ('C'), KNOWN ('i'), KNOWN ('I'), KNOWN ('R'), KNOWN ('s'), KNOWN ('t'),
    KNOWN ('f'), KNOWN ('b'), KNOWN ('n'), KNOWN ('e'), KNOWN ('S'), KNOWN ('T'), KNOWN ('p'), KNOWN ('F'), KNOWN ('N'),
    KNOWN ('O'), KNOWN ('D'), KNOWN ('V'), KNOWN ('v'), KNOWN ('P'), KNOWN ('c'), KNOWN ('('), KNOWN (')'),
#undef KNOWN
  };
  return known[(guchar) phase];
}

void
loom_chrome_event_parse (LoomChromeImporter *chrome, const LoomEvent *event)
{
  char phase = loom_event_phase (event);
  LoomJsonSlice text = event->member[LOOM_MEMBER_TS];
  LoomExactTime ts;
  if (phase == 'M') {
    if (chrome->bytes != NULL)
      loom_byte_index_add_fixed (chrome->bytes, event->offset, event->text.length);
    loom_chrome_event_parse_metadata (chrome, event);
    return;
  }
  if (phase == '\0') {
    /* an event whose "ph" is an empty text is counted, but not shown */
    if (loom_json_slice_equal (event->member[LOOM_MEMBER_PH], "\"\""))
      chrome->info->n_events++;
    skip_phaseless (chrome, event);
    return;
  }
  chrome->info->n_events++;
  if (!is_known (phase)) {
    g_autofree char *message =
      g_strdup_printf (_ ("Events of the unknown phase “%c” were skipped"), g_ascii_isprint (phase) ? phase : '?');
    g_autofree char *code = g_strdup_printf ("unknown-phase-%c", g_ascii_isgraph (phase) ? phase : '?');
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, code, event->offset, message);
    return;
  }
  if (event->offset > LOOM_REF_MAX_OFFSET) {
    drop_far (chrome, event->offset);
    return;
  }
  if (text.text == NULL || !loom_parse_time_parse_us (text.text, text.length, &ts)) {
    drop (chrome, event, "no-time", N_ ("An event without a usable time was skipped"));
    return;
  }
  count_time (chrome, ts.ns);
  take_timed (chrome, event, phase, ts);
}

/* --- spans without their text ------------------------------------------------------------------------------------- */

/* Returns TRUE if the distance from the end of `before` to `value` is the length of `key`. `before`, `value`: values of
 * two members of an event; `key`: the text that is between them in the usual form. */
static gboolean
follows (LoomJsonSlice value, LoomJsonSlice before, const char *key)
{
  return value.text == before.text + before.length + strlen (key);
}

/* Returns TRUE if the text has one of the forms of LoomChromeKnownSpan. */
static gboolean
has_known_form (const LoomEvent *event)
{
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS], dur = event->member[LOOM_MEMBER_DUR],
                args = event->member[LOOM_MEMBER_ARGS], name = event->member[LOOM_MEMBER_NAME],
                tid = event->member[LOOM_MEMBER_TID];
  if (loom_event_phase (event) != 'X' || ts.text == NULL || dur.text == NULL || args.text == NULL ||
      name.text == NULL || tid.text == NULL)
    return FALSE;
  gboolean has_times_last = name.text < ts.text && follows (ts, tid, ",\"ts\":") && follows (args, dur, ",\"args\":");
  gboolean has_times_first = follows (name, dur, ",\"name\":") && follows (args, tid, ",\"args\":");
  return event->n_members == 7u + (event->member[LOOM_MEMBER_CAT].text != NULL) &&
         (has_times_last || has_times_first) && follows (dur, ts, ",\"dur\":") &&
         args.text + args.length + 1 == event->text.text + event->text.length;
}

/* Returns TRUE if the hook adjust() may change events of any time, not only events from a certain time on. */
static gboolean
adjusts_all (const LoomChromeImporter *chrome)
{
  return chrome->hooks->adjust != NULL && chrome->hooks->adjusts_from_ns == 0;
}

gboolean
loom_chrome_event_learn_span (LoomChromeImporter *chrome, const char *text, gsize length, LoomChromeKnownSpan *known)
{
  LoomEvent event;
  LoomNameTraits traits;
  guint32 process;
  if (adjusts_all (chrome) || chrome->bytes != NULL || !loom_event_parse (text, length, &event) ||
      !has_known_form (&event))
    return FALSE;
  loom_chrome_importer_place (chrome, &event, &process, &known->thread);
  /* does not log a name that is too long, because that was logged when the event was read before */
  known->name_id = loom_name_cache_get (chrome->names, &event, &traits);
  known->has_hint = (traits & LOOM_NAME_PLAIN) != 0;
  known->n_bytes = (gsize) (event.member[LOOM_MEMBER_ARGS].text - text) - strlen (",\"ts\":,\"dur\":,\"args\":") -
                   event.member[LOOM_MEMBER_TS].length - event.member[LOOM_MEMBER_DUR].length;
  return (traits & LOOM_NAME_CUT) == 0 && loom_chrome_sync_events_is_other (chrome, &event, known->name_id);
}

gboolean
loom_chrome_event_add_known_span (LoomChromeImporter *chrome, const LoomChromeKnownSpan *known, guint64 offset,
                                  gsize args, gint64 start_ns, gint64 dur_ns)
{
  if (!loom_chrome_parallel_begin_event (chrome, offset))
    return FALSE;
  chrome->info->n_events++;
  if (offset > LOOM_REF_MAX_OFFSET) {
    drop_far (chrome, offset);
    return TRUE;
  }
  LoomRef ref = loom_source_ref_make (chrome->source, 0, offset);
  if (known->has_hint)
    ref |= loom_event_ref_hint_args (args);
  count_time (chrome, start_ns);
  if (start_ns < LOOM_TIME_EPOCH_MIN)
    chrome->max_end_ns = MAX (chrome->max_end_ns, loom_time_add (start_ns, dur_ns));
  loom_trace_builder_span (chrome->builder, known->thread, loom_time_add (start_ns, chrome->base_ns), dur_ns,
                           known->name_id, ref);
  return TRUE;
}

/* Returns TRUE if the event is a flow event of the form of LoomChromeKnownFlow. */
static gboolean
has_known_flow_form (const LoomEvent *event)
{
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS], id = event->member[LOOM_MEMBER_ID],
                category = event->member[LOOM_MEMBER_CAT];
  char phase = loom_event_phase (event);
  return (phase == 's' || phase == 't' || phase == 'f') && ts.text != NULL && id.text > ts.text && id.text[0] == '"' &&
         category.text != NULL && event->n_members == 7u + (event->member[LOOM_MEMBER_BP].text != NULL) &&
         loom_chrome_hint_has_place (event);
}

gboolean
loom_chrome_event_learn_flow (LoomChromeImporter *chrome, const char *text, gsize length, LoomChromeKnownFlow *known)
{
  LoomEvent event;
  LoomNameTraits traits;
  guint32 process;
  if (adjusts_all (chrome) || chrome->bytes != NULL || !loom_event_parse (text, length, &event) ||
      !has_known_flow_form (&event))
    return FALSE;
  LoomJsonSlice id = event.member[LOOM_MEMBER_ID], category = event.member[LOOM_MEMBER_CAT];
  gsize n_time = event.member[LOOM_MEMBER_TS].length;
  loom_chrome_importer_place (chrome, &event, &process, &known->thread);
  known->name_id = loom_name_cache_get (chrome->names, &event, &traits);
  known->phase = loom_event_phase (&event);
  known->has_hint = loom_chrome_hint_flow (&event, known->phase, traits) != 0;
  known->ends_inside = loom_json_slice_equal (event.member[LOOM_MEMBER_BP], "\"e\"");
  known->category = loom_string_pool_hash (category.text, category.length);
  known->n_bytes = length - n_time - (id.length - strlen ("\"\""));
  known->id_at = (gsize) (id.text - text) - n_time;
  return (traits & LOOM_NAME_CUT) == 0;
}

/* Returns the hint (loom-event-ref-hint.h) of a known flow event. `id_at`: distance in bytes from the beginning of the
 * event's text to the id. */
static LoomRef
make_flow_hint (const LoomChromeKnownFlow *known, gsize id_at)
{
  LoomHintFlow flow = known->phase == 's' ? LOOM_HINT_START : known->phase == 't' ? LOOM_HINT_STEP : LOOM_HINT_END;
  return loom_event_ref_hint_flow (id_at, known->ends_inside ? LOOM_HINT_END_INSIDE : flow);
}

gboolean
loom_chrome_event_add_known_flow (LoomChromeImporter *chrome, const LoomChromeKnownFlow *known, guint64 offset,
                                  LoomJsonSlice id, gint64 time_ns)
{
  if (!loom_chrome_parallel_begin_event (chrome, offset))
    return FALSE;
  chrome->info->n_events++;
  if (offset > LOOM_REF_MAX_OFFSET) {
    drop_far (chrome, offset);
    return TRUE;
  }
  LoomRef ref = loom_source_ref_make (chrome->source, 0, offset);
  if (known->has_hint)
    ref |= make_flow_hint (known, known->id_at + loom_made_json_measure_us (time_ns));
  count_time (chrome, time_ns);
  if (time_ns < LOOM_TIME_EPOCH_MIN)
    chrome->max_end_ns = MAX (chrome->max_end_ns, time_ns);
  chrome->info->n_flows++;
  loom_trace_builder_flow (chrome->builder, known->thread, known->phase, known->ends_inside,
                           loom_time_add (time_ns, chrome->base_ns), loom_chrome_event_flow_key (known->category, id),
                           known->name_id, ref);
  return TRUE;
}
