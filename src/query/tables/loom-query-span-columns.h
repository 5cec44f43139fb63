/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: numbers of the columns of span, as in loom-query-schema.c.
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
  LOOM_QUERY_SPAN_ARGUMENT, /* the first of the arguments of a table function; the others follow */
};

/* The orders in which the table can return rows. KEYS and NAME may be combined with DESCENDING. With KEYS, the bits above
 * these contain the columns to sort by, four bits for each column. THEN_ID belongs to NAME. The bits below ROWS contain
 * the columns by which the rows of the timeline are sorted (loom_query_span_scan_sort()). The bits below LABELS contain the
 * columns name, category and kind (loom_query_label_order_sort()). */
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
