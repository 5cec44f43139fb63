/* SPDX-License-Identifier: Apache-2.0
 *
 * Identifies a track in a timeline: index of the trace in its run, and of the track in the trace.
 */
#pragma once

#include <glib.h>

typedef struct {
  guint32 trace;
  guint32 track;
} LoomTrackId;
