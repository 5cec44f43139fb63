/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a large file, or the rest of one, with O_DIRECT, which bypasses the page cache: the disk writes while the
 * caller produces more data, and the page cache keeps the data of other files. The writer has its own thread for
 * writing. Only one thread at a time may call its functions.
 */
#pragma once

#include <glib.h>

/* Length in bytes of a block of direct writing. The length of the file must be a multiple of it before direct writing
 * begins. */
#define LOOM_DIRECT_WRITER_BLOCK_BYTES 4096u

typedef struct _LoomDirectWriter LoomDirectWriter;

/* Starts direct writing at the end of the file `fd`, which is borrowed, and must not be used until the writer is freed.
 * Returns NULL if the file system or the machine does not support O_DIRECT; the caller must then use write(). Takes 6
 * MB of memory. */
LoomDirectWriter *loom_direct_io_new (int fd);

/* Appends bytes to the file; waits if all buffers are full because the disk is slower than the caller. */
void loom_direct_io_append (LoomDirectWriter *direct, const char *bytes, gsize length);

/* Returns TRUE if the disk is slower than the producer of the data: the producer has spent much of its time waiting for
 * the disk. */
gboolean loom_direct_io_is_behind (const LoomDirectWriter *direct);

/* Returns the errno of the first failure, after which nothing more is written; 0 if there was no failure. */
int loom_direct_io_get_errno (LoomDirectWriter *direct);

/* Writes the bytes that are still buffered, and frees `direct`. Then `fd` can be written to with write() again. Returns
 * 0 or an errno. */
int loom_direct_io_finish (LoomDirectWriter *direct);

/* Frees `direct` without writing the buffered bytes. */
void loom_direct_io_abort (LoomDirectWriter *direct);
