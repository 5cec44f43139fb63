-- title: Launch Delay by Operator
-- description: Time from the call that launches work to the start of that work on the device, by the operator that contains the call.
-- :limit = 50
WITH work AS MATERIALIZED (
  SELECT span.id, span.start, track.source, arg(span.id, 'correlation') AS correlation
  FROM span JOIN track ON track.id = span.track
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work') AND NOT EXISTS (SELECT 1 FROM flow)),
call AS MATERIALIZED (
  SELECT span.id, span.start, track.source, arg(span.id, 'correlation') AS correlation
  FROM span JOIN track ON track.id = span.track
  WHERE span.kind = 'runtime' AND NOT EXISTS (SELECT 1 FROM flow)),
launched AS (
  SELECT flow.from_id AS call, flow.to_start - flow.from_start AS delay
  FROM flow JOIN span ON span.id = flow.to_id
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  UNION ALL -- some files have no flows: work and its call have the same correlation id
  SELECT call.id, work.start - call.start
  FROM work JOIN call ON call.correlation = work.correlation AND call.source = work.source),
launch AS (
  SELECT delay, (SELECT name FROM ancestors(launched.call) WHERE kind = 'operator' ORDER BY depth DESC LIMIT 1) AS operator
  FROM launched)
SELECT coalesce(operator, '(no operator)') AS operator, count(*) AS launches, sum(delay) / count(*) AS mean_ns, max(delay) AS longest_ns,
       sum(delay) AS total_ns
FROM launch
GROUP BY operator
ORDER BY total_ns DESC, 1
LIMIT :limit
