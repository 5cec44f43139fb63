/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: converts the events of an XSpace to Chrome trace events as TensorFlow's profiler writes them:
 * a process per plane and a thread per line, with their names in metadata events.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-xplane-space.h"

/* Appends the event at `place`; at the beginning of a line, also the names of the line and its plane. In LoomMadePlace,
 * `part` is the line, `at` is the offset in the file, and `number` is the number of earlier events of the line. See
 * LoomMadeTextClass. */
gboolean loom_xplane_events_make (gpointer space, LoomMadePlace *place, gboolean is_first, GString *text);
