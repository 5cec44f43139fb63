/* SPDX-License-Identifier: Apache-2.0
 *
 * The models of devices in the member "deviceProperties": PyTorch writes a list of devices with "id" and "name".
 * Traceloom writes such a list into merged files, with "rank" and "node" in addition, because devices of several ranks
 * have the same id. Any thread.
 */
#pragma once

#include <glib.h>

/* Sets `name` to the model of a device. `properties`: raw JSON text of the member; NULL: the file has none. `id`: id of
 * the device in the form in which the file writes it; `rank`: the rank that uses it, −1: unknown; `node` may be NULL.
 * Takes the device of this rank with this id; if there is none, the first device of this rank, then the first of any
 * rank with this id, then the first of the list. Does not change `name`, which must be empty, if no device has a name.
 * O(length of the text). */
void loom_device_name_find (const char *properties, const char *id, gint rank, const char *node, GString *name);
