-- title: Short Kernels
-- description: Kernels shorter than :below ns, by number of calls. Launching such a kernel may take longer than running it.
-- :below = 10000
-- :limit = 50
SELECT name, count(*) AS calls, sum(duration) AS total_ns, sum(duration) / count(*) AS mean_ns
FROM span
WHERE kind = 'compute' AND duration < CAST(:below AS INTEGER)
GROUP BY name
ORDER BY calls DESC, name
LIMIT :limit
