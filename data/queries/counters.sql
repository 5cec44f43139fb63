-- title: Counters
-- description: Mean, minimum and maximum of the samples of each counter.
SELECT counter.name, counter.series, counter.unit, counter.rank, track.node, counter.samples, avg(sample.value) AS mean,
       counter.least, counter.most
FROM counter JOIN track ON track.id = counter.track LEFT JOIN sample ON sample.counter = counter.id
GROUP BY counter.id
ORDER BY counter.name, counter.series, counter.id
