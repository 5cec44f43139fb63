/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/names. Computes exact percentiles of many groups of durations without sorting or storing all
 * durations. A sample of each group predicts a lower and an upper bound for each percentile (R. W. Floyd, R. L. Rivest:
 * "Expected time bounds for selection", Communications of the ACM 18 (1975)). A first pass counts the durations below
 * the bounds, and stores only the durations between the bounds. A wrong prediction is always detected; then a second
 * pass stores all durations of the group.
 */
#pragma once

#include <glib.h>

#define LOOM_N_BANDS 3 /* number of bands: one for each percentile; bands that overlap are merged later */
#define LOOM_N_BAND_PARTS (2 * LOOM_N_BANDS + 1)

/* The bands of one group of durations: closed intervals without overlap, ascending, each of which should contain a
 * percentile. An interval is stored as two edges: its lowest value minus 1, and its highest value. So ">" is the only
 * comparison that is needed. Unused edges are G_MAXINT64, which is above all durations. Durations are not negative. */
typedef struct {
  gint64 edge_ns[LOOM_N_BAND_PARTS + 1];
  /* mask with the bit 1 << part for each band that contains more than one value; the durations in these bands must be
   * stored */
  guint kept;
} LoomPercentileBands;

/* Returns the part that contains a duration: 0: below the first band; 1: in the first band; 2: between the first and
 * the second band; 3: in the second band, and so on. Makes three comparisons without branches. */
static inline guint
loom_percentile_bands_part (const LoomPercentileBands *bands, gint64 dur_ns)
{
  guint part = dur_ns > bands->edge_ns[3] ? 4 : 0;
  part += dur_ns > bands->edge_ns[part + 1] ? 2 : 0;
  return part + (dur_ns > bands->edge_ns[part]);
}

/* The percentiles that are computed, ascending: 50, 95, 99. */
extern const guint loom_percentile_bands_percents[LOOM_N_BANDS];

/* Makes one band that contains all durations. */
void loom_percentile_bands_init_whole (LoomPercentileBands *bands);
/* Makes bands from a sample of durations. If the sample is too small, makes one band that contains all durations. */
void loom_percentile_bands_init (LoomPercentileBands *bands, const gint64 *sample_ns, gsize n);

/* Computes the percentiles of a group of n durations. Quantile q is the value at position q · (n − 1) of the sorted
 * durations; it is interpolated linearly and rounded to ns, halves up. `parts`: number of durations in each part; their
 * sum is at least 1. `kept[b]`: the durations of band b, parts[2 · b + 1] elements; not read if the band is a single
 * value. Returns FALSE if a percentile is outside the bands. */
gboolean loom_percentile_bands_find (const LoomPercentileBands *bands, const guint64 *parts, const gint64 *const *kept,
                                     gint64 *quantiles_ns);
