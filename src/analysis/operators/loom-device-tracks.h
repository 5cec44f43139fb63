/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracks of each device of a trace, for going through the tracks of one device without searching all tracks of the
 * trace. All tracks of a process that have the same clock count as one device. Immutable when made; any thread.
 */
#pragma once

#include "loom-trace.h"

/* Arrays with one element for each track of the trace; the values are indices of tracks. */
typedef struct {
  guint32 *first; /* the first track of this track's device */
  guint32 *next;  /* the next track of this track's device; G_MAXUINT32: there is none */
} LoomDeviceTracks;

/* Finds the first and the next track of the device of each track. O(tracks). The result must be freed with
 * loom_device_tracks_clear(). */
void loom_device_tracks_init (LoomDeviceTracks *tracks, const LoomTrace *trace);
void loom_device_tracks_clear (LoomDeviceTracks *tracks);
