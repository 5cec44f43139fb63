/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the model of a device in the member "deviceProperties" of a trace file: PyTorch writes there a list of devices
 * with "id" and "name". Traceloom writes such a list into merged files, with "rank" and "node" in addition, because
 * devices of several ranks have the same id. The function may be called on any thread.
 */
#pragma once

#include <glib.h>

/* Sets `name` to the model of a device. `properties`: raw JSON text of the member "deviceProperties", which lists
 * devices; NULL: the file has none. `id`: id of the device in the form in which the file writes it. `rank`: the rank
 * that uses the device; −1: unknown. `node` may be NULL.
 *
 * Considers only devices that have a name. Prefers a device of this rank that has this id; second, any device of this
 * rank; third, any device that has this id; last, any device. If several are equally good, takes the first. If no
 * device has a name, does not change `name`, which must be empty. O(length of the text). */
void loom_device_name_find (const char *properties, const char *id, gint rank, const char *node, GString *name);
