/* SPDX-License-Identifier: Apache-2.0
 *
 * A source is one file. Several sources that continue one another (rotated files of one writer) make one trace.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-declared-clock.h"
#include "loom-import-log.h"
#include "loom-input-files.h"
#include "loom-python-profile.h"
#include "loom-rank-label.h"
#include "loom-stack-frames.h"

G_BEGIN_DECLS

/* Where an event's text begins: source index within its trace, flags, byte offset into the source's LoomByteSource; and a hint
 * (loom-event-ref-hint.h). 14 bits source, 4 bits flags, 8 bits hint, 38 bits offset. */
typedef guint64 LoomRef;

#define LOOM_REF_NONE G_MAXUINT64
#define LOOM_REF_OFFSET_BITS 38
#define LOOM_REF_HINT_AT LOOM_REF_OFFSET_BITS
#define LOOM_REF_FLAGS_AT 46
#define LOOM_REF_SOURCE_AT 50
#define LOOM_REF_MAX_OFFSET ((G_GUINT64_CONSTANT (1) << LOOM_REF_OFFSET_BITS) - 1)
#define LOOM_REF_MAX_SOURCES (1u << 14)

typedef enum {
  LOOM_REF_OPEN = 1 << 0,    /* the span never ended: drawn with a ragged edge */
  LOOM_REF_END = 1 << 1,     /* a B/E pair whose E has args of its own, or a stack: loom_trace_get_end_ref() */
  LOOM_REF_SUSPECT = 1 << 2, /* its times are not credible: left out of extents */
  LOOM_REF_NEXT = 1 << 3,    /* of a flow point: an end that binds to the span that starts next, even at its own time */
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
  LoomInputFiles *input; /* owned; keeps the file from being written over */
  const char *format;    /* one of the words of the command line's `format`; static */
  char *node;            /* NULL unknown */
  gint rank;             /* −1 unknown */
  guint64 n_bytes;       /* on disk */
  guint64 n_events;      /* event objects in the file, metadata excepted, drawn or not */
  guint64 n_spans;       /* drawn: a B/E pair is one; set by freeze */
  guint64 n_instants;    /* drawn; set by freeze */
  guint64 n_counters;
  guint64 n_flows;
  gint64 start_ns; /* local extents over what is drawn; LOOM_TIME_NONE when empty */
  gint64 end_ns;
  guint clock;          /* index into its trace's clocks */
  gint64 base_ns;       /* what was added to this file's readings (the latest, where it changed inside the file) */
  gboolean incomplete;  /* some input was unreadable: exit status 3 */
  LoomByteSource *text; /* owned; where refs point; NULL when nothing can be read back */
  LoomByteSource
    *file_text;    /* owned; the file's own bytes, which the log's offsets count, where `text` is not them; else NULL */
  gboolean packed; /* the file is compressed: offsets are into its unpacked text */
  LoomImportLog *log;         /* owned */
  LoomPythonProfile *profile; /* owned; NULL but for Python profiles */
  LoomStackFrames *stacks;    /* owned; NULL where the file names no stack frames */
  GPtrArray *facts; /* owned; char * pairs key, value: top-level members and metadata worth showing; raw JSON values */
} LoomSource;

LoomSource *loom_source_new (const char *path);
void loom_source_free (LoomSource *source);

/* What the log's offsets count in; borrowed, NULL when it cannot be read. */
LoomByteSource *loom_source_get_file_text (const LoomSource *source);

void loom_source_add_fact (LoomSource *source, const char *key, const char *value);

/* FALSE when there is no room for more; the log says so then. */
gboolean loom_source_add_frame (LoomSource *source, const LoomStackFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSource, loom_source_free)

G_END_DECLS
