/* SPDX-License-Identifier: Apache-2.0
 *
 * Short labels for the names of GPU kernels. The interface is described in loom-kernel-label.h.
 */
#include "loom-kernel-label.h"

#include <string.h>

#include "loom-cxx-name.h"

#define LEAST_HEAD 4  /* minimum number of characters of the function name in a label */
#define MOST_DEPTH 64 /* maximum nesting depth of brackets; deeper brackets are not searched */

static gboolean
is_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guchar) c >= 0x80;
}

/* Returns TRUE for names of types that occur in the arguments of kernels, but don't describe what a kernel computes. */
static gboolean
is_plumbing (const char *name)
{
  static const char *const ends[] = { "Array", "array", "Calculator", "Params", "Type", "operator", "raits", "type_t" };
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (name, ends[i]))
      return TRUE;
  return FALSE;
}

/* Returns the end of the group "(…)", "[…]" or "{…}" that begins at `text`. */
static const char *
skip_group (const char *text)
{
  int depth = 0;
  for (; *text != '\0'; text++) {
    depth += strchr ("([{", *text) != NULL ? 1 : 0;
    if (strchr (")]}", *text) != NULL && --depth <= 0)
      return text + 1;
    if (depth > MOST_DEPTH)
      return text + strlen (text);
  }
  return text;
}

/* Reads the word at `*at`, and sets `*at` to its end. Returns the word if arguments follow it and it describes what
 * the kernel computes; otherwise NULL. Owned by the caller. */
static char *
read_word (const char **at)
{
  const char *begin = *at;
  while (is_of_word (**at))
    (*at)++;
  g_autofree char *word = g_strndup (begin, (gsize) (*at - begin));
  return (**at == '<' || **at == '(') && !is_plumbing (word) ? g_steal_pointer (&word) : NULL;
}

char *
loom_kernel_label_dup_functor (const char *name)
{
  g_autofree char *brief = loom_cxx_name_dup_short (name), *found = NULL;
  const char *at = brief + strcspn (brief, "<(");
  int depth = 0;
  if (at == brief || *at != '<')
    return NULL;
  while (*at != '\0') {
    if (strchr ("([{", *at) != NULL) {
      at = skip_group (at);
    } else if (is_of_word (*at)) {
      g_autofree char *word = read_word (&at);
      if (word != NULL)
        g_free (found), found = g_steal_pointer (&word);
    } else {
      depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
      if (depth <= 0 || depth > MOST_DEPTH || (depth == 1 && *at == ',' && found != NULL))
        break;
      at++;
    }
  }
  return g_steal_pointer (&found);
}

char *
loom_kernel_label_dup (const char *name, const char *word, glong most)
{
  g_autofree char *functor = loom_kernel_label_dup_functor (name);
  if (functor == NULL || !g_utf8_validate (name, -1, NULL))
    return NULL;
  gboolean has_word = word != NULL && strcmp (word, functor) != 0;
  g_autofree char *head = loom_cxx_name_dup_short (name),
                  *tail = has_word ? g_strdup_printf ("%s, %s", functor, word) : g_strdup (functor);
  head[strcspn (head, "<(")] = '\0';
  glong room = most - 1 - g_utf8_strlen (tail, -1), length = g_utf8_strlen (head, -1);
  if (room < MIN (LEAST_HEAD, length))
    return NULL;
  *g_utf8_offset_to_pointer (head, MIN (room, length)) = '\0';
  return g_strdup_printf ("%s…%s", head, tail);
}

char *
loom_kernel_label_dup_difference (const char *const *names, const char *const *labels, guint n, guint i)
{
  gsize from = 0;
  gboolean found = FALSE;
  for (guint k = 0; k < n; k++) {
    gsize same = 0;
    if (strcmp (names[i], names[k]) == 0 || strcmp (labels[i], labels[k]) != 0)
      continue;
    while (names[i][same] != '\0' && names[i][same] == names[k][same])
      same++;
    from = MAX (from, same);
    found = TRUE;
  }
  while (from > 0 && is_of_word (names[i][from - 1]))
    from--;
  gsize length = 0;
  while (found && is_of_word (names[i][from + length]))
    length++;
  return length > 0 ? g_strndup (names[i] + from, length) : NULL;
}
