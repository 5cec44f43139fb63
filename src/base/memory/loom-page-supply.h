/* SPDX-License-Identifier: Apache-2.0
 *
 * A helper thread that keeps blocks of the page allocator ready for another thread. This makes the other thread faster
 * if it fills many blocks: the kernel needs about as long to provide the pages of a block as an importer needs to fill
 * it.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPageSupply LoomPageSupply;

LoomPageSupply *loom_page_supply_new (void);
/* Tells the helper thread to make more blocks ready. Must be called after the other thread has taken blocks with
 * loom_page_allocator_new(). Does not wait. */
void loom_page_supply_refill (LoomPageSupply *self);
/* Ends the thread. Blocks that were not taken remain ready. `self` may be NULL. */
void loom_page_supply_free (LoomPageSupply *self);
