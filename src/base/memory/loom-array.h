/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that GArray lacks. Any thread.
 */
#pragma once

#include <glib.h>

/* Makes room for `n` elements in total. An array that grows element by element is copied each time that its size
 * doubles, and each copy touches new pages of memory. Does not touch the added memory. `array` must not be created with
 * clear. */
static inline void
loom_array_reserve (GArray *array, gsize n)
{
  guint len = array->len;
  if (n <= len || n > G_MAXUINT)
    return;
  g_array_set_size (array, (guint) n);
  g_array_set_size (array, len);
}
