/* SPDX-License-Identifier: Apache-2.0
 *
 * When something was wrong, and when it was not, as windows for loom-root-cause.h and loom-step-usage.h: bottlenecks
 * against instants of busy GPUs, outlier steps against normal ones. formats/analysis.md §9. Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-step-durations.h"
#include "loom-windows.h"

G_BEGIN_DECLS

/* GPUs busier than this are what bottlenecks are held against. */
#define LOOM_BUSY_GPU 90.0

/* All owned by the caller, sealed. */
LoomWindows *loom_conditions_at_bottlenecks (const LoomFrame *frame, const LoomBottlenecks *bottlenecks);
LoomWindows *loom_conditions_at_busy_gpus (const LoomFrame *frame, LoomSelect select); /* O(GPU samples) */
/* `steps`: rows of the frame. Intended: what of them lies in its range, like every total. */
LoomWindows *loom_conditions_in_steps (const LoomFrame *frame, const guint32 *steps, guint n_steps);

G_END_DECLS
