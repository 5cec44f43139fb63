/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the events of an XSpace as Chrome trace events, in the form in which TensorFlow's profiler writes
 * them: a process per plane and a thread per line, named by metadata events.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-xplane-space.h"

/* Parses one event, or names, at a place: `part` is the line, `at` the offset in the file, `number` the events of the line
 * before it. See LoomMadeTextClass. */
gboolean loom_xplane_events_make (gpointer space, LoomMadePlace *place, gboolean is_first, GString *text);
