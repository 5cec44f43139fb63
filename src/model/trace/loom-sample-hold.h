/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a sample of a counter is valid. A value holds until the next sample, but not across a gap; the length of a
 * gap depends on the writer of the counter. Used for both drawn lines and statistics. Any thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns the longest time in ns that a value of the series holds; G_MAXINT64: until the next sample. `format`: format of
 * the counter's track. Reads at most some hundred samples. */
gint64 loom_sample_hold_find_hold (const char *format, const LoomSeries *series);
