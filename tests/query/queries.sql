-- Queries that must have the same results for a run and for its exported file; test-export.py compares them. Each query ends with a
-- semicolon at the end of a line. Subqueries take ids, tracks and times from the run, so that the queries work for any run.

-- Scans.
SELECT count(*), sum(duration), min(start), max(start + duration) FROM span;
SELECT * FROM span;
SELECT * FROM instant;
SELECT * FROM counter;
SELECT * FROM sample;
SELECT * FROM flow;
SELECT * FROM track;
SELECT * FROM process;
SELECT * FROM source;
SELECT * FROM clock;
SELECT * FROM step;
SELECT * FROM collective;
SELECT * FROM finding;
SELECT * FROM problem;

-- Ids.
SELECT * FROM span WHERE id = (SELECT max(id) FROM span);
SELECT * FROM span WHERE rowid = (SELECT min(id) FROM span WHERE depth = 2);
SELECT * FROM span WHERE id = -1;
SELECT * FROM span WHERE id = 1e300;
SELECT * FROM span WHERE id IN (SELECT id FROM span WHERE name LIKE '%forward%');
SELECT count(*) FROM span WHERE id > (SELECT avg(id) FROM span);
SELECT count(*) FROM span WHERE id BETWEEN (SELECT min(id) + 10 FROM span) AND (SELECT max(id) - 10 FROM span);
SELECT count(*) FROM span WHERE id <= 4294967296.5;
SELECT count(*) FROM span WHERE id IS NULL OR id = '17';
SELECT * FROM track WHERE id >= 3 AND id < 9;
SELECT * FROM process WHERE id <= 2.5;
SELECT * FROM step WHERE id > 3 AND id <= 7;
SELECT * FROM problem WHERE id > 9223372036854775000;

-- Times. The unary plus keeps SQLite from passing a condition to the table.
SELECT count(*) FROM span WHERE start >= (SELECT min(start) + 2000000000 FROM span);
SELECT count(*) FROM span WHERE start > (SELECT min(start) FROM span) AND start < (SELECT min(start) + 3000000000 FROM span);
SELECT count(*) FROM span WHERE start = (SELECT max(start) FROM span);
SELECT id FROM span WHERE start IN (SELECT start FROM span WHERE depth = 3);
SELECT count(*) FROM span WHERE start < (SELECT avg(start) FROM span) AND duration > 1000000;
SELECT count(*) FROM span WHERE duration = 0;
SELECT count(*) FROM span WHERE duration >= 1000.5 AND duration < 20000.5;
SELECT count(*) FROM span WHERE duration < -1 OR duration IS NULL;
SELECT count(*) FROM span WHERE start > NULL;
SELECT count(*) FROM span WHERE start > 'text';
SELECT count(*) FROM span WHERE start < '9';
SELECT count(*) FROM instant WHERE time >= (SELECT avg(time) FROM instant);
SELECT counter, count(*), sum(value) FROM sample WHERE time < (SELECT avg(time) FROM sample) GROUP BY counter;
SELECT * FROM sample WHERE counter = 2 AND time > (SELECT min(time) FROM sample WHERE counter = 2);
SELECT * FROM sample WHERE counter = (SELECT max(id) FROM counter);
SELECT * FROM sample WHERE counter = 100000 OR counter = -1;

-- Names, categories, kinds.
SELECT count(*) FROM span WHERE name = (SELECT name FROM span GROUP BY name ORDER BY count(*) DESC, name LIMIT 1);
SELECT count(*) FROM span WHERE name = 'there is no such name';
SELECT count(*) FROM span WHERE name = 5;
SELECT name, count(*) FROM span WHERE name LIKE '%NCCL%' GROUP BY name;
SELECT name, count(*) FROM span WHERE name GLOB '*nccl*' GROUP BY name;
SELECT name, count(*) FROM span WHERE name LIKE 'a_en%' ESCAPE '\' GROUP BY name;
SELECT count(*) FROM span WHERE name = 'ATEN::MM' COLLATE NOCASE;
SELECT count(*) FROM span WHERE name > 'm' AND name < 'n';
SELECT category, kind, count(*), sum(duration) FROM span GROUP BY category, kind;
SELECT count(*) FROM span WHERE category IS NULL;
SELECT count(*) FROM span WHERE category = '';
SELECT count(*) FROM span WHERE category <> 'cpu_op';
SELECT count(*) FROM span WHERE category = 'kernel' AND kind = 'compute';
SELECT count(*) FROM span WHERE kind IN ('compute', 'communication', 'none', NULL);
SELECT name, count(*) FROM instant WHERE name LIKE '%batch%' GROUP BY name;

-- Tracks, parents, ancestors and descendants.
SELECT track, count(*), sum(duration), sum(self) FROM span GROUP BY track;
SELECT count(*) FROM span WHERE track = (SELECT id FROM track WHERE kind = 'spans' ORDER BY events DESC LIMIT 1);
SELECT count(*) FROM span WHERE track = '40';
SELECT p.id, p.name, count(*), sum(c.duration) FROM span p JOIN span c ON c.parent = p.id GROUP BY p.id;
SELECT p.id FROM span p WHERE p.self <> p.duration - (SELECT coalesce(sum(c.duration), 0) FROM span c WHERE c.parent = p.id);
SELECT count(*) FROM span WHERE parent IS NULL;
SELECT count(*) FROM span WHERE parent = NULL;
SELECT depth, count(*), max(self), sum(open) FROM span GROUP BY depth;
SELECT count(*) FROM span c LEFT JOIN span p ON p.id = c.parent WHERE p.depth = c.depth - 1 AND p.track = c.track;

-- Typical joins.
SELECT f.id, a.name, b.name, f.to_start - f.from_start FROM flow f JOIN span a ON a.id = f.from_id JOIN span b ON b.id = f.to_id;
SELECT a.id, count(f.id) FROM span a JOIN flow f ON f.from_id = a.id GROUP BY a.id;
SELECT b.id, count(f.id) FROM span b JOIN flow f ON f.to_id = b.id GROUP BY b.id;
SELECT s.number, s.rank, count(*), sum(x.duration) FROM step s JOIN span x ON x.start >= s.start AND x.start < s.start + s.duration AND x.rank = s.rank GROUP BY s.id;
SELECT t.name, p.name, count(*) FROM span s JOIN track t ON t.id = s.track JOIN process p ON p.id = s.process GROUP BY t.id;
SELECT rank, sum(wait), count(*) FROM collective GROUP BY rank;
SELECT c.collective, s.name, s.start - c.arrival, s.duration - c.duration FROM collective c JOIN span s ON s.id = c.span;
SELECT s.id, c.state, count(*) FROM source s JOIN clock c ON c.id = s.clock GROUP BY s.id;
SELECT k.name, k.unit, count(*), avg(x.value) FROM counter k JOIN sample x ON x.counter = k.id GROUP BY k.id;

-- Args, windows, recursion.
SELECT id, json_extract(args, '$.epoch') FROM span WHERE args IS NOT NULL;
SELECT count(*), sum(length(args)) FROM span WHERE args LIKE '%stream%';
SELECT id, row_number() OVER (PARTITION BY track ORDER BY start, id) FROM span;
WITH RECURSIVE up(id, level) AS (SELECT max(id), 0 FROM span WHERE depth = 3 UNION ALL SELECT s.parent, level + 1 FROM up JOIN span s ON s.id = up.id WHERE s.parent IS NOT NULL) SELECT * FROM up;
SELECT trim(name, 'ae:'), instr(name, '::'), replace(name, 'a', 'bb'), count(*) FROM span GROUP BY 1, 2, 3;

-- Rows in the order of names.
SELECT name, count(*), sum(duration) FROM span GROUP BY name;
SELECT name, count(*) FROM span WHERE duration > (SELECT avg(duration) FROM span) GROUP BY name;
SELECT DISTINCT name FROM span;
SELECT name FROM span ORDER BY name LIMIT 200;
SELECT name, id FROM span ORDER BY name, id LIMIT 200;
SELECT name FROM span ORDER BY name DESC LIMIT 200;
SELECT name, count(*), min(time) FROM instant GROUP BY name;
SELECT s.name, count(*), max(s.start) FROM track t JOIN span s ON s.track = t.id GROUP BY s.name;
SELECT name, count(*) FROM span WHERE name IN ('forward', 'backward', 'Step:ModeKeys.TRAIN') GROUP BY name;
SELECT a.name, count(*) FROM span a JOIN span b ON b.parent = a.id GROUP BY a.name;

-- Rows in the order of ids, times, tracks and durations.
SELECT id FROM span ORDER BY id DESC LIMIT 20;
SELECT id FROM span ORDER BY start, id LIMIT 50;
SELECT id, name FROM span WHERE name LIKE '%forward%' ORDER BY start DESC, id DESC LIMIT 20;
SELECT id FROM span ORDER BY duration DESC, id LIMIT 20;
SELECT id FROM span WHERE kind = 'compute' ORDER BY duration DESC, id LIMIT 20;
SELECT id FROM instant ORDER BY time, id LIMIT 20;
SELECT min(id), max(id) FROM span;
SELECT (SELECT min(start) FROM span), (SELECT max(start) FROM span), (SELECT max(duration) FROM span);
SELECT track, min(start), max(start + duration) FROM span GROUP BY track;

-- Sums that are computed in batches of rows.
SELECT count(*), count(start), sum(duration), total(duration), avg(duration), min(start), max(start) FROM span;
SELECT count(*), sum(duration), max(start) FROM span WHERE name LIKE '%forward%' AND duration > 1000;
SELECT sum(duration), min(duration) FROM span WHERE start >= (SELECT avg(start) FROM span);
SELECT sum(duration) / count(*), max(start) - min(start) FROM span WHERE category = 'cpu_op' AND start > 0;
SELECT count(*), sum(duration) FROM span WHERE kind = 'compute' HAVING count(*) > 1;
SELECT id FROM span WHERE rank = 3;
SELECT count(*), sum(duration), max(start) FROM span WHERE rank = 2;
SELECT count(*), sum(duration) FROM span WHERE rank = -1;
SELECT count(*) FROM span WHERE rank = 2.0;
SELECT count(*) FROM span WHERE rank = 2.5;
SELECT count(*) FROM span WHERE rank = '2';
SELECT count(*) FROM span WHERE rank = NULL OR rank IS NULL;
SELECT rank, count(*) FROM span WHERE rank IN (0, 2, 99) GROUP BY rank;
SELECT id, rank FROM span WHERE rank = 1 AND name LIKE 'aten::%' ORDER BY duration DESC, id LIMIT 20;
SELECT id, rank, scope FROM instant WHERE rank = 1;
SELECT p.id, (SELECT count(*) FROM span WHERE rank = p.rank) FROM process p;
SELECT step.id, span.name, count(*) FROM step JOIN span ON span.start >= step.start AND span.start < step.start + step.duration AND span.rank = step.rank GROUP BY step.id, span.name;

-- NULL, comparisons of texts, depths, processes. The sum keeps a condition next to others in one batch.
SELECT count(*), sum(duration) FROM span WHERE category IS NULL;
SELECT count(*), sum(duration) FROM span WHERE category IS NOT NULL AND category <> 'kernel';
SELECT count(*), sum(duration) FROM span WHERE category LIKE '%' AND category >= '';
SELECT count(*) FROM span WHERE kind IS NULL OR name IS NULL;
SELECT count(*) FROM span WHERE kind IS NULL;
SELECT count(*), sum(duration) FROM span WHERE name > 'm' AND name <= 'nccl';
SELECT count(*) FROM span WHERE name <> 'aten::mm' AND name >= 'aten' AND name < 'b';
SELECT count(*) FROM span WHERE name > 5;
SELECT count(*) FROM span WHERE name < x'6161' OR name > NULL;
SELECT count(*) FROM span WHERE name < x'6161';
SELECT count(*) FROM span WHERE name > 'aten::mm' || char(0) || 'x' AND name < 'c';
SELECT count(*) FROM span WHERE name <> 'forward' || char(0);
SELECT count(*) FROM span WHERE name IS 'forward';
SELECT count(*) FROM span WHERE name IS NOT 'forward' AND name <> 'backward';
SELECT count(*) FROM span WHERE name > 'M' COLLATE NOCASE;
SELECT count(*), sum(duration), max(start) FROM span WHERE parent IS NULL AND duration > 1000;
SELECT count(*), sum(duration) FROM span WHERE parent IS NOT NULL;
SELECT count(*) FROM span WHERE parent IS NULL AND parent IS NOT NULL;
SELECT id, parent FROM span WHERE parent IS NOT NULL AND name LIKE '%a%' ORDER BY start DESC, id DESC LIMIT 100;
SELECT id, parent FROM span WHERE parent IS NULL ORDER BY duration DESC, id LIMIT 100;
SELECT id, parent FROM span ORDER BY name DESC, id LIMIT 500;
SELECT depth, parent IS NULL, count(*) FROM span WHERE depth > 0 GROUP BY 1, 2;
SELECT count(*), sum(duration) FROM span WHERE depth = 0;
SELECT count(*), sum(duration) FROM span WHERE depth BETWEEN 1 AND 2 AND duration > 0;
SELECT count(*) FROM span WHERE depth < 1.5;
SELECT count(*) FROM span WHERE depth IS NULL;
SELECT count(*) FROM span WHERE depth IS NOT NULL AND process IS NOT NULL;
SELECT p.id, (SELECT count(*) FROM span WHERE process = p.id), (SELECT sum(duration) FROM span WHERE process <= p.id) FROM process p;
SELECT p.id, count(*) FROM process p JOIN instant i ON i.process = p.id GROUP BY p.id;
SELECT count(*) FROM instant WHERE process > 0;
SELECT count(*) FROM instant WHERE process IS NULL;
SELECT count(*), sum(duration) FROM span WHERE rank < 2;
SELECT count(*), sum(duration) FROM span WHERE rank IS NULL;
SELECT count(*), sum(duration) FROM span WHERE rank IS NOT NULL AND rank >= 1 AND rank <> 3;
SELECT count(*) FROM span WHERE rank IS NULL AND rank > 0;
SELECT count(*) FROM instant WHERE rank IS NULL;
SELECT name FROM span WHERE duration > 1000 ORDER BY name DESC, id LIMIT 100;
SELECT name, id FROM span WHERE track = 1 ORDER BY name DESC, id DESC LIMIT 100;

-- Conditions that the virtual table evaluates and SQLite does not check again: real numbers, texts compared with numbers and blobs,
-- NOCASE, IS, values of subqueries.
SELECT count(*), min(id), max(id) FROM span WHERE id > 2.5 AND id <= 1e300;
SELECT count(*) FROM span WHERE id >= -1e300 AND start < 1e19 AND duration >= 0.5 AND depth <> 1.5;
SELECT count(*) FROM span WHERE id = 3.0 OR id < -9223372036854775808.0;
SELECT count(*) FROM span WHERE duration BETWEEN '1000' AND 2000.25;
SELECT count(*) FROM span WHERE start > x'31' OR duration < x'31';
SELECT count(*), sum(duration) FROM span WHERE name >= 5.5 AND category <> 7;
SELECT count(*), sum(duration) FROM span WHERE name < -5 OR kind > x'';
SELECT count(*), sum(duration) FROM span WHERE kind = 'COMPUTE' COLLATE NOCASE AND name <> 'GEMM' COLLATE NOCASE;
SELECT count(*) FROM span WHERE name IN ('Forward', 'BACKWARD' COLLATE NOCASE);
SELECT count(*) FROM span WHERE category IS 'cpu_op';
SELECT count(*) FROM span WHERE category IS NOT 'cpu_op';
SELECT count(*) FROM span WHERE rank IS 1 AND depth IS 0;
SELECT count(*) FROM span WHERE rank IS NOT 1;
SELECT count(*) FROM span WHERE rank IS (SELECT max(rank) + 1000 FROM process WHERE id < 0);
SELECT count(*) FROM span WHERE parent IS (SELECT max(id) FROM span WHERE id < 0) AND duration > 10;
SELECT count(*) FROM span WHERE id IS NULL;
SELECT count(*) FROM span WHERE duration IS NOT NULL AND id IS NOT NULL AND name IS NOT NULL;
SELECT count(*) FROM span s JOIN track t ON s.name = t.id;
SELECT count(*) FROM span s JOIN track t ON s.name > t.id WHERE t.id < 2;
SELECT t.id, count(*) FROM track t LEFT JOIN span s ON s.track = t.id AND s.duration > 100000 GROUP BY t.id;
SELECT t.id FROM track t LEFT JOIN span s ON s.track = t.id WHERE s.id IS NULL;
SELECT count(*) FROM span a LEFT JOIN span b ON b.parent = a.id AND b.depth IS 1 WHERE b.id IS NULL;
SELECT count(*) FROM span a WHERE NOT EXISTS (SELECT 1 FROM span b WHERE b.parent = a.id AND b.name IS NOT a.name);
SELECT count(*), sum(duration), max(duration) FROM span WHERE duration > (SELECT avg(duration) FROM span) AND start < (SELECT max(start) FROM span);
SELECT (SELECT sum(duration) FROM span WHERE kind = 'compute'), (SELECT count(*) FROM span), (SELECT avg(duration) FROM span WHERE depth > 0);
SELECT max(duration) - min(duration), (SELECT max(start) FROM span) FROM span WHERE id IN (SELECT id FROM span WHERE depth = 1);
SELECT count(*), count(rank), count(parent), sum(rank), avg(depth) FROM span WHERE name IN ('forward', 'backward');
SELECT id FROM span WHERE duration > (SELECT avg(duration) FROM span WHERE depth = 0) ORDER BY id LIMIT 50;
SELECT count(*) FROM span WHERE kind = 'overhead' OR name LIKE '%over%';
SELECT sum(duration) OVER (ORDER BY id) FROM span WHERE depth = 0 AND kind IS 'operator';
SELECT count(*) FROM instant WHERE name IS NOT 'x' AND time > 1.5 AND rank IS NOT NULL;

-- Rare names, DISTINCT, the first rows in the order of names.
SELECT DISTINCT name FROM span ORDER BY name DESC;
SELECT DISTINCT name FROM span WHERE duration > 1000000;
SELECT DISTINCT name FROM span WHERE name > 'b' AND length(name) > 5 ORDER BY name;
SELECT DISTINCT name FROM span WHERE name = 'there is no such name';
SELECT DISTINCT name FROM span ORDER BY name LIMIT 3 OFFSET 2;
SELECT DISTINCT name, category FROM span;
SELECT DISTINCT category, kind FROM span ORDER BY 2, 1;
SELECT DISTINCT category FROM span WHERE category IS NOT NULL AND depth > 0;
SELECT DISTINCT kind, rank FROM span WHERE track % 2 = 0;
SELECT DISTINCT track FROM span ORDER BY track;
SELECT DISTINCT track, depth FROM span ORDER BY track DESC, depth;
SELECT DISTINCT process, rank FROM span WHERE duration > 5000;
SELECT DISTINCT rank FROM span WHERE name LIKE '%nccl%' ORDER BY rank DESC;
SELECT DISTINCT depth FROM span WHERE parent IS NOT NULL;
SELECT DISTINCT name FROM instant;
SELECT DISTINCT category, process FROM instant;
SELECT DISTINCT s.name FROM track t JOIN span s ON s.track = t.id WHERE t.device = 1;
SELECT DISTINCT t.name, s.kind FROM track t JOIN span s ON s.track = t.id;
SELECT count(DISTINCT name), count(DISTINCT kind), count(DISTINCT track) FROM span;
SELECT count(DISTINCT name) FROM span WHERE depth = 1;
SELECT name, category FROM span GROUP BY name, category;
SELECT name FROM span GROUP BY name HAVING count(*) > 3 ORDER BY name LIMIT 5;
SELECT name, id FROM span WHERE name > 'm' ORDER BY name, id LIMIT 100 OFFSET 50;
SELECT name FROM span WHERE name >= 'a' AND name < 'c' ORDER BY name DESC LIMIT 20;
SELECT id, name, start FROM span WHERE name IN ('forward', 'backward');
SELECT id FROM span WHERE name = 'forward' AND depth > 0 AND duration > 10;
SELECT count(*), sum(duration), min(start), max(start) FROM span WHERE name = 'forward' AND track > 2;
SELECT count(*), sum(duration) FROM span WHERE name LIKE '%Step%' AND rank = 1;
SELECT count(*), sum(duration) FROM span WHERE name GLOB 'n*' AND category IS NOT NULL AND parent IS NULL;
SELECT count(*), sum(duration) FROM span WHERE id > (SELECT avg(id) FROM span) AND name = 'backward';
SELECT p.id, s.name FROM process p JOIN span s ON s.rank = p.rank AND s.name = 'backward' ORDER BY s.id LIMIT 100;
SELECT id, time FROM instant WHERE name LIKE '%batch%';

-- Sums of groups.
SELECT name, count(*), sum(duration), avg(duration), min(start), max(start) FROM span GROUP BY name ORDER BY name DESC;
SELECT name, count(*), sum(self) FROM span WHERE duration > 1000 GROUP BY name HAVING count(*) > 2;
SELECT name, max(duration), name || 'x' FROM span WHERE kind = 'compute' GROUP BY name;
SELECT name, category, count(*) FROM span GROUP BY name, category;
SELECT depth, count(*), sum(duration), max(self), sum(open) FROM span GROUP BY depth;
SELECT depth, max(id), count(*) FROM span GROUP BY depth ORDER BY depth DESC;
SELECT rank, count(*), sum(duration) FROM span GROUP BY rank;
SELECT rank, depth, count(*), avg(duration) FROM span WHERE duration > 500 GROUP BY rank, depth;
SELECT rank, depth FROM span GROUP BY rank, depth ORDER BY rank DESC, depth DESC;
SELECT process, track, depth, min(start), count(start) FROM span WHERE name LIKE '%a%' GROUP BY process, track, depth;
SELECT track, depth, max(duration) FROM span GROUP BY track;
SELECT track, name, max(duration), min(start) FROM span WHERE track < 3 GROUP BY track;
SELECT track, count(*), count(parent), total(depth) FROM span GROUP BY track HAVING sum(duration) > 1000000;
SELECT track, sum(duration) FROM span WHERE track > 2 GROUP BY track ORDER BY track DESC LIMIT 3;
SELECT max(c), sum(c) FROM (SELECT count(*) AS c FROM span GROUP BY name);
SELECT track, (SELECT count(*) FROM span b WHERE b.track = a.track), count(*) FROM span a GROUP BY track;
SELECT id FROM span ORDER BY depth, track, id LIMIT 20;
SELECT track, depth, rank FROM span WHERE parent IS NULL ORDER BY rank DESC, track LIMIT 40;
SELECT name, count(*) FROM span WHERE rank = 1 AND name > 'c' GROUP BY name;
SELECT process, rank, count(*) FROM instant GROUP BY process, rank;
SELECT depth, count(*) FROM span a GROUP BY depth HAVING count(*) > (SELECT count(*) / 20 FROM span b WHERE b.depth = a.depth + 1);
SELECT name, (SELECT sum(duration) FROM span b WHERE b.name = a.name), sum(duration), count(*) FROM span a WHERE depth = 1 GROUP BY name;
SELECT DISTINCT name FROM span ORDER BY name LIMIT 4 OFFSET 3;
SELECT DISTINCT name, name || 'x' FROM span ORDER BY name DESC;
SELECT DISTINCT track, rank FROM span WHERE duration > 100 ORDER BY track DESC, rank LIMIT 7;
SELECT DISTINCT depth FROM span WHERE name LIKE '%a%' ORDER BY depth DESC;
SELECT DISTINCT name, count(*) OVER () FROM span ORDER BY name;
SELECT count(DISTINCT name), sum(duration) FROM span GROUP BY depth;

-- Lists of values.
SELECT id FROM span WHERE start IN (SELECT start FROM span WHERE depth = 2 LIMIT 3);
SELECT count(*), sum(duration) FROM span WHERE start IN (SELECT start + 1 FROM span UNION SELECT start FROM span WHERE depth = 0);
SELECT count(*), sum(duration) FROM span WHERE duration IN (SELECT duration FROM span WHERE depth = 1);
SELECT id FROM span WHERE duration IN (0, '1000', 2000.0, 2000.5, NULL, 'text', x'00') ORDER BY id LIMIT 30;
SELECT count(*) FROM span WHERE start IN (SELECT start FROM span WHERE id < 0);
SELECT count(*) FROM span WHERE start NOT IN (SELECT start FROM span WHERE depth = 0);
SELECT count(*) FROM span WHERE start IN (SELECT start FROM span WHERE depth = 0) AND start IN (SELECT start FROM span WHERE depth = 1);
SELECT count(*) FROM span WHERE start IN (SELECT start FROM span WHERE depth = 1) AND start > (SELECT avg(start) FROM span);
SELECT start, count(*) FROM span WHERE start IN (SELECT start FROM span WHERE depth = 1) GROUP BY start;
SELECT a.id, b.id FROM span a JOIN span b ON b.start IN (a.start, a.start + a.duration) AND b.track = a.track WHERE a.depth = 1;
SELECT count(*) FROM instant WHERE time IN (SELECT time FROM instant WHERE name LIKE '%a%');
SELECT DISTINCT name FROM span WHERE rowid % 97 = 3 ORDER BY name;
SELECT DISTINCT depth FROM span WHERE rowid % 97 = 3 ORDER BY depth;
SELECT DISTINCT s.rank, s.rowid FROM span s JOIN track t ON t.id = s.track ORDER BY s.rowid;
SELECT count(*) FROM span WHERE rank < 'a';
SELECT count(*) FROM span WHERE rank > -1e300;
SELECT count(*) FROM span WHERE rank >= -9223372036854775808;
SELECT id FROM span WHERE id <= -9223372036854775800;
SELECT track, start FROM span WHERE start IN (SELECT start FROM span WHERE id % 1000 = 1) ORDER BY track, start;
SELECT track, count(*) FROM span WHERE start IN (SELECT start FROM span WHERE id % 1000 = 1) GROUP BY track ORDER BY track;
SELECT count(*) FROM span WHERE start IN (SELECT start FROM span) AND start IN (SELECT start FROM span WHERE depth % 2);
SELECT depth, sum(duration) FILTER (WHERE NOT depth) FROM span GROUP BY depth ORDER BY depth;
SELECT rank, sum(duration) FILTER (WHERE NOT rank), count(*) FROM span GROUP BY rank ORDER BY rank;
SELECT depth, rank, sum(duration) FILTER (WHERE NOT depth) FROM span GROUP BY depth, rank ORDER BY depth, rank;
SELECT track, min(start) FILTER (WHERE depth), max(start) FROM span GROUP BY track ORDER BY track;

-- Orders by id of names and of listed values, conditions <> on columns of a row, texts that are computed once.
SELECT id FROM span ORDER BY id LIMIT 50;
SELECT id, name FROM span WHERE duration > 1000 ORDER BY id LIMIT 50 OFFSET 30;
SELECT id, name FROM span WHERE name = 'backward' ORDER BY id LIMIT 20;
SELECT id, name FROM span WHERE name LIKE '%Step%' AND rank = 1 ORDER BY id DESC LIMIT 20;
SELECT id, start FROM span WHERE name IN ('forward', 'backward') AND depth > 0 ORDER BY start, id LIMIT 40;
SELECT id, start FROM span WHERE name GLOB '*nccl*' ORDER BY start DESC, id DESC LIMIT 40;
SELECT track, id FROM span WHERE name LIKE '%forward%' ORDER BY track, start, id LIMIT 40;
SELECT id FROM span WHERE category = 'there is no such category' ORDER BY id;
SELECT id, time FROM instant WHERE name LIKE '%batch%' ORDER BY time, id LIMIT 20;
SELECT depth, rank, id FROM span ORDER BY depth DESC, rank, id LIMIT 60;
SELECT id FROM span ORDER BY rank DESC, depth, track, process, id LIMIT 60;
SELECT id, duration FROM span WHERE duration IN (SELECT duration FROM span WHERE depth = 0) ORDER BY id LIMIT 40;
SELECT id FROM span WHERE duration IN (SELECT duration FROM span WHERE depth = 0) ORDER BY id DESC LIMIT 40;
SELECT id FROM span WHERE duration IN (SELECT duration FROM span) AND duration IN (SELECT duration FROM span WHERE depth = 1) AND rank = 2;
SELECT count(*), sum(duration) FROM span WHERE duration IN (SELECT duration FROM span WHERE id % 5 = 1) AND duration > 1000 AND start > (SELECT avg(start) FROM span);
SELECT count(*) FROM span WHERE duration IN (NULL, 'text', 2000.5);
SELECT count(*), sum(duration) FROM span WHERE rank <> 3;
SELECT count(*), sum(duration) FROM span WHERE rank IS NOT 3;
SELECT count(*) FROM span WHERE rank <> 2.0 AND rank <> '1' AND rank <> 0.5 AND rank <> 'text' AND rank <> x'00';
SELECT count(*) FROM span WHERE rank <> NULL;
SELECT count(*), sum(duration) FROM span WHERE depth <> 0 AND depth IS NOT 2 AND track <> 3 AND process <> 1;
SELECT count(*) FROM instant WHERE track <> (SELECT min(track) FROM instant) AND process <> 0;
SELECT count(*), sum(duration) FROM span WHERE track < 3 OR track > 8;
SELECT id FROM span WHERE track BETWEEN 2 AND 4.5 AND depth = 0;
SELECT t.id, (SELECT count(*) FROM span WHERE track > t.id), (SELECT count(*) FROM span WHERE rank <> t.rank) FROM track t;
SELECT count(*), sum(duration) FROM span WHERE name <> 'for' || 'ward' AND category < 'k' || char(120);
SELECT count(*), sum(duration) FROM span WHERE name = replace('xforward', 'x', '') OR name LIKE '%back' || '%';
SELECT id FROM span WHERE category = 'kernel' OR kind > 'p' OR name LIKE '%Step%';

-- Batches of ends and of columns that may be NULL, columns of the span with the greatest or least value of a group. The last
-- need a single such span in each group.
SELECT min(start), max(start + duration), max(duration + start) - min(start) FROM span;
SELECT track, rank, max(start + duration), sum(duration) FROM span GROUP BY track, rank;
SELECT name, min(start + duration), avg(start + duration), count(*) FROM span WHERE duration > 100 GROUP BY name;
SELECT count(DISTINCT start + duration), max(start + duration) FROM span;
SELECT max(start + start), sum(duration + duration), max(start - duration) FROM span;
SELECT count(parent), min(parent), max(parent), count(*) FROM span;
SELECT depth, count(parent), max(parent), count(rank), sum(rank), avg(rank), total(rank) FROM span GROUP BY depth;
SELECT name, count(parent), count(rank), min(rank), max(rank) FROM span WHERE duration > 10 GROUP BY name;
SELECT sum(rank), count(rank) FROM span WHERE rank IS NULL;
SELECT max(parent) FROM span WHERE parent IS NULL AND duration > 10;
SELECT rank, depth, max(rank), count(parent) FROM span GROUP BY rank, depth HAVING count(parent) >= 0;
SELECT name, max(id), start, duration, depth, track, rank, parent, self FROM span GROUP BY name;
SELECT name, min(id), start, category, kind, duration FROM span WHERE duration > 1000 GROUP BY name ORDER BY name DESC;
SELECT depth, max(id), name, start, count(*), sum(duration) FROM span GROUP BY depth;
SELECT track, name, min(id), parent, count(*) FROM span WHERE name LIKE '%a%' GROUP BY track;
SELECT rank, max(id), name, count(*) FROM span GROUP BY rank;
SELECT track, max(duration) = (SELECT max(duration) FROM span b WHERE b.track = a.track), duration = max(duration) FROM span a GROUP BY track;
SELECT name, duration - max(duration), id IN (SELECT id FROM span b WHERE b.name = a.name) FROM span a GROUP BY name;
SELECT depth, max(id), (SELECT count(*) FROM span) FROM span WHERE id % 2 = 0 GROUP BY depth;
SELECT depth, max(id), name, (SELECT count(*) FROM span) FROM span WHERE id % 2 = 0 GROUP BY depth;
SELECT max(id), name, count(*) FROM span;
SELECT min(id), name, start, sum(duration) FROM span WHERE depth = 1;
SELECT depth, id IN (SELECT id FROM span b WHERE b.depth = a.depth), count(*) FROM span a GROUP BY depth;
SELECT name, name = (SELECT name FROM span b WHERE b.id = a.id), count(*), max(rank) FROM span a GROUP BY name;
SELECT name, start + 0 = (SELECT start FROM span b WHERE b.id = a.id), count(*), sum(duration) FROM span a GROUP BY name;
SELECT depth, sum(duration) FILTER (WHERE rank), max(start + duration) FILTER (WHERE NOT rank) FROM span GROUP BY depth;

-- Orders by name, category and kind.
SELECT category, kind, count(*), sum(duration), max(start + duration), count(parent) FROM span GROUP BY category, kind;
SELECT kind, count(*), sum(self) FROM span GROUP BY kind;
SELECT kind, category, count(*) FROM span WHERE duration > 1000 AND rank <> 1 GROUP BY kind, category ORDER BY kind DESC, category DESC;
SELECT category, count(*) FROM span GROUP BY category HAVING count(*) > 5 ORDER BY category DESC;
SELECT category, count(*), name || 'x' FROM instant GROUP BY category, name;
SELECT name, category, kind, count(*), avg(duration) FROM span WHERE track > 2 GROUP BY name, category, kind;
SELECT kind, name, sum(duration) FROM span WHERE name LIKE '%a%' GROUP BY kind, name ORDER BY 1, 2 DESC;
SELECT kind, sum(duration), count(DISTINCT name) FROM span GROUP BY kind;
SELECT DISTINCT kind FROM span;
SELECT DISTINCT kind, name FROM span WHERE duration > 10000 ORDER BY kind, name LIMIT 30;
SELECT DISTINCT category, kind FROM span WHERE rank = 2 ORDER BY kind DESC, category LIMIT 4;
SELECT DISTINCT category FROM span WHERE rowid % 3 = 1 ORDER BY category;
SELECT kind, category FROM span WHERE depth = 2 ORDER BY kind, category LIMIT 100;
SELECT category, kind, name FROM span WHERE category IS NULL OR kind = 'operator' ORDER BY category, kind, name;
SELECT kind, (SELECT count(*) FROM span b WHERE b.kind = a.kind), count(*) FROM span a GROUP BY kind;
SELECT kind, group_concat(id % 7) IS NOT NULL, sum(id) FROM span WHERE name <> 'forward' GROUP BY kind;
SELECT depth, count(*), sum(id * 2) FROM span WHERE name = 'forward' GROUP BY depth;
SELECT rank, depth, sum(id * 2) FROM span WHERE name LIKE '%back%' GROUP BY rank, depth;
SELECT depth, id FROM span WHERE name LIKE '%back%' ORDER BY depth, id LIMIT 40;
