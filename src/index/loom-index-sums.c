/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the section with the sums over the spans of each name. The interface is described in
 * loom-index-sums.h.
 */
#include "loom-index-sums.h"

enum { NAME, COUNT, LEAST, SPREAD, REST, N_COLUMNS };

/* Writes the number that a column contains for one name. The caller writes column by column, because numbers of one
 * kind compress better together. Omits a number that can be computed from the others: the largest duration if the name
 * has one span, and the sum if it has at most two spans. In some traces, most names have only one or two spans. */
static void
put (GByteArray *out, guint column, const LoomIndexSum *sum, guint32 name, guint32 name_before)
{
  switch (column) {
  case NAME: loom_index_bytes_put_difference (out, name, name_before); break;
  case COUNT: loom_index_bytes_put (out, sum->n); break;
  case LEAST: loom_index_bytes_put_signed (out, sum->least_ns); break;
  case SPREAD:
    if (sum->n > 1)
      loom_index_bytes_put_difference (out, sum->most_ns, sum->least_ns);
    break;
  default:
    if (sum->n > 2)
      loom_index_bytes_put_difference (out, sum->total_ns, sum->least_ns);
  }
}

void
loom_index_sums_write (GByteArray *out, const GArray *sums, const guint32 *names)
{
  loom_index_bytes_put (out, sums->len);
  for (guint column = 0; column < N_COLUMNS; column++)
    for (guint i = 0; i < sums->len; i++)
      put (out, column, &g_array_index (sums, LoomIndexSum, i), names[i], i > 0 ? names[i - 1] : 0);
}
