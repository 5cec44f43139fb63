/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Exact percentiles of many groups of durations, without sorting or storing all of them. A sample predicts two
 * bounds for each percentile (R. W. Floyd, R. L. Rivest: "Expected time bounds for selection", Communications of the
 * ACM 18 (1975)); one pass counts the values below the bounds and keeps only those between them. If a prediction was
 * wrong, which is always detected, a second pass keeps the whole group.
 */
#pragma once

#include <glib.h>

#define LOOM_N_BANDS 3 /* one for each percentile; overlapping bands are merged */
#define LOOM_N_BAND_PARTS (2 * LOOM_N_BANDS + 1)

/* The bands of one group: disjoint closed intervals, ascending. An interval is stored as two edges: its
 * lowest value minus 1, and its highest value. Thus ">" is the only comparison needed. Unused edges are G_MAXINT64,
 * above all durations. Durations are not negative. */
typedef struct {
  gint64 edge_ns[LOOM_N_BAND_PARTS + 1];
  guint kept; /* mask of 1 << part for the parts whose durations must be kept: bands with more than one value */
} LoomPercentileBands;

/* The part that contains a duration: 0 below the first band, 1 in the first band, 2 between the first and the second, 3
 * in the second … Three comparisons without branches. */
static inline guint
loom_percentile_bands_part (const LoomPercentileBands *bands, gint64 dur_ns)
{
  guint part = dur_ns > bands->edge_ns[3] ? 4 : 0;
  part += dur_ns > bands->edge_ns[part + 1] ? 2 : 0;
  return part + (dur_ns > bands->edge_ns[part]);
}

/* The computed percentiles, ascending: 50, 95, 99. */
extern const guint loom_percentile_bands_percents[LOOM_N_BANDS];

/* Makes one band that contains all durations. */
void loom_percentile_bands_init_whole (LoomPercentileBands *bands);
/* Makes bands from a sample; one band for everything if the sample is too small. */
void loom_percentile_bands_init (LoomPercentileBands *bands, const gint64 *sample_ns, gsize n);

/* Computes the percentiles of the group: position q·(n−1), linear between neighbours, rounded to ns, halves up.
 * `parts`: number of durations in each part, at least one in all. `kept[b]`: the parts[2b + 1] durations of band b,
 * unused if the band is a single value. Returns FALSE if a percentile lies outside the bands. */
gboolean loom_percentile_bands_find (const LoomPercentileBands *bands, const guint64 *parts, const gint64 *const *kept,
                                     gint64 *quantiles_ns);
