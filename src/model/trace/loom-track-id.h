/* SPDX-License-Identifier: Apache-2.0
 *
 * Identifies a track in a timeline by two indices: that of its trace in the run, and that of the track in this trace.
 */
#pragma once

#include <glib.h>

typedef struct {
  guint32 trace;
  guint32 track;
} LoomTrackId;
