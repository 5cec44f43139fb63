-- title: Data Loading by Rank
-- description: Spans that load data or wait for data, by rank and name. Spans of worker processes run in parallel to the training.
-- :limit = 50
SELECT span.rank, span.name, source.format, count(*) AS spans, sum(span.self) AS total_ns, max(span.duration) AS longest_ns
FROM span JOIN track ON track.id = span.track JOIN source ON source.id = track.source
WHERE span.kind = 'data loading'
GROUP BY span.rank, span.name, source.format
ORDER BY total_ns DESC, 1, 2
LIMIT :limit
