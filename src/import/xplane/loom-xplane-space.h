/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads the contents of an XSpace file except its events (tsl/profiler/protobuf/xplane.proto).
 * All names are read before the events, because in the file they may follow the events that use them.
 */
#pragma once

#include "loom-launch-links.h"
#include "loom-memory-budget.h"
#include "loom-progress.h"
#include "loom-proto-window.h"

typedef enum {
  LOOM_XPLANE_HOST,   /* the plane contains threads of the host */
  LOOM_XPLANE_DEVICE, /* the plane contains work of a device */
  LOOM_XPLANE_HIDDEN, /* the plane contains no events with times and is not shown */
} LoomXplaneKind;

/* What all events with the same metadata (name) in a plane have in common. */
typedef struct {
  char *name; /* the name, encoded as JSON without quotes */
  /* the statistics in the metadata message, which apply to all events with this name; NULL: the message has no
   * statistics. Copied, because this message is far from the events in the file */
  guint8 *stats;
  gsize n_stats; /* length of `stats` in bytes */
} LoomXplaneName;

/* Ids of those kinds of statistics that link events to each other. An id is valid within one plane; 0: the plane
 * does not have this kind. */
typedef struct {
  gint64 correlation, producer, producer_type, consumer, consumer_type;
} LoomXplaneLinkIds;

typedef struct {
  char *name; /* name of the plane, encoded as JSON without quotes */
  LoomXplaneKind kind;
  GHashTable *names; /* id of event metadata → LoomXplaneName */
  GHashTable *stats; /* id of a kind of statistic → its name, encoded as JSON without quotes */
  LoomXplaneLinkIds links;
} LoomXplane;

typedef struct {
  guint plane;       /* index of the plane to which the line belongs */
  gboolean is_first; /* TRUE if the line is the first one of its plane */
  gint64 id;
  char *name;         /* name of the line, encoded as JSON without quotes */
  char *place;        /* JSON text with the members pid and tid of the events of the line */
  gint64 start_ns;    /* start of the line in ns; the times of its events are relative to this start */
  guint64 begin, end; /* offsets in the file at which the message of this line begins and ends */
  guint64 n_events;
  guint64 first_event; /* number of events in all earlier lines */
} LoomXplaneLine;

typedef struct {
  LoomProtoWindow *file;
  GArray *planes;              /* LoomXplane: all planes of the file */
  GArray *lines;               /* LoomXplaneLine: the lines that have events */
  GPtrArray *hosts, *problems; /* char *: `hosts` are host names, `problems` are messages, both from the file */
  gint64 start_ns;             /* start of the profile, UTC; 0: unknown */
  guint64 n_programs;          /* number of XLA programs in the file, which are not shown */
  guint64 n_hidden;            /* number of events of planes that are not shown */
  gboolean is_converted;       /* TRUE: a program, such as a text editor, has replaced bytes that are not UTF-8 */
  guint64 cut;                 /* if the file ends inside a field: number of bytes of the file; otherwise 0 */
  guint64 damage;              /* offset of the first damage; G_MAXUINT64: none */
  /* links from calls (host events) to rows (device events). Events are numbered across all lines */
  LoomLaunchLinks *launches;
  /* links from producers to consumers; events have the same numbers as in `launches` */
  LoomLaunchLinks *tasks;
  /* number of problems of each kind, counted while the text of events is generated */
  guint64 n_backwards, n_aggregated, n_unnamed, n_damaged;
  LoomMemoryBudget *budget; /* the memory budget for reading the file; used only by loom_xplane_space_new() */
  guint64 n_fields;         /* number of fields that have been read; the budget is checked after each FIELDS_PER_LOOK
                             * of them */
} LoomXplaneSpace;

/* Reads everything in the file except the events. Of each event, reads only the statistics that link it to other
 * events. Takes ownership of `file`, which has `n_bytes` bytes. Stops early if the memory budget is used up. Returns
 * NULL only if cancelled. */
LoomXplaneSpace *loom_xplane_space_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress,
                                        LoomMemoryBudget *budget);
void loom_xplane_space_free (LoomXplaneSpace *self);

/* Types of a statistic: the number of the field with its value. LOOM_XPLANE_STAT_NAME: the value is the id of a name in
 * LoomXplane.stats. */
enum {
  LOOM_XPLANE_STAT_DOUBLE = 2,
  LOOM_XPLANE_STAT_UNSIGNED,
  LOOM_XPLANE_STAT_SIGNED,
  LOOM_XPLANE_STAT_TEXT,
  LOOM_XPLANE_STAT_BYTES,
  LOOM_XPLANE_STAT_NAME
};

/* A statistic of an event or of its metadata. */
typedef struct {
  gint64 id;
  LoomProtoField value; /* `number` is the type, LOOM_XPLANE_STAT_… */
} LoomXplaneStat;

/* Parses a statistic. Returns FALSE if it has no value. */
gboolean loom_xplane_space_parse_stat (const LoomProtoField *message, LoomXplaneStat *stat);
