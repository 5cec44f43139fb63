/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes PyTorch traces of ranks whose clocks differ by known amounts. The ranks share one collective every half
 * second.
 */
#pragma once

#include <glib.h>

#define CLOCK_RANKS_N_MEETINGS 40

typedef struct {
  double offset_us; /* offset of the rank's clock */
  double step_us;   /* amount by which the clock jumps in the middle of the recording */
  guint n_corrupt;  /* number of collectives whose recorded end is some ms late */
} ClockRank;

/* Two jobs of three ranks each. clock_ranks_drifted: two clocks have a constant offset. clock_ranks_stepped: one clock
 * jumps, so that its fit is refused. */
extern const ClockRank clock_ranks_drifted[3], clock_ranks_stepped[3];

/* Writes a file for each rank; returns their folder, which is removed when the process ends. The caller owns the
 * result. */
char *clock_ranks_write (const ClockRank *ranks, guint n);
