-- title: Launch Delay by Operator
-- description: Time from the call that launches work to the start of that work on the device, by the operator that contains the call.
-- :limit = 50
WITH launch AS (
  SELECT flow.to_start - flow.from_start AS delay,
         (SELECT name FROM ancestors(flow.from_id) WHERE kind = 'operator' ORDER BY depth DESC LIMIT 1) AS operator
  FROM flow JOIN span AS work ON work.id = flow.to_id
  WHERE work.kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work'))
SELECT coalesce(operator, '(no operator)') AS operator, count(*) AS launches, sum(delay) / count(*) AS mean_ns, max(delay) AS longest_ns,
       sum(delay) AS total_ns
FROM launch
GROUP BY operator
ORDER BY total_ns DESC, 1
LIMIT :limit
