/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the texts inside a profiler configuration in the form that the SageMaker SDK writes
 * (sagemaker/debugger/metrics_config.py), for example {"StartStep": 4, "NumSteps": 2, }. Such a text is a Python
 * literal, not JSON. The parser has a grammar of its own: a text is one object with quoted keys, whose values are texts
 * in single or double quotes, integers, real numbers, true, false or none (in any case); a trailing comma is allowed.
 * The parser never evaluates anything. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Parses the text of a metric, which must be UTF-8. If a key occurs several times, its last value is used. The caller
 * owns the object. Returns NULL with LOOM_ERROR_FORMAT on failure; the message states the byte at which parsing
 * failed. */
JsonObject *loom_metric_literal_parse (const char *text, GError **error);

/* Prints a metric as strict JSON on one line. The text is also a valid Python literal, unless it contains booleans or
 * null. Owned by the caller. */
char *loom_metric_literal_print (JsonObject *metric);
