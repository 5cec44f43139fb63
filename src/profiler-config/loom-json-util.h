/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that add a member to a JSON document in one call, and a function that prints a document. Integers are
 * printed with all digits, fractions with at most 9 decimals.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Adds a member with a text; the member is null if `value` is NULL. */
void loom_json_util_add_text (JsonBuilder *builder, const char *name, const char *value);
/* Adds a member with a path. The path need not be UTF-8. */
void loom_json_util_add_path (JsonBuilder *builder, const char *name, const char *path);
void loom_json_util_add_int (JsonBuilder *builder, const char *name, gint64 value);
/* Adds a member with a number; the member is null if `known` is FALSE. */
void loom_json_util_add_int_if (JsonBuilder *builder, const char *name, gboolean known, gint64 value);
/* Adds a member with a number; the member is null if `value` is not finite. */
void loom_json_util_add_double (JsonBuilder *builder, const char *name, double value);
void loom_json_util_add_double_if (JsonBuilder *builder, const char *name, gboolean known, double value);
void loom_json_util_add_bool (JsonBuilder *builder, const char *name, gboolean value);
void loom_json_util_begin_object (JsonBuilder *builder, const char *name);
void loom_json_util_begin_array (JsonBuilder *builder, const char *name);

/* An object or array that is closed at the end of the C block in which it is declared: `g_auto (LoomJsonScope) object =
 * loom_json_util_open_object (…)`. If the parameter `name` of the two functions below is NULL, the object or array is
 * an element of an array, or the value of a member whose name was added before. */
typedef struct {
  JsonBuilder *builder;
  gboolean is_array;
} LoomJsonScope;
LoomJsonScope loom_json_util_open_object (JsonBuilder *builder, const char *name);
LoomJsonScope loom_json_util_open_array (JsonBuilder *builder, const char *name);
void loom_json_util_close (LoomJsonScope *scope);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomJsonScope, loom_json_util_close)

/* Each of the functions below adds a member that is an array. `texts` ends with NULL. */
void loom_json_util_add_texts (JsonBuilder *builder, const char *name, const char *const *texts);
void loom_json_util_add_numbers (JsonBuilder *builder, const char *name, const guint *numbers, guint n);
void loom_json_util_add_doubles (JsonBuilder *builder, const char *name, const double *values, guint n);
void loom_json_util_add_counts (JsonBuilder *builder, const char *name, const guint64 *counts, guint n);

/* Adds a number as an element of an array, or as the value of a member whose name was added before; null if it is not
 * finite. */
void loom_json_util_put_double (JsonBuilder *builder, double value);

/* Prints a document, indented by one blank per level, with a line feed at the end. Arrays of plain values are on one
 * line. Owned by the caller. */
char *loom_json_util_print (JsonNode *root);

/* The functions below print a document in parts, so that it need not be in memory as a whole: nodes of JSON take ten
 * times the memory of their text, and runs of many ranks have millions of them. */

/* Adds one element, itself an object or array, to the list that is being printed. `element`: index of the element. */
typedef void (*LoomJsonElementFunc) (JsonBuilder *builder, guint element, gconstpointer user_data);
/* Returns a builder for loom_json_util_print_members(). Owned by the caller. */
JsonBuilder *loom_json_util_new_printed (void);
/* Adds a member that is an array of `n` elements, which `func` adds one by one. If the builder is from
 * loom_json_util_new_printed(), `func` is called while the document is printed, and only one element is in memory at a
 * time. Otherwise, `func` is called for all elements before this function returns. `user_data` must be valid as long as
 * `func` may be called; after the last call it is freed with `free_func`, which may be NULL. */
void loom_json_util_add_list (JsonBuilder *builder, const char *name, guint n, LoomJsonElementFunc func,
                              gpointer user_data, GDestroyNotify free_func);
/* Appends the members of the object that the builder contains to a text. `depth`: number of objects and arrays of the
 * text that contain the object. `follows`: TRUE if members of the same object were printed before. Returns TRUE if any
 * member of the object was printed, now or before. */
gboolean loom_json_util_print_members (JsonBuilder *builder, guint depth, gboolean follows, GString *out);
/* Appends the name of a member of an object of this depth. The caller then appends its value. */
void loom_json_util_print_name (const char *name, guint depth, gboolean follows, GString *out);
/* Appends `sign`, which ends an object or array of this depth, on a line of its own. */
void loom_json_util_print_end (char sign, guint depth, GString *out);
