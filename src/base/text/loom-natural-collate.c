/* SPDX-License-Identifier: Apache-2.0
 *
 * Natural order of texts: runs of digits are compared as numbers, so "rank 2" comes before "rank 10". The interface is
 * described in loom-natural-collate.h.
 */
#include "loom-natural-collate.h"

#include <string.h>

/* Compares the runs of digits at `*a` and `*b` by value, and sets both pointers to the ends of the runs. */
static int
compare_digits (const char **a, const char **b)
{
  while (**a == '0' && g_ascii_isdigit ((*a)[1]))
    (*a)++;
  while (**b == '0' && g_ascii_isdigit ((*b)[1]))
    (*b)++;
  gsize n_a = strspn (*a, "0123456789"), n_b = strspn (*b, "0123456789");
  int order = n_a != n_b ? (n_a < n_b ? -1 : 1) : strncmp (*a, *b, n_a);
  *a += n_a;
  *b += n_b;
  return order;
}

/* Returns the length of the common prefix. Digits at its end do not count, because they belong to numbers that must
 * be compared as a whole. */
static gsize
skip_same (const char *a, const char *b)
{
  gsize n = 0;
  while (a[n] != '\0' && a[n] == b[n])
    n++;
  while (n > 0 && g_ascii_isdigit (a[n - 1]))
    n--;
  return n;
}

int
loom_natural_collate_compare (const char *a, const char *b)
{
  const char *first = a != NULL ? a : "", *second = b != NULL ? b : "";
  /* skip the common prefix to save time, because neighbouring paths often have long common prefixes */
  gsize same = skip_same (first, second);
  const char *p = first + same, *q = second + same;
  while (*p != '\0' && *q != '\0') {
    int order;
    if (g_ascii_isdigit (*p) && g_ascii_isdigit (*q)) {
      order = compare_digits (&p, &q);
    } else {
      order = (guchar) *p - (guchar) *q;
      p++, q++;
    }
    if (order != 0)
      return order;
  }
  int tail = (guchar) *p - (guchar) *q;
  return tail != 0 ? tail : strcmp (first, second);
}
