/* SPDX-License-Identifier: Apache-2.0
 *
 * Members of JSON documents in one line each, and how the documents are printed: integers as they
 * are, fractions with at most 9 digits after the point.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

void loom_json_util_add_text (JsonBuilder *builder, const char *name, const char *value); /* NULL is null */
void loom_json_util_add_path (JsonBuilder *builder, const char *name, const char *path);  /* need not be UTF-8 */
void loom_json_util_add_int (JsonBuilder *builder, const char *name, gint64 value);
void loom_json_util_add_int_if (JsonBuilder *builder, const char *name, gboolean known, gint64 value); /* else null */
void loom_json_util_add_double (JsonBuilder *builder, const char *name, double value); /* what is not finite is null */
void loom_json_util_add_double_if (JsonBuilder *builder, const char *name, gboolean known, double value);
void loom_json_util_add_bool (JsonBuilder *builder, const char *name, gboolean value);
void loom_json_util_begin_object (JsonBuilder *builder, const char *name);
void loom_json_util_begin_array (JsonBuilder *builder, const char *name);
void loom_json_util_add_counts (JsonBuilder *builder, const char *name, const guint64 *counts, guint n);

/* An element of an array, or the value of a member that was named; what is not finite is null. */
void loom_json_util_put_double (JsonBuilder *builder, double value);

/* Indented by one, with a line feed at the end; arrays of plain values in one line. Owned. */
char *loom_json_util_print (JsonNode *root);

G_END_DECLS
