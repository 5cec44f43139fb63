/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-shape-text.h"

#include <glib/gi18n.h>
#include <string.h>

/* suffix of the shape of an operator of the backward pass, if the shape was derived from the forward pass */
#define GRADIENT " (gradient)"

/* Returns the shape in its short form. Inputs that are numbers have no sizes, and are omitted. `only`: index of the
 * only input to return; −1: all inputs. Owned by the caller. */
static char *
dup_sizes (const char *shape, gint only)
{
  GString *text = g_string_new (NULL);
  gint input = -1;
  gboolean begins = FALSE; /* TRUE from the opening bracket of an input up to the first digit of its first size */
  for (const char *at = shape; *at != '\0'; at++) {
    input += *at == '[';
    begins |= *at == '[';
    if (!g_ascii_isdigit (*at) || (only >= 0 && input != only))
      continue;
    if (at == shape || !g_ascii_isdigit (at[-1]))
      g_string_append (text, text->len == 0 ? "" : begins ? ", " : "×");
    begins = FALSE;
    g_string_append_c (text, *at);
  }
  return g_string_free (text, FALSE);
}

char *
loom_shape_text_dup (const char *shape)
{
  g_autofree char *text = dup_sizes (shape, -1);
  if (!g_str_has_suffix (shape, GRADIENT))
    return g_steal_pointer (&text);
  /* Translators: the shapes of two matrices, such as 8192×4096, 4096×6144 */
  return g_strdup_printf (_ ("gradient of %s"), text);
}

char *
loom_shape_text_dup_input (const char *shape, guint input)
{
  g_autofree char *weight = dup_sizes (shape, (gint) input);
  if (weight[0] == '\0')
    return loom_shape_text_dup (shape);
  return g_str_has_suffix (shape, GRADIENT) ? g_strdup_printf (_ ("gradient of %s"), weight)
                                            : g_steal_pointer (&weight);
}
