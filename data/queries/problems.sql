-- title: Problems in the Input
-- description: Input that could not be read, was repaired or was dropped, by file.
SELECT path, severity, code, count, offset, message
FROM problem
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, path, id
