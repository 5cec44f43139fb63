/* SPDX-License-Identifier: Apache-2.0
 *
 * A session file: the files and folders that are open together, the user's offsets of their clocks, the view, marks and
 * notes. The file is JSON with a version. Paths are relative to the session file if possible, so that a folder can be
 * moved together with its session. Times are timeline ns.
 *
 * A session is a plain struct without locks. Its owner may fill the arrays directly.
 */
#pragma once

#include "loom-clock-overrides.h"
#include "loom-source-overrides.h"

/* The JSON member that identifies a session file; its value is the version. */
#define LOOM_SESSION_MEMBER "traceloom-session"
#define LOOM_SESSION_VERSION 1
#define LOOM_SESSION_SUFFIX ".traceloom"

typedef struct {
  gint64 time_ns;
  char *label; /* text that the user wrote for the mark; never NULL */
} LoomSessionMarker;

/* A named query that the user saved, or whose result is shown as a lane of the timeline. Name and query are never
 * NULL. */
typedef struct {
  char *name, *query;
} LoomSessionQuery;

/* How the result of the query is drawn: the name of a kind of chart, and the names of the columns that the chart
 * shows. */
typedef struct {
  char *kind;          /* name of the kind of chart; NULL: the rows are shown as a table */
  char *x, *y, *group; /* names of the columns for the axes and the groups; NULL: the user has not chosen any */
} LoomSessionChart;

typedef struct {
  GPtrArray *paths;             /* char *: files, folders and locations that were opened; absolute after reading */
  LoomClockOverrides *clocks;   /* changes that the user made to clocks; paths are absolute after reading */
  LoomSourceOverrides *sources; /* the user's changes to sources: removed, renamed, reassigned, muted; never NULL */
  GArray *marks;                /* LoomSessionMarker: the marks that the user set on the timeline, sorted by time */
  gboolean has_view;
  LoomRange view;
  gint64 scroll_px;    /* vertical scroll position of the rows, in px */
  LoomRange selection; /* the range that the user selected, in timeline ns; empty: no range is selected */
  /* the number of automatically aligned clocks in the last message to the user; the message is shown again only if this
   * number changes */
  guint n_told;
  char *notes; /* the user's notes on the run; NULL: the user wrote none */
  /* char * → char *: name of a rule whose finding the user dismissed → the reason that the user gave. The table and the
   * reasons are never NULL */
  GHashTable *dismissed;
  /* changes that the user made to the rows of the timeline, as the printed GVariant of loom_row_list_save(); NULL: the
   * user made no changes */
  char *rows;
  char *panel; /* name of the selected page below the timeline; NULL: no page is selected */
  char *range; /* the range that the panels show: "all", "loop", "visible" or "selection"; NULL means "all" */
  /* name of the property that the colours of spans represent; NULL: the colours represent the names of spans */
  char *colors;
  gboolean arrows; /* TRUE if the arrows of all spans in the visible range are drawn */
  gboolean path;   /* TRUE if the critical path is marked on the timeline */
  char *query;     /* the user's query in SQL, which runs only when the user starts it; NULL: there is no query */
  LoomSessionChart chart;
  GArray *queries; /* LoomSessionQuery: queries that the user saved; a query runs only when the user starts it */
  /* LoomSessionQuery: lanes of query results on the timeline, from top to bottom; a query runs only when the user
   * starts it */
  GArray *lanes;
  /* char *: the user's own rule files that are evaluated with this run; absolute after reading */
  GPtrArray *rule_files;
} LoomSession;

LoomSession *loom_session_file_new (void);
void loom_session_file_free (LoomSession *session);

void loom_session_file_add_path (LoomSession *session, const char *path);
void loom_session_file_add_mark (LoomSession *session, gint64 time_ns, const char *label);

void loom_session_file_add_query (LoomSession *session, const char *name, const char *query);
void loom_session_file_add_lane (LoomSession *session, const char *name, const char *query);

/* Returns the remote locations ("s3://…") among the paths of the session. The program must ask the user before it
 * fetches them, because another person may have written the session. The strings are borrowed; the caller owns the
 * array, which ends with NULL and may have no other element. */
const char **loom_session_file_find_locations (const LoomSession *session);

/* Returns TRUE if the file is a session, according to its first bytes or, if it is empty, to its name. Fast. */
gboolean loom_session_file_is_session (const char *path);

/* Returns TRUE for "s3://…" and similar locations, which are stored unchanged. */
gboolean loom_session_file_is_location (const char *path);

/* Reads a session. Returns NULL with LOOM_ERROR_READ, LOOM_ERROR_FORMAT (not a session, or of a later version) or
 * LOOM_ERROR_LIMIT. Ignores unknown members and members of a wrong type. */
LoomSession *loom_session_file_read (const char *path, GError **error);

/* Returns the text of the session file. Paths inside `folder` (absolute) are written relative to this folder. Sets
 * `length` to the length of the text in bytes. Owned by the caller. */
char *loom_session_file_to_text (const LoomSession *session, const char *folder, gsize *length);

/* Writes the file. If that fails, an existing file does not change. */
gboolean loom_session_file_write (const LoomSession *session, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSession, loom_session_file_free)
