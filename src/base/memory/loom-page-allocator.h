/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocates blocks of whole memory pages for data that is filled once and soon freed. The pages of a freed block are
 * returned to the kernel at once, whichever thread allocated the block, while malloc() may keep freed memory. A few
 * free blocks are kept for reuse. Any thread.
 */
#pragma once

#include <glib.h>

#define LOOM_PAGE_ALLOCATOR_BYTES (128u * 1024)

/* Returns a block of LOOM_PAGE_ALLOCATOR_BYTES with undefined content. Its pages are present already, if the kernel
 * supports this. NULL if the kernel provides no more memory; malloc() may still have some. */
gpointer loom_page_allocator_new (void);
void loom_page_allocator_free (gpointer block);

/* Makes the pages of free blocks present until `n` such blocks are ready for loom_page_allocator_new(). For a thread that
 * works ahead of another one, which fills blocks: the kernel needs as long to provide a block as an importer to fill
 * it. */
void loom_page_allocator_prepare (guint n);

/* Returns the memory of free blocks, which are kept for reuse, to the kernel. */
void loom_page_allocator_trim (void);
