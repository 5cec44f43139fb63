/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: writes a zip archive. A member is either deflated or stored unchanged; a reader can use a
 * stored member in place. Archives of more than 4 GiB or 65,534 members have the format Zip64. All members have the
 * same date, so the same members always give the same bytes. To be used by one thread.
 */
#pragma once

#include "loom-output-file.h"

typedef struct _LoomZipWriter LoomZipWriter;

/* Makes a writer that appends a zip archive to an output file, which is borrowed. */
LoomZipWriter *loom_zip_writer_new (LoomOutputFile *output);
/* Adds a member of at most 2 GiB. `name`: relative, with slashes. */
void loom_zip_writer_add (LoomZipWriter *zip, const char *name, GBytes *bytes, gboolean deflated);
/* Writes the central directory, which completes the archive, and frees the writer. */
void loom_zip_writer_finish (LoomZipWriter *zip);
