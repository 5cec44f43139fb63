/* SPDX-License-Identifier: Apache-2.0
 *
 * The roofline chart on the page "Efficiency". The functions may be called on any thread.
 */
#pragma once

#include "loom-efficiency.h"
#include "loom-page-content.h"
#include "loom-page.h"

/* Returns the name of a kind of operators. Translated, static. */
const char *loom_page_roofline_get_kind_name (LoomOperatorKind kind);

/* Adds the roofline chart of the device whose kernels take longest: rate over arithmetic intensity. O(rows · log rows). */
void loom_page_roofline_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomEfficiency *efficiency);

/* Of the operators that are faster than their device allows, returns the one that takes longest; the chart has a label
 * for it. NULL if there is no such operator. */
const LoomEfficiencyRow *loom_page_roofline_find_excess (const LoomEfficiency *efficiency);
