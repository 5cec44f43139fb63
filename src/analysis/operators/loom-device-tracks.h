/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracks of each device of a trace. All tracks of a process that have the same clock count as one device. The
 * tracks of a device can be visited without a search in all tracks of the trace. Immutable when made; any thread.
 */
#pragma once

#include "loom-trace.h"

/* Arrays with one element for each track of the trace. */
typedef struct {
  guint32 *first; /* the first track of the same device */
  guint32 *next;  /* the next track of the same device; G_MAXUINT32: there is none */
} LoomDeviceTracks;

/* Finds the first and the next track of the same device for each track of the trace. O(tracks). Free the result with
 * loom_device_tracks_clear(). */
void loom_device_tracks_init (LoomDeviceTracks *tracks, const LoomTrace *trace);
void loom_device_tracks_clear (LoomDeviceTracks *tracks);
