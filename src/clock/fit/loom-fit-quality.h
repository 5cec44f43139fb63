/* SPDX-License-Identifier: Apache-2.0
 *
 * The quality of a fit: a verdict and residuals.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_FIT_QUALITY_DECLARED, /* the clock is used as declared: nothing was compared */
  LOOM_FIT_QUALITY_GOOD,
  LOOM_FIT_QUALITY_DOUBTFUL,
  LOOM_FIT_QUALITY_REFUSED,
} LoomFitQuality;

const char *loom_fit_quality_to_string (LoomFitQuality verdict); /* "declared" … */

/* Statistics of absolute residuals, in ns. */
typedef struct {
  double median_ns, p95_ns, max_ns;
} LoomFitResiduals;

/* Reorders `absolute`. All 0 when n is 0. */
void loom_fit_quality_residuals_init (LoomFitResiduals *residuals, double *absolute, guint n);
