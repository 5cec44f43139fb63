/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: facts about the input files. A merged file states them at its beginning, its head, in every
 * output format.
 */
#pragma once

#include "loom-export-private.h"

/* Appends a JSON list of the devices whose work is exported and whose model is known, in the form that
 * loom-device-name.h reads: "id", "name", "rank", "node". Returns FALSE, and appends nothing, if no model is known.
 * O(tracks · devices of the input). */
gboolean loom_export_head_append_devices (const LoomExport *merge, GString *out);

/* Appends the members "path" and "bytes" (size on disk) of a source to a JSON object. The member "bytes" directly
 * follows "path". The size distinguishes the source from another file with the same name (loom-merged-file.h). */
void loom_export_head_append_source (GString *out, const LoomSource *source);

/* Returns a JSON object with the paths and sizes of the exported sources and, as "deviceProperties", their devices. Its
 * last member is an empty list "processes", because readers recognize the end of the list of sources by this member, as
 * in a merged JSON file. Owned by the caller. */
char *loom_export_head_dup_json (const LoomExport *merge);
