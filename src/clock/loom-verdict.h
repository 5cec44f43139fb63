/* SPDX-License-Identifier: Apache-2.0
 *
 * How good a fit is, in a word and in numbers.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_VERDICT_DECLARED, /* nothing to judge */
  LOOM_VERDICT_GOOD,
  LOOM_VERDICT_DOUBTFUL,
  LOOM_VERDICT_REFUSED,
} LoomVerdict;

const char *loom_verdict_to_string (LoomVerdict verdict); /* "declared" … */

/* Of absolute residuals, in ns. */
typedef struct {
  double median_ns, p95_ns, max_ns;
} LoomResiduals;

/* Reorders `absolute`. All 0 when n is 0. */
void loom_residuals_init (LoomResiduals *residuals, double *absolute, guint n);

G_END_DECLS
