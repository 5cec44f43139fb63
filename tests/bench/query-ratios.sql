-- Queries that must take at most half of the time of the same query over the exported file: some queries of each class in
-- tests/query/queries.sql. `bench-query --queries` measures them, and the benchmark row `query-file` shows the largest ratio.

-- Sums and counts with conditions.
SELECT count(*), sum(duration), min(start), max(start) FROM span;
SELECT count(*), sum(duration) FROM span WHERE name LIKE '%forward%' AND duration > 1000;
SELECT count(*), sum(duration) FROM span WHERE category IS NOT NULL AND category <> 'kernel';
SELECT count(*), sum(duration), max(start) FROM span WHERE parent IS NULL AND duration > 1000;
SELECT count(*) FROM span WHERE name IS NOT 'forward' AND name <> 'backward';
SELECT count(*) FROM span WHERE name = 'ATEN::MM' COLLATE NOCASE;
SELECT count(*) FROM span WHERE name > 5;
SELECT count(*) FROM span WHERE id > (SELECT avg(id) FROM span);
SELECT count(*) FROM span WHERE start < (SELECT avg(start) FROM span) AND duration > 1000000;
SELECT min(id), max(id) FROM span;
SELECT count(*), sum(duration) FROM span WHERE rank = 2;
SELECT count(*) FROM span WHERE parent IS NULL;
SELECT depth, count(*) FROM span WHERE parent IS NOT NULL GROUP BY depth;
SELECT p.id, (SELECT count(*) FROM span WHERE rank = p.rank) FROM process p;

-- Groups.
SELECT name, count(*), sum(duration) FROM span GROUP BY name;
SELECT name, count(*) FROM span WHERE duration > (SELECT avg(duration) FROM span) GROUP BY name;
SELECT track, count(*), sum(duration), sum(self) FROM span GROUP BY track;
SELECT rank, depth, count(*), avg(duration) FROM span GROUP BY rank, depth;
SELECT count(*) FROM span WHERE name = (SELECT name FROM span GROUP BY name ORDER BY count(*) DESC, name LIMIT 1);

-- DISTINCT, ORDER BY, joins with ranges.
SELECT DISTINCT name FROM span;
SELECT DISTINCT track, depth FROM span;
SELECT name FROM span WHERE duration > 1000 ORDER BY name DESC, id LIMIT 100;
SELECT id FROM span WHERE kind = 'compute' ORDER BY duration DESC, id LIMIT 20;
SELECT s.number, s.rank, count(*), sum(x.duration) FROM step s JOIN span x ON x.start >= s.start AND x.start < s.start + s.duration AND x.rank = s.rank GROUP BY s.id;
SELECT name, category, count(*) FROM span GROUP BY name, category;
SELECT kind, category, count(*), sum(duration) FROM span GROUP BY kind, category;
SELECT track, min(start), max(start + duration) FROM span GROUP BY track;
SELECT depth, count(parent), sum(rank) FROM span GROUP BY depth;
SELECT count(*), sum(duration) FROM span WHERE rank <> 3 AND depth IS NOT 0;
SELECT count(*), sum(duration) FROM span WHERE name <> 'for' || 'ward';
SELECT id FROM span ORDER BY depth, track, id LIMIT 20;
SELECT id, name, duration FROM span WHERE duration > 100000;
