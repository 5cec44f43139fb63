/* SPDX-License-Identifier: Apache-2.0
 *
 * Short labels for rows of traces that TensorFlow, JAX and XLA write. They name devices by paths, such as
 * "/device:GPU:4", and threads by a name and a hash, such as "tf_data_iterator/-1990981912". Private to the row list;
 * any thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns the short label of a device, "GPU 4" for "/device:GPU:4"; NULL if the label of the track's process does not
 * have this form. Owned by the caller. */
char *loom_plane_label_dup_process (const LoomTrack *track);
/* Returns the short label of a stream or thread of an XSpace file: translated "stream 16 (Kernel)" for "Stream
 * #16(Kernel)", and the name without the hash for a thread. NULL if its label cannot be shortened. Owned by the
 * caller. */
char *loom_plane_label_dup_thread (const LoomTrack *track);
