/* SPDX-License-Identifier: Apache-2.0
 *
 * The alignment in force: one map per clock of a run, and why it is what it is. Immutable, ref-counted atomically.
 */
#pragma once

#include "loom-clock-map.h"
#include "loom-run.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_ALIGN_AUTO,     /* declared, and a fit where nothing is declared or the evidence contradicts it */
  LOOM_ALIGN_DECLARED, /* what the formats state */
  LOOM_ALIGN_NONE,     /* the formats' anchoring only, no correction between sources */
} LoomAlignMode;

gboolean loom_align_mode_from_string (const char *word, LoomAlignMode *mode);

typedef struct {
  LoomClockMap map;      /* user offset included */
  LoomClockState state;
  const char *basis;     /* borrowed from the alignment */
  gint64 error_ns;       /* stated bound, −1 unknown */
  gint64 residual_ns;    /* median residual of a fit, −1 none */
  gint64 user_offset_ns; /* the part of map.offset_ns a person added */
  gboolean placed;       /* state NONE: put at the start of the anchored range, "not aligned" */
} LoomClockFit;

typedef struct _LoomAlignment LoomAlignment;

/* A user's offset on a source. Sources that continue one another share a clock and move together; where several of them
 * are given an offset, the last counts. */
typedef struct {
  guint source;  /* flat number in the run */
  gint64 offset_ns;
} LoomUserOffset;

/* Cost: O(sources). Never fails; notices go to loom_alignment_get_notices(). */
LoomAlignment *loom_alignment_new (const LoomRun *run, LoomAlignMode mode, const LoomUserOffset *offsets, guint n_offsets);
LoomAlignment *loom_alignment_ref (LoomAlignment *alignment);
void loom_alignment_unref (LoomAlignment *alignment);

const LoomClockFit *loom_alignment_get (const LoomAlignment *alignment, guint clock);

/* Sentences worth showing, NULL-terminated, borrowed ("rank 3: no sync value, not shifted"). */
const char *const *loom_alignment_get_notices (const LoomAlignment *alignment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomAlignment, loom_alignment_unref)

G_END_DECLS
