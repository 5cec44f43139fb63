/* SPDX-License-Identifier: Apache-2.0
 *
 * Readable names of devices. They are needed because TensorFlow, JAX and XLA use paths as names of devices. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns a readable name of a device: "GPU 4" for "/device:GPU:4", "GPU 4 (pid 7)" for "/device:GPU:4 (pid 7)".
 * Other names are returned unchanged. Owned by the caller. */
char *loom_device_label_dup (const char *device);
