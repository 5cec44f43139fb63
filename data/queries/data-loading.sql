-- title: Data Loading by Rank
-- description: Spans that load data or wait for it, by name. Those of worker processes run beside the training.
-- :limit = 50
SELECT span.rank, span.name, source.format, count(*) AS spans, sum(span.self) AS total, max(span.duration) AS longest
FROM span JOIN track ON track.id = span.track JOIN source ON source.id = track.source
WHERE span.kind = 'data loading'
GROUP BY span.rank, span.name, source.format
ORDER BY total DESC, 1, 2
LIMIT :limit
