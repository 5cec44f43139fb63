/* SPDX-License-Identifier: Apache-2.0
 *
 * How reliable the fit of a clock is: its quality, and statistics of the residuals.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_FIT_QUALITY_DECLARED, /* the clock is used as its file declares it, and was not compared with other clocks */
  LOOM_FIT_QUALITY_GOOD,
  LOOM_FIT_QUALITY_DOUBTFUL,
  LOOM_FIT_QUALITY_REFUSED,
} LoomFitQuality;

/* Returns the untranslated name of a quality, such as "declared". Static. */
const char *loom_fit_quality_to_string (LoomFitQuality verdict);

/* Statistics of the absolute values of residuals, in ns. `p95_ns`: the smallest of the values that at least 95 % of all
 * values do not exceed. */
typedef struct {
  double median_ns, p95_ns, max_ns;
} LoomFitResiduals;

/* Computes the statistics of `n` absolute residuals. All results are 0 if `n` is 0. Changes the order of `absolute`. */
void loom_fit_quality_residuals_init (LoomFitResiduals *residuals, double *absolute, guint n);
