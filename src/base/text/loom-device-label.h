/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of devices. TensorFlow, JAX and XLA name devices by paths. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the name of a device for people: "GPU 4" for "/device:GPU:4", "GPU 4 (pid 7)" for "/device:GPU:4 (pid 7)"; any
 * other name unchanged. Owned by the caller. */
char *loom_device_label_dup (const char *device);
