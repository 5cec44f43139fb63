/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the verbs of traceloom-cli: exit statuses, the options of all verbs that load, loading, progress,
 * cancellation and messages. One verb per file.
 */
#pragma once

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "loom-input-files.h"
#include "loom-report-file.h"
#include "loom-session-file.h"
#include "loom-trace-export.h"

typedef enum {
  LOOM_EXIT_STATUS_DONE = 0,
  LOOM_EXIT_STATUS_FAILED = 1,
  LOOM_EXIT_STATUS_USAGE = 2,
  LOOM_EXIT_STATUS_INCOMPLETE = 3, /* completed, but some input was unreadable or incomplete */
  LOOM_EXIT_STATUS_FINDINGS = 4,   /* completed with --fail-on-findings, and a rule fired */
} LoomExitStatus;

/* Options as given, and their values parsed by loom_cli_options_parse(). */
typedef struct {
  char **paths;
  char **suffixes;
  char **offsets; /* each of the form SOURCE=NS */
  char *clock_word, *unit_word, *format_word;
  char *rank_from;
  char *memory_text;
  char *start, *end, *start_ns_text, *end_ns_text;
  gboolean quiet;
  gboolean allow_remote; /* allows fetching the remote locations that sessions name */
  /* Parsed values: */
  gboolean has_clock;
  LoomAlignMode clock;
  gboolean json;
  gboolean allows_html, html; /* set by the verb: --format may be html */
  gboolean writes_result;     /* set by the verb: it writes a file, and with --format json prints what it wrote */
  /* set by the verb: --format is one of these words instead, NULL-terminated; `format` is the number of the chosen one. On
   * a terminal the first is the default, otherwise the one with number `usual_format` */
  const char *const *formats;
  guint format, usual_format;
  gboolean has_start, has_end;
  gboolean in_steps;             /* the range is given as step numbers */
  gint64 start_value, end_value; /* ns, or step numbers with the end exclusive */
  guint64 memory_budget;         /* bytes; 0: chosen by the load */
} LoomCliOptions;

/* Parses argv, whose first element is the last word of `verb` ("render", "config show"). `entries` are the verb's own
 * options, `common` more of them; both may be NULL. `must`: required arguments ("-o FILE"), or NULL. Returns FALSE after
 * printing a message; exit with USAGE then. */
gboolean loom_cli_options_parse_entries (const char *verb, const char *must, const char *summary,
                                         const GOptionEntry *entries, const GOptionEntry *common, int argc,
                                         char **argv);
/* Parses the options that all verbs that load have, and the verb's own `entries`. `has_format`: the verb has --format,
 * so --help shows it. */
gboolean loom_cli_options_parse (LoomCliOptions *options, const GOptionEntry *entries, const char *must,
                                 const char *summary, gboolean has_format, int argc, char **argv);
void loom_cli_options_clear (LoomCliOptions *options);

/* TRUE if --format json is given and standard output is free for a result. `output`: the file that the verb writes. */
gboolean loom_cli_options_wants_result (const LoomCliOptions *options, const char *output);
/* Parses the word given to --format; NULL: text on a terminal, JSON otherwise. */
gboolean loom_cli_options_parse_format (const char *verb, const char *word, gboolean *json);
/* Chooses the kind of a report by the suffix of the output file, unless --format is given; `output` NULL: standard output.
 * Returns FALSE after printing a message. */
gboolean loom_cli_options_choose_kind (const char *verb, const LoomCliOptions *options, const char *output,
                                       LoomReportKind *kind);
/* Chooses options->format by the word given to --format. Returns FALSE after printing a message for an unknown word. */
gboolean loom_cli_options_choose_format (const char *verb, LoomCliOptions *options);
/* Parses the word given to an option with two possible words; `is_second` keeps its value if `word` is NULL. Returns
 * FALSE after printing a message for any other word. */
gboolean loom_cli_options_parse_word (const char *verb, const char *option, const char *word, const char *first,
                                      const char *second, gboolean *is_second);

/* --- help ---------------------------------------------------------------------------------------------------------- */

/* A translated text for --help. All other output is not translated, because programs read it. */
const char *loom_cli_word (const char *text);

/* --- messages, to standard error ---------------------------------------------------------------------------------- */

/* Without "--format json" (or jsonl) in argv messages are printed at once. With it they are kept until the end: a failure is
 * printed as one object (data/schemas/error-1.schema.json), other messages as text. Main thread only. */
void loom_cli_begin_messages (int argc, char **argv);
/* Prints the messages that were kept, and returns `status`. */
LoomExitStatus loom_cli_end_messages (LoomExitStatus status);

void loom_cli_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* A message about a file. `code`: a word for programs, or NULL; `offset`: the byte, or LOOM_OFFSET_NONE; `is_packed`: it
 * counts bytes of the unpacked text. */
void loom_cli_message_of_file (const char *path, const char *message, const char *code, guint64 offset,
                               gboolean is_packed);
/* Says why the program fails: `message`, and the code of `error`. */
void loom_cli_message_failure (const GError *error, const char *message);
/* Names the file that could not be read or written, for the failure as JSON; NULL: none. */
void loom_cli_set_failed_file (const char *path);
/* Sets the code that failures of LOOM_ERROR_FORMAT have from now on instead of "format", for input that is not a file, such
 * as a query. Static. */
void loom_cli_set_failure_code (const char *code);
/* Says at which byte of the failed file, or of the text of a query, the failure is; LOOM_OFFSET_NONE: unknown. */
void loom_cli_set_failure_offset (guint64 offset);
/* Prints "traceloom-cli VERB: …" and where to find help; returns FALSE, as a check of options that fails. */
gboolean loom_cli_usage_error (const char *verb, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* --- watching: SIGINT, SIGTERM and the progress bar --------------------------------------------------------------- */

typedef struct _LoomCliWatch LoomCliWatch;

/* Blocks the signals in this thread (so it must be called before other threads are created) and starts the watcher. */
LoomCliWatch *loom_cli_watch_start (gboolean show_progress);
void loom_cli_watch_stop (LoomCliWatch *watch);
/* Returns a new progress for the next part of the work; borrowed until the next call. */
LoomProgress *loom_cli_watch_begin (LoomCliWatch *watch, const char *label);
/* Removes the progress bar; must be called before anything else is printed. */
void loom_cli_watch_clear (LoomCliWatch *watch);

/* --- loading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomCliOptions options;
  LoomCliWatch *watch;
  LoomTimeline *timeline;
  LoomSourceOverrides *edits; /* changes from the sessions; NULL: none */
  gboolean incomplete;
  gboolean has_path; /* a session marks the critical path */
  /* the user's changes to rows, from the last session that has any; NULL: none. See loom_row_list_restore() */
  GVariant *rows;
  gboolean lists_ignored; /* set by the verb: its output lists the files that were not loaded */
  /* set by the verb: it writes a file; after cancellation a message says that none was written */
  gboolean writes;
  const char *output;      /* set by the verb: the file it writes; NULL or "-" for standard output */
  GPtrArray *inputs;       /* LoomInputFiles: the given files, which are never overwritten */
  gboolean no_arrows;      /* nothing is drawn: flow events need not be connected */
  gboolean has_read_range; /* only the range was read, so that the timeline has nothing else */
  gboolean has_steps;      /* set by loom_cli_job_get_range(): the range was given as `steps` */
  LoomStepNumbers steps;
  /* the words given to --rank and --through, of verbs that have LOOM_CLI_RANK_ENTRIES; NULL: none */
  char *rank, *through;
  LoomAlignMode clock; /* set by the verb: used unless --clock or a session selects another mode */
} LoomCliJob;

/* The options of verbs whose work can be on one rank. */
#define LOOM_CLI_RANK_ENTRIES(job)                                                                                    \
  { "rank",                                                                                                           \
    0,                                                                                                                \
    0,                                                                                                                \
    G_OPTION_ARG_STRING,                                                                                              \
    &(job)->rank,                                                                                                     \
    N_ ("Only the events of rank N; if the input contains an index of its trace, the range is read from the trace"),  \
    "N" },                                                                                                            \
  {                                                                                                                   \
    "through", 0, 0, G_OPTION_ARG_STRING, &(job)->through,                                                            \
      N_ ("With --rank: read the trace through COMMAND, as “ssh HOST traceloom-cli serve --stdio FOLDER”"), "COMMAND" \
  }

/* A verb that loads a run. `own` is the pointer that it passed to loom_cli_job_run(). */
typedef struct {
  const char *must;    /* required arguments besides paths ("-o FILE"), or NULL */
  const char *summary; /* description for --help, marked with N_() */
  gboolean has_format; /* the verb has --format */
  /* Checks the verb's own options before loading. Returns DONE, or the exit status after printing a message. May be
   * NULL. */
  LoomExitStatus (*check) (LoomCliJob *job, gpointer own);
  /* Does the work with the loaded timeline. */
  LoomExitStatus (*run) (LoomCliJob *job, gpointer own);
} LoomCliVerb;

/* Parses argv, loads the paths (including sessions), aligns the clocks, runs the verb and clears the job. `entries`: the
 * verb's own options, or NULL. */
LoomExitStatus loom_cli_job_run (LoomCliJob *job, const LoomCliVerb *verb, const GOptionEntry *entries, gpointer own,
                                 int argc, char **argv);
/* Loads a second run with the options of the first, and calls `run` with both and `own`. */
LoomExitStatus loom_cli_job_run_beside (LoomCliJob *job, char *path,
                                        LoomExitStatus (*run) (LoomCliJob *job, LoomCliJob *second, gpointer own),
                                        gpointer own);
/* Protects a file that the verb reads from being overwritten. */
void loom_cli_job_hold (LoomCliJob *job, const char *path);

/* The requested range, including both ends; `has_range` becomes FALSE if none was requested. Returns FALSE with `error` on
 * failure. Of a range of step numbers the job keeps the numbers. `smdebug_steps`: step numbers are interpreted as in
 * smdebug's merged timeline. */
gboolean loom_cli_job_get_range (LoomCliJob *job, gboolean smdebug_steps, gboolean *has_range, LoomRange *range,
                                 GError **error);
/* Returns TRUE if the range and the run overlap; prints a message if not. */
gboolean loom_cli_job_touches (LoomCliJob *job, const LoomRange *range);
/* Prints for each profile without times that it has no events, unless --quiet is given. */
void loom_cli_job_tell_profiles (LoomCliJob *job);
/* Prints the start and end of the run, in the unit in which the range was given. */
void loom_cli_job_tell_extent (LoomCliJob *job);

/* Prints the error (for cancellation only that it was cancelled) and returns the exit status. */
LoomExitStatus loom_cli_job_fail (LoomCliJob *job, GError *error);
/* Returns DONE or INCOMPLETE; prints how many files are not on the timeline. */
LoomExitStatus loom_cli_job_finish (LoomCliJob *job);

/* Writes the text to standard output; FALSE with `error` if it could not be written completely. */
gboolean loom_cli_print (const char *text, GError **error);
/* Prints an object of JSON, which it takes ownership of, and finishes the job or fails. */
LoomExitStatus loom_cli_job_print_json (LoomCliJob *job, JsonBuilder *builder);
/* Prints the result of a verb, takes ownership of the text, and finishes the job or fails. */
LoomExitStatus loom_cli_job_print (LoomCliJob *job, char *text);

/* Replaces the run by the traces of the rank that `word` gives, which are read in the range if the run has indexes of them;
 * does nothing if `word` is NULL. Returns DONE, or the exit status after printing a message. */
LoomExitStatus loom_cli_rank_choose (LoomCliJob *job, const char *word);

/* --- verbs --------------------------------------------------------------------------------------------------------- */

LoomExitStatus loom_cli_info (int argc, char **argv);
LoomExitStatus loom_cli_compare (int argc, char **argv);
LoomExitStatus loom_cli_dump (int argc, char **argv);
LoomExitStatus loom_cli_merge (int argc, char **argv);
LoomExitStatus loom_cli_align (int argc, char **argv);
LoomExitStatus loom_cli_render (int argc, char **argv);
LoomExitStatus loom_cli_config (int argc, char **argv);
LoomExitStatus loom_cli_rules (int argc, char **argv);
LoomExitStatus loom_cli_report (int argc, char **argv);
LoomExitStatus loom_cli_query (int argc, char **argv);
LoomExitStatus loom_cli_index (int argc, char **argv);
LoomExitStatus loom_cli_mcp (int argc, char **argv);
LoomExitStatus loom_cli_serve (int argc, char **argv);
