/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses Python's marshal format (CPython, Python/marshal.c), as far as profiles use it, into a table of values. Never
 * executes or imports anything and does not use recursion. Memory is proportional to the bytes that exist, not to the
 * counts that they state. May be used on any thread.
 */
#pragma once

#include <glib.h>

/* maximum nesting of containers; a reference has the nesting of the value to which it refers */
#define LOOM_PYTHON_MARSHAL_MAX_DEPTH 16
#define LOOM_PYTHON_MARSHAL_MAX_STRING (1u << 20) /* maximum length of a text in bytes */
/* maximum number of values in a dump: enough for about 400,000 functions with their callers */
#define LOOM_PYTHON_MARSHAL_MAX_VALUES (8u * 1024 * 1024)

typedef enum {
  LOOM_PYTHON_MARSHAL_NONE,
  LOOM_PYTHON_MARSHAL_BOOL, /* a truth value, stored as the integer 0 or 1 */
  LOOM_PYTHON_MARSHAL_INT,  /* integer, also a long integer that fits into gint64 */
  /* double, also a long integer that does not fit into gint64; may be NaN or infinite */
  LOOM_PYTHON_MARSHAL_FLOAT,
  LOOM_PYTHON_MARSHAL_TEXT, /* text, in Python 2 also bytes; need not be UTF-8 */
  LOOM_PYTHON_MARSHAL_TUPLE,
  LOOM_PYTHON_MARSHAL_LIST,
  LOOM_PYTHON_MARSHAL_DICT, /* dict; its items are alternately keys and values */
} LoomPythonMarshalType;

typedef struct {
  guint8 type; /* type of the value: a LoomPythonMarshalType */
  /* number of levels of nested containers in this value, including itself; 0 if it is not a container */
  guint8 height;
  gboolean open : 1; /* private: TRUE while items of the container are being read */
  guint64 offset;    /* offset of the byte that states the type of this value */
  union {
    gint64 integer;
    double number;
    const char *text; /* the text, as a pointer into the input; not NUL-terminated */
    guint64 first_item;
  };
  guint32 length; /* length of a text in bytes, or number of items of a container */
} LoomPythonMarshalValue;

typedef struct _LoomPythonMarshal LoomPythonMarshal;

/* Returns TRUE if the bytes are the beginning of a dump whose outermost value is a dict of tuples, or an empty dict. */
gboolean loom_python_marshal_looks_like_profile (const char *bytes, gsize length);

/* Reads one value. Texts are borrowed from `bytes`, which must outlive the result. Sets `n_used` (may be NULL) to the
 * offset at which the value ends. Returns NULL with LOOM_ERROR_FORMAT or LOOM_ERROR_LIMIT on failure; `n_used` is then
 * the offset of the wrong byte, because the message does not contain this offset. O(length). */
LoomPythonMarshal *loom_python_marshal_read (const char *bytes, gsize length, gsize *n_used, GError **error);
void loom_python_marshal_free (LoomPythonMarshal *marshal);

/* The functions below return borrowed values. A container may be an item of several other containers. A caller that
 * walks over all items may therefore visit far more values than the dump has, and must limit the number of visits. */
const LoomPythonMarshalValue *loom_python_marshal_get_top (const LoomPythonMarshal *marshal);
const LoomPythonMarshalValue *loom_python_marshal_get_item (const LoomPythonMarshal *marshal,
                                                            const LoomPythonMarshalValue *container, guint32 i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonMarshal, loom_python_marshal_free)
