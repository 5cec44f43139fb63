/* SPDX-License-Identifier: Apache-2.0
 *
 * A source is one file. Several sources that continue one another (rotated files of one writer) form one trace.
 */
#pragma once

#include "loom-byte-index.h"
#include "loom-byte-source.h"
#include "loom-declared-clock.h"
#include "loom-flight-dump.h"
#include "loom-import-log.h"
#include "loom-input-files.h"
#include "loom-python-profile.h"
#include "loom-rank-label.h"
#include "loom-stack-frames.h"

/* Reference to an event's text: source index within its trace, flags, a hint (loom-event-ref-hint.h), and byte offset
 * into the source's LoomByteSource. 14 bits source, 4 bits flags, 8 bits hint, 38 bits offset. */
typedef guint64 LoomRef;

#define LOOM_REF_NONE G_MAXUINT64
#define LOOM_REF_OFFSET_BITS 38
#define LOOM_REF_HINT_AT LOOM_REF_OFFSET_BITS
#define LOOM_REF_FLAGS_AT 46
#define LOOM_REF_SOURCE_AT 50
#define LOOM_REF_MAX_OFFSET ((G_GUINT64_CONSTANT (1) << LOOM_REF_OFFSET_BITS) - 1)
#define LOOM_REF_MAX_SOURCES (1u << 14)

typedef enum {
  LOOM_REF_OPEN = 1 << 0,    /* the span never ended; drawn with a ragged edge */
  LOOM_REF_END = 1 << 1,     /* a B/E or async pair whose end may have args or a stack: see loom_trace_get_end_ref() */
  LOOM_REF_SUSPECT = 1 << 2, /* the times of the event are not credible; they are excluded from extents */
  /* a flow point of phase f that binds to the next span to start, even if one starts at its own time */
  LOOM_REF_NEXT = 1 << 3,
} LoomRefFlags;

static inline LoomRef
loom_source_ref_make (guint source, guint flags, guint64 offset)
{
  return (guint64) source << LOOM_REF_SOURCE_AT | (guint64) flags << LOOM_REF_FLAGS_AT | offset;
}

static inline guint
loom_source_ref_source (LoomRef ref)
{
  return (guint) (ref >> LOOM_REF_SOURCE_AT);
}

static inline guint
loom_source_ref_flags (LoomRef ref)
{
  return ref == LOOM_REF_NONE ? 0 : (guint) (ref >> LOOM_REF_FLAGS_AT) & 0xF;
}

static inline guint64
loom_source_ref_offset (LoomRef ref)
{
  return ref & LOOM_REF_MAX_OFFSET;
}

typedef struct {
  char *path;
  LoomInputFiles *input; /* owned; protects the file from being overwritten */
  const char *format;    /* a format name as the command line prints it; static */
  char *node;            /* NULL: unknown */
  gint rank;             /* −1: unknown */
  guint64 n_bytes;       /* size on disk */
  guint64 n_events;      /* event objects in the file except metadata, whether drawn or not */
  guint64 n_spans;       /* spans drawn, where a B/E pair is one; set by freeze */
  guint64 n_instants;    /* instants drawn; set by freeze */
  guint64 n_counters;
  guint64 n_flows;
  gint64 start_ns; /* local extent of everything drawn; LOOM_TIME_NONE if empty */
  gint64 end_ns;
  guint clock;          /* index into its trace's clocks */
  gint64 base_ns;       /* added to this file's readings (the latest value, if it changed inside the file) */
  gboolean incomplete;  /* some input was unreadable: exit status 3 */
  LoomByteSource *text; /* owned; the text that refs point into; NULL if nothing can be read back */
  LoomByteSource
    /* owned; the file's own bytes, into which the log's offsets point, if they differ from `text`; else NULL */
    *file_text;
  gboolean is_index; /* read from an index: spans of the host are sums, and nothing can be read back */
  /* path of the file that was indexed, on the machine that indexed it; NULL: the source is not an index, or the path is
   * unknown */
  char *indexed_path;
  guint64 indexed_bytes;      /* size on disk of the file that was indexed */
  gboolean is_indexed_here;   /* indexed_path is not on a disk of another machine */
  gboolean packed;            /* the file is compressed: offsets are into its unpacked text */
  LoomImportLog *log;         /* owned */
  LoomPythonProfile *profile; /* owned; NULL unless the source is a Python profile */
  LoomFlightDump *flight;     /* owned; NULL unless the source is the dump of a flight recorder */
  LoomStackFrames *stacks;    /* owned; NULL if the file has no stack frames */
  /* owned; what the file states besides events, for display: top-level members and metadata, as pairs of char *, key
   * and value (raw JSON) */
  GPtrArray *facts;
  /* owned; places of the events in the file by time, if the load was asked to make it; else NULL */
  LoomByteIndex *byte_index;
} LoomSource;

LoomSource *loom_source_new (const char *path);
void loom_source_free (LoomSource *source);

/* Returns the text that the log's offsets point into; borrowed, NULL if it cannot be read. */
LoomByteSource *loom_source_get_file_text (const LoomSource *source);

void loom_source_add_fact (LoomSource *source, const char *key, const char *value);

/* Adds a stack frame. Returns FALSE and writes to the log if there are too many. */
gboolean loom_source_add_frame (LoomSource *source, const LoomStackFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSource, loom_source_free)
