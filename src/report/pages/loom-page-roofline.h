/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofline chart on the page "Efficiency". Any thread.
 */
#pragma once

#include "loom-efficiency.h"
#include "loom-page-content.h"
#include "loom-page.h"

/* Returns the name of a kind of operators. Translated, static. */
const char *loom_page_roofline_get_kind_name (LoomOperatorKind kind);

/* Adds the roofline chart of the device whose kernels take longest: rate over arithmetic intensity. O(rows · log rows). */
void loom_page_roofline_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomEfficiency *efficiency);

/* Returns the operator that takes longest of those that are faster than their device allows; the chart labels it. NULL:
 * there is none. */
const LoomEfficiencyRow *loom_page_roofline_find_excess (const LoomEfficiency *efficiency);
