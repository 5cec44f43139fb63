/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the command-line options that are common to all commands that load a run, such as --start, --end and --format.
 */
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-near-word.h"
#include "loom-parse-time.h"

const char *
loom_cli_word (const char *text)
{
  return g_dgettext (GETTEXT_PACKAGE, text);
}

static const char *
get_format_words (const LoomCliOptions *options)
{
  if (options->formats != NULL)
    return N_ ("Output format: table, csv, json or jsonl (default: table on a terminal, json otherwise)");
  if (options->writes_result)
    return N_ ("Output format: json prints what was written, and failures as JSON (default: print nothing)");
  return options->allows_html ? N_ ("Output format: json, text or html (default: text on a terminal, json otherwise)")
                              : N_ ("Output format: json or text (default: text on a terminal, json otherwise)");
}

static GOptionEntry *
common_entries (LoomCliOptions *options, gboolean has_format)
{
  const GOptionEntry entries[] = {
    { "suffix", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->suffixes,
      N_ ("Only files whose name ends in S (repeatable)"), "S" },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &options->clock_word,
      N_ ("Align clocks by: auto (all evidence, default), declared (only offsets that files state) or none"), "WORD" },
    { "offset", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->offsets,
      N_ ("Add NS nanoseconds to the times of a source, which is given by its path or number (repeatable)"),
      "SOURCE=NS" },
    { "rank-from", 0, 0, G_OPTION_ARG_STRING, &options->rank_from,
      N_ ("Take the rank of a file from its path: the text that the first group of REGEX matches"), "REGEX" },
    { "allow-remote", 0, 0, G_OPTION_ARG_NONE, &options->allow_remote,
      N_ ("Download from the locations that a session file names"), NULL },
    { "memory-budget", 0, 0, G_OPTION_ARG_STRING, &options->memory_text,
      N_ (
        "Stop loading when the program uses SIZE bytes of memory (for example 800M or 6G; default: three quarters of the available memory)"),
      "SIZE" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &options->start,
      options->formats != NULL
        ? N_ ("Start of the range, in the unit of --unit: the parameter :start of the query, in nanoseconds")
        : N_ ("Start of the range, in the unit of --unit"),
      "N" },
    { "end", 0, 0, G_OPTION_ARG_STRING, &options->end,
      options->formats != NULL
        ? N_ ("End of the range, in the unit of --unit: the parameter :end of the query, in nanoseconds")
        : N_ ("End of the range, in the unit of --unit"),
      "N" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &options->unit_word,
      N_ (
        "Unit of the range: time (default; µs since 1970, all events that overlap the range) or step (step numbers; the end step is not included)"),
      "WORD" },
    { "start-ns", 0, 0, G_OPTION_ARG_STRING, &options->start_ns_text,
      N_ ("Start of the range as a time in nanoseconds, in place of --start in µs"), "NS" },
    { "end-ns", 0, 0, G_OPTION_ARG_STRING, &options->end_ns_text,
      N_ ("End of the range as a time in nanoseconds, in place of --end in µs"), "NS" },
    { "format", 0, has_format ? 0 : G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options->format_word,
      get_format_words (options), "WORD" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet,
      N_ ("Show no progress, and no messages except errors that end the program"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->paths, NULL, "PATH…" },
    { NULL }
  };
  return g_memdup2 (entries, sizeof entries);
}

gboolean
loom_cli_options_wants_result (const LoomCliOptions *options, const char *output)
{
  return options->format_word != NULL && options->json && g_strcmp0 (output, "-") != 0;
}

/* --- words and numbers -------------------------------------------------------------------------------------------- */

gboolean
loom_cli_options_choose_kind (const char *verb, const LoomCliOptions *options, const char *output, LoomReportKind *kind)
{
  *kind = options->html ? LOOM_REPORT_HTML : (options->json ? LOOM_REPORT_JSON : LOOM_REPORT_TEXT);
  gboolean to_standard_output = output == NULL || strcmp (output, "-") == 0;
  if (to_standard_output || options->format_word != NULL || loom_report_file_kind_from_path (output, kind))
    return TRUE;
  g_autofree char *shown = loom_archive_path_dup_printable (output);
  return loom_cli_usage_error (
    verb, "“%s” names no kind of report: end it in .html, .pdf, .json or .txt, or say --format", shown);
}

gboolean
loom_cli_options_parse_word (const char *verb, const char *option, const char *word, const char *first,
                             const char *second, gboolean *is_second)
{
  if (word == NULL)
    return TRUE;
  *is_second = strcmp (word, second) == 0;
  return *is_second || strcmp (word, first) == 0 ||
         loom_cli_usage_error (verb, "%s is “%s” or “%s”, not “%s”", option, first, second, word);
}

static gboolean
parse_time_us (const char *text, gint64 *ns)
{
  LoomExactTime time;
  if (text[0] == '"' || !loom_parse_time_parse_us (text, strlen (text), &time))
    return FALSE;
  *ns = time.ns;
  return TRUE;
}

static gboolean
parse_int (const char *text, gint64 *value)
{
  return text[0] != '"' && loom_parse_time_parse_int (text, strlen (text), value);
}

static gboolean
parse_end_of_range (LoomCliOptions *options, const char *text, const char *ns_text, gboolean *has, gint64 *value)
{
  *has = text != NULL || ns_text != NULL;
  if (text != NULL && ns_text != NULL)
    return FALSE;
  if (ns_text != NULL)
    return parse_int (ns_text, value);
  if (text == NULL)
    return TRUE;
  return options->in_steps ? parse_int (text, value) : parse_time_us (text, value);
}

static gboolean
parse_range (LoomCliOptions *options, const char *verb)
{
  if (!loom_cli_options_parse_word (verb, "--unit", options->unit_word, "time", "step", &options->in_steps))
    return FALSE;
  if (options->in_steps && (options->start_ns_text != NULL || options->end_ns_text != NULL))
    return loom_cli_usage_error (verb, "--start-ns and --end-ns are times and do not go with --unit step");
  if (!parse_end_of_range (options, options->start, options->start_ns_text, &options->has_start, &options->start_value))
    return loom_cli_usage_error (verb, "the start of the range is not a number, or given twice");
  if (!parse_end_of_range (options, options->end, options->end_ns_text, &options->has_end, &options->end_value))
    return loom_cli_usage_error (verb, "the end of the range is not a number, or given twice");
  if (options->in_steps && options->has_start != options->has_end)
    return loom_cli_usage_error (verb, "--unit step needs both --start and --end");
  if (options->has_start && options->has_end && options->end_value < options->start_value)
    return loom_cli_usage_error (verb, "the range ends before it begins");
  return TRUE;
}

gboolean
loom_cli_options_set_range (LoomCliOptions *options, const char *verb, const char *start, const char *end)
{
  gboolean has;
  if ((start != NULL && !parse_end_of_range (options, start, NULL, &has, &options->start_value)) ||
      (end != NULL && !parse_end_of_range (options, end, NULL, &has, &options->end_value)))
    return loom_cli_usage_error (verb, "an end of the range of the second run is not a number");
  if (options->has_start && options->has_end && options->end_value < options->start_value)
    return loom_cli_usage_error (verb, "the range of the second run ends before it begins");
  return TRUE;
}

gboolean
loom_cli_options_parse_format (const char *verb, const char *word, gboolean *json)
{
  gboolean is_text = isatty (STDOUT_FILENO);
  gboolean good = loom_cli_options_parse_word (verb, "--format", word, "json", "text", &is_text);
  *json = !is_text;
  return good;
}

/* Parses a size such as "800M", "1.5GiB", "6 G" or "4000000000". */
static gboolean
parse_size (const char *text, guint64 *n_bytes)
{
  static const char letters[] = "KMGT";
  gsize length = strspn (text, "0123456789.");
  const char *unit = text + length + strspn (text + length, " "),
             *letter = *unit != '\0' ? strchr (letters, g_ascii_toupper (*unit)) : NULL;
  double number, size = 1;
  if (length == 0 || !loom_parse_time_parse_double (text, length, &number))
    return FALSE;
  if (letter != NULL) {
    gboolean binary = unit[1] == 'i';
    for (const char *p = letters; p <= letter; p++)
      size *= binary ? 1024 : 1000;
    unit += binary ? 2 : 1;
  }
  if (strcmp (unit, "") != 0 && strcmp (unit, "B") != 0)
    return FALSE;
  size *= number;
  *n_bytes = size < 1e18 ? (guint64) size : 0;
  return *n_bytes > 0;
}

static gboolean
parse_memory_budget (LoomCliOptions *options, const char *verb)
{
  return options->memory_text == NULL || parse_size (options->memory_text, &options->memory_budget) ||
         loom_cli_usage_error (verb, "--memory-budget is a size such as “800M” or “6G”, not “%s”",
                               options->memory_text);
}

static gboolean
check_rank_from (const LoomCliOptions *options, const char *verb)
{
  g_autoptr (GError) error = NULL;
  if (options->rank_from == NULL)
    return TRUE;
  g_autoptr (GRegex) regex = g_regex_new (options->rank_from, 0, 0, &error);
  if (regex != NULL && g_regex_get_capture_count (regex) > 0)
    return TRUE;
  return loom_cli_usage_error (
    verb, "--rank-from is a regular expression with a group for the rank, such as “rank([0-9]+)”, not “%s”%s%s",
    options->rank_from, error != NULL ? ": " : "", error != NULL ? error->message : "");
}

gboolean
loom_cli_options_choose_format (const char *verb, LoomCliOptions *options)
{
  g_autofree char *list = g_strjoinv ("”, “", (char **) options->formats);
  options->format = isatty (STDOUT_FILENO) ? 0 : options->usual_format;
  if (options->format_word == NULL)
    return TRUE;
  /* "text" means the readable format of every command; the command `query` calls this format "table" */
  const char *wanted = strcmp (options->format_word, "text") == 0 ? "table" : options->format_word;
  for (guint i = 0; options->formats[i] != NULL; i++)
    if (strcmp (options->formats[i], wanted) == 0) {
      options->format = i;
      return TRUE;
    }
  return loom_cli_usage_error (verb, "--format is one of “%s”, not “%s”", list, options->format_word);
}

static gboolean
parse_words (LoomCliOptions *options, const char *verb)
{
  options->has_clock = options->clock_word != NULL;
  if (options->has_clock && !loom_alignment_mode_from_string (options->clock_word, &options->clock))
    return loom_cli_usage_error (verb, "--clock is “auto”, “declared” or “none”, not “%s”", options->clock_word);
  options->html = options->allows_html && g_strcmp0 (options->format_word, "html") == 0;
  if (options->formats != NULL) {
    if (!loom_cli_options_choose_format (verb, options))
      return FALSE;
  } else if (!options->html && !loom_cli_options_parse_format (verb, options->format_word, &options->json))
    return FALSE;
  for (guint i = 0; options->offsets != NULL && options->offsets[i] != NULL; i++) {
    const char *sign = strrchr (options->offsets[i], '=');
    gint64 ns;
    if (sign != NULL && sign != options->offsets[i] && parse_int (sign + 1, &ns))
      continue;
    return loom_cli_usage_error (verb, "--offset is SOURCE=NANOSECONDS, not “%s”", options->offsets[i]);
  }
  return TRUE;
}

static void
add_names (GPtrArray *names, const GOptionEntry *entries)
{
  for (guint i = 0; entries != NULL && entries[i].long_name != NULL; i++)
    if ((entries[i].flags & G_OPTION_FLAG_HIDDEN) == 0)
      g_ptr_array_add (names, (gpointer) entries[i].long_name);
}

/* Returns the known option that was probably meant by the unknown one in argv, without the hyphens; NULL if there is
 * none. `message`: the message of GLib, which names the unknown option. */
static const char *
find_meant_option (const GOptionEntry *entries, const GOptionEntry *common, char **argv, const char *message)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  add_names (names, entries);
  add_names (names, common);
  g_ptr_array_add (names, (gpointer) "help");
  for (char **word = argv + 1; *word != NULL && strcmp (*word, "--") != 0; word++) {
    g_autofree char *name = g_str_has_prefix (*word, "--") ? g_strndup (*word + 2, strcspn (*word + 2, "=")) : NULL;
    if (name == NULL || strstr (message, *word) == NULL ||
        g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
      continue;
    g_ptr_array_add (names, NULL);
    return loom_near_word_find (name, (const char *const *) names->pdata);
  }
  return NULL;
}

gboolean
loom_cli_options_parse_entries (const char *verb, const char *must, const char *summary, const GOptionEntry *entries,
                                const GOptionEntry *common, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (must);
  g_autofree char *program = g_strconcat ("traceloom-cli ", verb, NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_set_summary (context, loom_cli_word (summary));
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (common != NULL)
    g_option_context_add_main_entries (context, common, GETTEXT_PACKAGE);
  g_set_prgname (program); /* this name is set because --help prints the name of the program in its first line */
  gboolean good = g_option_context_parse (context, &argc, &argv, &error);
  g_set_prgname ("traceloom-cli");
  if (good)
    return TRUE;
  const char *meant = g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
                        ? find_meant_option (entries, common, argv, error->message)
                        : NULL;
  return meant != NULL ? loom_cli_usage_error (verb, "%s. Did you mean “--%s”?", error->message, meant)
                       : loom_cli_usage_error (verb, "%s", error->message);
}

gboolean
loom_cli_options_parse (LoomCliOptions *options, const GOptionEntry *entries, const char *must, const char *summary,
                        gboolean has_format, int argc, char **argv)
{
  const char *verb = argv[0];
  g_autofree GOptionEntry *common = common_entries (options, has_format);
  if (!loom_cli_options_parse_entries (verb, must, summary, entries, common, argc, argv))
    return FALSE;
  if (options->paths == NULL || options->paths[0] == NULL)
    return loom_cli_usage_error (verb, "a file or folder is missing");
  for (guint i = 0; options->paths[i] != NULL; i++)
    if (options->paths[i][0] == '\0')
      return loom_cli_usage_error (verb, strcmp (verb, "query") == 0
                                           ? "an argument is empty: it is neither a path nor a query"
                                           : "a path is empty");
  return parse_words (options, verb) && check_rank_from (options, verb) && parse_memory_budget (options, verb) &&
         parse_range (options, verb);
}

void
loom_cli_options_clear (LoomCliOptions *options)
{
  g_strfreev (options->paths);
  g_strfreev (options->suffixes);
  g_strfreev (options->offsets);
  g_free (options->clock_word);
  g_free (options->unit_word);
  g_free (options->format_word);
  g_free (options->rank_from);
  g_free (options->memory_text);
  g_free (options->start);
  g_free (options->end);
  g_free (options->start_ns_text);
  g_free (options->end_ns_text);
}
