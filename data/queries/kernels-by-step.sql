-- title: Kernels by Total Time per Step
-- description: The kernels with the most total time in each step of each rank. A kernel belongs to the step in which it begins, and is listed for the step of each profiler that recorded one: do not add up rows of different formats.
-- :top = 5
WITH own AS (
  SELECT step.*, track.source AS source, iif(track.device, track.process, NULL) AS device
  FROM step LEFT JOIN span ON span.id = step.span LEFT JOIN track ON track.id = span.track),
work AS (
  SELECT own.id AS step, own.format, own.number, own.rank, span.name, count(*) AS calls, sum(span.duration) AS total_ns
  FROM own JOIN span ON span.start >= own.start AND span.start < own.start + own.duration AND span.rank IS own.rank
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
    -- a step without a rank has the kernels of its own device or, if it is on the host, of its own file
    AND (own.rank IS NOT NULL OR own.source IS NULL OR span.process = own.device
         OR (own.device IS NULL AND own.source = (SELECT source FROM track WHERE id = span.track)))
  GROUP BY own.id, span.name),
ranked AS (SELECT *, row_number() OVER (PARTITION BY step ORDER BY total_ns DESC, name) AS place FROM work)
SELECT number, rank, format, place, name, calls, total_ns
FROM ranked
WHERE place <= :top
ORDER BY number, rank, format, place, step
