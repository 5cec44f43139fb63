/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-near-word.h with the edit distance in which a pair of adjacent letters is swapped at most once
 * (optimal string alignment).
 */
#include "loom-near-word.h"

#include <string.h>

#define LEAST_BEGINNING 3 /* minimum number of bytes of a beginning that counts as its word */

static gboolean
is_same (char a, char b)
{
  return g_ascii_tolower (a) == g_ascii_tolower (b);
}

guint
loom_near_word_count_changes (const char *a, const char *b)
{
  gsize n_a = strlen (a), n_b = strlen (b);
  guint counts[3][LOOM_NEAR_WORD_MAX_BYTES + 1]; /* [i % 3][j]: changes between the first i and j letters */
  g_return_val_if_fail (n_a <= LOOM_NEAR_WORD_MAX_BYTES && n_b <= LOOM_NEAR_WORD_MAX_BYTES, G_MAXUINT);
  for (gsize i = 0; i <= n_a; i++) {
    guint *row = counts[i % 3], *above = counts[(i + 2) % 3], *second = counts[(i + 1) % 3];
    row[0] = (guint) i;
    for (gsize j = 1; j <= n_b; j++) {
      if (i == 0) {
        row[j] = (guint) j;
        continue;
      }
      row[j] = MIN (above[j - 1] + !is_same (a[i - 1], b[j - 1]), MIN (above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && is_same (a[i - 1], b[j - 2]) && is_same (a[i - 2], b[j - 1]))
        row[j] = MIN (row[j], second[j - 2] + 1);
    }
  }
  return counts[n_a % 3][n_b];
}

static guint
rate (const char *word, const char *known)
{
  gsize length = strlen (word);
  if (length >= LEAST_BEGINNING && g_ascii_strncasecmp (word, known, length) == 0)
    return 1;
  return strlen (known) <= LOOM_NEAR_WORD_MAX_BYTES ? loom_near_word_count_changes (word, known) : G_MAXUINT;
}

const char *
loom_near_word_find (const char *word, const char *const *words)
{
  const char *nearest = NULL;
  gsize length = strlen (word);
  guint least = (guint) MAX (length / 3, 1) + 1;
  if (length < 2 || length > LOOM_NEAR_WORD_MAX_BYTES)
    return NULL;
  for (guint i = 0; words[i] != NULL; i++) {
    guint n = rate (word, words[i]);
    if (n < least) {
      nearest = words[i];
      least = n;
    }
  }
  return nearest;
}
