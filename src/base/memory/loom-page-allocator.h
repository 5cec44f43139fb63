/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocates blocks of whole memory pages, for data that is filled once and freed soon. The pages of a freed block are
 * returned to the kernel at once, whichever thread allocated the block, while malloc() may keep freed memory. A few
 * free blocks are kept for reuse. Any thread.
 */
#pragma once

#include <glib.h>

#define LOOM_PAGE_ALLOCATOR_BYTES (128u * 1024)

/* Returns a block of LOOM_PAGE_ALLOCATOR_BYTES bytes with undefined content. If the kernel supports it, the pages of
 * the block are already present. Returns NULL if the kernel provides no more memory; the caller can then try
 * malloc(). */
gpointer loom_page_allocator_new (void);
void loom_page_allocator_free (gpointer block);

/* Makes the pages of free blocks present, so that the next `n` calls of loom_page_allocator_new() do not have to wait
 * for the kernel. Called on a helper thread while another thread fills blocks: the kernel needs about as long to
 * provide a block as an importer needs to fill it. */
void loom_page_allocator_prepare (guint n);

/* Returns the memory of the free blocks that are kept for reuse to the kernel. */
void loom_page_allocator_trim (void);
