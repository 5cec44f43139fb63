-- title: Step Times by Rank
-- description: Number, mean, shortest and longest step of each rank, by the format that recorded them.
SELECT format, mode, rank, count(*) AS steps, sum(duration) / count(*) AS mean_ns, min(duration) AS shortest_ns, max(duration) AS longest_ns
FROM step
GROUP BY format, mode, rank
ORDER BY format, mode, rank
