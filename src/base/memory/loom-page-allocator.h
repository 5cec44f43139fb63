/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of whole pages for what is filled once and soon freed: they go straight back to the kernel when they are freed,
 * whatever thread asked for them, where a heap would keep them. A few are kept for the next who asks.
 * Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_PAGE_ALLOCATOR_BYTES (128u * 1024)

/* LOOM_PAGE_ALLOCATOR_BYTES, of any content, present in memory where the kernel can do that at once. NULL when it gives no more: then a heap may help. */
gpointer loom_page_allocator_new (void);
void loom_page_allocator_free (gpointer block);

/* Gives back the blocks that are kept. */
void loom_page_allocator_trim (void);

G_END_DECLS
