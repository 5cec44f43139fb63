/* SPDX-License-Identifier: Apache-2.0
 *
 * The grid of a row: see loom-summary-grid.h. If a border between two ranges is inside a bucket, the counts of the
 * bucket are divided as if its spans were spread evenly. The longest span of the bucket counts for the range before the
 * border. If this span is at least as long as the bucket, its start and end are read, too. It then counts only for the
 * ranges that it touches, so that it does not hide shorter spans in other ranges.
 */
#include "loom-summary-grid.h"

/* minimum number of spans of a row that gets a grid; with fewer spans, the tree is small enough */
#define FEWEST_SPANS 8192
#define SPANS_PER_BUCKET 40 /* minimum mean number of spans per bucket */
#define FEWEST_BUCKETS 32   /* minimum number of buckets of a level; a level with fewer buckets has no level above it */
#define FAN_OUT 4
#define LOG_FAN_OUT 2
/* Ranges are summed on the highest level on which each has at least LOOM_SKETCH_SHARE (4) buckets. There, a range has
 * about 16 buckets at most, because buckets are only FAN_OUT times as long on the next level. Only if there is no next
 * level, a range can have more. If it has more than MOST_PER_RANGE, the grid is not used. */
#define MOST_PER_RANGE 64
#define LEAST_LOG 4    /* log₂ of the shortest bucket in ns */
#define MOST_LOG 31    /* log₂ of the longest bucket in ns, so that times fit into 32 bits */
#define HEADER_WORDS 8 /* number of 64-bit words of the header, which fills one cache line */
#define LINE_WORDS 8
/* log₂ of the number of parts into which a bucket is divided; Bucket.begin and Bucket.end are numbers of such parts */
#define LOG_PARTS 16
#define LAST_PART G_MAXUINT16

/* A bucket: sums over the spans in a short time. The count `n` includes only spans that start in the bucket; `longest`
 * can be any span that touches the bucket. */
typedef struct {
  guint32 busy_ns;
  guint32 n;
  guint32 longest; /* column index of the longest span; of equally long spans, the first */
  /* duration of the longest span in ns, at most G_MAXUINT32; if no span touches the bucket, 0, and `longest` is
   * G_MAXUINT32 */
  guint32 dur_ns;
  guint32 name_id; /* name of the longest span */
  /* numbers of the parts of the bucket in which the longest span starts and ends; the first part if the span starts
   * before the bucket, the last part if it ends after the bucket */
  guint16 begin, end;
} Bucket;

typedef struct {
  gint64 origin_ns;
  /* number of buckets on the lowest level (0: the row has no grid), and log₂ of the length of such a bucket in ns */
  guint32 n, log_ns;
} Header;

typedef struct {
  gint64 origin_ns;
  const Bucket *buckets;
  guint32 n;
  guint log_ns;
} Level;

static guint32
most_buckets (guint32 n_spans)
{
  return n_spans / SPANS_PER_BUCKET;
}

gsize
loom_summary_grid_n_words (guint32 n_spans)
{
  if (n_spans < FEWEST_SPANS)
    return 0;
  gsize n = 0;
  for (guint32 level = most_buckets (n_spans); level > 0;
       level = level >= FEWEST_BUCKETS ? (level - 1) / FAN_OUT + 1 : 0)
    n += level;
  gsize n_words = HEADER_WORDS + (n * sizeof (Bucket) - 1) / sizeof (gint64) + 1;
  return (n_words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
}

/* --- filling the grid --------------------------------------------------------------------------------------------- */

static inline gint64
dur_of (const LoomTrace *trace, const Bucket *bucket)
{
  return bucket->dur_ns < G_MAXUINT32 ? (gint64) bucket->dur_ns : trace->dur_ns[bucket->longest];
}

static inline guint16
part_of (guint log_ns, gint64 since_ns)
{
  if (since_ns <= 0)
    return 0;
  return since_ns >> log_ns > 0 ? LAST_PART : (guint16) ((guint64) since_ns << LOG_PARTS >> log_ns);
}

/* Makes `span` the longest span of the bucket if it is longer than the longest span so far. `log_ns`: log₂ of the
 * length of the bucket in ns. `begin_ns`: start of `span`, relative to the start of the bucket. */
static inline void
offer (const LoomTrace *trace, Bucket *bucket, guint log_ns, guint32 span, gint64 begin_ns, gint64 dur_ns)
{
  if (bucket->longest != G_MAXUINT32 && dur_ns <= dur_of (trace, bucket))
    return;
  bucket->begin = part_of (log_ns, begin_ns);
  bucket->end = part_of (log_ns, begin_ns + dur_ns);
  bucket->longest = span;
  bucket->dur_ns = (guint32) MIN (dur_ns, G_MAXUINT32);
  bucket->name_id = trace->name_id[span];
}

/* Adds a span that crosses borders of buckets to each bucket that it touches. */
static void
spread (const LoomTrace *trace, const Header *header, Bucket *buckets, guint32 span, gint64 begin_ns, gint64 end_ns)
{
  guint32 first = (guint32) (begin_ns >> header->log_ns), last = (guint32) ((end_ns - 1) >> header->log_ns);
  for (guint32 i = first; i <= MIN (last, header->n - 1); i++) {
    gint64 from_ns = (gint64) i << header->log_ns, until_ns = (gint64) (i + 1) << header->log_ns;
    buckets[i].busy_ns += (guint32) (MIN (end_ns, until_ns) - MAX (begin_ns, from_ns));
    offer (trace, &buckets[i], header->log_ns, span, begin_ns - from_ns, end_ns - begin_ns);
  }
}

static void
fill_lowest (const LoomTrace *trace, const LoomRow *row, const Header *header, Bucket *buckets)
{
  for (guint32 i = 0; i < header->n; i++)
    buckets[i] = (Bucket) { .longest = G_MAXUINT32 };
  for (guint32 span = row->first; span < row->first + row->n; span++) {
    gint64 begin_ns = trace->start_ns[span] - header->origin_ns, dur_ns = trace->dur_ns[span];
    Bucket *bucket = &buckets[begin_ns >> header->log_ns];
    bucket->n++;
    if (dur_ns > 0 && begin_ns >> header->log_ns != (begin_ns + dur_ns - 1) >> header->log_ns) {
      spread (trace, header, buckets, span, begin_ns, begin_ns + dur_ns);
      continue;
    }
    bucket->busy_ns += (guint32) dur_ns;
    gint64 bucket_ns = begin_ns >> header->log_ns << header->log_ns;
    offer (trace, bucket, header->log_ns, span, begin_ns - bucket_ns, dur_ns);
  }
}

static void
fill_above (const LoomTrace *trace, const Header *header, const Level *below, const Level *level)
{
  for (guint32 i = 0; i < below->n; i++) {
    const Bucket *part = &below->buckets[i];
    Bucket *bucket = (Bucket *) &level->buckets[i / FAN_OUT];
    if (i % FAN_OUT == 0)
      *bucket = (Bucket) { .longest = G_MAXUINT32 };
    bucket->busy_ns += part->busy_ns;
    bucket->n += part->n;
    if (part->longest == G_MAXUINT32)
      continue;
    gint64 bucket_ns = header->origin_ns + ((gint64) (i / FAN_OUT) << level->log_ns);
    offer (trace, bucket, level->log_ns, part->longest, trace->start_ns[part->longest] - bucket_ns,
           dur_of (trace, part));
  }
}

static Level
lowest_level (const gint64 *words)
{
  const Header *header = (const Header *) (gconstpointer) words;
  return (Level) { header->origin_ns, (const Bucket *) (gconstpointer) (words + HEADER_WORDS), header->n,
                   header->log_ns };
}

/* Moves to the next higher level. Returns FALSE if there is none. */
static gboolean
go_up (Level *level)
{
  if (level->n < FEWEST_BUCKETS || level->log_ns + LOG_FAN_OUT > MOST_LOG)
    return FALSE;
  level->buckets += level->n;
  level->n = (level->n - 1) / FAN_OUT + 1;
  level->log_ns += LOG_FAN_OUT;
  return TRUE;
}

void
loom_summary_grid_fill (const LoomTrace *trace, const LoomRow *row, gint64 *words)
{
  guint32 last = row->first + row->n - 1;
  Header *header = (Header *) (gpointer) words;
  *header = (Header) { trace->start_ns[row->first], 0, LEAST_LOG };
  /* The last span of a row also ends last, because spans of a row do not overlap. A row that lasts so long that buckets
   * would be longer than 2^MOST_LOG ns gets no grid. */
  gint64 range_ns = loom_time_sub (loom_time_add (trace->start_ns[last], trace->dur_ns[last]), header->origin_ns);
  while (header->log_ns <= MOST_LOG && range_ns >> header->log_ns >= most_buckets (row->n))
    header->log_ns++;
  if (header->log_ns > MOST_LOG)
    return;
  header->n = (guint32) (range_ns >> header->log_ns) + 1;
  Level level = lowest_level (words), below;
  fill_lowest (trace, row, header, (Bucket *) (gpointer) (words + HEADER_WORDS));
  for (below = level; go_up (&level); below = level)
    fill_above (trace, header, &below, &level);
}

/* --- summaries of ranges from the grid ---------------------------------------------------------------------------- */

typedef struct {
  gint64 time_ns;
  /* index of the bucket that contains `time_ns`; the number of buckets: `time_ns` is after the last one */
  guint32 bucket;
  guint32 busy_ns; /* total time in ns, within the bucket and before the border, during which spans are running */
  guint32 n;
  guint16 part; /* number of the part of the bucket that contains the time of the border */
} Border;

static inline Border
find_border (const Level *level, gint64 time_ns)
{
  gint64 since_ns = loom_time_sub (time_ns, level->origin_ns);
  if (since_ns <= 0)
    return (Border) { time_ns, 0, 0, 0, 0 };
  if (since_ns >> level->log_ns >= level->n)
    return (Border) { time_ns, level->n, 0, 0, 0 };
  guint32 at = (guint32) (since_ns >> level->log_ns);
  guint64 part_ns = (guint64) since_ns - ((guint64) at << level->log_ns);
  return (Border) { time_ns, at, (guint32) (part_ns * level->buckets[at].busy_ns >> level->log_ns),
                    (guint32) (part_ns * level->buckets[at].n >> level->log_ns),
                    part_of (level->log_ns, (gint64) part_ns) };
}

static inline gboolean
is_long (const Level *level, const Bucket *bucket)
{
  return bucket->longest != G_MAXUINT32 && bucket->dur_ns >> level->log_ns > 0;
}

static void
include (LoomSpanSummary *summary, guint32 span, gint64 dur_ns, guint32 name_id)
{
  if (span == G_MAXUINT32 || (summary->longest != G_MAXUINT32 && dur_ns <= summary->longest_ns))
    return;
  summary->longest = span;
  summary->longest_ns = dur_ns;
  summary->name_id = name_id;
}

static void
include_bucket (const LoomTrace *trace, const Bucket *bucket, LoomSpanSummary *summary)
{
  include (summary, bucket->longest, dur_of (trace, bucket), bucket->name_id);
}

/* Returns TRUE if the longest span of the bucket begins before the border. The exact start of the span is read from the
 * columns only if the span begins in the same part of the bucket as the border. */
static inline gboolean
begins_before (const LoomTrace *trace, const Bucket *bucket, const Border *border)
{
  return bucket->begin != border->part ? bucket->begin < border->part
                                       : trace->start_ns[bucket->longest] < border->time_ns;
}

static inline gboolean
ends_after (const LoomTrace *trace, const Bucket *bucket, const Border *border)
{
  if (bucket->longest == G_MAXUINT32 || bucket->end != border->part)
    return bucket->longest != G_MAXUINT32 && bucket->end > border->part;
  return trace->start_ns[bucket->longest] + trace->dur_ns[bucket->longest] > border->time_ns;
}

/* `border`: the end of the range that `summary` describes. Adds the longest span of the bucket that contains the
 * border, with one exception: if this span is at least as long as the bucket and begins after the border, it is outside
 * of the range and is not added. Instead, if `summary` has no longest span yet, the longest span between the start of
 * the bucket and the border is added. (For a span shorter than the bucket, it is not checked whether it begins after
 * the border.) */
static void
include_before (const LoomTrace *trace, const LoomRow *row, const Level *level, const Border *border,
                LoomSpanSummary *summary)
{
  const Bucket *bucket = &level->buckets[border->bucket];
  if (!is_long (level, bucket) || begins_before (trace, bucket, border)) {
    include_bucket (trace, bucket, summary);
    return;
  }
  if (summary->longest != G_MAXUINT32)
    return;
  LoomSpanSummary part;
  gint64 begin_ns = level->origin_ns + ((gint64) border->bucket << level->log_ns);
  loom_row_summary_add (trace, row, begin_ns, border->time_ns, &part);
  include (summary, part.longest, part.longest_ns, part.name_id);
}

/* Adds the buckets `first` to `end` − 1 as a whole to a summary. */
static void
include_between (const LoomTrace *trace, const Bucket *buckets, guint32 first, guint32 end, LoomSpanSummary *summary)
{
  const Bucket *longest = NULL;
  gint64 most_ns = -1;
  for (guint32 i = first; i < end; i++) {
    summary->busy_ns += buckets[i].busy_ns;
    summary->n += buckets[i].n;
    gint64 dur_ns = buckets[i].longest != G_MAXUINT32 ? dur_of (trace, &buckets[i]) : -1;
    longest = dur_ns > most_ns ? &buckets[i] : longest;
    most_ns = MAX (dur_ns, most_ns);
  }
  if (longest != NULL)
    include (summary, longest->longest, most_ns, longest->name_id);
}

static void
sketch_range (const LoomTrace *trace, const LoomRow *row, const Level *level, const Border *from, const Border *to,
              LoomSpanSummary *summary)
{
  *summary = (LoomSpanSummary) { 0, G_MAXUINT32, 0, 0, 0 };
  if (from->bucket == level->n || from->time_ns >= to->time_ns || to->time_ns <= level->origin_ns)
    return;
  const Bucket *bucket = &level->buckets[from->bucket];
  gboolean cuts =
    from->bucket < to->bucket && level->origin_ns + ((gint64) from->bucket << level->log_ns) < from->time_ns;
  if (cuts && is_long (level, bucket) && ends_after (trace, bucket, from))
    include_bucket (trace, bucket, summary);
  include_between (trace, level->buckets, from->bucket + cuts, to->bucket, summary);
  if (to->bucket < level->n)
    include_before (trace, row, level, to, summary);
  if (summary->longest == G_MAXUINT32 && ends_after (trace, bucket, from))
    include_bucket (trace, bucket, summary);
  summary->busy_ns += (cuts ? bucket->busy_ns : 0) + (gint64) to->busy_ns - from->busy_ns;
  summary->n += (cuts ? bucket->n : 0) + to->n - from->n;
  summary->n = summary->longest == G_MAXUINT32 ? 0 : MAX (summary->n, 1);
}

gboolean
loom_summary_grid_sketch (const LoomTrace *trace, const LoomRow *row, const gint64 *words, const gint64 *edges_ns,
                          guint n, gint64 slack_ns, LoomSpanSummary *summaries)
{
  Level level = lowest_level (words), above = level;
  if (level.n == 0 || slack_ns >> level.log_ns == 0)
    return FALSE;
  while (go_up (&above) && slack_ns >> above.log_ns > 0)
    level = above;
  if (slack_ns >> level.log_ns > MOST_PER_RANGE / LOOM_SKETCH_SHARE)
    return FALSE;
  Border from = find_border (&level, edges_ns[0]);
  for (guint i = 0; i < n; i++) {
    Border to = find_border (&level, edges_ns[i + 1]);
    sketch_range (trace, row, &level, &from, &to, &summaries[i]);
    from = to;
  }
  return TRUE;
}
