/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about floating-point work: how fast operators compute, compared with the peak of their
 * device (loom-efficiency.h), as JSON and as text. Private to src/report.
 */
#pragma once

#include "loom-span-analysis.h"

/* Adds {"kernels_ns":…,"counted_ns":…,"calls":…,"calls_read":…,"mfu":…,"hfu":…,"rows":[…],"steps":[…]} as the member
 * "efficiency". If there are no rows, it contains the reason as "missing". Rates are in FLOP/s and B/s, shares from 0
 * to 1. */
void loom_efficiency_section_build (const LoomEfficiency *efficiency, JsonBuilder *builder);
/* Appends readable text: the rates that matrix products, convolutions and attention reach, the MFU (model FLOPS
 * utilization), and the operators that take longest. */
void loom_efficiency_section_write (const LoomSpanAnalysis *computed, GString *out);
