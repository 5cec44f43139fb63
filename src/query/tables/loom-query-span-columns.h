/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Numbers of the columns of the table span, in the order of the columns in loom-query-schema.c.
 */
#pragma once

enum {
  LOOM_QUERY_SPAN_ID,
  LOOM_QUERY_SPAN_NAME,
  LOOM_QUERY_SPAN_CATEGORY,
  LOOM_QUERY_SPAN_KIND,
  LOOM_QUERY_SPAN_START,
  LOOM_QUERY_SPAN_DURATION,
  LOOM_QUERY_SPAN_SELF,
  LOOM_QUERY_SPAN_DEPTH,
  LOOM_QUERY_SPAN_TRACK,
  LOOM_QUERY_SPAN_PROCESS,
  LOOM_QUERY_SPAN_RANK,
  LOOM_QUERY_SPAN_PARENT,
  LOOM_QUERY_SPAN_OPEN,
  LOOM_QUERY_SPAN_ARGS,
  LOOM_QUERY_SPAN_ARGUMENT, /* the first argument of a table function; its other arguments have the next numbers */
};

/* The orders in which the tables span and instant can return their rows: values of LoomQueryCursor.order. The flag
 * …_DESCENDING may be added to …_KEYS and …_NAME, the flag …_THEN_ID to …_NAME. Three of these values are combined with
 * the columns to sort by:
 *   …_KEYS    in the bits above the flags, four bits for each column
 *   …_ROWS    in the bits below …_ROWS, as loom_query_span_scan_sort() expects them; these columns have the same value
 *             for a whole row of the timeline
 *   …_LABELS  in the bits below …_LABELS, as loom_query_label_order_sort() expects them; these columns are name,
 *             category and kind */
enum {
  LOOM_QUERY_ORDER_SCAN = 1,
  LOOM_QUERY_ORDER_NAME = 2,
  LOOM_QUERY_ORDER_LONGEST = 3,
  LOOM_QUERY_ORDER_KEYS = 4,
  LOOM_QUERY_ORDER_DESCENDING = 8,
  LOOM_QUERY_ORDER_THEN_ID = 16,
  LOOM_QUERY_ORDER_ROWS = 1 << 24,
  LOOM_QUERY_ORDER_LABELS = 1 << 25,
};
