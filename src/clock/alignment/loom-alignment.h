/* SPDX-License-Identifier: Apache-2.0
 *
 * The alignment of the clocks of a run: for each clock, a map from local time to timeline time, and the reason why
 * this map is used. Immutable, ref-counted atomically.
 */
#pragma once

#include "loom-clock-map.h"
#include "loom-fit-quality.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-string-pool.h"

typedef enum {
  /* Uses for each clock what the file format declares. If the format declares no clock, or if the comparison with other
   * clocks contradicts the declaration, uses a fitted clock instead. */
  LOOM_ALIGN_AUTO,
  LOOM_ALIGN_DECLARED, /* uses for each clock what the file format declares; fits no clocks */
  LOOM_ALIGN_NONE,     /* uses only the epochs that formats declare, without corrections between sources */
} LoomAlignMode;

gboolean loom_alignment_mode_from_string (const char *word, LoomAlignMode *mode);

typedef struct {
  LoomClockMap map; /* map from local time to the timeline, including the user's offset */
  LoomClockState state;
  const char *basis;     /* what the map is derived from: LoomDeclaredClock.basis, "fit", …; borrowed */
  gint64 error_ns;       /* error bound of the declared clock, as the format states it; −1: unknown */
  gint64 residual_ns;    /* if `map` comes from a fit, the median residual of the fit; else −1 */
  gint64 user_offset_ns; /* the part of map.offset_ns that the user added */
  /* TRUE if the clock has no epoch, so that it was placed to start with the clocks that have one; the clock is shown as
   * "not aligned" */
  gboolean placed;
  gboolean anchored; /* TRUE if the map yields UTC: it is declared, or fitted to an anchored clock */
  gboolean fitted;   /* TRUE if the map comes from a fit: state SYNCHRONISED, basis "fit" */
  gboolean follows;  /* TRUE if a LoomUserPick or another clock of the same domain determines the map */
  /* The members below are results of the comparison with other clocks, even if `map` does not use them. */
  /* verdict on the fit; LOOM_FIT_QUALITY_DECLARED: the clock was not compared with other clocks */
  LoomFitQuality verdict;
  /* the reason for the verdict, a sentence borrowed from the alignment; "": no reason is stated */
  const char *why;
  /* number of the component, a set of clocks that common events connect; LOOM_COMPONENT_NONE: the clock is not
   * connected with another clock */
  guint component;
  /* `pairs`: number of examined pairs (an event in this clock's time and in the reference's time); `rejected`: number
   * of those that are rejected because they contradict the others */
  guint pairs, rejected;
  /* residuals of all pairs that are not rejected, with respect to `map` or, if the verdict is REFUSED, to the refused
   * fit */
  LoomFitResiduals residuals;
  LoomFitResiduals declared_residuals; /* like `residuals`, but with respect to the declared clock */
  LoomClockMap line; /* the fitted line without the user's changes, even if `map` does not use it; valid if pairs > 0 */
  /* half of the 95 % confidence interval of the offset of `line` at line.reference_ns, relative to the clock
   * `reference`; −1: unknown */
  double line_error_ns;
  /* half of the 95 % confidence interval of the drift of `line`; −1: unknown, or too few pairs for a drift */
  double line_drift_error_ppb;
  guint reference; /* index of the reference clock of the component, to whose time `line` maps */
} LoomClockFit;

#define LOOM_COMPONENT_NONE G_MAXUINT

typedef struct _LoomAlignment LoomAlignment;
struct _LoomAlignment {
  guint n_clocks;
  /* number of components (sets of connected clocks), which are numbered from 0; each has at least two clocks */
  guint n_components;
  /* The members below are private to src/clock. */
  gatomicrefcount refs;
  LoomClockFit *fits;
  LoomStringPool *texts; /* owns the texts of LoomClockFit.basis */
  GPtrArray *notices;    /* char *; NULL-terminated when the alignment is complete */
  /* names of files that contain the same recording: the first copy (`copy`), and the file that precedes it in the run
   * (`original`); NULL: no recording was loaded twice */
  char *copy, *original;
  guint n_copies;
  const char *runs;   /* the notice that different runs are loaded, untranslated; NULL: all sources may be of one run */
  LoomAlignMode mode; /* the mode with which the alignment was made; set only if `root` is NULL */
  /* [clock] the results for the clock before (`declared`) and after (`judged`) it is compared with other clocks,
   * without the user's changes; NULL if `root` is set */
  LoomClockFit *declared, *judged;
  /* the alignment of which loom_alignment_new_changed() made this one, and whose texts, `declared` and `judged` it
   * uses; NULL: this alignment was computed from the run */
  LoomAlignment *root;
  /* the alignment of which loom_alignment_new_part() made this one, and whose texts it uses; NULL: this alignment is
   * not such a part */
  LoomAlignment *whole;
};

/* The offset that the user gave to a source. Sources of one stream, such as rotated files, share a clock and move
 * together; if several of them have an offset, the last one counts. */
typedef struct {
  guint source; /* index of the source in the run */
  gint64 offset_ns;
} LoomUserOffset;

/* Two events that the user declares to be simultaneous. The clock of the moved event is shifted so that both
 * coincide. The other clocks of its component and of its domain are shifted, too, unless the clock of the kept event is
 * among them. */
typedef struct {
  guint kept_source, moved_source; /* indices of the sources in the run */
  gint64 kept_ns, moved_ns;        /* local times of the events, in ns */
} LoomUserPick;

typedef struct {
  LoomAlignMode mode;
  const LoomUserOffset *offsets;
  guint n_offsets;
  /* pairs of events that the user declared to be simultaneous; applied in every mode, in the order of the array, before
   * `offsets` */
  const LoomUserPick *picks;
  guint n_picks;
  guint n_threads; /* number of threads that fit clocks; 0: as many as there are processors */
} LoomAlignOptions;

/* Aligns a run in these steps:
 * - Use the clocks that the formats declare.
 * - In mode AUTO, fit the clocks (loom-clock-fit.h). A fit replaces a missing declaration, and a declaration that the
 *   evidence contradicts by more than LOOM_ALIGN_CONTRADICTION times the uncertainty of the offset.
 * - Place the clocks without an epoch so that they start with the other clocks.
 * - Apply the pairs of events that the user has set to the same time (LoomUserPick), then the user's offsets.
 *
 * The uncertainty of the offset is the largest of four values: half of the 95 % confidence interval of the fitted
 * offset (loom-robust-line-error.h); the error bound that the format states for the declared clock; the smallest
 * uncertainty of a pair, because an error that all pairs have in common does not shrink with their number; and 1 µs.
 *
 * Steps and markers never overrule a declared clock. They overrule the times of a clock without a declaration only if
 * they contradict these times. A clock that only messages connect with other clocks is moved if it is outside the
 * limits that the messages set. The clocks with which it shares collectives form a group with it, and are moved
 * together with it. If a group is not moved, those of its clocks that declare no epoch are placed relative to a clock
 * of the group that declares one.
 *
 * Never fails; notices are in loom_alignment_get_notices(). Meant for a worker thread: the cost is O(sources); in mode
 * AUTO with two clocks or more O(sync events), and O(spans) if clocks without an epoch remain. Returns NULL only if
 * cancelled. */
#define LOOM_ALIGN_CONTRADICTION 10
/* This limit is used instead for the clocks of a node if one of them exceeds LOOM_ALIGN_CONTRADICTION relative to another
 * clock of the same node: then the ranks of this node do not read the same clock, and their declarations are not exact.
 */
#define LOOM_ALIGN_DISTRUST 3
LoomAlignment *loom_alignment_new_full (const LoomRun *run, const LoomAlignOptions *options, LoomProgress *progress);
LoomAlignment *loom_alignment_new (const LoomRun *run, LoomAlignMode mode, const LoomUserOffset *offsets,
                                   guint n_offsets);

/* Returns a copy of `alignment` with other options, without fitting the clocks again: mode AUTO uses the fits of
 * `alignment`, and mode DECLARED uses the declared clocks but keeps the verdicts of the fits. `run` must be the run of
 * `alignment`. O(sources); if `alignment` lacks the results that the mode needs, the clocks are fitted at the cost of
 * loom_alignment_new_full(). */
LoomAlignment *loom_alignment_new_changed (const LoomAlignment *alignment, const LoomRun *run,
                                           const LoomAlignOptions *options);
/* Returns an alignment for a run that has only the clocks in `clocks`, in this order. Each of them keeps the map that
 * it has in `alignment`. Does not fit clocks. O(clocks). */
LoomAlignment *loom_alignment_new_part (LoomAlignment *alignment, const guint *clocks, guint n_clocks);
LoomAlignment *loom_alignment_ref (LoomAlignment *alignment);
void loom_alignment_unref (LoomAlignment *alignment);

const LoomClockFit *loom_alignment_get (const LoomAlignment *alignment, guint clock);

/* Returns a clock as the formats declare it: without fit, without placement and without the user's changes.
 * Borrowed. */
const LoomClockFit *loom_alignment_get_declared (const LoomAlignment *alignment, guint clock);
/* Returns the mode that was given to loom_alignment_new_full(); loom_alignment_new_changed() does not change it. */
LoomAlignMode loom_alignment_get_made_mode (const LoomAlignment *alignment);

/* Returns sentences for the user, such as "rank 3: no sync value, not shifted". NULL-terminated, borrowed. */
const char *const *loom_alignment_get_notices (const LoomAlignment *alignment);
/* The next two functions return a translated notice; NULL if there is nothing to report. loom_alignment_dup_copies()
 * reports recordings that were loaded twice, with advice; owned by the caller. loom_alignment_get_runs() reports that
 * sources of different runs were loaded together; static. */
char *loom_alignment_dup_copies (const LoomAlignment *alignment);
const char *loom_alignment_get_runs (const LoomAlignment *alignment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomAlignment, loom_alignment_unref)
