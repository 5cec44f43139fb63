-- title: Launch Queue Over Time
-- description: Number of kernels and copies of each device that are launched and have not begun, over time. As a lane it is shown as a counter. :rank is the number of a rank, :stream a word of the name of a stream.
-- :rank = %
-- :stream = %
-- :rank_label = rank %d
-- :process_label = process %d
WITH device AS (
  SELECT id, label || CASE WHEN count(*) OVER (PARTITION BY label) > 1 THEN ' (' || replace(:process_label, '%d', id) || ')' ELSE '' END AS series
  FROM (SELECT id, coalesce(replace(:rank_label, '%d', rank) || ' · ', '') || name AS label FROM process)),
lane AS MATERIALIZED (
  SELECT id, source, process FROM track WHERE coalesce(rank, 0) LIKE :rank AND ' ' || name || ' ' LIKE '% ' || :stream || ' %'),
plain AS MATERIALIZED ( -- files in which no arrow leads to work: there, work and its call have the same correlation id
  SELECT source FROM track WHERE EXISTS (SELECT 1 FROM span WHERE span.track = track.id AND span.kind = 'runtime')
  EXCEPT
  SELECT source FROM track WHERE EXISTS (SELECT 1 FROM flow) AND EXISTS (
    SELECT 1 FROM span CROSS JOIN flow ON flow.to_id = span.id
    WHERE span.track = track.id AND span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work'))),
done AS MATERIALIZED (
  SELECT span.id, span.start, lane.source, lane.process, arg(span.id, 'correlation') AS correlation
  FROM lane CROSS JOIN span ON span.track = lane.id
  WHERE lane.source IN plain AND span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')),
launch AS (
  SELECT flow.to_id AS work, flow.from_start AS launched, flow.to_start AS begun, lane.process
  FROM lane CROSS JOIN span ON span.track = lane.id CROSS JOIN flow ON flow.to_id = span.id
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  UNION ALL
  SELECT done.id, call.start, done.start, done.process
  FROM track CROSS JOIN span AS call ON call.track = track.id
       CROSS JOIN done ON done.correlation = arg(call.id, 'correlation') AND done.source = track.source
  WHERE call.kind = 'runtime' AND track.source IN (SELECT source FROM done)),
work AS (
  SELECT process, max(launched) AS launched, max(max(launched), max(begun)) AS begun FROM launch GROUP BY work),
change AS (SELECT process, launched AS start, 1 AS step FROM work UNION ALL SELECT process, begun, -1 FROM work),
length AS ( -- the length of a queue after all of its changes at a time
  SELECT process, start, sum(sum(step)) OVER (PARTITION BY process ORDER BY start ROWS UNBOUNDED PRECEDING) AS queue
  FROM change GROUP BY process, start)
SELECT length.start, device.series, length.queue
FROM length JOIN device ON device.id = length.process
ORDER BY start, series
