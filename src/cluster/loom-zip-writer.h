/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: writes a zip archive. A member is either compressed with deflate or stored unchanged. A
 * stored member can be read in place, without being copied. Archives of more than 4 GiB or 65,534 members have the
 * format Zip64. All members have the same date, so the same members always give the same bytes. Only one thread may use
 * a writer.
 */
#pragma once

#include "loom-output-file.h"

typedef struct _LoomZipWriter LoomZipWriter;

/* Makes a writer that appends a zip archive to an output file. The writer borrows the output file. */
LoomZipWriter *loom_zip_writer_new (LoomOutputFile *output);
/* Adds a member of at most 2 GiB. `name`: relative path with slashes. `deflated`: TRUE if the member may be
 * compressed. */
void loom_zip_writer_add (LoomZipWriter *zip, const char *name, GBytes *bytes, gboolean deflated);
/* Writes the central directory, which completes the archive, and frees the writer. */
void loom_zip_writer_finish (LoomZipWriter *zip);
