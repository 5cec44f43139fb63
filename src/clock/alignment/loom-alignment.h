/* SPDX-License-Identifier: Apache-2.0
 *
 * The alignment of the clocks of a run: for each clock, a map from its local time to the time of the timeline, and the
 * reason why this map is used. Immutable, ref-counted atomically.
 */
#pragma once

#include "loom-clock-map.h"
#include "loom-fit-quality.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-string-pool.h"

typedef enum {
  /* Each clock is used as its file format declares it. The fitted clock is used instead in two cases: the format
   * declares no clock, or the comparison with other clocks contradicts the declared clock. */
  LOOM_ALIGN_AUTO,
  LOOM_ALIGN_DECLARED, /* uses for each clock what the file format declares; clocks are not fitted */
  LOOM_ALIGN_NONE, /* uses only the epochs (starts in UTC) that formats declare, without corrections between sources */
} LoomAlignMode;

gboolean loom_alignment_mode_from_string (const char *word, LoomAlignMode *mode);

typedef struct {
  LoomClockMap map; /* map from local time to the timeline, including the user's offset */
  LoomClockState state;
  /* text that says how `map` was determined: LoomDeclaredClock.basis, "fit", …; untranslated; borrowed */
  const char *basis;
  gint64 error_ns;       /* maximum error of the declared clock, as the format states it; −1 if unknown */
  gint64 residual_ns;    /* if `map` is the result of a fit: the median residual; otherwise −1 */
  gint64 user_offset_ns; /* the part of map.offset_ns that is the user's offset */
  /* TRUE if the clock has no epoch (start in UTC), so that it was placed to start with the clocks that have one.
   * Such a clock is shown as "not aligned". */
  gboolean placed;
  /* TRUE if the map gives UTC, either because it is declared or because it was fitted to a clock that gives UTC */
  gboolean anchored;
  gboolean fitted; /* TRUE if the map is the result of a fit; then the state is SYNCHRONISED and the basis "fit" */
  /* TRUE if the map was determined by a LoomUserPick (two events that the user declared to be simultaneous) or by
   * another clock of the same domain */
  gboolean follows;
  /* The members below are results of the comparison with other clocks. They are set even if `map` does not depend on
   * them. */
  /* quality of the fit; LOOM_FIT_QUALITY_DECLARED if the clock was not compared with other clocks */
  LoomFitQuality verdict;
  /* a sentence with the reason for `verdict`, borrowed from the alignment; "" if there is none */
  const char *why;
  /* number of the component, which is a set of clocks that common events connect; LOOM_COMPONENT_NONE if no common
   * event connects the clock with another clock */
  guint component;
  /* `pairs`: number of examined pairs; a pair is an event in the time of this clock and in the time of the reference
   * clock. `rejected`: number of pairs that were rejected because they contradict the other pairs. */
  guint pairs, rejected;
  /* residuals of all pairs of times that were not rejected, with the maps in use of all clocks, without the user's
   * changes; if `verdict` is REFUSED, relative to the refused fit */
  LoomFitResiduals residuals;
  LoomFitResiduals declared_residuals; /* like `residuals`, but with the declared maps of all clocks */
  /* the fitted line without the user's changes, even if `map` is not this line; valid if `pairs` > 0 */
  LoomClockMap line;
  /* half of the 95 % confidence interval of the offset of `line`, at line.reference_ns, relative to the reference
   * clock; −1 if unknown */
  double line_error_ns;
  /* half of the 95 % confidence interval of the drift of `line`; −1 if unknown, or if there are too few pairs for a
   * drift */
  double line_drift_error_ppb;
  guint reference; /* index of the reference clock of the component; `line` maps to the time of this clock */
} LoomClockFit;

#define LOOM_COMPONENT_NONE G_MAXUINT

typedef struct _LoomAlignment LoomAlignment;
struct _LoomAlignment {
  guint n_clocks;
  /* number of components (sets of clocks that common events connect), numbered from 0; each has at least two clocks */
  guint n_components;
  /* The members below are private to src/clock. */
  gatomicrefcount refs;
  LoomClockFit *fits;
  LoomStringPool *texts; /* owns the texts of LoomClockFit.basis */
  GPtrArray *notices;    /* char *; NULL-terminated when the alignment is complete */
  /* `copy`: name of the first file whose recording had already been loaded from an earlier file of the run; `original`:
   * name of this earlier file. Both are NULL if no recording was loaded twice. */
  char *copy, *original;
  guint n_copies;
  /* the notice that the sources belong to different runs, untranslated; NULL if they may belong to one run */
  const char *runs;
  LoomAlignMode mode; /* mode for which the alignment was computed; set only if `root` is NULL */
  /* For each clock, the results without the user's changes: before (`declared`) and after (`judged`) the comparison
   * with other clocks. NULL if `root` is set. */
  LoomClockFit *declared, *judged;
  /* The alignment from which loom_alignment_new_changed() made this alignment. This alignment uses `texts`, `declared`
   * and `judged` of `root`. NULL if this alignment was computed from the run. */
  LoomAlignment *root;
  /* The alignment from which loom_alignment_new_part() made this alignment. This alignment uses the texts of `whole`.
   * NULL if it was not made by loom_alignment_new_part(). */
  LoomAlignment *whole;
};

/* The user's offset of a source. Sources of one stream, such as rotated files, share a clock and are moved together.
 * If several of them have offsets, the last offset is used. */
typedef struct {
  guint source; /* index of the source in the run */
  gint64 offset_ns;
} LoomUserOffset;

/* Two events that the user declares to be simultaneous. The clock of the moved event is shifted, so that both events
 * have the same time. The other clocks of its component (set of connected clocks) and of its domain are shifted, too.
 * Exception: if the clock of the kept event belongs to the same component or domain, only the clock of the moved event
 * is shifted. */
typedef struct {
  guint kept_source, moved_source; /* indices of the sources in the run */
  gint64 kept_ns, moved_ns;        /* local times of the events, in ns */
} LoomUserPick;

typedef struct {
  LoomAlignMode mode;
  const LoomUserOffset *offsets;
  guint n_offsets;
  /* Pairs of events that the user declared to be simultaneous. They are applied in every mode, in the order of the
   * array, before `offsets`. */
  const LoomUserPick *picks;
  guint n_picks;
  guint n_threads; /* number of threads that fit clocks; 0 for the number of processors */
} LoomAlignOptions;

/* Aligns a run in these steps:
 * - Use the clocks that the formats declare.
 * - In mode AUTO, fit the clocks (loom-clock-fit.h). A fit is used if a clock declares no epoch (start in UTC), or if
 *   the events contradict the declared clock by more than LOOM_ALIGN_CONTRADICTION times the uncertainty of the offset.
 * - Place the clocks without an epoch so that they start with the other clocks.
 * - Apply the pairs of events that the user declared to be simultaneous (LoomUserPick), then the user's offsets.
 *
 * The uncertainty of the offset is the largest of four values: half of the 95 % confidence interval of the fitted
 * offset (loom-robust-line-error.h); the maximum error that the format states for the declared clock; the smallest
 * uncertainty of a pair, because an error that all pairs have in common does not become smaller with more pairs; and
 * 1 µs.
 *
 * Steps and markers never replace a declared clock. If a clock declares no epoch, they replace its times only if they
 * contradict these times. A clock that only messages connect with the reference clock is moved if it is outside the
 * limits that the messages set. The clocks with which it shares collectives are moved together with it, as a group. If
 * a group is not moved, its clocks without an epoch are placed relative to a clock of the group with an epoch.
 *
 * Never fails; notices are in loom_alignment_get_notices(). Call it on a worker thread, because it takes O(sources); in
 * mode AUTO with two or more clocks, it takes O(sync events), and O(spans) if clocks without an epoch remain. Returns
 * NULL only when cancelled. */
#define LOOM_ALIGN_CONTRADICTION 10
/* Limit that is used in place of LOOM_ALIGN_CONTRADICTION for all clocks of a node, if the declared clock of at least
 * one of its ranks exceeds LOOM_ALIGN_CONTRADICTION relative to another clock of the node. The ranks of this node then
 * do not read the same clock, and the clocks that they declare are not exact. */
#define LOOM_ALIGN_DISTRUST 3
LoomAlignment *loom_alignment_new_full (const LoomRun *run, const LoomAlignOptions *options, LoomProgress *progress);
LoomAlignment *loom_alignment_new (const LoomRun *run, LoomAlignMode mode, const LoomUserOffset *offsets,
                                   guint n_offsets);

/* Returns a copy of `alignment` with other options. Usually does not fit the clocks again: mode AUTO uses the fits
 * of `alignment`, and mode DECLARED uses the declared clocks and keeps the results of the fits. `run` must be the
 * run of `alignment`. O(sources). If `alignment` does not have the results for the mode, fits the clocks, which
 * takes as long as loom_alignment_new_full(). */
LoomAlignment *loom_alignment_new_changed (const LoomAlignment *alignment, const LoomRun *run,
                                           const LoomAlignOptions *options);
/* Returns an alignment for a run that has only some of the clocks. `clocks`: indices of these clocks in `alignment`,
 * in the order of the new run. Each clock keeps its map. Does not fit clocks. O(clocks). */
LoomAlignment *loom_alignment_new_part (LoomAlignment *alignment, const guint *clocks, guint n_clocks);
LoomAlignment *loom_alignment_ref (LoomAlignment *alignment);
void loom_alignment_unref (LoomAlignment *alignment);

const LoomClockFit *loom_alignment_get (const LoomAlignment *alignment, guint clock);

/* Returns a clock as the file format declares it: without fit, without placement and without the user's changes.
 * Borrowed. */
const LoomClockFit *loom_alignment_get_declared (const LoomAlignment *alignment, guint clock);
/* Returns the mode that was passed to loom_alignment_new_full(); loom_alignment_new_changed() does not change it. */
LoomAlignMode loom_alignment_get_made_mode (const LoomAlignment *alignment);

/* Returns sentences for the user, such as "rank 3: no sync value, not shifted". NULL-terminated, borrowed. */
const char *const *loom_alignment_get_notices (const LoomAlignment *alignment);
/* The next two functions return a translated notice, or NULL. loom_alignment_dup_copies() reports recordings that
 * were loaded twice, and what to do; owned by the caller. loom_alignment_get_runs() reports that sources of
 * different runs were loaded together; static. */
char *loom_alignment_dup_copies (const LoomAlignment *alignment);
const char *loom_alignment_get_runs (const LoomAlignment *alignment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomAlignment, loom_alignment_unref)
