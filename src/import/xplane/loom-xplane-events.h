/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: converts the events of an XSpace file to Chrome trace events in the form of TensorFlow's
 * profiler: each plane becomes a process, each line of a plane a thread, and their names become metadata events.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-xplane-space.h"

/* Implements LoomMadeTextClass.make(). Appends the event at `place`. Before the first event of a line, also appends the
 * names of the line and its plane. In LoomMadePlace, `part` is the index of the line, `at` the offset in the file, and
 * `number` the number of earlier events of the line. Returns FALSE after the last line. */
gboolean loom_xplane_events_make (gpointer space, LoomMadePlace *place, gboolean is_first, GString *text);
