/* SPDX-License-Identifier: Apache-2.0
 *
 * A session file: which files and folders are open together, how their clocks were moved by hand, what is in view, what
 * was marked and noted. JSON, versioned; paths are kept relative to the file where that is possible, so that a folder with
 * its session can be moved. Times are timeline nanoseconds.
 *
 * A plain struct for one thread; the owner may fill the arrays directly.
 */
#pragma once

#include "loom-clock-overrides.h"
#include "loom-source-overrides.h"

G_BEGIN_DECLS

/* The member that says a file is a session; its value is the version. */
#define LOOM_SESSION_MEMBER "traceloom-session"
#define LOOM_SESSION_VERSION 1
#define LOOM_SESSION_SUFFIX ".traceloom"

typedef struct {
  gint64 time_ns;
  char *label; /* never NULL */
} LoomSessionMarker;

typedef struct {
  GPtrArray *paths;             /* char *: files, folders and locations, as they were opened; absolute after reading */
  LoomClockOverrides *clocks;   /* paths are absolute after reading */
  LoomSourceOverrides *sources; /* what is removed, renamed, placed, muted; never NULL */
  GArray *marks;                /* LoomSessionMarker, in order of time */
  gboolean has_view;
  LoomRange view;
  gint64 scroll_px;      /* how far rows are scrolled down */
  LoomRange selection;   /* the range that is selected; empty: none */
  guint n_told;          /* fitted clocks that were told of, which need not be told again */
  char *notes;           /* NULL or text */
  GHashTable *dismissed; /* char * → char *: rules whose findings were dismissed, and why; never NULL */
  char *rows;            /* what people did to rows: the printed GVariant of loom_row_list_save(); NULL */
  char *panel;           /* name of the page below the timeline; NULL */
  char *range;           /* which range the panels show: "all", "loop", "visible" or "selection"; NULL: all */
  char *colors;          /* what colours of spans stand for, in a word; NULL: their names */
  gboolean arrows;       /* all in view are drawn */
  GPtrArray *rule_files; /* char *: rules of one's own that are evaluated with this run; absolute after reading */
} LoomSession;

LoomSession *loom_session_file_new (void);
void loom_session_file_free (LoomSession *session);

void loom_session_file_add_path (LoomSession *session, const char *path);
void loom_session_file_add_mark (LoomSession *session, gint64 time_ns, const char *label);

/* The locations ("s3://…") among its paths; who opens a session has to agree to them, for somebody else may have written it. An array
 * of borrowed strings, NULL-terminated, empty when there are none; the array is owned by the caller. */
const char **loom_session_file_find_locations (const LoomSession *session);

/* TRUE when the file says it is a session (by its first bytes, or by its name when it is empty). Cheap. */
gboolean loom_session_file_is_session (const char *path);

/* TRUE for "s3://…" and the like: what stands in a session as it is, neither absolute nor relative. */
gboolean loom_session_file_is_location (const char *path);

/* NULL with LOOM_ERROR_READ, LOOM_ERROR_FORMAT (no session, or of a later version), LOOM_ERROR_LIMIT. Members that are
 * not known are ignored; those of a wrong type too. */
LoomSession *loom_session_file_read (const char *path, GError **error);

/* The text of the file, with paths relative to `folder` (absolute) where they are below it. Owned by the caller. */
char *loom_session_file_to_text (const LoomSession *session, const char *folder, gsize *length);

/* Whole or absent. */
gboolean loom_session_file_write (const LoomSession *session, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSession, loom_session_file_free)

G_END_DECLS
