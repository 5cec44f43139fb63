-- title: Kernels by Total Time
-- description: Work on devices by name: number of calls, total time, and share of all device work.
-- :limit = 50
SELECT name, kind, count(*) AS calls, sum(duration) AS total_ns, sum(duration) / count(*) AS mean_ns, max(duration) AS longest_ns,
       round(100.0 * sum(duration) / sum(sum(duration)) OVER (), 1) AS percent
FROM span
WHERE kind IN ('compute', 'communication', 'memcpy', 'memset', 'other device work')
GROUP BY name, kind
ORDER BY total_ns DESC, name
LIMIT :limit
