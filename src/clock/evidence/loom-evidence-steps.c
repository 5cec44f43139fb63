/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that carry their number in their name ("ProfilerStep#12", "step 12"): all ranks begin the same one at about the same
 * moment, because the one before it ended with a collective.
 */
#include "loom-evidence-groups.h"
#include "loom-evidence.h"

#include <string.h>

#define UNCERTAINTY_NS (100 * LOOM_NS_PER_US)

static gboolean
ends_in (const char *text, gsize length, const char *word)
{
  gsize n = strlen (word);
  return length >= n && g_ascii_strncasecmp (text + length - n, word, n) == 0;
}

/* A word for a step, a blank or a sign, a number. The copy on the device is not a second step. */
static gboolean
is_step (const LoomName *name)
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

static guint8 *
find_steps (const LoomTrace *trace, gboolean *any)
{
  guint n = loom_trace_get_n_names (trace);
  guint8 *steps = g_new0 (guint8, MAX (n, 1));
  *any = FALSE;
  for (guint32 i = 0; i < n; i++) {
    steps[i] = is_step (loom_trace_get_name (trace, i));
    *any |= steps[i];
  }
  return steps;
}

static void
add_track (LoomEvidenceGroups *gathering, const LoomTrace *trace, const LoomTrack *track, guint first_clock,
           const guint8 *steps)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      if (!steps[spans->name_id[i]] || (loom_source_ref_flags (spans->ref[i]) & LOOM_REF_OPEN) != 0)
        continue;
      const char *text = loom_trace_get_name (trace, spans->name_id[i])->text;
      loom_evidence_groups_add (gathering, loom_string_pool_hash (text, strlen (text)), first_clock + track->clock,
                                spans->start_ns[i], LOOM_TIME_NONE, 0);
    }
  }
}

void
loom_evidence_add_steps (LoomEvidence *evidence, const LoomRun *run)
{
  LoomEvidenceGroups gathering;
  loom_evidence_groups_init (&gathering);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    gboolean any;
    g_autofree guint8 *steps = find_steps (trace, &any);
    for (guint i = 0; any && i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      if (track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DEVICE) == 0)
        add_track (&gathering, trace, track, loom_run_get_first_clock (run, t), steps);
    }
  }
  loom_evidence_groups_close (&gathering);
  loom_evidence_groups_tell (&gathering, evidence, LOOM_EVIDENCE_STEPS, UNCERTAINTY_NS);
  loom_evidence_groups_clear (&gathering);
}
