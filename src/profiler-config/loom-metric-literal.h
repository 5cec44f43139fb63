/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts inside a profiler configuration, formats/profiler-config-and-rules §A3: {"StartStep": 4, "NumSteps": 2, } is
 * Python, not JSON. Read by a grammar of its own (one object of quoted keys; texts in either quote, whole and real numbers,
 * true, false and none in any letter case; a comma may trail), never evaluated. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Of equal keys the last one counts. NULL with LOOM_ERROR_FORMAT and the byte where the reading ended. The caller owns
 * the object. `text` is UTF-8. */
JsonObject *loom_metric_literal_parse (const char *text, GError **error);

/* Strict JSON in one line, which is a Python literal too as long as there is no boolean and no null in it. Owned. */
char *loom_metric_literal_print (JsonObject *metric);

G_END_DECLS
