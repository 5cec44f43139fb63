-- title: Collectives by Size
-- description: Transfer time of collectives by operation, number of ranks and size, and the bytes per second that a rank transfers.
SELECT name, ranks, bytes, count(DISTINCT collective) AS collectives, sum(transfer) / count(*) AS mean_transfer_ns,
       max(transfer) AS longest_transfer_ns, CASE WHEN sum(transfer) > 0 THEN round(sum(bytes) * 1e9 / sum(transfer)) END AS bytes_per_second
FROM collective
GROUP BY name, ranks, bytes
ORDER BY sum(transfer) DESC, name, bytes
