-- title: Kernels by Total Time
-- description: Work of devices by name: how often it ran, how long in total, and its share of all device work.
-- :limit = 50
SELECT name, kind, count(*) AS calls, sum(duration) AS total, sum(duration) / count(*) AS mean, max(duration) AS longest,
       round(100.0 * sum(duration) / sum(sum(duration)) OVER (), 1) AS percent
FROM span
WHERE kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
GROUP BY name, kind
ORDER BY total DESC, name
LIMIT :limit
