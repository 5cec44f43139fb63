/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a sample of a counter is true. A value holds until the next sample, but not over a gap: what that is depends
 * on who wrote the counter. The one rule for lines that are drawn and figures that are counted. Any thread.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* The longest a value of the series holds, in ns; G_MAXINT64 where only the next sample ends it. `source` is that of the
 * counter's track. Looks at some hundred samples at most. */
gint64 loom_sample_hold_find_hold (const LoomSource *source, const LoomSeries *series);

G_END_DECLS
