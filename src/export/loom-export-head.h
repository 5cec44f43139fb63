/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: facts about the input that the heads of merged files state in each layout.
 */
#pragma once

#include "loom-export-private.h"

/* Appends a JSON list of the devices whose work is exported and whose model is known, for loom-device-name.h: "id",
 * "name", "rank", "node". Returns FALSE, and appends nothing, if no model is known. O(tracks · devices of the
 * input). */
gboolean loom_export_head_append_devices (const LoomExport *merge, GString *out);

/* Appends the members "path" and "bytes" (size on disk) of a source to a JSON object. The size tells the source from
 * another file of its name (loom-merged-file.h), and directly follows the path. */
void loom_export_head_append_source (GString *out, const LoomSource *source);

/* Returns a JSON object with the paths and sizes of the exported sources and, as "deviceProperties", their devices. Its
 * end is the member "processes", with which the list of the sources ends in a merged JSON file, too. Owned by the
 * caller. */
char *loom_export_head_dup_json (const LoomExport *merge);
