/* SPDX-License-Identifier: Apache-2.0
 *
 * The alignment in force: one map per clock of a run, and why it is what it is. Immutable, ref-counted atomically.
 */
#pragma once

#include "loom-clock-map.h"
#include "loom-fit-quality.h"
#include "loom-progress.h"
#include "loom-run.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_ALIGN_AUTO,     /* declared, and a fit where nothing is declared or the evidence contradicts it */
  LOOM_ALIGN_DECLARED, /* what the formats state */
  LOOM_ALIGN_NONE,     /* the formats' anchoring only, no correction between sources */
} LoomAlignMode;

gboolean loom_alignment_mode_from_string (const char *word, LoomAlignMode *mode);

typedef struct {
  LoomClockMap map; /* user offset included */
  LoomClockState state;
  const char *basis;     /* borrowed from the alignment */
  gint64 error_ns;       /* stated bound, −1 unknown */
  gint64 residual_ns;    /* median residual of a fit that is in force, −1 none */
  gint64 user_offset_ns; /* the part of map.offset_ns a person added */
  gboolean placed;       /* not anchored: put at the start of the anchored range, "not aligned" */
  gboolean anchored;     /* the map leads to UTC: declared, or fitted to a clock that is */
  gboolean fitted;       /* the map is that of a fit: state SYNCHRONISED, basis "fit" */
  /* What the evidence says, in force or not. */
  LoomFitQuality verdict; /* DECLARED: nothing was compared */
  const char *why;        /* one sentence, borrowed from the alignment; "" for nothing to say */
  guint component;        /* number of the clocks that evidence connects with this one, LOOM_COMPONENT_NONE for none */
  guint pairs, rejected;  /* looked at; of these contradicting the rest */
  LoomFitResiduals
    residuals; /* of the map in force, of the refused one where the verdict is REFUSED; without the rejected */
  LoomFitResiduals declared_residuals; /* of what is declared, over the same pairs */
  LoomClockMap line;    /* what the evidence says, in force or not, without what a person did; where pairs > 0 */
  double line_error_ns; /* ± at 95 % of its offset at its reference_ns, against the reference's clock; −1 unknown */
  double line_drift_error_ppb; /* ± at 95 % of its drift; −1 unknown, or too few pairs for a drift */
  guint reference;             /* the clock whose component that line leads into */
} LoomClockFit;

#define LOOM_COMPONENT_NONE G_MAXUINT

typedef struct _LoomAlignment LoomAlignment;

/* A user's offset on a source. Sources that continue one another share a clock and move together; where several of them
 * are given an offset, the last counts. */
typedef struct {
  guint source; /* flat number in the run */
  gint64 offset_ns;
} LoomUserOffset;

/* Two events a person says are one: `moved` is shifted so that they coincide, with all that was fitted together with it when
 * `kept` is not of these. */
typedef struct {
  guint kept_source, moved_source; /* flat numbers in the run */
  gint64 kept_ns, moved_ns;        /* local */
} LoomUserPick;

typedef struct {
  LoomAlignMode mode;
  const LoomUserOffset *offsets;
  guint n_offsets;
  const LoomUserPick *picks; /* in this order, before the offsets; in every mode */
  guint n_picks;
  guint n_threads; /* of the fit; 0: as many as processors */
} LoomAlignOptions;

/* In this order: what the formats declare; in mode AUTO a fit (loom-clock-fit.h) where nothing is declared or where the evidence
 * contradicts what is declared by more than LOOM_ALIGN_CONTRADICTION times the uncertainty of the offset (the largest of its
 * 95 % confidence interval (loom-robust-line-error.h), the stated bound, the least uncertainty of a pair, which many pairs do not
 * make smaller where all of them err alike, and 1 µs; steps and markers never overrule a declared clock, and one that
 * declares nothing only where they contradict it as it stands; a clock that messages alone tie to the others is moved when it is
 * outside what the messages allow, and the clocks that share collectives with it move with it, or where they stay a clock without
 * an epoch is placed beside them); a place for clocks without an epoch; picks; offsets.
 *
 * Never fails; notices go to loom_alignment_get_notices(). Any thread; a worker, for the fit takes time: cost O(sources),
 * in mode AUTO and with two clocks or more O(meetings of the run), and O(spans) where clocks without an epoch are left over.
 * NULL only when cancelled. */
#define LOOM_ALIGN_CONTRADICTION 10
LoomAlignment *loom_alignment_new_full (const LoomRun *run, const LoomAlignOptions *options, LoomProgress *progress);
LoomAlignment *loom_alignment_new (const LoomRun *run, LoomAlignMode mode, const LoomUserOffset *offsets,
                                   guint n_offsets);

/* The same evidence under other options, without fitting anew: mode AUTO puts the fit of `alignment` in force, DECLARED does
 * not but keeps its verdicts. Cost O(sources); where the mode asks for what `alignment` was not made with, as
 * loom_alignment_new_full() without a limit in time. `run` is the one it was made of. */
LoomAlignment *loom_alignment_new_changed (const LoomAlignment *alignment, const LoomRun *run,
                                           const LoomAlignOptions *options);
LoomAlignment *loom_alignment_ref (LoomAlignment *alignment);
void loom_alignment_unref (LoomAlignment *alignment);

const LoomClockFit *loom_alignment_get (const LoomAlignment *alignment, guint clock);

/* As the formats declare it: neither fitted nor placed nor moved by a person. Borrowed. */
const LoomClockFit *loom_alignment_get_declared (const LoomAlignment *alignment, guint clock);
LoomAlignMode loom_alignment_get_mode (const LoomAlignment *alignment);
/* The mode it was first made with, before it was changed. */
LoomAlignMode loom_alignment_get_made_mode (const LoomAlignment *alignment);

guint loom_alignment_get_n_clocks (const LoomAlignment *alignment);
/* Components are numbered from 0; each connects two clocks or more. */
guint loom_alignment_get_n_components (const LoomAlignment *alignment);

/* Sentences worth showing, NULL-terminated, borrowed ("rank 3: no sync value, not shifted"). */
const char *const *loom_alignment_get_notices (const LoomAlignment *alignment);
/* The sentence among them that says that recordings were loaded twice, with what to do about it, owned by the caller; and that
 * which says that sources of different runs were loaded together. In the language of the calling thread; NULL when none says so. */
char *loom_alignment_dup_copies (const LoomAlignment *alignment);
const char *loom_alignment_get_runs (const LoomAlignment *alignment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomAlignment, loom_alignment_unref)

G_END_DECLS
