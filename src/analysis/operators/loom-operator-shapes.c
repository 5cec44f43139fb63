/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-operator-shapes.h"

#include "loom-operator-args.h"

#define MOST_LETTERS 200 /* maximum length of the text of a shape; longer texts are cut */

typedef struct {
  GMutex lock; /* protects `texts` */
  LoomStringPool *texts;
} Shapes;

/* Sets `text` to the shapes in `dims`, without the outer brackets and with one blank after each comma. Returns FALSE if
 * `dims` has no shapes. */
static gboolean
write_shape (LoomJsonSlice dims, GString *text)
{
  g_string_truncate (text, 0);
  if (dims.length < 3 || dims.text[0] != '[')
    return FALSE;
  for (gsize i = 1; i + 1 < dims.length && text->len < MOST_LETTERS; i++) {
    if (!g_ascii_isspace (dims.text[i]))
      g_string_append_c (text, dims.text[i]);
    if (dims.text[i] == ',')
      g_string_append_c (text, ' ');
  }
  if (text->len >= MOST_LETTERS)
    g_string_append (text, "…");
  return text->len > 0 && g_utf8_validate (text->str, (gssize) text->len, NULL);
}

/* Returns the id of the shapes of a call; 0 if none are recorded. */
static guint32
read_shape (LoomJsonSlice args, guint32 span, gpointer data)
{
  static const char *const keys[] = { "Input Dims", "Input dims" };
  Shapes *shapes = data;
  LoomJsonSlice found[G_N_ELEMENTS (keys)];
  loom_json_slice_members (args, keys, G_N_ELEMENTS (keys), found);
  LoomJsonSlice dims = found[0].text != NULL ? found[0] : found[1];
  g_autoptr (GString) text = g_string_new (NULL);
  if (dims.text == NULL || !write_shape (dims, text))
    return 0;
  g_mutex_lock (&shapes->lock);
  guint32 shape = loom_string_pool_intern (shapes->texts, text->str, text->len);
  g_mutex_unlock (&shapes->lock);
  return shape;
}

GArray *
loom_operator_shapes_read (LoomTimeline *timeline, guint trace, LoomRange range, const guint8 *wanted,
                           LoomStringPool *texts, guint64 *n_read, GCancellable *cancellable)
{
  Shapes shapes = { .texts = texts };
  g_mutex_init (&shapes.lock);
  GArray *read = loom_operator_args_read (timeline, trace, range, wanted, read_shape, &shapes, n_read, cancellable);
  g_mutex_clear (&shapes.lock);
  return read;
}
