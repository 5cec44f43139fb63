-- title: Launch Delay by Operator
-- description: Time from the call that launches work to the start of that work on the device, by the operator that contains the call.
-- :limit = 50
WITH plain AS MATERIALIZED ( -- files in which no arrow leads to work: there, work and its call have the same correlation id
  SELECT DISTINCT track.source FROM span JOIN track ON track.id = span.track WHERE span.kind = 'runtime'
  EXCEPT
  SELECT track.source FROM flow JOIN span ON span.id = flow.to_id JOIN track ON track.id = span.track
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')),
work AS MATERIALIZED (
  SELECT span.id, span.start, track.source, arg(span.id, 'correlation') AS correlation
  FROM span JOIN track ON track.id = span.track
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work') AND track.source IN plain),
call AS MATERIALIZED (
  SELECT span.id, span.start, track.source, arg(span.id, 'correlation') AS correlation
  FROM span JOIN track ON track.id = span.track
  WHERE span.kind = 'runtime' AND track.source IN plain),
launched AS (
  SELECT flow.from_id AS call, flow.to_start - flow.from_start AS delay
  FROM flow JOIN span ON span.id = flow.to_id
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  UNION ALL
  SELECT call.id, work.start - call.start
  FROM work JOIN call ON call.correlation = work.correlation AND call.source = work.source),
launch AS (
  -- record_param_comms only records the arguments of a collective operation
  SELECT delay, (SELECT name FROM ancestors(launched.call) WHERE kind IN ('operator', 'collective call')
                 ORDER BY name = 'record_param_comms', depth DESC LIMIT 1) AS operator
  FROM launched)
SELECT coalesce(operator, '(no operator)') AS operator, count(*) AS launches, sum(delay) / count(*) AS mean_ns, max(delay) AS longest_ns,
       sum(delay) AS total_ns
FROM launch
GROUP BY operator
ORDER BY total_ns DESC, 1
LIMIT :limit
