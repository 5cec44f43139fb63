-- title: Launch Queue over Time
-- description: Kernels and copies of a rank that are launched and have not begun. Shown as a lane it is a counter; :stream is part of the name of a stream.
-- :rank = lowest
-- :stream = %
WITH work AS (
  SELECT max(flow.from_start) AS launched, max(max(flow.from_start), max(flow.to_start)) AS begun
  FROM flow JOIN span AS work ON work.id = flow.to_id JOIN track ON track.id = work.track
  WHERE coalesce(work.rank, 0) = CASE :rank WHEN 'lowest' THEN (SELECT coalesce(min(rank), 0) FROM track) ELSE :rank END
    AND ' ' || track.name || ' ' LIKE '% ' || :stream || ' %'
    AND work.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  GROUP BY flow.to_id),
change AS (SELECT launched AS start, 1 AS step FROM work UNION ALL SELECT begun, -1 FROM work),
moment AS (SELECT start, sum(step) AS step FROM change GROUP BY start)
SELECT start, sum(step) OVER (ORDER BY start) AS queue
FROM moment
ORDER BY start
