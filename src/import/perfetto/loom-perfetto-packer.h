/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a thread that packs the events of a Perfetto trace, that is, moves them to a LoomPerfettoPack,
 * which needs less memory. It is started when the events of the trace are complete and do not change any more. At the
 * same time, another thread reads the events in order. Events that are packed and that the other thread has read are
 * freed; their memory is given back to the operating system.
 */
#pragma once

#include "loom-perfetto-trace.h"

typedef struct _LoomPerfettoPacker LoomPerfettoPacker;

/* Starts a thread that packs the events of the trace, and returns the packer. If `has_thread` is FALSE or no thread can
 * be started, packs all events before it returns, and returns NULL. */
LoomPerfettoPacker *loom_perfetto_packer_new (LoomPerfettoTrace *trace, gboolean has_thread);
/* Must be called from time to time by the thread that reads the events. `number`: number of the next event; until all
 * events are packed, the thread must not read events with lower numbers. Does not wait. `self` may be NULL. */
void loom_perfetto_packer_pass (LoomPerfettoPacker *self, guint32 number);
/* Waits until all events are packed, and frees `self`, which may be NULL. */
void loom_perfetto_packer_finish (LoomPerfettoPacker *self);
