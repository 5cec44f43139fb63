/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the model of a device in the member "deviceProperties" of a trace file: PyTorch writes there a list of devices
 * with "id" and "name". Traceloom writes such a list into merged files, and adds "rank" and "node", because devices of
 * different ranks can have the same id. The function may be called on any thread.
 */
#pragma once

#include <glib.h>

/* Sets `name` to the model of a device. `properties`: JSON text of the member "deviceProperties", a list of devices;
 * NULL: the file does not have this member. `id`: id of the device in the form in which the file writes it. `rank`: the
 * rank that uses the device; −1: unknown. `node` may be NULL.
 *
 * Considers only devices that have a name. In order of preference, takes a device of this rank with this id, any device
 * of this rank, any device with this id, or any device. If several devices are equally suitable, takes the first. If no
 * device has a name, does not change `name`, which must be empty. O(length of the text). */
void loom_device_name_find (const char *properties, const char *id, gint rank, const char *node, GString *name);
