/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Exact percentiles of many groups of durations without sorting them and without keeping them: a sample says
 * between which two values a percentile will lie (R. W. Floyd, R. L. Rivest: "Expected time bounds for selection",
 * Communications of the ACM 18 (1975)); one pass counts what lies below and keeps only what lies between. Where the
 * sample was wrong, which is found out for certain, the group is kept whole in a second pass.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_N_BANDS 3 /* one per percentile, fewer where they meet */
#define LOOM_N_BAND_PARTS (2 * LOOM_N_BANDS + 1)

/* Of one group: disjoint closed intervals, ascending, by what lies just below each (so that "above" is the only question)
 * and its highest value; what is not used is G_MAXINT64, beyond every duration. Durations are not negative. */
typedef struct {
  gint64 edge_ns[LOOM_N_BAND_PARTS + 1];
  guint kept; /* 1 << part, for parts whose durations have to be kept: bands of more than one value */
} LoomPercentileBands;

/* Which part a duration lies in: 0 below the first band, 1 in it, 2 behind it, 3 in the second … Three steps, no branch. */
static inline guint
loom_percentile_bands_part (const LoomPercentileBands *bands, gint64 dur_ns)
{
  guint part = dur_ns > bands->edge_ns[3] ? 4 : 0;
  part += dur_ns > bands->edge_ns[part + 1] ? 2 : 0;
  return part + (dur_ns > bands->edge_ns[part]);
}

/* Percentiles wanted, ascending: 50, 95, 99. */
extern const guint loom_percentile_bands_percents[LOOM_N_BANDS];

/* Everything is in the one band. */
void loom_percentile_bands_init_whole (LoomPercentileBands *bands);
/* From a sample. Too few values: as above. */
void loom_percentile_bands_init (LoomPercentileBands *bands, const gint64 *sample_ns, gsize n);

/* The percentiles of the group: position q·(n−1), linear between neighbours, rounded to ns, halves up. `parts`: how many durations
 * lie in each part, at least one in all; `kept[b]`: those of band b, parts[2b + 1] of them (not looked at where
 * the band is of one value). FALSE when the bands missed one. */
gboolean loom_percentile_bands_find (const LoomPercentileBands *bands, const guint64 *parts, const gint64 *const *kept,
                                     gint64 *quantiles_ns);

G_END_DECLS
