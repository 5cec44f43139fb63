/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and checks the section with the sums over the spans of each name. The interface is described in
 * loom-index-sums.h.
 */
#include "loom-index-sums.h"

#define SUM_BYTES 4 /* least number of bytes of a sum */
#define ROW_BYTES 6 /* least number of bytes of a sum in versions up to 6 */

enum { NAME, DEVICE, COUNT, LEAST, SPREAD, REST, N_COLUMNS };

/* Writes column by column, because numbers of one kind compress better together, and without the numbers that follow
 * from the others: most names of some traces have only one or two spans. */
static void
put (GByteArray *out, guint column, const LoomIndexSum *sum, guint32 name, guint32 name_before)
{
  switch (column) {
  case NAME: loom_index_bytes_put_difference (out, name, name_before); break;
  case DEVICE: loom_index_bytes_put (out, sum->on_device != FALSE); break;
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

static void
check_rows (LoomIndexBytes *in, guint32 n_names)
{
  guint32 n = loom_index_bytes_get_count (in, ROW_BYTES);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    loom_index_bytes_get_below (in, n_names);
    loom_index_bytes_get_below (in, 2);
    for (guint k = 0; k < 4; k++)
      loom_index_bytes_get (in);
  }
}

void
loom_index_sums_check (LoomIndexBytes *in, guint32 n_names, gboolean are_rows)
{
  if (are_rows) {
    check_rows (in, n_names);
    return;
  }
  guint32 n = loom_index_bytes_get_count (in, SUM_BYTES), n_spread = 0, n_rest = 0;
  gint64 name = 0;
  for (guint32 i = 0; i < n && !in->failed; i++) {
    name = loom_index_bytes_get_sum (in, name);
    in->failed |= name < 0 || name >= n_names;
  }
  for (guint32 i = 0; i < n; i++)
    loom_index_bytes_get_below (in, 2);
  for (guint32 i = 0; i < n; i++) {
    guint64 count = loom_index_bytes_get (in);
    n_spread += count > 1;
    n_rest += count > 2;
  }
  for (guint64 i = 0; i < (guint64) n + n_spread + n_rest && !in->failed; i++)
    loom_index_bytes_get (in);
}
