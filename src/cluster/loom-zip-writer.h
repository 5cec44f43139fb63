/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: writes a zip archive, whose members are stored as they are, so that a reader finds each in place, or
 * deflated. Beyond 4 GiB or 65,534 members it is Zip64. The same members give the same bytes: all have the same time. One
 * thread.
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
