-- title: Kernels by Total Time per Step
-- description: The kernels with the most total time in each step of each rank. A kernel belongs to the step in which it begins.
-- :top = 5
WITH work AS (
  SELECT step.id AS step, step.format, step.number, step.rank, span.name, count(*) AS calls, sum(span.duration) AS total_ns
  FROM step JOIN span ON span.start >= step.start AND span.start < step.start + step.duration AND span.rank = step.rank
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  GROUP BY step.id, span.name),
ranked AS (SELECT *, row_number() OVER (PARTITION BY step ORDER BY total_ns DESC, name) AS place FROM work)
SELECT number, rank, format, place, name, calls, total_ns
FROM ranked
WHERE place <= :top
ORDER BY number, rank, format, place
