/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-stated.h"

#include <string.h>

#include "loom-event.h"
#include "loom-parse-time.h"

/* An index file stores the number and the mode of a step in one integer: the lower MODE_SHIFT bits contain the
 * number, and the bits above them the mode. */
#define MODE_SHIFT 60
#define NUMBER_MASK ((G_GINT64_CONSTANT (1) << MODE_SHIFT) - 1)

/* --- names that users give to steps ----------------------------------------------------------------------------- */

/* Returns the length of the word at the start of a text: letters, up to the first capital letter after a small
 * letter. */
static gsize
measure_word (const char *text)
{
  gsize n = 0;
  while (g_ascii_isalpha (text[n]) && (n == 0 || !g_ascii_isupper (text[n]) || g_ascii_isupper (text[n - 1])))
    n++;
  return n;
}

gint
loom_step_stated_find_mode (const char *text)
{
  static const struct {
    const char *word;
    LoomStepMode mode;
  } words[] = {
    { "train", LOOM_STEP_TRAIN },     { "training", LOOM_STEP_TRAIN },     { "test", LOOM_STEP_EVAL },
    { "testing", LOOM_STEP_EVAL },    { "eval", LOOM_STEP_EVAL },          { "evaluate", LOOM_STEP_EVAL },
    { "evaluation", LOOM_STEP_EVAL }, { "val", LOOM_STEP_EVAL },           { "valid", LOOM_STEP_EVAL },
    { "validate", LOOM_STEP_EVAL },   { "validation", LOOM_STEP_EVAL },    { "predict", LOOM_STEP_PREDICT },
    { "infer", LOOM_STEP_PREDICT },   { "prediction", LOOM_STEP_PREDICT }, { "inference", LOOM_STEP_PREDICT }
  };
  for (gsize n; *text != '\0'; text += MAX (n, 1)) {
    n = measure_word (text);
    for (guint i = 0; n > 0 && i < G_N_ELEMENTS (words); i++)
      if (strlen (words[i].word) == n && g_ascii_strncasecmp (text, words[i].word, n) == 0)
        return words[i].mode;
  }
  return -1;
}

gint64
loom_step_stated_parse_number (const char *text)
{
  gint64 number;
  gsize length = strspn (text, "0123456789");
  return length > 0 && loom_parse_time_parse_int (text, length, &number) ? number : -1;
}

gint64
loom_step_stated_find_number (const char *text)
{
  const char *number = text;
  for (const char *at = text; !g_ascii_isdigit (*text) && *at != '\0'; at++)
    if (g_ascii_isdigit (*at) && (at == text || !g_ascii_isdigit (at[-1])))
      number = at;
  return loom_step_stated_parse_number (number);
}

/* --- what the index stores ---------------------------------------------------------------------------------------- */

gint64
loom_step_stated_pack (gint64 number, LoomStepMode mode)
{
  return number >= 0 && number <= NUMBER_MASK ? number | (gint64) mode << MODE_SHIFT : -1;
}

static LoomStepStated
unpack (gint64 packed)
{
  gint mode = packed >= 0 ? (gint) (packed >> MODE_SHIFT) : 0;
  return (LoomStepStated) { packed >= 0 ? packed & NUMBER_MASK : -1,
                            mode > LOOM_STEP_TRAIN && mode <= LOOM_STEP_GLOBAL ? mode : -1 };
}

/* --- args --------------------------------------------------------------------------------------------------------- */

/* Returns the value that the arg `key` had at the beginning of the event; an empty slice if the event had no such arg
 * then. This value is not always in `args` itself: an end event may replace values of args, and a merged file keeps the
 * replaced values in an object LOOM_MEMBER_BEGIN_ARGS. */
static LoomJsonSlice
get_value (LoomJsonSlice args, const char *key)
{
  LoomJsonSlice first = loom_json_slice_member (loom_json_slice_member (args, LOOM_MEMBER_BEGIN_ARGS), key);
  return first.text != NULL ? first : loom_json_slice_member (args, key);
}

LoomStepStated
loom_step_stated_parse (LoomJsonSlice args, const char *key)
{
  gint64 number;
  LoomJsonSlice value = get_value (args, key);
  if (value.text != NULL && loom_json_slice_is_string (value)) {
    g_autofree char *decoded = loom_json_slice_dup_decoded (value);
    return (LoomStepStated) { loom_step_stated_find_number (decoded), loom_step_stated_find_mode (decoded) };
  }
  gboolean found = value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) && number >= 0;
  return (LoomStepStated) { found ? number : -1, -1 };
}

LoomStepStated
loom_step_stated_read (const LoomTrace *trace, LoomRef ref, const char *key)
{
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  gsize length;
  LoomEvent event;
  if (source->text == NULL)
    return unpack (loom_source_find_step_number (source, loom_source_ref_offset (ref)));
  g_autofree char *text = loom_event_read (source->text, loom_source_ref_offset (ref), &length, NULL);
  if (text == NULL || !loom_event_parse (text, length, &event))
    return (LoomStepStated) { -1, -1 };
  return loom_step_stated_parse (event.member[LOOM_MEMBER_ARGS], key);
}
