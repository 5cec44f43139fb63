/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-operator-shapes.h"

#include <string.h>

#include "loom-operator-args.h"

#define MOST_LETTERS 200 /* maximum length in bytes of the text of a shape; longer texts are truncated */

typedef struct {
  GMutex lock; /* protects `texts` */
  LoomStringPool *texts;
} Shapes;

/* room for a text of MOST_LETTERS bytes, and for a blank and an ellipsis after a text that is cut */
#define MOST_BYTES (MOST_LETTERS + 8)

/* Writes the shapes in `dims` to `text`, without the outer brackets and with one blank after each comma. Returns the
 * length of the text; 0: `dims` has no shapes. */
static gsize
write_shape (LoomJsonSlice dims, char text[MOST_BYTES])
{
  gsize n = 0;
  if (dims.length < 3 || dims.text[0] != '[')
    return 0;
  for (gsize i = 1; i + 1 < dims.length && n < MOST_LETTERS; i++) {
    if (!g_ascii_isspace (dims.text[i]))
      text[n++] = dims.text[i];
    if (dims.text[i] == ',')
      text[n++] = ' ';
  }
  if (n >= MOST_LETTERS) {
    memcpy (text + n, "…", strlen ("…"));
    n += strlen ("…");
  }
  return g_utf8_validate (text, (gssize) n, NULL) ? n : 0;
}

/* Returns the shapes in the args of a call: the first "Input Dims" or, from older profilers, "Input dims". Searches for
 * both keys in one pass, because most calls have neither key, and two searches would need two passes for each of these
 * calls. */
static LoomJsonSlice
find_dims (LoomJsonSlice args)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value, older = { NULL, 0 };
  if (!loom_json_slice_is_object (args) || !loom_json_slice_iter_init (&iter, args))
    return older;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (loom_json_slice_equal (key, "\"Input Dims\""))
      return value;
    if (older.text == NULL && loom_json_slice_equal (key, "\"Input dims\""))
      older = value;
  }
  return older;
}

/* Returns the id of the shapes of a call; 0 if none are recorded. */
static guint32
read_shape (LoomJsonSlice args, guint32 span, gpointer data)
{
  Shapes *shapes = data;
  char text[MOST_BYTES];
  LoomJsonSlice dims = find_dims (args);
  gsize n = dims.text != NULL ? write_shape (dims, text) : 0;
  if (n == 0)
    return 0;
  g_mutex_lock (&shapes->lock);
  guint32 shape = loom_string_pool_intern (shapes->texts, text, n);
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
