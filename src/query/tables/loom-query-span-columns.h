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
