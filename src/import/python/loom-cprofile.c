/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports dumps of Python's profilers cProfile and profile (files of the module pstats). The dumps of all intervals of
 * one writer are imported together.
 */
#include "loom-cprofile.h"

#include "loom-error.h"
#include "loom-python-marshal.h"
#include "loom-python-profile-spans.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Indices into the tuples of a dump. KEY_…: the key of a function; VALUE_…: its value; CALLER_…: the value of a caller.
 * In the value of a function, the number of primitive calls precedes the number of calls; in the value of a caller, it
 * follows. */
enum { KEY_FILE, KEY_LINE, KEY_NAME, KEY_LENGTH };
enum { VALUE_PRIMITIVE, VALUE_CALLS, VALUE_OWN, VALUE_CUMULATIVE, VALUE_CALLERS, VALUE_LENGTH };
enum { CALLER_CALLS, CALLER_PRIMITIVE, CALLER_OWN, CALLER_CUMULATIVE, CALLER_LENGTH };

typedef struct {
  LoomPythonProfileBuilder *builder;
  const LoomPythonMarshal *marshal;
  LoomImportLog *log;
  GError *error;
  guint64 error_offset;
} Dump;

static gboolean
fail (Dump *dump, LoomError code, const LoomPythonMarshalValue *value, const char *what)
{
  dump->error_offset = value->offset;
  if (dump->error == NULL)
    g_set_error (&dump->error, LOOM_ERROR, code, _ ("not a readable Python profile: %s"), what);
  return FALSE;
}

static const LoomPythonMarshalValue *
item (Dump *dump, const LoomPythonMarshalValue *value, guint32 i)
{
  return loom_python_marshal_get_item (dump->marshal, value, i);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static gboolean
read_count (Dump *dump, const LoomPythonMarshalValue *value, gint64 *count)
{
  const double most = 9.2e18;
  if (value->type == LOOM_PYTHON_MARSHAL_INT || value->type == LOOM_PYTHON_MARSHAL_BOOL) {
    *count = MAX (value->integer, 0);
  } else if (value->type == LOOM_PYTHON_MARSHAL_FLOAT) {
    *count = value->number >= 0 ? (gint64) MIN (value->number, most) : 0; /* the condition is FALSE for NaN, which
                                                                           * therefore gives 0 */
  } else {
    return fail (dump, LOOM_ERROR_FORMAT, value, _ ("a count of calls is not a number"));
  }
  gboolean odd =
    value->type == LOOM_PYTHON_MARSHAL_FLOAT ? !(value->number >= 0 && value->number < most) : value->integer < 0;
  if (odd)
    loom_import_log_add (dump->log, LOOM_SEVERITY_WARNING, "odd-count", value->offset,
                         "A count of calls is impossible; the nearest possible number is shown");
  return TRUE;
}

static gboolean
read_time (Dump *dump, const LoomPythonMarshalValue *value, gint64 *ns)
{
  gboolean odd = FALSE;
  if (value->type == LOOM_PYTHON_MARSHAL_FLOAT)
    *ns = loom_python_profile_ns_from_seconds (value->number, &odd);
  else if (value->type == LOOM_PYTHON_MARSHAL_INT || value->type == LOOM_PYTHON_MARSHAL_BOOL)
    *ns = loom_python_profile_ns_from_seconds ((double) value->integer, &odd);
  else
    return fail (dump, LOOM_ERROR_FORMAT, value, _ ("a time is not a number"));
  if (odd)
    loom_import_log_add (dump->log, LOOM_SEVERITY_WARNING, "odd-time", value->offset,
                         "A time is not a number, or is too large; 0 or the largest possible value is shown");
  return TRUE;
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* Adds a builtin function. Its key ('~', 0, "<built-in method x>") becomes the name "{built-in method x}". */
static guint32
add_builtin (Dump *dump, const LoomPythonMarshalValue *name)
{
  g_autofree char *text = g_strndup (name->text, name->length);
  gsize n = strlen (text);
  gboolean angled = n >= 2 && text[0] == '<' && text[n - 1] == '>';
  g_autofree char *shown = angled ? g_strdup_printf ("{%.*s}", (int) n - 2, text + 1) : g_strdup (text);
  guint32 function = loom_python_profile_builder_function (dump->builder, "", 0, 0, shown, strlen (shown));
  if (function != G_MAXUINT32)
    loom_python_profile_builder_get_function (dump->builder, function)->flags |= LOOM_FUNCTION_BUILTIN;
  return function;
}

static gboolean
read_key (Dump *dump, const LoomPythonMarshalValue *key, guint32 *function)
{
  if (key->type != LOOM_PYTHON_MARSHAL_TUPLE || key->length != KEY_LENGTH)
    return fail (dump, LOOM_ERROR_FORMAT, key, _ ("a function is not given as (file, line, name)"));
  const LoomPythonMarshalValue *file = item (dump, key, KEY_FILE), *line = item (dump, key, KEY_LINE),
                               *name = item (dump, key, KEY_NAME);
  if (file->type != LOOM_PYTHON_MARSHAL_TEXT || line->type != LOOM_PYTHON_MARSHAL_INT ||
      name->type != LOOM_PYTHON_MARSHAL_TEXT)
    return fail (dump, LOOM_ERROR_FORMAT, key, _ ("a function is not given as (file, line, name)"));
  if (file->length == 1 && file->text[0] == '~' && line->integer == 0)
    *function = add_builtin (dump, name);
  else
    *function = loom_python_profile_builder_function (dump->builder, file->text, file->length, MAX (line->integer, 0),
                                                      name->text, name->length);
  return *function != G_MAXUINT32 ||
         fail (dump, LOOM_ERROR_LIMIT, key, _ ("the profile has more than 4,194,304 functions"));
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

static gboolean
read_caller (Dump *dump, const LoomPythonMarshalValue *key, const LoomPythonMarshalValue *value, guint32 callee)
{
  LoomPythonProfileCall call = {
    .callee = callee, .primitive_calls = LOOM_CALLS_UNKNOWN, .own_ns = LOOM_TIME_NONE, .cumulative_ns = LOOM_TIME_NONE
  };
  guint32 n_before = loom_python_profile_builder_get_n_functions (dump->builder);
  if (!read_key (dump, key, &call.caller))
    return FALSE;
  /* so far, this function occurs only as a caller; read_entry() clears the flag when it reads the entry of the
   * function */
  if (call.caller >= n_before)
    loom_python_profile_builder_get_function (dump->builder, call.caller)->flags |= LOOM_FUNCTION_CALLER;
  if (value->type == LOOM_PYTHON_MARSHAL_TUPLE && value->length == CALLER_LENGTH) {
    if (!read_count (dump, item (dump, value, CALLER_CALLS), &call.calls) ||
        !read_count (dump, item (dump, value, CALLER_PRIMITIVE), &call.primitive_calls) ||
        !read_time (dump, item (dump, value, CALLER_OWN), &call.own_ns) ||
        !read_time (dump, item (dump, value, CALLER_CUMULATIVE), &call.cumulative_ns))
      return FALSE;
    /* The value is only a number of calls. The module "profile", the profiler written in Python, writes callers in this
     * way. */
  } else if (!read_count (dump, value, &call.calls)) {
    return FALSE;
  }
  return loom_python_profile_builder_call (dump->builder, &call) ||
         fail (dump, LOOM_ERROR_LIMIT, key, _ ("the profile has more than 8,388,608 calls"));
}

static gboolean
read_entry (Dump *dump, const LoomPythonMarshalValue *key, const LoomPythonMarshalValue *value)
{
  guint32 number;
  LoomPythonProfileFunction entry = { 0 };
  if (!read_key (dump, key, &number))
    return FALSE;
  if (value->type != LOOM_PYTHON_MARSHAL_TUPLE || value->length != VALUE_LENGTH)
    return fail (dump, LOOM_ERROR_FORMAT, value,
                 _ ("a function’s entry is not a tuple (primitive calls, calls, self time, cumulative time, callers)"));
  const LoomPythonMarshalValue *callers = item (dump, value, VALUE_CALLERS);
  if (!read_count (dump, item (dump, value, VALUE_PRIMITIVE), &entry.primitive_calls) ||
      !read_count (dump, item (dump, value, VALUE_CALLS), &entry.calls) ||
      !read_time (dump, item (dump, value, VALUE_OWN), &entry.own_ns) ||
      !read_time (dump, item (dump, value, VALUE_CUMULATIVE), &entry.cumulative_ns))
    return FALSE;
  if (callers->type != LOOM_PYTHON_MARSHAL_DICT)
    return fail (dump, LOOM_ERROR_FORMAT, callers, _ ("the callers of a function are not a dict"));
  LoomPythonProfileFunction *function = loom_python_profile_builder_get_function (dump->builder, number);
  function->primitive_calls = loom_time_add (function->primitive_calls, entry.primitive_calls);
  function->calls = loom_time_add (function->calls, entry.calls);
  function->own_ns = loom_time_add (function->own_ns, entry.own_ns);
  function->cumulative_ns = loom_time_add (function->cumulative_ns, entry.cumulative_ns);
  function->flags &= ~(guint) LOOM_FUNCTION_CALLER;
  for (guint32 i = 0; i + 1 < callers->length; i += 2)
    if (!read_caller (dump, item (dump, callers, i), item (dump, callers, i + 1), number))
      return FALSE;
  return TRUE;
}

gboolean
loom_cprofile_read (LoomPythonProfileBuilder *builder, const char *bytes, gsize length, LoomImportLog *log,
                    guint64 *error_offset, GError **error)
{
  guint64 ignored;
  gsize n_used = 0;
  error_offset = error_offset != NULL ? error_offset : &ignored;
  *error_offset = 0;
  if (!loom_python_marshal_looks_like_profile (bytes, length)) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("not a profile"));
    return FALSE;
  }
  g_autoptr (LoomPythonMarshal) marshal = loom_python_marshal_read (bytes, length, &n_used, error);
  *error_offset = n_used;
  if (marshal == NULL)
    return FALSE;
  Dump dump = { .builder = builder, .marshal = marshal, .log = log };
  const LoomPythonMarshalValue *top = loom_python_marshal_get_top (marshal);
  for (guint32 i = 0; i + 1 < top->length; i += 2)
    if (!read_entry (&dump, item (&dump, top, i), item (&dump, top, i + 1))) {
      *error_offset = dump.error_offset;
      g_propagate_error (error, dump.error);
      return FALSE;
    }
  if (n_used < length)
    loom_import_log_printf (log, LOOM_SEVERITY_WARNING, "trailing-bytes", n_used,
                            "bytes after the profile that are not read: %zu", length - n_used);
  if (top->length == 0)
    loom_import_log_add (log, LOOM_SEVERITY_INFO, "no-calls", 0, "No calls recorded");
  return TRUE;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if the files are those of the steps 9, 10 and 11. These are the steps that the profiler profiles by
 * default. */
static gboolean
has_default_steps (const LoomImporter *import)
{
  gboolean seen[3] = { FALSE };
  for (guint i = 0; i < import->n_files; i++) {
    LoomPythonProfilePath path;
    loom_python_profile_path_parse (import->files[i]->path, &path);
    gint64 step = path.start.step;
    gboolean counts =
      path.has_interval && step >= 0 && path.start.part != LOOM_PART_NONE && path.end.mode != LOOM_MODE_POST_HOOK_CLOSE;
    loom_python_profile_path_clear (&path);
    if (counts && (step < 9 || step > 11))
      return FALSE;
    if (counts)
      seen[step - 9] = TRUE;
  }
  return seen[0] && seen[1] && seen[2];
}

static void
add_facts (LoomSource *info, const LoomPythonProfile *profile, const char *basis)
{
  g_autofree char *timer = g_strdup_printf ("\"%s (%s)\"", loom_python_profile_timer_to_string (profile->timer), basis);
  g_autofree char *functions = g_strdup_printf ("%u", profile->functions->len);
  g_autofree char *calls = g_strdup_printf ("%" G_GINT64_FORMAT, profile->n_calls);
  loom_source_add_fact (info, "timer", timer);
  loom_source_add_fact (info, "functions", functions);
  loom_source_add_fact (info, "calls", calls);
}

static char *
dup_interval_facts (const LoomPythonProfile *profile)
{
  char total[LOOM_TIME_US_MAX + 1];
  total[loom_time_write_us (profile->total_ns, total)] = '\0';
  return g_strdup_printf (",\"timer\":\"%s\",\"functions\":%u,\"calls\":%" G_GINT64_FORMAT ",\"own_us\":%s",
                          loom_python_profile_timer_to_string (profile->timer), profile->functions->len,
                          profile->n_calls, total);
}

static LoomPythonProfile *
read_dump (LoomPythonProfileSpans *spans, gpointer user_data, guint64 *error_offset, GError **error)
{
  const gboolean *default_steps = user_data;
  const LoomPythonProfilePath *path = spans->path;
  gsize length;
  const char *basis;
  g_autofree char *bytes = loom_python_profile_spans_read_file (spans, &length, error);
  if (bytes == NULL)
    return NULL;
  g_autoptr (LoomPythonProfileBuilder) builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  if (!loom_cprofile_read (builder, bytes, length, spans->info->log, error_offset, error))
    return NULL;
  loom_python_profile_builder_set_timer (
    builder, loom_python_profile_path_timer (spans->file->path, path, *default_steps, spans->import->configs, &basis));
  loom_python_profile_builder_set_interval (builder, path->start, path->end);
  loom_python_profile_builder_set_place (builder, path->framework, path->node, spans->info->rank);
  LoomPythonProfile *profile = loom_python_profile_builder_finish (g_steal_pointer (&builder));
  g_autofree char *facts = dup_interval_facts (profile);
  add_facts (spans->info, profile, basis);
  loom_python_profile_spans_add_interval (spans, facts);
  return profile;
}

gboolean
loom_importer_cprofile (LoomImporter *import, GError **error)
{
  gboolean default_steps = has_default_steps (import);
  return loom_python_profile_spans_import (import, "cprofile", read_dump, &default_steps, error);
}
