-- title: Operators by Self Time
-- description: Operators on the host by the time that they spend themselves, without the operators and calls inside them.
-- :limit = 50
SELECT name, count(*) AS calls, sum(self) AS self, sum(duration) AS total_ns, sum(self) / count(*) AS mean_self_ns
FROM span
WHERE kind = 'operator'
GROUP BY name
ORDER BY self DESC, name
LIMIT :limit
