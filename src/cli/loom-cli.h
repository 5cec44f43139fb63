/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs of traceloom-cli share: exit statuses, the options of all verbs that load, the load itself, progress,
 * cancellation and messages. One verb per file.
 */
#pragma once

#include <gio/gio.h>

#include "loom-input-files.h"
#include "loom-session-file.h"
#include "loom-trace-export.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_EXIT_STATUS_DONE = 0,
  LOOM_EXIT_STATUS_FAILED = 1,
  LOOM_EXIT_STATUS_USAGE = 2,
  LOOM_EXIT_STATUS_INCOMPLETE = 3, /* done, but some input was unreadable or incomplete */
  LOOM_EXIT_STATUS_FINDINGS = 4,   /* done, a rule fired, and that was asked about */
} LoomExitStatus;

typedef enum {
  LOOM_RANGE_UNIT_TIME, /* µs since 1970 */
  LOOM_RANGE_UNIT_STEP, /* step numbers, end exclusive */
} LoomRangeUnit;

/* As given; parsed by loom_cli_options_parse(). */
typedef struct {
  gboolean has_format; /* set before parsing: --format changes what the verb prints, so --help shows it */
  char **paths;
  char **suffixes;
  char **offsets; /* SOURCE=NS */
  char *clock_word, *unit_word, *format_word;
  char *rank_from;
  char *memory_text;
  char *start, *end, *start_ns_text, *end_ns_text;
  gboolean quiet;
  gboolean allow_remote; /* what sessions name may be fetched from other machines */
  /* Parsed: */
  gboolean has_clock;
  LoomAlignMode clock;
  LoomRangeUnit unit;
  gboolean json;
  gboolean has_start, has_end;   /* in the unit; `unit` is TIME when given as ns */
  gint64 start_value, end_value; /* ns, or step numbers */
  guint64 memory_budget;         /* bytes; 0 as the load sees fit */
} LoomCliOptions;

#define LOOM_CLI_OPTIONS_INIT \
  {                           \
    .clock = LOOM_ALIGN_AUTO  \
  }

/* Parses argv (with the verb as argv[0]) against the common options and the verb's own `entries` (may be NULL). `must` is
 * what has to be given besides paths ("-o FILE"), or NULL. FALSE: the message was printed, exit with USAGE. */
gboolean loom_cli_options_parse (LoomCliOptions *options, const GOptionEntry *entries, const char *must,
                                 const char *summary, int argc, char **argv);
void loom_cli_options_clear (LoomCliOptions *options);

/* --- help ---------------------------------------------------------------------------------------------------------- */

/* A text of --help in the language of the person. Everything else is printed as it is written: programs read it. */
const char *loom_cli_word (const char *text);

/* --- messages, to standard error ---------------------------------------------------------------------------------- */

void loom_cli_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* "traceloom-cli VERB: …" and where to look for help; returns LOOM_EXIT_STATUS_USAGE. */
LoomExitStatus loom_cli_usage_error (const char *verb, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* --- watching: SIGINT, SIGTERM and the progress bar --------------------------------------------------------------- */

typedef struct _LoomCliWatch LoomCliWatch;

/* Blocks the signals in this thread (so call it before any other thread exists) and starts the watcher. */
LoomCliWatch *loom_cli_watch_start (gboolean show_progress);
void loom_cli_watch_stop (LoomCliWatch *watch);
/* A fresh measure for the next part of the work; borrowed until the next call. */
LoomProgress *loom_cli_watch_begin (LoomCliWatch *watch, const char *label);
/* Takes the bar away, before anything else is printed. */
void loom_cli_watch_clear (LoomCliWatch *watch);

/* --- the load ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomCliOptions *options;
  LoomCliWatch *watch;
  LoomTimeline *timeline;
  LoomSourceOverrides *edits; /* of the sessions; NULL: none said anything */
  gboolean incomplete;
  GVariant *rows; /* what was done to rows, of the last session that says; NULL: nothing. loom_row_list_restore() */
  gboolean lists_ignored; /* by the verb: its result names what was not loaded */
  gboolean writes;        /* a file: cancelled, it says that none was written */
  const char *output;     /* by the verb: the file it writes; NULL or "-" for standard output */
  GPtrArray *inputs;      /* LoomInputFiles: what was given, which is read and never written over */
  gboolean no_arrows;     /* nothing is drawn: flow events need not be connected */
} LoomCliJob;

/* Loads options->paths (sessions are opened) and aligns. LOOM_EXIT_STATUS_DONE, or the status to end with; the message was
 * printed. `default_clock` counts when neither --clock nor a session says otherwise. */
LoomExitStatus loom_cli_job_load (LoomCliJob *job, LoomCliOptions *options, LoomAlignMode default_clock);
/* Keeps a file that the verb reads besides from being written over. */
void loom_cli_job_hold (LoomCliJob *job, const char *path);
void loom_cli_job_clear (LoomCliJob *job);

/* The range asked for. FALSE with `error`; `has_range` FALSE when none was asked for. `smdebug_steps`: step numbers mean
 * what smdebug's merged timeline means by them. Both ends belong to the range. */
gboolean loom_cli_job_get_range (LoomCliJob *job, gboolean smdebug_steps, gboolean *has_range, LoomRange *range,
                                 GError **error);
/* Whether the range and the run have an instant in common; else says that they have not. */
gboolean loom_cli_job_touches (LoomCliJob *job, const LoomRange *range);
/* Says of each profile without times that it is one: it gives no events. Silent when that was asked for. */
void loom_cli_job_tell_profiles (LoomCliJob *job);
/* Says from when to when the run goes, in the unit the range was given in. */
void loom_cli_job_tell_extent (LoomCliJob *job);

/* Prints the error (nothing more for what was cancelled) and returns the status. */
LoomExitStatus loom_cli_job_fail (LoomCliJob *job, GError *error);
/* DONE or INCOMPLETE; says how many files are not on the timeline. */
LoomExitStatus loom_cli_job_finish (LoomCliJob *job);

/* Writes a whole text to standard output. */
gboolean loom_cli_print (const char *text, GError **error);

/* --- verbs --------------------------------------------------------------------------------------------------------- */

LoomExitStatus loom_cli_info (int argc, char **argv);
LoomExitStatus loom_cli_dump (int argc, char **argv);
LoomExitStatus loom_cli_merge (int argc, char **argv);
LoomExitStatus loom_cli_align (int argc, char **argv);
LoomExitStatus loom_cli_render (int argc, char **argv);
LoomExitStatus loom_cli_config (int argc, char **argv);
LoomExitStatus loom_cli_rules (int argc, char **argv);
LoomExitStatus loom_cli_report (int argc, char **argv);

G_END_DECLS
