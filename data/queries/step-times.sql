-- title: Step Times by Rank
-- description: Number of steps, and mean, shortest and longest step of each rank, by the format of the recording.
SELECT format, mode, rank, count(*) AS steps, sum(duration) / count(*) AS mean_ns, min(duration) AS shortest_ns, max(duration) AS longest_ns
FROM step
GROUP BY format, mode, rank
ORDER BY format, mode, rank
