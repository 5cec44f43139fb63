/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks whose clocks differ by known amounts, as PyTorch traces with one collective every half second.
 */
#pragma once

#include <glib.h>

#define CLOCK_RANKS_N_MEETINGS 40

typedef struct {
  double offset_us; /* of the rank's clock */
  double step_us;   /* added from the middle on */
  guint n_corrupt;  /* ends that are late by ms */
} ClockRank;

/* Three ranks: two clocks differ by a constant offset; one clock steps, so that its fit is refused. */
extern const ClockRank clock_ranks_drifted[3], clock_ranks_stepped[3];

/* Writes a file for each rank; returns their folder, which is removed with the process. Owned by the caller. */
char *clock_ranks_write (const ClockRank *ranks, guint n);
