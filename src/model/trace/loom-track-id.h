/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of a track in a timeline: number of the trace in its run, number of the track in it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 trace;
  guint32 track;
} LoomTrackId;

G_END_DECLS
