-- title: Slow Steps
-- description: Steps that take longer than :factor times the median step of their format and mode.
-- :factor = 1.5
WITH sorted AS (
  SELECT *, row_number() OVER (PARTITION BY format, mode ORDER BY duration, id) AS place, count(*) OVER (PARTITION BY format, mode) AS n
  FROM step),
middle AS ( -- of an even number of steps, the mean of the two middle ones
  SELECT format, mode, CAST(round(avg(duration)) AS INTEGER) AS median_ns
  FROM sorted WHERE place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY format, mode)
SELECT step.number, step.rank, step.format, step.mode, step.start, step.duration, median_ns,
       round(1.0 * step.duration / median_ns, 2) AS times_median
FROM step JOIN middle ON middle.format = step.format AND middle.mode = step.mode
WHERE step.duration > :factor * median_ns
ORDER BY times_median DESC, step.id
