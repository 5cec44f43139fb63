-- title: Launch Queue Over Time
-- description: Number of kernels and copies of each device that are launched and have not begun, over time. As a lane it is shown as a counter. :rank is the number of a rank, :stream a word of the name of a stream.
-- :rank = %
-- :stream = %
-- :rank_label = rank %d
-- :process_label = process %d
WITH device AS (
  SELECT id, label || CASE WHEN count(*) OVER (PARTITION BY label) > 1 THEN ' (' || replace(:process_label, '%d', id) || ')' ELSE '' END AS series
  FROM (SELECT id, coalesce(replace(:rank_label, '%d', rank) || ' · ', '') || name AS label FROM process)),
plain AS MATERIALIZED ( -- files in which no arrow leads to work: there, work and its call have the same correlation id
  SELECT DISTINCT track.source FROM span JOIN track ON track.id = span.track WHERE span.kind = 'runtime'
  EXCEPT
  SELECT track.source FROM flow JOIN span ON span.id = flow.to_id JOIN track ON track.id = span.track
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')),
linked AS MATERIALIZED (
  SELECT span.id, span.start, span.kind, track.source, arg(span.id, 'correlation') AS correlation
  FROM span JOIN track ON track.id = span.track
  WHERE span.kind IN ('runtime', 'compute', 'communication', 'memcpy', 'memset', 'other device work') AND track.source IN plain),
launch AS (
  SELECT to_id AS work, from_start AS launched, to_start AS begun FROM flow
  UNION ALL
  SELECT work.id, call.start, work.start
  FROM linked AS work JOIN linked AS call ON call.correlation = work.correlation AND call.source = work.source
  WHERE work.kind <> 'runtime' AND call.kind = 'runtime'),
work AS (
  SELECT device.series AS series, max(launch.launched) AS launched, max(max(launch.launched), max(launch.begun)) AS begun
  FROM launch JOIN span AS work ON work.id = launch.work JOIN track ON track.id = work.track JOIN device ON device.id = track.process
  WHERE coalesce(work.rank, 0) LIKE :rank
    AND ' ' || track.name || ' ' LIKE '% ' || :stream || ' %'
    AND work.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  GROUP BY launch.work),
change AS (SELECT series, launched AS start, 1 AS step FROM work UNION ALL SELECT series, begun, -1 FROM work),
moment AS (SELECT series, start, sum(step) AS step FROM change GROUP BY series, start)
SELECT start, series, sum(step) OVER (PARTITION BY series ORDER BY start) AS queue
FROM moment
ORDER BY start, series
