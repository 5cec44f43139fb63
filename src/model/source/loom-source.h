/* SPDX-License-Identifier: Apache-2.0
 *
 * A source: one input file of a trace, with all data about the file except its events. Several sources that continue
 * one another (rotated files of one writer) form one trace.
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

/* Reference to the text of an event, in 64 bits: index of the source in its trace (14 bits), flags (4 bits), a hint (8
 * bits, loom-event-ref-hint.h), and the byte offset of the text in the source's LoomByteSource (38 bits). */
typedef guint64 LoomRef;

#define LOOM_REF_NONE G_MAXUINT64
#define LOOM_REF_OFFSET_BITS 38
#define LOOM_REF_HINT_AT LOOM_REF_OFFSET_BITS
#define LOOM_REF_FLAGS_AT 46
#define LOOM_REF_SOURCE_AT 50
#define LOOM_REF_MAX_OFFSET ((G_GUINT64_CONSTANT (1) << LOOM_REF_OFFSET_BITS) - 1)
#define LOOM_REF_MAX_SOURCES (1u << 14)

typedef enum {
  LOOM_REF_OPEN = 1 << 0, /* the span has no end in the file, and is drawn with a ragged edge */
  /* the span was made from a pair of begin and end events, or of async events, and its end event may have args or a
   * stack (loom_trace_get_end_ref()) */
  LOOM_REF_END = 1 << 1,
  LOOM_REF_SUSPECT = 1 << 2, /* the times of the event are implausible, so they do not extend the time range of the
                              * run */
  /* a flow event of phase f that is bound to the next span that starts, instead of the enclosing span */
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

/* The number of the training step that a span records. */
typedef struct {
  guint64 offset; /* byte offset in the span's LoomRef */
  gint64 number;  /* number of the step, at least 0 */
} LoomStepNumber;

typedef struct {
  char *path;
  LoomInputFiles *input; /* owned; protects the file from being overwritten */
  const char *format;    /* name of the format, as the command line prints it; static */
  char *node;            /* name of the host on which the file was recorded; NULL: unknown */
  gint rank;             /* rank of the process that recorded the file; −1: unknown */
  guint64 n_bytes;       /* size of the file on disk in bytes */
  /* number of event objects in the file, including those that are not drawn, but without metadata */
  guint64 n_events;
  guint64 n_spans;    /* number of spans that are drawn; a B/E pair is one span; set by loom_trace_builder_freeze() */
  guint64 n_instants; /* number of instants that are drawn; set by loom_trace_builder_freeze() */
  guint64 n_counters;
  guint64 n_flows;
  gint64 start_ns; /* `start_ns` and `end_ns`: time range of all drawn events, in local time; LOOM_TIME_NONE: there are
                    * no events */
  gint64 end_ns;
  guint clock; /* index of the source's clock in the clocks of its trace */
  /* number that was added to the times in the file to get local times. If this number changed while the file was read,
   * this is its last value */
  gint64 base_ns;
  gboolean incomplete;  /* TRUE if a part of the file could not be read; the command line then exits with status 3 */
  LoomByteSource *text; /* the text to which the offsets in LoomRef refer; owned; NULL: events cannot be read again */
  /* owned; the bytes of the file if these differ from `text`, otherwise NULL. The offsets in the log are offsets in the
   * bytes of the file */
  LoomByteSource *file_text;
  /* TRUE: the source was read from an index. Of the host's spans, it contains only steps, waits for data and
   * collectives; its other work is contained only as sums. Events cannot be read again. */
  gboolean is_index;
  /* TRUE: the file is the result of a merge, so its clock is the clock of the merged timeline. `merged_error_ns`: the
   * largest uncertainty that a clock had before the merge, as the file states it; 0: the file states none */
  gboolean is_merged;
  /* TRUE: in the text of the source, the flow events (phases s, t and f) of a span follow the event of the span. This
   * is so if the text was made from a file whose records state to which span a flow event belongs. It is then
   * unnecessary to guess the span from times. */
  gboolean flows_follow_spans;
  gint64 merged_error_ns;
  /* LoomStepNumber elements, ascending by offset: the step numbers of spans of an index. They are stored here because
   * they are args in the indexed file, and an index contains no args. Owned; NULL: none */
  GArray *step_numbers;
  /* path of the indexed file on the machine on which the index was made; NULL: unknown, or the source was not read from
   * an index */
  char *indexed_path;
  guint64 indexed_bytes;      /* size of the indexed file on disk */
  gboolean is_indexed_here;   /* TRUE: the file at indexed_path may be on this machine */
  gboolean packed;            /* TRUE if the file is compressed; offsets are then offsets in the unpacked text */
  LoomImportLog *log;         /* problems found while the file was read; owned */
  LoomPythonProfile *profile; /* owned; NULL unless the source is a Python profile */
  LoomFlightDump *flight;     /* owned; NULL unless the source is the dump of a flight recorder */
  LoomStackFrames *stacks;    /* owned; NULL if the file has no stack frames */
  /* data that the file states besides events, for display: top-level members and metadata, as pairs of char *: key,
   * and value as raw JSON; owned */
  GPtrArray *facts;
  /* index that finds the events of a time range in the file; owned; NULL unless LoomLoadOptions.records_bytes was
   * set */
  LoomByteIndex *byte_index;
} LoomSource;

LoomSource *loom_source_new (const char *path);
void loom_source_free (LoomSource *source);

/* Returns the text to which the offsets in the source's import log refer; borrowed. NULL: the file cannot be read. */
LoomByteSource *loom_source_get_file_text (const LoomSource *source);

void loom_source_add_fact (LoomSource *source, const char *key, const char *value);

/* Adds the step number of a span of an index. Must be called in ascending order of `offset`. */
void loom_source_add_step_number (LoomSource *source, guint64 offset, gint64 number);

/* Returns the step number of the span at this offset of an index; −1: unknown. O(log n). */
gint64 loom_source_find_step_number (const LoomSource *source, guint64 offset);

/* Adds a stack frame. Returns FALSE and writes to the log if there are too many. */
gboolean loom_source_add_frame (LoomSource *source, const LoomStackFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSource, loom_source_free)
