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

/* Fills the arrays of `tracks`. For each track of the trace, sets its element of `first` to the first track of its
 * device, and its element of `next` to the track that comes after it on the same device (G_MAXUINT32: none). O(tracks).
 * The result must be freed with loom_device_tracks_clear(). */
void loom_device_tracks_init (LoomDeviceTracks *tracks, const LoomTrace *trace);
void loom_device_tracks_clear (LoomDeviceTracks *tracks);
