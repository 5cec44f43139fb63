/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the models of devices, which PyTorch writes into the file. Any thread.
 */
#pragma once

#include "loom-source.h"

/* Sets `name` to the model of the device with the id `id` (in the form in which the file writes it) according to the
 * member "deviceProperties" of a source's file. If no device has this id, sets it to the model of the first device that
 * has one. Does not change `name`, which must be empty, if the file states none. O(length of the member). */
void loom_device_name_find (const LoomSource *source, const char *id, GString *name);
