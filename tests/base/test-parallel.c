/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests loom_parallel_for().
 */
#include <locale.h>

#include "loom-parallel.h"

#define N_ITEMS 64

typedef struct {
  guint n_calls[N_ITEMS];
  locale_t locale[N_ITEMS];
  GThread *thread[N_ITEMS];
} Seen;

static void
note (guint item, guint worker, gpointer user_data)
{
  Seen *seen = user_data;
  seen->n_calls[item]++;
  seen->locale[item] = uselocale ((locale_t) 0);
  seen->thread[item] = g_thread_self ();
  g_usleep (500); /* so that the other threads also get items */
}

static void
test_each_once (void)
{
  Seen seen = { 0 };
  g_assert_true (loom_parallel_for (N_ITEMS, 3, note, &seen, NULL));
  for (guint i = 0; i < N_ITEMS; i++)
    g_assert_cmpuint (seen.n_calls[i], ==, 1);
  g_assert_true (loom_parallel_for (0, 3, note, &seen, NULL));
}

/* Items make texts in the language of the calling thread. A report is made in English, while the window shows the
 * language of the user. */
static void
test_locale (void)
{
  Seen seen = { 0 };
  guint n_elsewhere = 0;
  locale_t own = newlocale (LC_ALL_MASK, "C", (locale_t) 0), before = uselocale (own);
  loom_parallel_for (N_ITEMS, 3, note, &seen, NULL);
  uselocale (before);
  for (guint i = 0; i < N_ITEMS; i++) {
    g_assert_true (seen.locale[i] == own);
    n_elsewhere += seen.thread[i] != g_thread_self ();
  }
  g_assert_cmpuint (n_elsewhere, >, 0);
  freelocale (own);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/parallel/each-once", test_each_once);
  g_test_add_func ("/base/parallel/locale", test_locale);
  return g_test_run ();
}
