/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the files of pyinstrument: reports (a tree of stack frames with times) and sessions (stacks in the order of
 * time). A tree can be too deep for recursion, so the frames that are being read are kept on an explicit stack, as
 * places in the text.
 */
#include "loom-pyinstrument.h"

#include "loom-error.h"
#include "loom-parse-time.h"
#include "loom-string-pool.h"

#include <glib/gi18n.h>
#include <string.h>

/* maximum length in bytes of a top-level member that is only displayed; a longer one is replaced by its length */
#define MAX_MEMBER_BYTES 4096
/* Characters that replace U+0000 (NUL_PICTURE) and U+0001 (SOH_PICTURE) when a text is decoded. U+0000 and U+0001
 * separate the parts of a frame's text. */
#define NUL_PICTURE "\xE2\x90\x80"
#define SOH_PICTURE "\xE2\x90\x81"

typedef struct {
  const char *text, *p, *end;
  LoomPyinstrument *result;
  LoomImportLog *log;
} Reader;

static const char *
skip_blanks (const char *p, const char *end)
{
  while (p < end && (*p == ',' || loom_json_slice_is_blank (*p)))
    p++;
  return p;
}

/* Returns the JSON value that begins at `p`. A value without an end extends to the end of the text. */
static LoomJsonSlice
value_at (const char *p, const char *end)
{
  const char *behind = p;
  if (!loom_json_slice_skip_value (&behind, end))
    behind = end;
  return (LoomJsonSlice) { p, (gsize) (behind - p) };
}

static void
note_end (Reader *reader, const char *where)
{
  reader->result->incomplete = TRUE;
  loom_import_log_add (reader->log, LOOM_SEVERITY_ERROR, "truncated", (guint64) (where - reader->text),
                       "The profile is truncated; its readable part was loaded");
}

static void
note_limit (Reader *reader, const char *where)
{
  reader->result->incomplete = TRUE;
  loom_import_log_add (reader->log, LOOM_SEVERITY_ERROR, "too-many", (guint64) (where - reader->text),
                       "There are more than 8,388,608 functions or frames; the rest is skipped");
}

/* Reads a key and advances to its value; returns FALSE at the end of the object or at malformed text. */
static gboolean
next_member (const char **p, const char *end, LoomJsonSlice *key)
{
  const char *start = *p = skip_blanks (*p, end);
  if (start >= end || *start != '"' || !loom_json_slice_skip_value (p, end))
    return FALSE;
  *key = (LoomJsonSlice) { start, (gsize) (*p - start) };
  while (*p < end && loom_json_slice_is_blank (**p))
    (*p)++;
  if (*p >= end || **p != ':')
    return FALSE;
  *p = skip_blanks (*p + 1, end);
  return *p < end;
}

/* Reads a number of seconds. Returns FALSE if the value is not a number; logs this unless the value is null. */
static gboolean
read_seconds (Reader *reader, LoomJsonSlice value, LoomExactTime *time)
{
  *time = (LoomExactTime) { 0, 0 };
  if (value.text == NULL || loom_json_slice_equal (value, "null"))
    return FALSE;
  if (loom_parse_time_parse_s (value.text, value.length, time))
    return TRUE;
  loom_import_log_add (reader->log, LOOM_SEVERITY_WARNING, "odd-time", (guint64) (value.text - reader->text),
                       "A time is not a number; 0 is shown");
  return FALSE;
}

/* --- reading the frames of a report ------------------------------------------------------------------------------- */

/* A stack frame whose JSON object is being read. All members except `frame` are offsets in the text at which the
 * values of members of this object begin; 0: the object does not have the member. */
typedef struct {
  guint32 frame;
  guint32 name, class_name, file, short_file, line, time, application;
} Level;

static guint32
offset_of (const Reader *reader, const char *p)
{
  return (guint32) (p - reader->text);
}

static LoomJsonSlice
slice_at (const Reader *reader, guint32 offset)
{
  return offset == 0 ? (LoomJsonSlice) { NULL, 0 } : value_at (reader->text + offset, reader->end);
}

static char *
dup_text (LoomJsonSlice value)
{
  return value.text == NULL || !loom_json_slice_is_string (value) ? g_strdup ("") : loom_json_slice_dup_decoded (value);
}

static guint32
level_function (Reader *reader, const Level *level)
{
  g_autofree char *name = dup_text (slice_at (reader, level->name)),
                  *class_name = dup_text (slice_at (reader, level->class_name)),
                  *file = dup_text (slice_at (reader, level->file != 0 ? level->file : level->short_file));
  g_autofree char *full = class_name[0] != '\0' ? g_strconcat (class_name, ".", name, NULL) : g_strdup (name);
  LoomJsonSlice line = slice_at (reader, level->line);
  gint64 number = 0;
  if (line.text == NULL || !loom_parse_time_parse_int (line.text, line.length, &number) || number < 0)
    number = 0; /* 0 means that no line number is shown; pyinstrument also shows none if line_no is 0 or null */
  guint32 function =
    loom_python_profile_builder_function (reader->result->builder, file, strlen (file), number, full, strlen (full));
  if (function != G_MAXUINT32 && loom_json_slice_equal (slice_at (reader, level->application), "false"))
    loom_python_profile_builder_get_function (reader->result->builder, function)->flags |= LOOM_FUNCTION_LIBRARY;
  return function;
}

/* Adds a frame to the profile after its object has been read completely. Returns FALSE if there are too many
 * functions; parsing then ends. */
static gboolean
close_frame (Reader *reader, GArray *stack)
{
  Level level = g_array_index (stack, Level, stack->len - 1);
  LoomExactTime time;
  g_array_set_size (stack, stack->len - 1);
  if (read_seconds (reader, slice_at (reader, level.time), &time) && time.ns < 0)
    loom_import_log_add (reader->log, LOOM_SEVERITY_WARNING, "odd-time", level.time,
                         "A time is below zero; 0 is shown");
  guint32 function = level_function (reader, &level);
  if (function == G_MAXUINT32)
    function = 0;
  loom_python_profile_builder_set_frame (reader->result->builder, level.frame, function, MAX (time.ns, 0));
  return loom_python_profile_builder_get_n_functions (reader->result->builder) < LOOM_PYTHON_PROFILE_MAX_FUNCTIONS;
}

static gboolean
open_frame (Reader *reader, GArray *stack)
{
  guint32 parent = stack->len > 0 ? g_array_index (stack, Level, stack->len - 1).frame : LOOM_FRAME_NONE;
  Level level = { .frame = loom_python_profile_builder_frame (reader->result->builder, parent, 0, 0, 0) };
  if (level.frame == LOOM_FRAME_NONE)
    return FALSE;
  g_array_append_val (stack, level);
  reader->p++;
  return TRUE;
}

static guint32 *
place_for (Level *level, LoomJsonSlice key)
{
  const struct {
    const char *key;
    guint32 *place;
  } known[] = {
    { "\"function\"", &level->name },
    { "\"class_name\"", &level->class_name },
    { "\"file_path\"", &level->file },
    { "\"file_path_short\"", &level->short_file },
    { "\"line_no\"", &level->line },
    { "\"time\"", &level->time },
    { "\"is_application_code\"", &level->application },
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (loom_json_slice_equal (key, known[i].key))
      return known[i].place;
  return NULL;
}

/* Returns TRUE for a member that need not be shown, such as "await_time": 0.0, which every frame has. */
static gboolean
says_nothing (LoomJsonSlice key, LoomJsonSlice value)
{
  LoomExactTime time;
  return loom_json_slice_equal (key, "\"await_time\"") && loom_parse_time_parse_s (value.text, value.length, &time) &&
         time.ns == 0 && time.atto == 0;
}

/* Reads a member other than "children". Returns FALSE if the text ends inside it. */
static gboolean
take_member (Reader *reader, Level *level, LoomJsonSlice key)
{
  const char *start = reader->p;
  guint32 *place = place_for (level, key);
  if (!loom_json_slice_skip_value (&reader->p, reader->end))
    return FALSE;
  if (place != NULL)
    *place = offset_of (reader, start);
  LoomPyinstrumentExtra extra = { level->frame, key, { start, (gsize) (reader->p - start) } };
  if (place == NULL && !says_nothing (key, extra.value))
    g_array_append_val (reader->result->extras, extra);
  return TRUE;
}

/* Reads the next member, or the end, of a frame's object. Returns FALSE if the text ends or is malformed. */
static gboolean
read_in_frame (Reader *reader, GArray *stack, gboolean *in_children)
{
  LoomJsonSlice key;
  if (*reader->p == '}') {
    reader->p++;
    *in_children = TRUE; /* after this frame, reading continues in the list of children of its parent */
    return close_frame (reader, stack);
  }
  if (!next_member (&reader->p, reader->end, &key))
    return FALSE;
  if (!loom_json_slice_equal (key, "\"children\"") || *reader->p != '[')
    return take_member (reader, &g_array_index (stack, Level, stack->len - 1), key);
  reader->p++;
  *in_children = TRUE;
  return TRUE;
}

/* Reads the beginning of the next frame in a list of children, or the end of the list. Returns FALSE if the text ends
 * or is malformed. */
static gboolean
read_in_children (Reader *reader, GArray *stack, gboolean *in_children)
{
  if (*reader->p == '{') {
    *in_children = FALSE;
    return open_frame (reader, stack);
  }
  if (*reader->p != ']')
    /* a value that is not an object, for example null, is skipped */
    return loom_json_slice_skip_value (&reader->p, reader->end);
  reader->p++;
  *in_children = FALSE;
  return TRUE;
}

static void
read_tree (Reader *reader, LoomJsonSlice root)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Level));
  gboolean in_children = FALSE, good;
  reader->p = root.text;
  reader->end = root.text + root.length;
  good = open_frame (reader, stack);
  while (good && stack->len > 0) {
    reader->p = skip_blanks (reader->p, reader->end);
    good = reader->p < reader->end && (in_children ? read_in_children : read_in_frame) (reader, stack, &in_children);
  }
  if (stack->len == 0 && good)
    return;
  guint n_functions = loom_python_profile_builder_get_n_functions (reader->result->builder);
  gboolean full = stack->len == 0 || n_functions >= LOOM_PYTHON_PROFILE_MAX_FUNCTIONS ||
                  (reader->p < reader->end && *reader->p == '{');
  (full ? note_limit : note_end) (reader, reader->p);
  while (stack->len > 0)
    close_frame (reader, stack);
}

/* --- reading the records of a session ----------------------------------------------------------------------------- */

typedef struct {
  guint32 function, frame;
  gint64 start_ns;
} Open;

typedef struct {
  Reader *reader;
  LoomStringPool *infos; /* pool of the texts of frames. Each text ends before U+0001, and is escaped as in the file */
  /* guint32 elements, indexed by the id in `infos`: index of the function in the profile; G_MAXUINT32: the function was
   * not added yet */
  GArray *functions;
  GArray *open; /* Open: the stack frames that have not ended, outermost first */
  LoomExactTime now;
} Session;

/* Adds a function. `info` is the text of its frame: function NUL file NUL line, then, after U+0001, attributes. */
static guint32
add_function (Session *session, LoomJsonSlice info)
{
  g_autofree char *decoded = loom_json_slice_dup_decoded (info), *class_name = NULL;
  g_auto (GStrv) attributes = g_strsplit (decoded, SOH_PICTURE, -1);
  /* g_strsplit() returns an array without elements if the text is empty */
  g_auto (GStrv) parts = g_strsplit (attributes[0] != NULL ? attributes[0] : "", NUL_PICTURE, -1);
  guint n = g_strv_length (parts);
  for (guint i = 1; n > 0 && attributes[i] != NULL; i++)
    if (attributes[i][0] == 'c' && class_name == NULL)
      class_name = g_strconcat (attributes[i] + 1, ".", parts[0], NULL);
  const char *name = class_name != NULL ? class_name : n > 0 ? parts[0] : "", *file = n > 1 ? parts[1] : "";
  gint64 line = 0;
  if (n > 2 && (!loom_parse_time_parse_int (parts[2], strlen (parts[2]), &line) || line < 0))
    line = 0;
  return loom_python_profile_builder_function (session->reader->result->builder, file, strlen (file), line, name,
                                               strlen (name));
}

static guint32
find_function (Session *session, LoomJsonSlice info)
{
  const char *attributes = g_strstr_len (info.text, (gssize) info.length, "\\u0001");
  gsize length = attributes != NULL ? (gsize) (attributes - info.text) : info.length;
  guint32 id = loom_string_pool_intern (session->infos, info.text, length);
  while (session->functions->len <= id) {
    guint32 none = G_MAXUINT32;
    g_array_append_val (session->functions, none);
  }
  guint32 *function = &g_array_index (session->functions, guint32, id);
  if (*function == G_MAXUINT32)
    *function = add_function (session, info);
  return *function;
}

static void
close_to (Session *session, guint depth)
{
  while (session->open->len > depth) {
    const Open *open = &g_array_index (session->open, Open, session->open->len - 1);
    loom_python_profile_builder_set_frame (session->reader->result->builder, open->frame, open->function,
                                           session->now.ns - open->start_ns);
    g_array_set_size (session->open, session->open->len - 1);
  }
}

/* Opens the stack frames of a record, from the outermost to the innermost. When this function is called, the frames of
 * the previous record are still open. Compares both lists of frames from the outermost on: equal frames remain open,
 * and all frames from the first difference on are closed. Returns FALSE if `frames` is not a list, or if there are too
 * many functions or frames. */
static gboolean
enter_frames (Session *session, LoomJsonSlice frames)
{
  LoomJsonIter iter;
  LoomJsonSlice key, info;
  guint depth = 0;
  gboolean same = TRUE;
  if (!loom_json_slice_iter_init (&iter, frames) || iter.object)
    return FALSE;
  while (loom_json_slice_iter_next (&iter, &key, &info)) {
    guint32 function = find_function (session, info);
    if (function == G_MAXUINT32)
      return FALSE;
    same = same && depth < session->open->len && g_array_index (session->open, Open, depth).function == function;
    if (!same) {
      close_to (session, depth);
      guint32 parent = depth > 0 ? g_array_index (session->open, Open, depth - 1).frame : LOOM_FRAME_NONE;
      Open open = { function,
                    loom_python_profile_builder_frame (session->reader->result->builder, parent, function,
                                                       session->now.ns, 0),
                    session->now.ns };
      if (open.frame == LOOM_FRAME_NONE)
        return FALSE;
      g_array_append_val (session->open, open);
    }
    depth++;
  }
  close_to (session, depth);
  return TRUE;
}

/* Reads a record: [[frame, …], seconds]. Skips a record of another form. Returns FALSE if the frames of the record
 * cannot be added. */
static gboolean
read_record (Session *session, LoomJsonSlice record)
{
  LoomJsonIter iter;
  LoomJsonSlice key, frames, seconds;
  LoomExactTime time;
  if (!loom_json_slice_iter_init (&iter, record) || iter.object || !loom_json_slice_iter_next (&iter, &key, &frames) ||
      !loom_json_slice_iter_next (&iter, &key, &seconds)) {
    loom_import_log_add (session->reader->log, LOOM_SEVERITY_WARNING, "odd-record",
                         (guint64) (record.text - session->reader->text),
                         "A record that does not consist of frames and seconds was skipped");
    return TRUE;
  }
  if (!enter_frames (session, frames))
    return FALSE;
  if (read_seconds (session->reader, seconds, &time) && time.ns >= 0)
    session->now = loom_parse_time_add_exact (session->now, time);
  return TRUE;
}

static void
read_records (Reader *reader, LoomJsonSlice records)
{
  Session session = { .reader = reader,
                      .infos = loom_string_pool_new (),
                      .functions = g_array_new (FALSE, FALSE, sizeof (guint32)),
                      .open = g_array_new (FALSE, FALSE, sizeof (Open)) };
  LoomJsonIter iter = { 0 };
  LoomJsonSlice key, record;
  gboolean good = loom_json_slice_iter_init (&iter, records) && !iter.object, full = FALSE;
  while (good && !full && loom_json_slice_iter_next (&iter, &key, &record))
    full = !read_record (&session, record);
  close_to (&session, 0);
  const char *rest = good ? skip_blanks (iter.p, iter.end) : records.text;
  if (full)
    note_limit (reader, iter.p);
  else if (!good || rest >= iter.end || *rest != ']')
    note_end (reader, rest);
  loom_string_pool_free (session.infos);
  g_array_unref (session.functions);
  g_array_unref (session.open);
}

/* --- recognition and import --------------------------------------------------------------------------------------- */

/* Returns TRUE if the text has a top-level member with the name `first` or `second`. The text may end anywhere after
 * the key of this member. Returns FALSE at the member "traceEvents", whose value would take long to skip, because
 * neither reports nor sessions have it. */
static gboolean
has_member (const char *text, gsize length, const char *first, const char *second)
{
  const char *end = text + length, *p = skip_blanks (text, end);
  LoomJsonSlice key;
  if (end - p >= 3 && memcmp (p, "\xEF\xBB\xBF", 3) == 0)
    p = skip_blanks (p + 3, end);
  if (p >= end || *p++ != '{')
    return FALSE;
  while (next_member (&p, end, &key)) {
    if (loom_json_slice_equal (key, first) || loom_json_slice_equal (key, second))
      return TRUE;
    if (loom_json_slice_equal (key, "\"traceEvents\"") || !loom_json_slice_skip_value (&p, end))
      return FALSE;
  }
  return FALSE;
}

gboolean
loom_pyinstrument_looks_like (const char *text, gsize length)
{
  return has_member (text, length, "\"root_frame\"", "\"frame_records\"");
}

static void
keep_member (LoomPyinstrument *result, LoomJsonSlice key, LoomJsonSlice value)
{
  g_autofree char *name = loom_json_slice_dup_decoded (key);
  g_autoptr (GString) text = g_string_new (NULL);
  if (value.length <= MAX_MEMBER_BYTES)
    loom_json_slice_append_strict (text, value.text, value.length);
  else
    g_string_printf (text, "\"(%" G_GSIZE_FORMAT " bytes)\"", value.length);
  g_ptr_array_add (result->members, g_steal_pointer (&name));
  g_ptr_array_add (result->members, g_strdup (text->str));
}

static void
take_top_member (Reader *reader, LoomJsonSlice key, LoomJsonSlice value, LoomJsonSlice *root, LoomJsonSlice *records)
{
  LoomExactTime time;
  gint64 n_samples;
  if (loom_json_slice_equal (key, "\"root_frame\""))
    *root = value;
  else if (loom_json_slice_equal (key, "\"frame_records\""))
    *records = value;
  else if (loom_json_slice_equal (key, "\"start_time\"") && read_seconds (reader, value, &time))
    reader->result->start_ns = time.ns;
  else if (loom_json_slice_equal (key, "\"duration\"") && read_seconds (reader, value, &time))
    reader->result->duration_ns = MAX (time.ns, 0);
  else if (loom_json_slice_equal (key, "\"sample_count\"") &&
           loom_parse_time_parse_int (value.text, value.length, &n_samples))
    loom_python_profile_builder_set_n_samples (reader->result->builder, MAX (n_samples, 0));
  else
    keep_member (reader->result, key, value);
}

void
loom_pyinstrument_clear (LoomPyinstrument *result)
{
  g_clear_pointer (&result->members, g_ptr_array_unref);
  g_clear_pointer (&result->extras, g_array_unref);
  g_clear_pointer (&result->builder, loom_python_profile_builder_free);
}

gboolean
loom_pyinstrument_read (LoomPyinstrument *result, const char *text, gsize length, LoomImportLog *log, GError **error)
{
  LoomJsonSlice key, root = { NULL, 0 }, records = { NULL, 0 };
  *result = (LoomPyinstrument) { .start_ns = LOOM_TIME_NONE, .duration_ns = -1 };
  if (length >= G_MAXUINT32 || !loom_pyinstrument_looks_like (text, length)) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
                         _ ("not a pyinstrument profile: neither root_frame nor frame_records"));
    return FALSE;
  }
  result->session = has_member (text, length, "\"frame_records\"", "\"frame_records\"");
  result->builder =
    loom_python_profile_builder_new (result->session ? LOOM_PYTHON_PROFILE_SESSION : LOOM_PYTHON_PROFILE_REPORT);
  result->members = g_ptr_array_new_with_free_func (g_free);
  result->extras = g_array_new (FALSE, FALSE, sizeof (LoomPyinstrumentExtra));
  Reader reader = { text, (const char *) memchr (text, '{', length) + 1, text + length, result, log };
  while (next_member (&reader.p, reader.end, &key)) {
    const char *start = reader.p;
    gboolean whole = loom_json_slice_skip_value (&reader.p, reader.end);
    LoomJsonSlice value = { start, (gsize) ((whole ? reader.p : reader.end) - start) };
    take_top_member (&reader, key, value, &root, &records);
    if (!whole)
      break;
  }
  const char *end = skip_blanks (reader.p, reader.end);
  result->no_samples = root.text != NULL && *root.text != '{' && !result->session;
  if (root.text != NULL && *root.text == '{' && !result->session)
    read_tree (&reader, root);
  if (result->session)
    read_records (&reader, records);
  if (!result->incomplete && (end >= text + length || *end != '}'))
    note_end (&reader, end);
  return TRUE;
}
