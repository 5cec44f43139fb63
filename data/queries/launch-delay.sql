-- title: Launch Delay by Operator
-- description: Time from the call that launches work to the start of that work on the device, by the operator that contains the call.
-- :limit = 50
WITH plain AS MATERIALIZED ( -- files in which no arrow leads to work: there, work and its call have the same correlation id
  SELECT source FROM track WHERE EXISTS (SELECT 1 FROM span WHERE span.track = track.id AND span.kind = 'runtime')
  EXCEPT
  SELECT source FROM track WHERE EXISTS (SELECT 1 FROM flow) AND EXISTS (
    SELECT 1 FROM span CROSS JOIN flow ON flow.to_id = span.id
    WHERE span.track = track.id AND span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work'))),
lane AS MATERIALIZED (SELECT id, source FROM track WHERE source IN plain),
work AS MATERIALIZED (
  SELECT span.start, lane.source, arg(span.id, 'correlation') AS correlation
  FROM lane CROSS JOIN span ON span.track = lane.id
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')),
launched AS (
  SELECT flow.from_id AS call, flow.to_start - flow.from_start AS delay
  FROM flow JOIN span ON span.id = flow.to_id
  WHERE span.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
  UNION ALL
  SELECT call.id, work.start - call.start
  FROM lane CROSS JOIN span AS call ON call.track = lane.id
       CROSS JOIN work ON work.correlation = arg(call.id, 'correlation') AND work.source = lane.source
  WHERE call.kind = 'runtime'),
launch AS (
  -- record_param_comms only records the arguments of a collective operation
  SELECT delay, (
    SELECT name
    FROM (SELECT name, max(depth - 1000000 * (name = 'record_param_comms')) -- the deepest one; max() takes less time than ORDER BY
          FROM ancestors(launched.call) WHERE kind IN ('operator', 'collective call'))) AS operator
  FROM launched)
SELECT coalesce(operator, '(no operator)') AS operator, count(*) AS launches, sum(delay) / count(*) AS mean_ns, max(delay) AS longest_ns,
       sum(delay) AS total_ns
FROM launch
GROUP BY operator
ORDER BY total_ns DESC, 1
LIMIT :limit
