/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds events that have a key to the evidence about clocks (loom-evidence.h): markers, steps, clock sync events (phase
 * "c"), and sync points that a file format declares. Events with equal keys on several clocks are recordings of one
 * event.
 */
#include "loom-evidence-groups.h"
#include "loom-evidence.h"

#include <string.h>

#define NAME_UNCERTAINTY_NS (100 * LOOM_NS_PER_US) /* uncertainty, in ns, of the starts of markers and steps */
/* uncertainty, in ns, of a declared sync value if the format states no maximum error */
#define UNKNOWN_BOUND_NS LOOM_NS_PER_MS

static guint64
hash_text (const char *text)
{
  return loom_string_pool_hash (text, strlen (text));
}

/* --- events with equal names -------------------------------------------------------------------------------------- */

/* A kind of evidence (steps or markers) whose events are recognised by their names. Such an event starts at nearly
 * the same time on several ranks. */
typedef struct {
  LoomEvidenceKind kind;
  gboolean (*is_name) (const LoomName *name);
  gboolean (*is_track) (const LoomTrack *track);
  gboolean (*is_event) (const LoomSpans *spans, guint32 event);
} NamedEvents;

static void
add_track (LoomEvidenceGroups *groups, const LoomTrace *trace, const LoomTrack *track, guint first_clock,
           const guint8 *wanted, const NamedEvents *events)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    for (guint32 i = row->first; i < row->first + row->n; i++)
      if (wanted[spans->name_id[i]] && events->is_event (spans, i))
        loom_evidence_groups_add (groups, hash_text (loom_trace_get_name (trace, spans->name_id[i])->text),
                                  first_clock + track->clock, spans->start_ns[i], LOOM_TIME_NONE, 0);
  }
}

static void
add_trace (LoomEvidenceGroups *groups, const LoomTrace *trace, guint first_clock, const NamedEvents *events)
{
  guint n_names = loom_trace_get_n_names (trace), n_wanted = 0;
  g_autofree guint8 *wanted = g_new0 (guint8, MAX (n_names, 1));
  for (guint32 i = 0; i < n_names; i++)
    n_wanted += wanted[i] = (guint8) events->is_name (loom_trace_get_name (trace, i));
  for (guint i = 0; n_wanted > 0 && i < loom_trace_get_n_tracks (trace); i++)
    if (events->is_track (loom_trace_get_track (trace, i)))
      add_track (groups, trace, loom_trace_get_track (trace, i), first_clock, wanted, events);
}

static void
add_named_events (LoomEvidence *evidence, const LoomRun *run, const NamedEvents *events)
{
  LoomEvidenceGroups groups;
  loom_evidence_groups_init (&groups);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    add_trace (&groups, loom_run_get_trace (run, t), loom_run_get_first_clock (run, t), events);
  loom_evidence_groups_finish (&groups, evidence, events->kind, NAME_UNCERTAINTY_NS);
}

/* Returns TRUE for the names of markers that can identify an event. Returns FALSE for names that profilers write
 * into every file. */
static gboolean
is_marker_name (const LoomName *name)
{
  return name->text[0] != '\0' && !g_str_has_prefix (name->text, "Iteration Start:") &&
         strcmp (name->text, "Record Window End") != 0;
}

static gboolean
is_marker_track (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_INSTANTS;
}

static gboolean
is_marker (const LoomSpans *spans, guint32 event)
{
  char phase = LOOM_INSTANT_PHASE (spans->dur_ns[event]);
  return phase == 'i' || phase == 'I' || phase == 'R';
}

void
loom_evidence_add_markers (LoomEvidence *evidence, const LoomRun *run)
{
  static const NamedEvents markers = { LOOM_EVIDENCE_MARKERS, is_marker_name, is_marker_track, is_marker };
  add_named_events (evidence, run, &markers);
}

static gboolean
ends_in (const char *text, gsize length, const char *word)
{
  gsize n = strlen (word);
  return length >= n && g_ascii_strncasecmp (text + length - n, word, n) == 0;
}

/* Returns TRUE if the name ends with a word for a step, optional separators and a number, such as "step 12" and
 * "iter#3". Returns FALSE for events of the category gpu_user_annotation, because they are copies of steps of the
 * host. */
static gboolean
is_step_name (const LoomName *name)
{
  static const char *const words[] = { "step", "iteration", "iter", "batch" };
  gsize length = strlen (name->text), n_digits = 0;
  while (n_digits < length && g_ascii_isdigit (name->text[length - 1 - n_digits]))
    n_digits++;
  if (n_digits == 0 || strcmp (name->category, "gpu_user_annotation") == 0)
    return FALSE;
  length -= n_digits;
  while (length > 0 && strchr (" #_:-", name->text[length - 1]) != NULL)
    length--;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (ends_in (name->text, length, words[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_step_track (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DEVICE) == 0;
}

static gboolean
is_closed (const LoomSpans *spans, guint32 event)
{
  return (loom_source_ref_flags (spans->ref[event]) & LOOM_REF_OPEN) == 0;
}

/* Adds the starts of steps as evidence. All ranks begin a step at nearly the same time, because the previous step
 * ends with a collective. */
void
loom_evidence_add_steps (LoomEvidence *evidence, const LoomRun *run)
{
  static const NamedEvents steps = { LOOM_EVIDENCE_STEPS, is_step_name, is_step_track, is_closed };
  add_named_events (evidence, run, &steps);
}

/* --- clock sync events and declared sync points ------------------------------------------------------------------- */

/* Adds a clock sync event. The exact time of the event on the clock of the issuing process is unknown: the file only
 * states that another process recorded the event between issue_ts and ts. So the reading is the middle of issue_ts and
 * ts, and its uncertainty is half of their difference. */
static void
add_clock_sync (const LoomTrace *trace, const LoomSyncEvent *meeting, guint clock, gpointer user_data)
{
  gint64 half_ns = loom_time_sub (meeting->end_ns, meeting->start_ns) / 2;
  if (meeting->kind == LOOM_SYNC_EVENT_CLOCK_SYNC)
    loom_evidence_groups_add (user_data, hash_text (loom_trace_get_sync_event_text (trace, meeting->name)), clock,
                              loom_time_sub (meeting->end_ns, half_ns), half_ns, 0);
}

void
loom_evidence_add_clock_sync (LoomEvidence *evidence, const LoomRun *run)
{
  LoomEvidenceGroups groups;
  loom_evidence_groups_init (&groups);
  loom_evidence_groups_for_each_sync_event (run, add_clock_sync, &groups);
  loom_evidence_groups_finish (&groups, evidence, LOOM_EVIDENCE_CLOCK_SYNC, LOOM_NS_PER_US);
}

static guint64
key_of (const LoomDeclaredClock *decl)
{
  gboolean has_cycle = decl->sync_cycle != NULL && decl->sync_cycle[0] != '\0';
  return loom_string_pool_hash_join (hash_text (decl->sync_group),
                                     has_cycle ? hash_text (decl->sync_cycle) : (guint64) decl->sync_order);
}

/* Adds the sync points of Composer. Each file states one reading of its clock, which was taken between two barriers
 * of all ranks. */
void
loom_evidence_add_sync_points (LoomEvidence *evidence, const LoomRun *run)
{
  LoomEvidenceGroups groups;
  loom_evidence_groups_init (&groups);
  for (guint clock = 0; clock < loom_run_get_n_clocks (run); clock++) {
    const LoomDeclaredClock *decl = loom_run_get_clock (run, clock);
    gint64 error_ns = decl->sync_error_ns < 0 ? UNKNOWN_BOUND_NS : decl->sync_error_ns;
    if (decl->has_sync && decl->sync_group != NULL)
      loom_evidence_groups_add (&groups, key_of (decl), clock, decl->sync_ns, error_ns, 0);
  }
  loom_evidence_groups_finish (&groups, evidence, LOOM_EVIDENCE_SYNC_POINTS, LOOM_NS_PER_US);
}
