/* SPDX-License-Identifier: Apache-2.0
 *
 * Python's marshal format, as far as profiles use it (formats/python-profiles.md §2): bytes in, a table of values out.
 * Nothing is ever executed or imported, nothing recurses, and all memory follows the bytes that are there, not the
 * counts they claim. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_PYTHON_MARSHAL_MAX_DEPTH 16                  /* containers in one another, by references too */
#define LOOM_PYTHON_MARSHAL_MAX_STRING (1u << 20)         /* bytes of one text */
#define LOOM_PYTHON_MARSHAL_MAX_VALUES (8u * 1024 * 1024) /* of one dump: some 400,000 functions with their callers */

typedef enum {
  LOOM_PYTHON_MARSHAL_NONE,
  LOOM_PYTHON_MARSHAL_BOOL,  /* integer 0 or 1 */
  LOOM_PYTHON_MARSHAL_INT,   /* also a long that fits */
  LOOM_PYTHON_MARSHAL_FLOAT, /* also a long that does not fit; may be NaN or infinite */
  LOOM_PYTHON_MARSHAL_TEXT,  /* in Python 2 also what it calls bytes; need not be UTF-8 */
  LOOM_PYTHON_MARSHAL_TUPLE,
  LOOM_PYTHON_MARSHAL_LIST,
  LOOM_PYTHON_MARSHAL_DICT, /* items: key, value, key, value … */
} LoomPythonMarshalType;

typedef struct {
  guint8 type;       /* LoomPythonMarshalType */
  guint8 height;     /* of a container: of those inside it, and itself; else 0 */
  gboolean open : 1; /* private: its items are still being read */
  guint64 offset;    /* of its type byte */
  union {
    gint64 integer;
    double number;
    const char *text; /* into the bytes that were read, no NUL behind */
    guint64 first_item;
  };
  guint32 length; /* bytes of a text, or number of items */
} LoomPythonMarshalValue;

typedef struct _LoomPythonMarshal LoomPythonMarshal;

/* Whether the first bytes are those of a dump whose top is a dict of tuples (or an empty one). */
gboolean loom_python_marshal_looks_like_profile (const char *bytes, gsize length);

/* Reads one value. Texts are borrowed from `bytes`, which must outlive the result. `n_used` (may be NULL) is where the
 * value ends. NULL with LOOM_ERROR_FORMAT (or LOOM_ERROR_LIMIT); then `n_used` is the byte that is
 * wrong, which the message leaves to whoever shows it. O(length). */
LoomPythonMarshal *loom_python_marshal_read (const char *bytes, gsize length, gsize *n_used, GError **error);
void loom_python_marshal_free (LoomPythonMarshal *marshal);

/* Borrowed. A value may stand in several places, also with all it holds: walking everything can take longer than the
 * dump is long, so what walks must have a limit of its own. */
const LoomPythonMarshalValue *loom_python_marshal_get_top (const LoomPythonMarshal *marshal);
const LoomPythonMarshalValue *loom_python_marshal_get_item (const LoomPythonMarshal *marshal,
                                                            const LoomPythonMarshalValue *container, guint32 i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonMarshal, loom_python_marshal_free)

G_END_DECLS
