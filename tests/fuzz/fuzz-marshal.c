/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the reader of Python's marshal format. All values lie inside the input. An error names the byte at which
 * reading failed. The memory is proportional to the size of the input.
 */
#include "fuzz.h"

#include "loom-error.h"
#include "loom-python-marshal.h"

#include <string.h>

/* Limit of the number of visited values, because a value may be referenced from many places. */
#define MOST_VISITS 20000

typedef struct {
  const LoomPythonMarshal *marshal;
  const char *bytes;
  gsize size;
  guint n_visits;
} Walk;

static void
visit (Walk *walk, const LoomPythonMarshalValue *value, guint depth)
{
  fuzz_check (value != NULL && value->type <= LOOM_PYTHON_MARSHAL_DICT, "no value");
  fuzz_check (value->offset < walk->size, "at byte %" G_GUINT64_FORMAT, value->offset);
  fuzz_check (depth <= LOOM_PYTHON_MARSHAL_MAX_DEPTH, "%u deep", depth);
  if (value->type == LOOM_PYTHON_MARSHAL_TEXT)
    fuzz_check (value->length == 0 || (value->text >= walk->bytes && value->length <= walk->size &&
                                       value->text - walk->bytes <= (gssize) (walk->size - value->length)),
                "a text of %u bytes elsewhere", value->length);
  if (value->type < LOOM_PYTHON_MARSHAL_TUPLE)
    return;
  fuzz_check (value->type != LOOM_PYTHON_MARSHAL_DICT || value->length % 2 == 0, "a key without a value");
  for (guint32 i = 0; i < value->length && walk->n_visits++ < MOST_VISITS; i++)
    visit (walk, loom_python_marshal_get_item (walk->marshal, value, i), depth + 1);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *bytes = fuzz_exact (data, size);
  g_autoptr (GError) error = NULL;
  gsize n_used = G_MAXSIZE;
  loom_python_marshal_looks_like_profile (bytes, size);
  g_autoptr (LoomPythonMarshal) marshal = loom_python_marshal_read (bytes, size, &n_used, &error);
  fuzz_check (n_used <= size, "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes", n_used, size);
  fuzz_check ((marshal == NULL) == (error != NULL), "neither read nor refused");
  if (marshal == NULL) {
    fuzz_check (error->domain == LOOM_ERROR && g_utf8_validate (error->message, -1, NULL),
                "byte %" G_GSIZE_FORMAT ": %s", n_used, error->message);
    return 0;
  }
  Walk walk = { marshal, bytes, size, 0 };
  visit (&walk, loom_python_marshal_get_top (marshal), 0);
  return 0;
}
