/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of events that the user declares to be simultaneous. Only later picks and the user's offsets take precedence.
 */
#include "loom-alignment-private.h"

#include <glib/gi18n.h>

static gboolean
moves_with (const LoomAlignment *alignment, guint clock, guint moved, guint kept)
{
  guint component = alignment->fits[moved].component;
  return clock == moved || (component != LOOM_COMPONENT_NONE && alignment->fits[clock].component == component &&
                            alignment->fits[kept].component != component);
}

static void
apply (LoomAlignment *alignment, guint kept, gint64 kept_ns, guint moved, gint64 moved_ns)
{
  const LoomClockFit *still = &alignment->fits[kept];
  gint64 change_ns = loom_time_sub (loom_clock_map_to_timeline (&still->map, kept_ns),
                                    loom_clock_map_to_timeline (&alignment->fits[moved].map, moved_ns));
  for (guint i = 0; i < alignment->n_clocks; i++) {
    LoomClockFit *fit = &alignment->fits[i];
    if (!moves_with (alignment, i, moved, kept))
      continue;
    fit->map.offset_ns = loom_time_add (fit->map.offset_ns, change_ns);
    fit->anchored = still->anchored;
    fit->placed = still->placed;
  }
  alignment->fits[moved].state = LOOM_CLOCK_SYNCHRONISED;
  alignment->fits[moved].basis = N_ ("events picked by hand");
}

void
loom_alignment_apply_picks (LoomAlignment *alignment, const LoomRun *run, const LoomUserPick *picks, guint n_picks)
{
  guint n_sources = loom_run_get_n_sources (run);
  for (guint i = 0; i < n_picks; i++) {
    if (picks[i].kept_source >= n_sources || picks[i].moved_source >= n_sources)
      continue;
    guint kept = loom_run_get_clock_of_source (run, picks[i].kept_source);
    guint moved = loom_run_get_clock_of_source (run, picks[i].moved_source);
    if (kept != moved)
      apply (alignment, kept, picks[i].kept_ns, moved, picks[i].moved_ns);
  }
}
