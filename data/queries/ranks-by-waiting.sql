-- title: Ranks by Waiting Time
-- description: How long each rank waits in collectives until the last rank arrives, how long the transfers take, and the waits as a percentage of the time in collectives.
SELECT rank, count(*) AS collectives, sum(wait) AS wait_ns, max(wait) AS longest_wait_ns, sum(transfer) AS transfer_ns,
       round(100.0 * sum(wait) / sum(duration), 1) AS percent_of_time
FROM collective
GROUP BY rank
ORDER BY wait_ns DESC, rank
