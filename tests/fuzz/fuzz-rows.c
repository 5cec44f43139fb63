/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the part of a session that stores edits of rows, a GVariant in text form. Whatever the text is, the values
 * that are read are within limits; saving, printing and reading them again gives the same values.
 */
#include "fuzz.h"

#include "loom-row-state.h"

#include <string.h>

static void
check_rows (const LoomRowListState *state)
{
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init (&iter, state->rows);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    const LoomRowState *row = value;
    fuzz_check (row->folded >= -1 && row->folded <= 1 && row->position >= -1, "%s: folded %d, position %d",
                (char *) key, row->folded, row->position);
    fuzz_check (row->height_px >= 0 && row->height_px < 10000, "%s: height %g", (char *) key, row->height_px);
    fuzz_check (row->mode.quantity < LOOM_N_QUANTITIES, "%s: quantity %d", (char *) key, row->mode.quantity);
    fuzz_check (row->guests == NULL || row->guests->len <= LOOM_PLOT_MAX_GUESTS, "%s: %u counters", (char *) key,
                row->guests->len);
  }
  for (guint i = 0; i < state->pinned->len; i++) {
    const LoomRowState *row = loom_row_state_peek (state, state->pinned->pdata[i]);
    fuzz_check (row != NULL && row->pinned, "%s is not pinned", (char *) state->pinned->pdata[i]);
  }
}

/* Reads the text, restores the rows and saves them again. Returns the saved text, owned by the caller; NULL if the text
 * was refused. */
static char *
read_and_save (const char *text)
{
  g_autoptr (GVariant) rows = g_variant_parse (G_VARIANT_TYPE ("a{sa{sv}}"), text, NULL, NULL, NULL);
  if (rows == NULL)
    return NULL;
  LoomRowListState state = { 0 };
  loom_row_state_init (&state);
  loom_row_state_restore (&state, rows);
  check_rows (&state);
  g_autoptr (GVariant) saved = loom_row_state_save (&state);
  char *printed = g_variant_print (saved, TRUE);
  loom_row_state_clear (&state);
  return printed;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (memchr (data, '\0', size) != NULL || !g_utf8_validate_len ((const char *) data, size, NULL))
    return 0; /* sessions contain only texts in UTF-8 */
  g_autofree char *text = g_strndup ((const char *) data, size), *saved = read_and_save (text);
  if (saved == NULL)
    return 0;
  g_autofree char *again = read_and_save (saved);
  fuzz_check (again != NULL, "what was saved is not read: %s", saved);
  fuzz_check_lines (again, saved, "saved again");
  return 0;
}
