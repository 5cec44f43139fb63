/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks whose clocks differ by known amounts, as PyTorch traces with one collective every half second.
 */
#pragma once

#include <glib.h>

#define CLOCK_RANKS_N_MEETINGS 40

typedef struct {
  double offset_us; /* offset of the rank's clock */
  double step_us;   /* jump of the clock in the middle of the recording */
  guint n_corrupt;  /* number of collectives whose end is recorded some ms late */
} ClockRank;

/* Three ranks each. drifted: two clocks have a constant offset. stepped: one clock jumps, so that its fit is
 * refused. */
extern const ClockRank clock_ranks_drifted[3], clock_ranks_stepped[3];

/* Writes a file for each rank; returns their folder, which is removed when the process ends. The caller owns the
 * result. */
char *clock_ranks_write (const ClockRank *ranks, guint n);
