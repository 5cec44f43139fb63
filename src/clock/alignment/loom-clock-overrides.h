/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's changes to the clocks of a run: the mode of the alignment, offsets of sources, and pairs of events that
 * the user declared to be simultaneous. Sources are identified by their paths, so the changes can be saved, and applied
 * again when the files are read again. A plain struct; one thread at a time.
 */
#pragma once

#include "loom-alignment.h"

typedef struct {
  char *path;
  gint64 offset_ns;
} LoomClockOffset;

typedef struct {
  char *kept, *moved;       /* paths of the sources: of the kept event (`kept`), and of the moved event (`moved`) */
  gint64 kept_ns, moved_ns; /* local times of the events, in ns */
} LoomClockPick;

typedef struct {
  LoomAlignMode mode;
  GArray *offsets; /* LoomClockOffset: one element for each source with an offset */
  GArray *picks;   /* LoomClockPick: pairs of simultaneous events, in the order in which they are applied */
} LoomClockOverrides;

/* Makes an object without changes: mode AUTO, no offsets, no pairs of simultaneous events. */
LoomClockOverrides *loom_clock_overrides_new (void);
LoomClockOverrides *loom_clock_overrides_copy (const LoomClockOverrides *edits);
void loom_clock_overrides_free (LoomClockOverrides *edits);
gboolean loom_clock_overrides_equal (const LoomClockOverrides *a, const LoomClockOverrides *b);
/* Returns TRUE if the mode is AUTO and there are neither offsets nor pairs of simultaneous events. */
gboolean loom_clock_overrides_is_empty (const LoomClockOverrides *edits);

/* Sets the offset of the source with this path; 0 removes the offset. */
void loom_clock_overrides_set_offset (LoomClockOverrides *edits, const char *path, gint64 offset_ns);
/* Returns the offset of the source with this path; 0 if it has none. */
gint64 loom_clock_overrides_get_offset (const LoomClockOverrides *edits, const char *path);
void loom_clock_overrides_add_pick (LoomClockOverrides *edits, const char *kept, gint64 kept_ns, const char *moved,
                                    gint64 moved_ns);

/* Adds the changes in `other` to `edits`. The mode and the offsets in `other` replace those in `edits`. The pairs of
 * simultaneous events (`picks`) are appended. */
void loom_clock_overrides_add (LoomClockOverrides *edits, const LoomClockOverrides *other);

/* Finds the offsets and the pairs of events (`picks`) whose files are sources of the run, and appends them to
 * `offsets` (LoomUserOffset) and `picks` (LoomUserPick). Recognises a file also if the run has another spelling of
 * its path. O(sources). */
void loom_clock_overrides_resolve (const LoomClockOverrides *edits, const LoomRun *run, GArray *offsets, GArray *picks);

/* Returns `alignment` with the user's changes replaced by those in `edits`. Does not fit clocks. If the mode in `edits`
 * is AUTO, keeps the mode for which `alignment` was computed, because AUTO needs fits, and the clocks of `alignment`
 * may not have been fitted. O(sources). */
LoomAlignment *loom_clock_overrides_apply (const LoomClockOverrides *edits, const LoomAlignment *alignment,
                                           const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockOverrides, loom_clock_overrides_free)
