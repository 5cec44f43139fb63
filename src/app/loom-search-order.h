/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of hits in time. Private to the search.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_SEARCH_ORDER_MOST (1u << 20)

/* Fills `order` with 0 … n − 1 by ascending start, equals by ascending number. Linear for runs of up to four hours. */
void loom_search_order (const gint64 *start_ns, guint n, guint32 *order);

G_END_DECLS
