DELETE FROM app_secrets WHERE app = ?1
DELETE FROM apps
DELETE FROM apps WHERE id = ?1
DELETE FROM artefact_destinations WHERE app = ?1 AND artefact = ?2
DELETE FROM attachments WHERE report = ?1
DELETE FROM browsers WHERE account = ?1 AND id <> ?2
DELETE FROM counted_reports WHERE origin IN (SELECT id FROM origins WHERE grp IN (SELECT id FROM groups WHERE app = ?1))
DELETE FROM counters WHERE grp IN (SELECT id FROM groups WHERE app = ?1)
DELETE FROM debug_file_releases WHERE app = ?1
DELETE FROM distribution_news WHERE app = ?1 AND number <= ( SELECT number FROM distribution_news WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET 5000)
DELETE FROM group_days WHERE grp = ?1 AND count <= 0
DELETE FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3 AND (count <= 0 OR NOT EXISTS (SELECT 1 FROM reports WHERE grp = ?1 AND install = ?2 AND origin = ?3) AND (?4 OR NOT EXISTS ( SELECT 1 FROM counted_reports WHERE install = ?2 AND origin = ?3)))
DELETE FROM group_installs WHERE grp = ?1 AND origin = ?2
DELETE FROM group_installs WHERE grp IN (SELECT id FROM groups WHERE app = ?1)
DELETE FROM group_installs WHERE install = ?1 AND NOT EXISTS (SELECT 1 FROM reports WHERE reports.grp = group_installs.grp AND reports.install = ?1)
DELETE FROM group_spread WHERE grp = ?1 AND count <= 0
DELETE FROM group_versions WHERE grp = ?1 AND count <= 0
DELETE FROM key_links WHERE app = ?1 AND key = ?2
DELETE FROM key_links WHERE app = ?1 AND other = ?2
DELETE FROM origins WHERE grp IN (SELECT id FROM groups WHERE app = ?1)
DELETE FROM past_reports WHERE origin IN (SELECT id FROM origins WHERE grp IN (SELECT id FROM groups WHERE app = ?1))
DELETE FROM past_submissions WHERE app = ?1
DELETE FROM redo WHERE report = ?1
DELETE FROM regroup WHERE app = ?1
DELETE FROM regroup_changes WHERE origin IN (SELECT id FROM origins WHERE grp IN (SELECT id FROM groups WHERE app = ?1))
DELETE FROM report_versions WHERE report = ?1
DELETE FROM search_facts WHERE report = ?1
DELETE FROM search_incidents WHERE report = ?1
DELETE FROM search_queue WHERE report = ?1
DELETE FROM search_terms WHERE id = ?1
DELETE FROM session_events WHERE app = ?1 AND session = ?2 AND (time, id, name) NOT IN ( SELECT time, id, name FROM session_events WHERE app = ?1 AND session = ?2 ORDER BY time DESC, id DESC, name DESC LIMIT 100)
DELETE FROM sessions WHERE app = ?1
DELETE FROM submissions WHERE app = ?1
DELETE FROM tester_secrets WHERE app = ?1 AND tester = ?2
DELETE FROM update_installs WHERE app = ?1
DELETE FROM update_installs WHERE app = ?1 AND artefact = ?2
DELETE FROM uploads WHERE id IN ( SELECT id FROM ( SELECT id, row_number() OVER (PARTITION BY app ORDER BY created DESC, id) AS place FROM uploads WHERE status IN ('aborted', 'failed', 'indexed')) AS ended WHERE place > ?1)
DELETE FROM verdicts WHERE id <= (SELECT max(id) FROM verdicts) - ?1 OR finished < ?2
DELETE FROM waiting WHERE report = ?1
INSERT INTO client_reports (app, client, digest, kind, session, install, day, version, build, received) SELECT ?2, client, digest, kind, session, install, day, version, build, received FROM client_reports WHERE app = ?1 ON CONFLICT DO NOTHING
INSERT INTO counters (grp, origin, day, version, build, os, device, count) SELECT side_group, side_origin, day, version, build, os, device, sign * sum(count) FROM (SELECT version, build, os, device, (time - (time % 86400000000 + 86400000000) % 86400000000) / 86400000000 AS day, 1 AS count FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?5) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, side_origin, sign, day, version, build, os, device ON CONFLICT (grp, version, build, day, os, device, origin) DO UPDATE SET count = counters.count + excluded.count
INSERT INTO counters (grp, origin, day, version, build, os, device, count) SELECT side_group, side_origin, day, version, build, os, device, sign * sum(count) FROM (SELECT version, build, os, device, day, count FROM counted_reports WHERE origin = ?2 AND key = ?5) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, side_origin, sign, day, version, build, os, device ON CONFLICT (grp, version, build, day, os, device, origin) DO UPDATE SET count = counters.count + excluded.count
INSERT INTO counters (grp, origin, day, version, build, os, device, count) SELECT side_group, side_origin, day, version, build, os, device, sign * sum(count) FROM (SELECT version, build, os, device, day, count FROM counters WHERE grp = ?1 AND origin = ?2) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, side_origin, sign, day, version, build, os, device ON CONFLICT (grp, version, build, day, os, device, origin) DO UPDATE SET count = counters.count + excluded.count
INSERT INTO group_days (grp, day, count) SELECT side_group, day, sign * sum(count) FROM (SELECT version, build, os, device, (time - (time % 86400000000 + 86400000000) % 86400000000) / 86400000000 AS day, 1 AS count FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?5) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, sign, day ON CONFLICT (grp, day) DO UPDATE SET count = group_days.count + excluded.count
INSERT INTO group_days (grp, day, count) SELECT side_group, day, sign * sum(count) FROM (SELECT version, build, os, device, day, count FROM counters WHERE grp = ?1 AND origin = ?2) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, sign, day ON CONFLICT (grp, day) DO UPDATE SET count = group_days.count + excluded.count
INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created) SELECT ?1, reading, ?3, ?4, (SELECT rules FROM reports WHERE id = ?2), 0, ?5 FROM key_readings WHERE app = ?1 AND key = ?6 AND reading < '~' ON CONFLICT (app, key) DO UPDATE SET grp = ?3, origin = ?4 WHERE group_keys.is_main = 0 AND NOT EXISTS ( SELECT 1 FROM key_readings AS other JOIN group_keys AS main ON main.app = other.app AND main.key = other.key WHERE other.app = ?1 AND other.reading = group_keys.key AND main.origin = group_keys.origin AND main.is_main = 1 AND main.is_left = 0)
INSERT INTO group_keys (app, key, grp, origin, rules, is_main, is_left, created) SELECT ?1, key, origins.grp, origin, rules, is_main, is_left, created FROM rule_set_keys JOIN origins ON origins.id = rule_set_keys.origin WHERE app = ?1 AND number = ?2 ON CONFLICT (app, key) DO UPDATE SET grp = excluded.grp, origin = excluded.origin, is_main = excluded.is_main, is_left = excluded.is_left
INSERT INTO group_spread (grp, field, value, count) SELECT side_group, 'device', device, sign * sum(count) FROM (SELECT version, build, os, device, (time - (time % 86400000000 + 86400000000) % 86400000000) / 86400000000 AS day, 1 AS count FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?5) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, sign, device ON CONFLICT (grp, field, value) DO UPDATE SET count = group_spread.count + excluded.count
INSERT INTO group_spread (grp, field, value, count) SELECT side_group, 'device', device, sign * sum(count) FROM (SELECT version, build, os, device, day, count FROM counters WHERE grp = ?1 AND origin = ?2) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, sign, device ON CONFLICT (grp, field, value) DO UPDATE SET count = group_spread.count + excluded.count
INSERT INTO group_spread (grp, field, value, count) SELECT side_group, 'os', os, sign * sum(count) FROM (SELECT version, build, os, device, day, count FROM counters WHERE grp = ?1 AND origin = ?2) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, sign, os ON CONFLICT (grp, field, value) DO UPDATE SET count = group_spread.count + excluded.count
INSERT INTO group_versions ("grp", "version", "build", "count") VALUES (?1, ?2, ?3, ?4)
INSERT INTO group_versions (grp, version, build, count) SELECT side_group, version, build, sign * sum(count) FROM (SELECT version, build, os, device, day, count FROM counters WHERE grp = ?1 AND origin = ?2) AS moved CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides GROUP BY side_group, sign, version, build ON CONFLICT (grp, version, build) DO UPDATE SET count = group_versions.count + excluded.count
INSERT INTO known_fix_answers (app, version, build, day, way, count) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (app, version, build, day, way) DO UPDATE SET count = known_fix_answers.count + excluded.count
INSERT INTO ledger (app, day, what, reason, count, bytes) SELECT ?2, day, 'received', '', sum(count), sum(bytes) FROM (SELECT day, what, reason, count, bytes FROM ledger WHERE app = ?1 AND what = 'duplicate' UNION ALL SELECT time / 86400000000, 'refused', reason, 1, bytes FROM refused AS one WHERE app = ?1 AND NOT EXISTS (SELECT 1 FROM refused AS other WHERE other.app = ?2 AND other.source = one.source AND other.reason = one.reason AND other.digest = one.digest)) AS lines GROUP BY 2, 3, 4 ON CONFLICT (app, day, what, reason) DO UPDATE SET count = ledger.count + excluded.count, bytes = ledger.bytes + excluded.bytes
INSERT INTO ledger (app, day, what, reason, count, bytes) SELECT ?2, day, what, reason, sum(count), sum(bytes) FROM (SELECT day, what, reason, count, bytes FROM ledger WHERE app = ?1 AND what = 'duplicate' UNION ALL SELECT time / 86400000000, 'refused', reason, 1, bytes FROM refused AS one WHERE app = ?1 AND NOT EXISTS (SELECT 1 FROM refused AS other WHERE other.app = ?2 AND other.source = one.source AND other.reason = one.reason AND other.digest = one.digest)) AS lines GROUP BY 2, 3, 4 ON CONFLICT (app, day, what, reason) DO UPDATE SET count = ledger.count + excluded.count, bytes = ledger.bytes + excluded.bytes
INSERT INTO missing (image, grp, reports, deciding) SELECT image, side, sign * count(*), sign * sum(decides) FROM (SELECT id FROM reports WHERE grp = ?3 AND origin = ?4 AND key = ?5) AS moved JOIN waiting ON waiting.report = moved.id AND coalesce(named, 0) = 0 CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side, -1 AS sign UNION ALL SELECT CAST(?2 AS BIGINT), 1) AS sides GROUP BY image, side, sign ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + excluded.reports, deciding = missing.deciding + excluded.deciding
INSERT INTO missing (image, grp, reports, deciding) SELECT image, side, sign * count(*), sign * sum(decides) FROM (SELECT id FROM reports WHERE grp = ?3 AND origin = ?4) AS moved JOIN waiting ON waiting.report = moved.id AND coalesce(named, 0) = 0 CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side, -1 AS sign UNION ALL SELECT CAST(?2 AS BIGINT), 1) AS sides GROUP BY image, side, sign ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + excluded.reports, deciding = missing.deciding + excluded.deciding
INSERT INTO missing (image, grp, reports, deciding) SELECT image, side, sign * count(*), sign * sum(decides) FROM (SELECT id FROM reports WHERE id = ?3) AS moved JOIN waiting ON waiting.report = moved.id AND coalesce(named, 0) = 0 CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side, -1 AS sign UNION ALL SELECT CAST(?2 AS BIGINT), 1) AS sides GROUP BY image, side, sign ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + excluded.reports, deciding = missing.deciding + excluded.deciding
INSERT INTO missing (image, grp, reports, deciding) SELECT image, side, sign * count(*), sign * sum(decides) FROM (SELECT id FROM reports WHERE name = ?3) AS moved JOIN waiting ON waiting.report = moved.id AND coalesce(named, 0) = 0 CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side, -1 AS sign UNION ALL SELECT CAST(?2 AS BIGINT), 1) AS sides GROUP BY image, side, sign ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + excluded.reports, deciding = missing.deciding + excluded.deciding
INSERT INTO orphan_attachments (app, client, name, digest, content_type, size, received, install) SELECT ?2, client, name, digest, content_type, size, received, install FROM orphan_attachments WHERE app = ?1 ON CONFLICT DO NOTHING
INSERT INTO part_groups SELECT groups.id FROM groups JOIN part_groups ON groups.redirect = part_groups.id WHERE true ON CONFLICT DO NOTHING
INSERT INTO part_groups SELECT groups.redirect FROM groups JOIN part_groups ON groups.id = part_groups.id WHERE groups.redirect IS NOT NULL ON CONFLICT DO NOTHING
INSERT INTO part_groups SELECT older.grp FROM part_groups JOIN origins ON origins.grp = part_groups.id JOIN origins AS older ON older.id = origins.parent WHERE true ON CONFLICT DO NOTHING
INSERT INTO part_groups SELECT older.home FROM part_groups JOIN origins ON origins.grp = part_groups.id JOIN origins AS older ON older.id = origins.parent WHERE true ON CONFLICT DO NOTHING
INSERT INTO past_crashes (app, report, kind, time, version, build, person, session, received) SELECT ?2, report, kind, time, version, build, person, session, received FROM past_crashes WHERE app = ?1 ON CONFLICT DO NOTHING
INSERT INTO past_crashes (app, report, kind, time, version, build, person, session, received) SELECT app, name, kind, happened, version, build, person, session, received FROM reports WHERE id = ?1 AND kind IN ('crash', 'hang', 'oom') ON CONFLICT DO NOTHING
INSERT INTO redo (app, report) SELECT reports.app, reports.id FROM uses JOIN reports ON reports.id = uses.report WHERE image = (SELECT id FROM image_numbers WHERE debug_id = ?1) ON CONFLICT (report) DO UPDATE SET problem = NULL, rule_set = NULL
INSERT INTO redo (app, report) SELECT reports.app, reports.id FROM waiting JOIN reports ON reports.id = waiting.report WHERE image = (SELECT id FROM image_numbers WHERE debug_id = ?1) ON CONFLICT (report) DO UPDATE SET problem = NULL, rule_set = NULL
INSERT INTO regroup (app, origin, phase) SELECT groups.app, origins.id, 0 FROM origins JOIN groups ON groups.id = origins.home WHERE groups.app = ?1 ON CONFLICT (origin) DO UPDATE SET phase = 0
INSERT INTO rule_set_groups (app, number, grp, title, main_key, rules, provisional, redirect, joined, state, state_time, state_author, fixed_how, fixed_version, fixed_build, ignore_reports, ignore_users, ignore_until, assignee) SELECT app, ?2, id, title, main_key, rules, provisional, redirect, joined, state, state_time, state_author, fixed_how, fixed_version, fixed_build, ignore_reports, ignore_users, ignore_until, assignee FROM groups WHERE app = ?1
INSERT INTO search_facts (report, grp, time, received, install, uptime, stack, tags, version, build, release, kind, format, category, os_name, os_version, os_build, os, device, arch, process, signal, type, exception, code, headline, signature, "user", symbols, provisional, message, source) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32) ON CONFLICT (report) DO UPDATE SET grp = excluded.grp, time = excluded.time, received = excluded.received, install = excluded.install, uptime = excluded.uptime, stack = excluded.stack, tags = excluded.tags, version = excluded.version, build = excluded.build, release = excluded.release, kind = excluded.kind, format = excluded.format, category = excluded.category, os_name = excluded.os_name, os_version = excluded.os_version, os_build = excluded.os_build, os = excluded.os, device = excluded.device, arch = excluded.arch, process = excluded.process, signal = excluded.signal, type = excluded.type, exception = excluded.exception, code = excluded.code, headline = excluded.headline, signature = excluded.signature, "user" = excluded."user", symbols = excluded.symbols, provisional = excluded.provisional, message = excluded.message, source = excluded.source
INSERT INTO search_messages (report, text) VALUES (?1, ?2) ON CONFLICT (report) DO UPDATE SET text = excluded.text
INSERT INTO search_past (origin, counted, grp, time, received, install, uptime, stack, tags, version, build, release, kind, format, category, os_name, os_version, os_build, os, device, arch, process, signal, type, exception, code, headline, signature, "user", symbols, provisional, message, source) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)
INSERT INTO search_past (origin, grp, time, received, install, uptime, stack, tags, version, build, release, kind, format, category, os_name, os_version, os_build, os, device, arch, process, signal, type, exception, code, headline, signature, "user", symbols, provisional, message, source) SELECT ?2, grp, time, received, install, uptime, stack, 0, version, build, release, kind, format, category, os_name, os_version, os_build, os, device, arch, process, signal, type, exception, code, headline, signature, 0, symbols, provisional, 0, 0 FROM search_facts WHERE report = ?1
INSERT INTO search_stale (chunk) SELECT DISTINCT (id >> 13) + 1048576 FROM search_past WHERE counted > 0 AND counted IN (SELECT id FROM counted_reports WHERE origin = ?1 AND key = ?2 AND variant = ?3 AND version = ?4 AND build = ?5) ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT (id >> 13) + 1048576 FROM search_past WHERE counted > 0 AND counted IN (SELECT id FROM counted_reports WHERE origin = ?1 AND key = ?2) ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT (id >> 13) + 1048576 FROM search_past WHERE grp IN (SELECT id FROM groups WHERE app = ?1) ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT (id >> 13) + 1048576 FROM search_past WHERE origin = ?1 AND install = ?2 ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT (id >> 13) + 1048576 FROM search_past WHERE origin = ?1 ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT id >> 13 FROM reports WHERE app = ?1 ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT id >> 13 FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3 ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT id >> 13 FROM reports WHERE grp = ?1 AND origin = ?2 ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT id >> 13 FROM reports WHERE id = ?1 ON CONFLICT DO NOTHING
INSERT INTO search_stale (chunk) SELECT DISTINCT id >> 13 FROM reports WHERE name = ?1 ON CONFLICT DO NOTHING
INSERT INTO session_counts (app, id, day, version, build, sessions, crashed, received) SELECT ?2, id, day, version, build, sessions, crashed, received FROM session_counts WHERE app = ?1 ON CONFLICT DO NOTHING
INSERT INTO session_counts (app, id, day, version, build, sessions, crashed, received) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING
INSERT INTO sessions (app, id, day, version, install, received) SELECT ?2, id, day, version, install, received FROM sessions WHERE app = ?1 ON CONFLICT DO NOTHING
INSERT INTO uses ("image", "report") VALUES (?1, ?2)
SELECT "app", "number", "version", "build", "time", "author", "event", "detail" FROM distribution_history WHERE true ORDER BY "app", "number"
SELECT "id", "app", "digest", "source", "received", "bytes", "problem", "app_given" FROM submissions WHERE true ORDER BY "id"
SELECT "id", "app", "key", "variant", "words", "functions", "linking", "features", "reports" FROM key_stacks WHERE true ORDER BY "id"
SELECT * FROM counted_reports WHERE install = ?1 AND origin = ?2 ORDER BY id
SELECT * FROM counted_reports WHERE origin = ?1 AND key = ?2 AND variant = ?3 AND version = ?4 AND build = ?5 ORDER BY id
SELECT * FROM counted_reports WHERE origin = ?1 AND key = ?2 ORDER BY id
SELECT * FROM counted_reports WHERE origin = ?1 ORDER BY id
SELECT * FROM erasures
SELECT * FROM image_packages WHERE debug_id = ?1
SELECT * FROM intake_times
SELECT * FROM sign_in_links
SELECT * FROM tokens
SELECT 1 AS is_left FROM (SELECT origin, key, variant, version, build FROM reports WHERE grp = ?6 AND variant = ?3 LIMIT 2000) AS others WHERE origin = ?1 AND key = ?2 AND variant = ?3 AND version = ?4 AND build = ?5 LIMIT 1
SELECT 1 FROM (SELECT digest AS digest FROM artefacts WHERE (true) AND digest IS NOT NULL) AS digests WHERE digest = ?1 LIMIT 1
SELECT 1 FROM (SELECT digest AS digest FROM debug_file_bundles WHERE (true) AND digest IS NOT NULL) AS digests WHERE digest = ?1 LIMIT 1
SELECT 1 FROM (SELECT digest AS digest FROM debug_file_releases WHERE (true) AND digest IS NOT NULL) AS digests WHERE digest = ?1 LIMIT 1
SELECT 1 FROM (SELECT digest AS digest FROM debug_files WHERE (true) AND digest IS NOT NULL) AS digests WHERE digest = ?1 LIMIT 1
SELECT 1 FROM (SELECT icon AS digest FROM artefacts WHERE (true) AND icon IS NOT NULL) AS digests WHERE digest = ?1 LIMIT 1
SELECT 1 FROM apps WHERE name = ?1
SELECT 1 FROM counted_reports WHERE origin = ?1 AND key = ?2 AND variant = ?3 AND version = ?4 AND build = ?5 LIMIT 1
SELECT 1 FROM debug_files WHERE debug_id = ?1 AND kind != ?2 LIMIT 1
SELECT 1 FROM debug_files WHERE name = ?1 AND kind != ?2 LIMIT 1
SELECT 1 FROM group_history WHERE grp = ?1 AND (id > ?2 AND (event IN ('resolved', 'reopened', 'ignored') AND undone IS NULL OR event = 'merged' AND author = 'mayday') OR id < ?2 AND event IN ('resolved', 'reopened', 'ignored') AND undone > ?2)
SELECT 1 FROM group_history WHERE grp = ?1 AND id > ?2 AND event = 'assigned' AND undone IS NULL
SELECT 1 FROM group_history WHERE grp = ?1 AND id > ?2 AND event = 'ticketed' AND undone IS NULL
SELECT 1 FROM groups WHERE id = ?1 AND redirect = ?2 AND joined = 1
SELECT 1 FROM groups WHERE redirect = ?1 AND joined = 1
SELECT 1 FROM intake WHERE state = 2 AND id = ?1
SELECT 1 FROM key_readings WHERE app = ?1 AND key = ?2 AND weak = 1 AND reading < '~'
SELECT 1 FROM key_readings WHERE app = ?1 AND key = ?2 AND weak = 1 AND reading < '~' LIMIT 1
SELECT 1 FROM past_crashes WHERE app = ?1 AND kind = 'crash' AND time >= ?2 AND time < ?3 AND version = ?4 AND (build = ?5 OR build = '') LIMIT 1
SELECT 1 FROM past_crashes WHERE app = ?1 AND kind = 'crash' AND time >= ?2 AND time < ?3 AND version = ?4 LIMIT 1
SELECT 1 FROM past_crashes WHERE app = ?1 AND kind = 'crash' AND time >= ?2 AND time < ?3 LIMIT 1
SELECT 1 FROM releases WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '') LIMIT 1
SELECT 1 FROM reports WHERE app = ?1 AND kind = 'crash' AND happened >= ?2 AND happened < ?3 AND version = ?4 AND (build = ?5 OR build = '') LIMIT 1
SELECT 1 FROM reports WHERE app = ?1 AND kind = 'crash' AND happened >= ?2 AND happened < ?3 AND version = ?4 LIMIT 1
SELECT 1 FROM reports WHERE app = ?1 AND kind = 'crash' AND happened >= ?2 AND happened < ?3 LIMIT 1
SELECT 1 FROM search_facts WHERE "user" = ?1 LIMIT 1
SELECT 1 FROM search_stale WHERE chunk < (SELECT max(report) >> 13 FROM search_facts) OR chunk BETWEEN 1048576 AND (SELECT (max(id) >> 13) + 1048575 FROM search_past) LIMIT 1
SELECT 1 FROM session_counts WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '') LIMIT 1
SELECT 1 FROM session_counts WHERE app = ?1 LIMIT 1
SELECT 1 FROM sessions WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '') LIMIT 1
SELECT 1 FROM sessions WHERE app = ?1 LIMIT 1
SELECT 1 FROM uploads WHERE id = ?1 AND status IN ('created', 'committed', 'processing')
SELECT DISTINCT digest FROM (SELECT digest AS digest FROM debug_files WHERE (digest IN (SELECT digest FROM part_debug_files)) AND digest IS NOT NULL) AS digests ORDER BY digest
SELECT DISTINCT digest FROM (SELECT digest AS digest FROM debug_files WHERE (true) AND digest IS NOT NULL UNION ALL SELECT digest AS digest FROM debug_file_releases WHERE (true) AND digest IS NOT NULL UNION ALL SELECT digest AS digest FROM artefacts WHERE (true) AND digest IS NOT NULL UNION ALL SELECT icon AS digest FROM artefacts WHERE (true) AND icon IS NOT NULL) AS digests ORDER BY digest
SELECT DISTINCT digest FROM (SELECT digest AS digest FROM debug_files WHERE (true) AND digest IS NOT NULL UNION ALL SELECT digest AS digest FROM debug_file_releases WHERE (true) AND digest IS NOT NULL UNION ALL SELECT digest AS digest FROM debug_file_bundles WHERE (true) AND digest IS NOT NULL UNION ALL SELECT digest AS digest FROM artefacts WHERE (true) AND digest IS NOT NULL UNION ALL SELECT icon AS digest FROM artefacts WHERE (true) AND icon IS NOT NULL) AS digests ORDER BY digest
SELECT DISTINCT digest FROM (SELECT digest AS digest FROM debug_files WHERE (true) AND digest IS NOT NULL UNION ALL SELECT digest AS digest FROM debug_file_releases WHERE (true) AND digest IS NOT NULL) AS digests ORDER BY digest
SELECT DISTINCT grp FROM group_history JOIN groups ON groups.id = grp WHERE group_history.version = ?2 AND (group_history.build = ?3 OR ?3 = '') AND event = 'regressed' AND undone IS NULL AND groups.app = ?1
SELECT DISTINCT grp, group_history.version, group_history.build FROM group_history JOIN groups ON groups.id = grp WHERE group_history.version IS NOT NULL AND event = 'regressed' AND undone IS NULL AND groups.app = ?1
SELECT DISTINCT headline FROM search_facts WHERE headline IN (1) UNION SELECT DISTINCT headline FROM search_past WHERE headline IN (1)
SELECT DISTINCT message FROM search_facts WHERE message IN (1) UNION SELECT DISTINCT message FROM search_past WHERE message IN (1)
SELECT DISTINCT name, reason FROM refused_attachments WHERE app = ?1 AND (client = '' AND digest = ?2 OR client != '' AND client IN (SELECT client FROM client_reports WHERE app = ?1 AND digest = ?2)) ORDER BY name, reason
SELECT DISTINCT origins.id, home, origins.grp, parent, rule, weak FROM key_readings JOIN group_keys AS main ON main.app = key_readings.app AND main.key = key_readings.key JOIN origins ON origins.id = main.origin WHERE key_readings.app = ?1 AND reading = ?2 AND key_readings.key NOT IN (?2, ?3) AND (weak = 0 OR weak = 1 AND NOT EXISTS ( SELECT 1 FROM key_readings AS one JOIN key_readings AS other ON other.app = one.app AND other.key = key_readings.reading AND other.reading = one.reading WHERE one.app = key_readings.app AND one.key = key_readings.key AND one.reading >= '~')) AND main.is_main = 1 AND main.is_left = 0
SELECT DISTINCT report FROM waiting WHERE named IS NULL ORDER BY report LIMIT 500
SELECT DISTINCT source FROM search_facts WHERE source IN (1) UNION SELECT DISTINCT source FROM search_past WHERE source IN (1)
SELECT DISTINCT source FROM search_facts WHERE source IN (1, 2) UNION SELECT DISTINCT source FROM search_past WHERE source IN (1, 2)
SELECT DISTINCT source FROM search_facts WHERE source IN (1, 2, 3) UNION SELECT DISTINCT source FROM search_past WHERE source IN (1, 2, 3)
SELECT app FROM groups WHERE id = ?1
SELECT app, symbol FROM ignored_symbols ORDER BY 1, 2
SELECT apps.prefix || '-' || groups.number AS group_name, group_tickets.url, group_tickets.state, trackers.kind AS tracker, trackers.address AS tracker_address, trackers.token, trackers.reports AS ticket_reports, trackers.users AS ticket_users FROM group_tickets JOIN groups ON groups.id = group_tickets.grp JOIN apps ON apps.id = groups.app JOIN trackers ON trackers.app = apps.id WHERE groups.redirect IS NULL AND trackers.token IS NOT NULL AND coalesce(group_tickets.checked, 0) < ?1 ORDER BY coalesce(group_tickets.checked, 0), groups.id LIMIT ?2
SELECT apps.prefix || '-' || groups.number AS group_name, groups.installs AS kept, (SELECT count(DISTINCT install) FROM group_installs WHERE grp = groups.id) AS counted FROM groups JOIN apps ON apps.id = groups.app WHERE groups.app = ?1 AND groups.installs != (SELECT count(DISTINCT install) FROM group_installs WHERE grp = groups.id) ORDER BY groups.id LIMIT 20
SELECT apps.prefix || '-' || groups.number AS group_name, groups.reports AS kept, (SELECT coalesce(sum(count), 0) FROM counters WHERE grp = groups.id) AS counted FROM groups JOIN apps ON apps.id = groups.app WHERE groups.app = ?1 AND groups.reports != (SELECT coalesce(sum(count), 0) FROM counters WHERE grp = groups.id) ORDER BY groups.id LIMIT 20
SELECT apps.prefix || '-' || groups.number AS group_name, groups.reports AS kept, (SELECT count(*) FROM reports WHERE grp = groups.id) + (SELECT coalesce(sum(count), 0) FROM past_reports JOIN origins ON origins.id = past_reports.origin WHERE origins.grp = groups.id) AS counted FROM groups JOIN apps ON apps.id = groups.app WHERE groups.app = ?1 AND groups.reports != (SELECT count(*) FROM reports WHERE grp = groups.id) + (SELECT coalesce(sum(count), 0) FROM past_reports JOIN origins ON origins.id = past_reports.origin WHERE origins.grp = groups.id) ORDER BY groups.id LIMIT 20
SELECT assignee AS value FROM groups WHERE id = ?1
SELECT chunk FROM search_stale WHERE chunk < (SELECT max(report) >> 13 FROM search_facts) OR chunk BETWEEN 1048576 AND (SELECT (max(id) >> 13) + 1048575 FROM search_past) LIMIT 3
SELECT coalesce(max(id), 0) FROM apps
SELECT coalesce(max(id), 0) FROM group_history
SELECT coalesce(max(id), 0) FROM origins
SELECT coalesce(max(id), 0) FROM reports
SELECT coalesce(max(id), 0) FROM submissions
SELECT coalesce(max(number), 0) FROM distribution_news
SELECT coalesce(min(bytes), 0) AS least, coalesce(sum(CAST(bytes AS DOUBLE PRECISION)), 0) AS total FROM ledger
SELECT coalesce(min(count), 0) AS least, coalesce(sum(CAST(count AS DOUBLE PRECISION)), 0) AS total FROM counters
SELECT coalesce(min(installs), 0) AS least, coalesce(sum(CAST(installs AS DOUBLE PRECISION)), 0) AS total FROM groups
SELECT coalesce(min(last_group), 0) AS least, coalesce(sum(CAST(last_group AS DOUBLE PRECISION)), 0) AS total FROM apps
SELECT coalesce(min(reports), 0) AS least, coalesce(sum(CAST(reports AS DOUBLE PRECISION)), 0) AS total FROM groups
SELECT coalesce(sum(count), 0) FROM counted_reports JOIN origins ON origins.id = counted_reports.origin JOIN groups ON groups.id = origins.grp WHERE groups.app = ?1
SELECT coalesce(sum(count), 0) FROM groups JOIN counters ON counters.grp = groups.id WHERE groups.app = ?1
SELECT coalesce(sum(count), 0) FROM past_reports JOIN origins ON origins.id = past_reports.origin JOIN groups ON groups.id = origins.grp WHERE groups.app = ?1
SELECT coalesce(sum(count), 0) FROM past_reports JOIN origins ON origins.id = past_reports.origin JOIN groups ON groups.id = origins.grp WHERE groups.id = ?1
SELECT coalesce(sum(count), 0) FROM past_reports JOIN origins ON origins.id = past_reports.origin JOIN groups ON groups.id = origins.grp WHERE true
SELECT coalesce(sum(groups.reports), 0) FROM groups WHERE groups.app = ?1
SELECT coalesce(sum(reports), 0) FROM groups WHERE groups.app = ?1
SELECT coalesce(sum(reports), 0) FROM groups WHERE groups.id = ?1
SELECT coalesce(sum(reports), 0) FROM groups WHERE redirect IS NULL
SELECT coalesce(sum(reports), 0) FROM groups WHERE true
SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(blocks), 0) AS blocks FROM uploads WHERE sent > 0
SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(blocks), 0) AS blocks FROM uploads WHERE sent > 0 AND caller = ?1
SELECT coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3
SELECT coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4
SELECT coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4 AND build = ?5
SELECT count(*) AS count FROM client_reports WHERE (app = ?1 AND digest = ?2) AND true
SELECT count(*) AS count FROM orphan_attachments WHERE (install = ?1) AND received <= 1700000000000000
SELECT count(*) AS count FROM session_events WHERE (install = ?1) AND received NOT BETWEEN 1700000000000001 AND 1795754729725990
SELECT count(*) AS count FROM sessions WHERE (app = ?1 AND id IN (SELECT session FROM client_reports WHERE app = ?1 AND digest = ?2 AND session != '')) AND received NOT BETWEEN 1700000000000001 AND 1795754729716902
SELECT count(*) AS count FROM sessions WHERE (app = ?1 AND id IN (SELECT session FROM client_reports WHERE app = ?1 AND digest = ?2 AND session != '')) AND true
SELECT count(*) AS count FROM sessions WHERE (install = ?1) AND true
SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM past_submissions WHERE app = ?1
SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM submissions WHERE app = ?1
SELECT count(*) AS count, count(DISTINCT install) AS installs FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3
SELECT count(*) AS count, count(DISTINCT install) AS installs FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4 AND build = ?5
SELECT count(*) AS count, max(report) AS last_report FROM uses WHERE image = ?1
SELECT count(*) AS count, max(report) AS last_report FROM waiting WHERE image = ?1 AND NOT EXISTS (SELECT 1 FROM uses WHERE image = ?1 AND uses.report = waiting.report)
SELECT count(*) FROM (SELECT digest AS digest FROM attachments WHERE (true) AND digest IS NOT NULL) AS digests
SELECT count(*) FROM (SELECT digest AS digest FROM debug_file_bundles WHERE (true) AND digest IS NOT NULL) AS digests
SELECT count(*) FROM (SELECT digest AS digest FROM debug_file_releases WHERE (true) AND digest IS NOT NULL) AS digests
SELECT count(*) FROM (SELECT digest AS digest FROM submissions WHERE (true) AND digest IS NOT NULL) AS digests
SELECT count(*) FROM (SELECT document AS digest FROM reports WHERE (true) AND document IS NOT NULL) AS digests
SELECT count(*) FROM (SELECT icon AS digest FROM artefacts WHERE (true) AND icon IS NOT NULL) AS digests
SELECT count(*) FROM alert_deliveries WHERE due IS NULL AND is_sent = 0 AND finished >= ?1 AND rule IN (SELECT id FROM alert_rules)
SELECT count(*) FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL
SELECT count(*) FROM groups WHERE redirect IS NULL
SELECT count(*) FROM groups WHERE redirect IS NULL AND (groups.app = 1)
SELECT count(*) FROM groups WHERE redirect IS NULL AND (groups.id IN (1))
SELECT count(*) FROM groups WHERE redirect IS NULL AND (groups.last_seen BETWEEN ?1 AND ?2)
SELECT count(*) FROM groups WHERE redirect IS NULL AND (groups.state = ?1 OR groups.state = ?2 OR groups.state = ?3)
SELECT count(*) FROM groups WHERE redirect IS NULL AND (groups.state = ?1)
SELECT count(*) FROM groups WHERE redirect IS NULL AND (groups.versions >= 1.0)
SELECT count(*) FROM key_stacks WHERE app = ?1 AND key = ?2
SELECT count(*) FROM orphan_attachments WHERE received < ?1
SELECT count(*) FROM reports WHERE app = ?1
SELECT count(*) FROM uploads WHERE status = 'created'
SELECT count(*) FROM uploads WHERE status = 'created' AND caller = ?1
SELECT crash.time AS time, crash.version, crash.build, crash.person, crash.session, own.id AS own_id, own.day AS day, own.version AS own_version, own.build AS own_build, own.install AS install, own.started AS started, own.duration AS duration FROM past_crashes AS crash LEFT JOIN sessions AS own ON own.app = crash.app AND own.id = CASE WHEN crash.session != '' THEN crash.session ELSE ( SELECT id FROM sessions AS last WHERE last.install = crash.person AND last.app = crash.app AND last.started <= crash.time + 999999 AND (last.version = crash.version OR crash.version = '') ORDER BY last.started DESC LIMIT 1) END WHERE crash.app = ?1 AND crash.kind = 'crash' AND crash.time >= ?2 AND crash.time < ?3 AND (crash.time >= ?4 OR crash.session != '')
SELECT crash.time AS time, crash.version, crash.build, crash.person, crash.session, own.id AS own_id, own.day AS day, own.version AS own_version, own.build AS own_build, own.install AS install, own.started AS started, own.duration AS duration FROM past_crashes AS crash LEFT JOIN sessions AS own ON own.app = crash.app AND own.id = CASE WHEN crash.session != '' THEN crash.session ELSE ( SELECT id FROM sessions AS last WHERE last.install = crash.person AND last.app = crash.app AND last.started <= crash.time + 999999 AND (last.version = crash.version OR crash.version = '') ORDER BY last.started DESC LIMIT 1) END WHERE crash.app = ?1 AND crash.kind = 'crash' AND crash.time >= ?2 AND crash.time < ?3 AND (crash.time >= ?4 OR crash.session != '') AND (crash.version = ?5 OR crash.version = '' OR crash.session != '')
SELECT crash.time AS time, crash.version, crash.build, crash.person, crash.session, own.id AS own_id, own.day AS day, own.version AS own_version, own.build AS own_build, own.install AS install, own.started AS started, own.duration AS duration FROM past_crashes AS crash LEFT JOIN sessions AS own ON own.app = crash.app AND own.id = NULL WHERE crash.app = ?1 AND crash.kind = 'crash' AND crash.time >= ?2 AND crash.time < ?3 AND (crash.time >= ?4 OR crash.session != '')
SELECT crash.time AS time, crash.version, crash.build, crash.person, crash.session, own.id AS own_id, own.day AS day, own.version AS own_version, own.build AS own_build, own.install AS install, own.started AS started, own.duration AS duration FROM past_crashes AS crash LEFT JOIN sessions AS own ON own.app = crash.app AND own.id = NULL WHERE crash.app = ?1 AND crash.kind = 'crash' AND crash.time >= ?2 AND crash.time < ?3 AND (crash.time >= ?4 OR crash.session != '') AND (crash.version = ?5 OR crash.version = '' OR crash.session != '')
SELECT day FROM session_counts WHERE app = ?1 AND day >= ?2 ORDER BY day LIMIT 1
SELECT day FROM sessions WHERE app = ?1 AND day >= ?2 ORDER BY day LIMIT 1
SELECT day, coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4 GROUP BY day
SELECT day, coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY day
SELECT day, count(*) AS all_sessions, count(DISTINCT install) AS all_installs, sum(CASE WHEN version = ?4 AND (build = ?5 OR ?5 = '') THEN 1 ELSE 0 END) AS sessions, count(DISTINCT CASE WHEN version = ?4 AND (build = ?5 OR ?5 = '') THEN install END) AS installs FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY day ORDER BY day
SELECT day, count(*) AS count, count(DISTINCT install) AS installs FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4 GROUP BY day
SELECT day, count(*) AS count, count(DISTINCT install) AS installs FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY day
SELECT day, sum(count) AS count FROM groups JOIN group_days ON group_days.grp = groups.id AND day BETWEEN ?1 AND ?2 WHERE redirect IS NULL AND (groups.app = 1) GROUP BY day
SELECT day, sum(count) AS count FROM groups JOIN group_days ON group_days.grp = groups.id AND day BETWEEN ?1 AND ?2 WHERE redirect IS NULL AND (groups.reports < 1.0) GROUP BY day
SELECT day, sum(count) AS count FROM groups JOIN group_days ON group_days.grp = groups.id AND day BETWEEN ?1 AND ?2 WHERE redirect IS NULL GROUP BY day
SELECT day, sum(count) AS count FROM groups JOIN group_days ON group_days.grp = groups.id AND day BETWEEN ?3 AND ?4 WHERE redirect IS NULL AND (groups.first_seen BETWEEN ?1 AND ?2) AND (groups.installs <= 0.0) AND (groups.installs <= 0.0) GROUP BY day
SELECT day, sum(count) AS count FROM groups JOIN group_days ON group_days.grp = groups.id AND day BETWEEN ?3 AND ?4 WHERE redirect IS NULL AND (groups.last_seen BETWEEN ?1 AND ?2) GROUP BY day
SELECT day, sum(sessions) AS all_sessions, sum(CASE WHEN version = ?4 AND (build = ?5 OR ?5 = '') THEN sessions ELSE 0 END) AS sessions FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY day ORDER BY day
SELECT digest FROM (SELECT id AS submission, digest AS digest FROM submissions WHERE (id IN (SELECT submission FROM reports JOIN part_reports USING (id))) AND digest IS NOT NULL UNION ALL SELECT submission AS submission, document AS digest FROM reports WHERE (id IN (SELECT id FROM part_reports)) AND document IS NOT NULL UNION ALL SELECT (SELECT submission FROM reports WHERE reports.id = attachments.report) AS submission, digest AS digest FROM attachments WHERE (report IN (SELECT id FROM part_reports)) AND digest IS NOT NULL) AS digests GROUP BY digest ORDER BY min(submission), digest
SELECT digest FROM (SELECT id AS submission, digest AS digest FROM submissions WHERE (true) AND digest IS NOT NULL UNION ALL SELECT submission AS submission, document AS digest FROM reports WHERE (true) AND document IS NOT NULL UNION ALL SELECT (SELECT submission FROM reports WHERE reports.id = report_versions.report) AS submission, document AS digest FROM report_versions WHERE (true) AND document IS NOT NULL UNION ALL SELECT (SELECT submission FROM reports WHERE reports.id = attachments.report) AS submission, digest AS digest FROM attachments WHERE (true) AND digest IS NOT NULL UNION ALL SELECT CAST(9223372036854775807 AS BIGINT) AS submission, digest AS digest FROM orphan_attachments WHERE (true) AND digest IS NOT NULL) AS digests GROUP BY digest ORDER BY min(submission), digest
SELECT digest FROM contents WHERE digest > ?1 AND digest < ?2 AND rowid <= ?3 ORDER BY digest LIMIT 500
SELECT fixed_build AS value FROM groups WHERE id = ?1
SELECT fixed_how AS value FROM groups WHERE id = ?1
SELECT fixed_version AS value FROM groups WHERE id = ?1
SELECT group_history.id, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name, event, time, version, build, detail FROM group_history JOIN groups ON groups.id = group_history.grp JOIN apps ON apps.id = groups.app WHERE group_history.app = ?1 AND group_history.id > ?2 AND group_history.id <= ?3 AND version IS NOT NULL AND event IN ('opened', 'regressed') AND is_late = 0 AND undone IS NULL AND redirect IS NULL AND NOT EXISTS ( SELECT 1 FROM group_history AS later WHERE later.grp = group_history.grp AND later.id > group_history.id AND later.event = 'imported') ORDER BY group_history.id
SELECT group_installs.grp, groups.app, group_installs.origin FROM group_installs JOIN groups ON groups.id = group_installs.grp WHERE install = ?1 AND NOT EXISTS (SELECT 1 FROM reports WHERE reports.grp = group_installs.grp AND reports.install = ?1)
SELECT groups.id AS grp, origins.id AS origin, exemplar, exemplar_symbols, coalesce(intake.stored, 0) AS stored, coalesce(intake.attachments, 0) AS attachments, coalesce(intake.dumps, 0) AS dumps, EXISTS (SELECT 1 FROM origins AS part WHERE part.parent IS NOT NULL AND part.parent = origins.id AND part.rule IS NOT NULL) AS is_split FROM group_keys AS main JOIN origins ON origins.id = main.origin JOIN groups ON groups.id = origins.grp LEFT JOIN group_intake AS intake ON intake.day = ?2 AND intake.grp = groups.id AND intake.version = ?3 AND intake.build = ?4 WHERE main.app = ?5 AND main.key = ?1 AND main.is_main = 1 AND main.is_left = 0
SELECT groups.id AS grp, origins.id AS origin, exemplar, exemplar_symbols, coalesce(intake.stored, 0) AS stored, coalesce(intake.attachments, 0) AS attachments, coalesce(intake.dumps, 0) AS dumps, EXISTS (SELECT 1 FROM origins AS part WHERE part.parent IS NOT NULL AND part.parent = origins.id AND part.rule IS NOT NULL) AS is_split FROM origins JOIN groups ON groups.id = origins.grp LEFT JOIN group_intake AS intake ON intake.day = ?2 AND intake.grp = groups.id AND intake.version = ?3 AND intake.build = ?4 WHERE origins.id = ?1
SELECT groups.id, apps.name AS value FROM groups JOIN apps ON apps.id = groups.app WHERE groups.redirect IS NULL
SELECT groups.id, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name, groups.title, groups.main_key, groups.category, groups.rules, groups.provisional, groups.reason, groups.kind, groups.reports, groups.installs, groups.first_seen, groups.last_seen, groups.exemplar, groups.assignee, group_tickets.url AS ticket, group_tickets.state AS ticket_state, groups.state, groups.state_time, groups.state_author, groups.fixed_how, groups.fixed_version, groups.fixed_build, groups.ignore_reports, groups.ignore_users, groups.ignore_until FROM groups JOIN apps ON apps.id = groups.app LEFT JOIN group_tickets ON group_tickets.grp = groups.id WHERE groups.id = ?1
SELECT groups.id, apps.prefix || '-' || groups.number AS group_name, fixed_version, coalesce(fixed_build, '') AS fixed_build FROM groups JOIN apps ON apps.id = groups.app WHERE groups.app = ?1 AND fixed_version IS NOT NULL AND redirect IS NULL AND state = 'resolved' AND fixed_how = 'in' ORDER BY groups.id
SELECT groups.id, apps.prefix || '-' || groups.number AS value FROM groups JOIN apps ON apps.id = groups.app WHERE groups.redirect IS NULL
SELECT groups.id, groups.state AS value FROM groups JOIN apps ON apps.id = groups.app WHERE groups.redirect IS NULL
SELECT happened AS time, version, build FROM reports WHERE app = ?1 AND kind = ?2 AND happened >= ?3 AND happened < ?4
SELECT hash, tester, name FROM tester_secrets JOIN apps ON apps.id = tester_secrets.app WHERE kind = 'update' AND (expires IS NULL OR expires > ?1)
SELECT id FROM apps WHERE name = ?1 AND name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL
SELECT id FROM apps WHERE name = ?1 AND name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_counts WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM past_crashes WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name)
SELECT id FROM apps WHERE name = ?1 AND name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name)
SELECT id FROM apps WHERE name = ?1 AND name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name)
SELECT id FROM groups WHERE app = ?1 AND fixed_version = ?2 AND (fixed_build = ?3 OR fixed_build = '' OR ?3 = '') AND redirect IS NULL AND state = 'resolved' AND fixed_how = 'in'
SELECT id FROM groups WHERE app = ?1 ORDER BY id
SELECT id FROM groups WHERE redirect IS NULL AND groups.installs >= 0.0
SELECT id FROM groups WHERE redirect IS NULL AND groups.last_seen BETWEEN ?1 AND ?2
SELECT id FROM groups WHERE redirect IS NULL AND groups.reports < 1.0
SELECT id FROM groups WHERE redirect IS NULL AND groups.reports <= 1.0
SELECT id FROM groups WHERE redirect IS NULL AND groups.versions >= 1.0 AND groups.versions <= 1.0
SELECT id FROM groups WHERE redirect IS NULL AND true
SELECT id FROM reports WHERE variant = '' ORDER BY id LIMIT 500
SELECT id FROM uploads WHERE status = 'created' AND created < ?1
SELECT id, app FROM uploads WHERE status = 'processing' ORDER BY committed
SELECT id, category FROM search_past WHERE id BETWEEN ?1 AND ?2
SELECT id, day, version, build, install FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND status = 'crashed'
SELECT id, day, version, build, install FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4 AND build = ?5 AND status = 'crashed'
SELECT id, day, version, build, install FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND version = ?4 AND status = 'crashed'
SELECT id, facts FROM intake WHERE id > ?1 AND id <= ?2 AND state != 1 ORDER BY id LIMIT ?3
SELECT id, first_seen AS first, 0 AS second FROM groups WHERE redirect IS NULL AND (groups.state = ?1) AND first_seen >= ?2 AND (first_seen > ?2 OR id < ?3) ORDER BY first_seen ASC, id DESC LIMIT 2
SELECT id, grp FROM search_past WHERE id BETWEEN ?1 AND ?2
SELECT id, grp, event, detail, data, undone FROM group_history WHERE event = 'distinct' AND undone IS NULL AND grp = ?1
SELECT id, grp, event, detail, data, undone FROM group_history WHERE event = 'merged' AND data IS NOT NULL AND undone IS NULL AND grp = (SELECT redirect FROM groups WHERE id = ?1) ORDER BY id DESC
SELECT id, grp, event, detail, data, undone FROM group_history WHERE grp = ?1 AND data IS NOT NULL AND undone IS NULL ORDER BY id DESC LIMIT 1
SELECT id, grp, event, detail, data, undone FROM group_history WHERE id = ?1
SELECT id, install FROM search_past WHERE id BETWEEN ?1 AND ?2
SELECT id, installs AS first, last_seen AS second FROM groups WHERE redirect IS NULL AND (groups.id IN (1)) ORDER BY installs DESC, last_seen DESC, id ASC LIMIT 2
SELECT id, kind, target, app, query, span, least, factor, below, basis, digest, quiet, zone, created, author FROM alert_rules ORDER BY 1, 2
SELECT id, last_seen AS first, 0 AS second FROM groups WHERE redirect IS NULL AND (groups.app = 1) AND last_seen >= ?1 AND (last_seen > ?1 OR id < ?2) ORDER BY last_seen ASC, id DESC LIMIT 2
SELECT id, last_seen AS first, 0 AS second FROM groups WHERE redirect IS NULL AND (groups.state = ?1) ORDER BY last_seen ASC, id DESC
SELECT id, last_seen AS first, 0 AS second FROM groups WHERE redirect IS NULL AND (groups.state = ?1) ORDER BY last_seen DESC, id ASC LIMIT 2
SELECT id, last_seen AS first, 0 AS second FROM groups WHERE redirect IS NULL ORDER BY last_seen ASC, id DESC
SELECT id, last_seen FROM groups WHERE redirect IS NULL
SELECT id, last_seen FROM groups WHERE redirect IS NULL AND (groups.state = ?1)
SELECT id, live, live * 3 < size * 2 AS is_wasteful FROM blocks WHERE (size < 65536 OR live * 3 < size * 2) AND id > ?1 ORDER BY id
SELECT id, name FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND created <= ?1 AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_counts WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM past_crashes WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name) ORDER BY created, id LIMIT ?2
SELECT id, name FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND created <= ?1 AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name) ORDER BY created, id LIMIT ?2
SELECT id, name FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND created <= ?1 AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name) ORDER BY created, id LIMIT ?2
SELECT id, name FROM reports WHERE install = ?1 AND received <= 1700000000000000
SELECT id, name FROM reports WHERE install = ?1 AND received NOT BETWEEN 1700000000000001 AND 1795402462265087
SELECT id, name FROM reports WHERE install = ?1 AND true
SELECT id, name, role, app, created, password, password_set, subject, is_unclaimed FROM accounts ORDER BY 1, 2
SELECT id, name, rule, kind, target, created, due, finished, is_sent, attempts, answer, count, more FROM alert_deliveries WHERE id = ?1
SELECT id, name, rule, kind, target, created, due, finished, is_sent, attempts, answer, count, more FROM alert_deliveries WHERE id > 0 ORDER BY id DESC LIMIT ?1
SELECT id, name, rule, kind, target, created, due, finished, is_sent, attempts, answer, count, more FROM alert_deliveries WHERE target = ?1 AND id > ?2 AND (due <= ?3 OR due > ?4) ORDER BY id LIMIT 1
SELECT id, name, time, version, build, os, device, install, reason, symbols, app, origin, key, variant FROM reports WHERE id = ?1
SELECT id, parent AS next FROM origins WHERE parent IS NOT NULL
SELECT id, received, received, received FROM search_past WHERE id BETWEEN ?1 AND ?2
SELECT id, redirect AS next FROM groups WHERE redirect IS NOT NULL
SELECT id, reports AS first, last_seen AS second FROM groups WHERE redirect IS NULL AND (groups.state = ?1) AND reports >= ?2 AND (reports > ?2 OR (last_seen > ?4 OR last_seen = ?4 AND id < ?3)) ORDER BY reports ASC, last_seen ASC, id DESC LIMIT 2
SELECT id, reports AS first, last_seen AS second FROM groups WHERE redirect IS NULL AND (true) ORDER BY reports DESC, last_seen DESC, id ASC
SELECT id, reports AS first, last_seen AS second FROM groups WHERE redirect IS NULL AND NOT (groups.app = 1) ORDER BY reports DESC, last_seen DESC, id ASC
SELECT id, route, received, facts, attempts, problem, counted, state, intake_id, size, body, file, log, place FROM intake WHERE id = ?1
SELECT id, route, received, facts, attempts, problem, counted, state, intake_id, size, body, file, log, place FROM intake WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3
SELECT id, route, received, facts, size, attempts, problem, counted FROM intake WHERE state = 2 AND id = ?1
SELECT id, route, received, facts, size, attempts, problem, counted FROM intake WHERE state = 2 AND id > ?1 ORDER BY id LIMIT ?2
SELECT id, stack FROM search_past WHERE id BETWEEN ?1 AND ?2
SELECT id, state FROM groups WHERE redirect IS NULL
SELECT id, state FROM groups WHERE redirect IS NULL AND (groups.app = 1)
SELECT id, time FROM reports WHERE grp = ?1 AND (time, id) > (?2, ?3) ORDER BY time ASC, id ASC LIMIT 2
SELECT id, time FROM reports WHERE grp = ?1 ORDER BY time ASC, id ASC
SELECT id, time FROM reports WHERE grp = ?1 ORDER BY time DESC, id DESC LIMIT 2
SELECT id, time FROM reports WHERE name = ?1
SELECT id, time FROM reports WHERE true ORDER BY time DESC, id DESC LIMIT 2
SELECT id, time, time, time FROM search_past WHERE id BETWEEN ?1 AND ?2
SELECT id, time, token, label, action, subject, peer FROM audit ORDER BY 1, 2
SELECT id, variant AS value FROM reports WHERE variant >= ?1 AND variant < ?1 || 'g'
SELECT id, versions AS first, last_seen AS second FROM groups WHERE redirect IS NULL AND (groups.id IN (1)) ORDER BY versions ASC, last_seen ASC, id DESC LIMIT 2
SELECT ignore_reports AS value FROM groups WHERE id = ?1
SELECT ignore_until AS value FROM groups WHERE id = ?1
SELECT ignore_users AS value FROM groups WHERE id = ?1
SELECT key FROM group_keys AS main WHERE grp = ?1 AND main.is_main = 1 AND main.is_left = 0 ORDER BY key
SELECT key_links.key, other, rule, likeness, matched, frames FROM key_links JOIN group_keys AS main ON main.app = key_links.app AND main.key = key_links.other WHERE key_links.app = ?1 AND key_links.key = ?2 AND main.origin = ?3 AND main.is_main = 1 AND main.is_left = 0 ORDER BY likeness DESC, other LIMIT 1
SELECT key_links.key, other, theirs.origin FROM group_keys AS main JOIN key_links ON key_links.app = main.app AND key_links.key = main.key JOIN group_keys AS theirs ON theirs.app = key_links.app AND theirs.key = key_links.other JOIN origins ON origins.id = theirs.origin WHERE main.origin = ?1 AND main.is_main = 1 AND main.is_left = 0 AND theirs.is_main = 1 AND theirs.is_left = 0 AND origins.parent IS NULL ORDER BY key_links.key, other
SELECT key_stacks.id, key_stacks.key, words, functions, linking, features FROM key_stacks WHERE app = ?1 AND id > ?2 ORDER BY id LIMIT 1000
SELECT key_stacks.id, key_stacks.key, words, functions, linking, features FROM key_stacks WHERE id = ?1
SELECT main.key, main.origin FROM group_keys AS main WHERE main.origin = ?1 AND main.is_main = 1 AND main.is_left = 0
SELECT max(id) FROM group_history WHERE grp = ?1 AND id > ?2 AND event IN ('assigned') AND data IS NOT NULL AND undone IS NULL
SELECT max(id) FROM group_history WHERE grp = ?1 AND id > ?2 AND event IN ('resolved', 'reopened', 'ignored') AND data IS NOT NULL AND undone IS NULL
SELECT max(id) FROM group_history WHERE grp = ?1 AND id > ?2 AND event IN ('ticketed') AND data IS NOT NULL AND undone IS NULL
SELECT max(id) FROM search_past WHERE id BETWEEN 0 AND 8589934591
SELECT max(report) FROM search_facts WHERE report BETWEEN 0 AND 8589934591
SELECT message, source, headline FROM search_facts WHERE report = ?1
SELECT min(report) FROM search_facts WHERE report BETWEEN 0 AND 8589934591
SELECT min(time) FROM distribution_history WHERE app = ?1 AND version = ?2 AND build = ?3 AND event = 'rolled out'
SELECT name, (SELECT count(*) FROM reports WHERE app = apps.id) AS reports FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_counts WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM past_crashes WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name) ORDER BY created, id
SELECT name, (SELECT count(*) FROM reports WHERE app = apps.id) AS reports FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name) ORDER BY created, id
SELECT name, (SELECT count(*) FROM reports WHERE app = apps.id) AS reports FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL AND NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id) AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name) ORDER BY created, id
SELECT name, (SELECT count(*) FROM reports WHERE app = apps.id) AS reports FROM apps WHERE name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL ORDER BY created, id
SELECT name, prefix, intake_key, keep_days, keep_bytes, keep_per_group, keep_per_day, link, trackers.kind AS tracker, trackers.address AS tracker_address, trackers.token, trackers.reports AS ticket_reports, trackers.users AS ticket_users FROM apps LEFT JOIN trackers ON trackers.app = apps.id ORDER BY name
SELECT name, time, version, build, os, device, install, reason, symbols FROM ( SELECT name, time, version, build, os, device, install, reason, symbols, row_number() OVER (PARTITION BY version, build ORDER BY time DESC, id DESC) AS place, id FROM reports WHERE grp = ?1) AS newest WHERE place = 1 ORDER BY id
SELECT name, time, version, build, os, device, install, reason, symbols FROM reports WHERE grp = ?1 AND id > ?2 ORDER BY id
SELECT name, time, version, build, os, device, install, reason, symbols, id FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3 ORDER BY id
SELECT name, time, version, build, os, device, install, reason, symbols, install IS NOT NULL AND NOT EXISTS ( SELECT 1 FROM reports AS earlier WHERE earlier.grp = ?1 AND earlier.install = reports.install AND earlier.id < reports.id) AS is_new_user FROM reports WHERE grp = ?1 AND id > ?2 ORDER BY id
SELECT name, time, version, build, os, device, install, reason, symbols, origin FROM reports WHERE id = ?1
SELECT number, restores FROM rule_sets WHERE app = ?1 AND restores < 0 ORDER BY number LIMIT 1
SELECT number, restores FROM rule_sets WHERE app = ?1 AND restores > 0 ORDER BY number LIMIT 1
SELECT number, time, author, event, source, note, follows_releases, document FROM update_documents WHERE app = ?1 AND number = coalesce(?2, (SELECT max(number) FROM update_documents WHERE app = ?1))
SELECT number, time, author, event, source, note, follows_releases, document FROM update_documents WHERE app = ?1 ORDER BY number DESC
SELECT origins.id, home, origins.grp, parent, rule FROM group_keys AS main JOIN origins ON origins.id = main.origin WHERE main.app = ?1 AND main.key = ?2 AND main.is_main = 1 AND main.is_left = 0
SELECT origins.id, home, origins.grp, parent, rule FROM group_keys JOIN origins ON origins.id = group_keys.origin WHERE app = ?1 AND key = ?2 AND is_main >= ?3
SELECT origins.id, home, origins.grp, parent, rule FROM origins WHERE home = ?1 ORDER BY id
SELECT origins.id, home, origins.grp, parent, rule FROM origins WHERE id = ?1
SELECT origins.id, home, origins.grp, parent, rule FROM origins WHERE origins.grp = ?1 ORDER BY id
SELECT origins.id, home, origins.grp, parent, rule FROM origins WHERE origins.grp IN (?1, 10) ORDER BY id
SELECT origins.id, home, origins.grp, parent, rule FROM origins WHERE parent IS NULL AND origins.grp = ?1 ORDER BY id
SELECT origins.id, home, origins.grp, parent, rule, shown.state, own.title, own.main_key, own.provisional, apps.prefix || '-' || shown.number AS group_name, EXISTS (SELECT 1 FROM origins AS part WHERE part.parent IS NOT NULL AND part.parent = origins.id AND part.rule IS NOT NULL) AS is_split FROM origins JOIN groups AS shown ON shown.id = origins.grp JOIN groups AS own ON own.id = origins.home JOIN apps ON apps.id = shown.app WHERE origins.id = ?1
SELECT reading FROM key_readings WHERE app = ?1 AND key = ?2 AND reading < '~' AND (weak = 0 OR weak = 1 AND NOT EXISTS ( SELECT 1 FROM key_readings AS one JOIN key_readings AS other ON other.app = one.app AND other.key = key_readings.reading AND other.reading = one.reading WHERE one.app = key_readings.app AND one.key = key_readings.key AND one.reading >= '~')) ORDER BY position, reading
SELECT reading FROM key_readings WHERE app = ?1 AND key = ?2 AND reading < '~' AND weak = 1 AND (weak = 0 OR weak = 1 AND NOT EXISTS ( SELECT 1 FROM key_readings AS one JOIN key_readings AS other ON other.app = one.app AND other.key = key_readings.reading AND other.reading = one.reading WHERE one.app = key_readings.app AND one.key = key_readings.key AND one.reading >= '~'))
SELECT received FROM submissions WHERE app = ?1 AND digest = ?2
SELECT received, route, facts, attempts, intake_id, size, body, file, log, place FROM intake WHERE id = ?1
SELECT redirect FROM groups WHERE id = ?1
SELECT report FROM search_incidents UNION SELECT reports.id FROM client_reports JOIN submissions USING (app, digest) JOIN reports ON reports.submission = submissions.id WHERE substr(client_reports.client, 1, 6) != 'bytes:'
SELECT report FROM search_incidents WHERE hash = ?1 UNION SELECT reports.id FROM client_reports JOIN submissions USING (app, digest) JOIN reports ON reports.submission = submissions.id WHERE client_reports.app IN (SELECT id FROM apps) AND client_reports.client = ?2
SELECT report FROM search_queue ORDER BY report LIMIT 500
SELECT report, install, version, build, time, install, release FROM search_facts WHERE report BETWEEN ?1 AND ?2
SELECT report, os FROM search_facts WHERE report BETWEEN ?1 AND ?2
SELECT report, os_build, process, format, device, arch, tags, uptime, version, release, time, release FROM search_facts WHERE report BETWEEN ?1 AND ?2
SELECT report, os_name, os FROM search_facts WHERE report BETWEEN ?1 AND ?2
SELECT report, source FROM search_facts WHERE report BETWEEN ?1 AND ?2
SELECT report, uptime, uptime, uptime FROM search_facts WHERE report BETWEEN ?1 AND ?2
SELECT reports FROM groups WHERE id = ?1
SELECT reports.id, apps.name, submissions.digest, submissions.bytes, (SELECT count(*) FROM attachments WHERE report = reports.id) AS attachments, (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id) AS every, (SELECT tags FROM search_facts WHERE report = reports.id) AS tags, reports.session FROM reports JOIN apps ON apps.id = reports.app JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1 AND reports.name = ?2 AND reports.received <= 1700000000000000
SELECT reports.id, apps.name, submissions.digest, submissions.bytes, (SELECT count(*) FROM attachments WHERE report = reports.id) AS attachments, (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id) AS every, (SELECT tags FROM search_facts WHERE report = reports.id) AS tags, reports.session FROM reports JOIN apps ON apps.id = reports.app JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1 AND reports.name = ?2 AND reports.received NOT BETWEEN 1700000000000001 AND 1795754729714437
SELECT reports.id, apps.name, submissions.digest, submissions.bytes, (SELECT count(*) FROM attachments WHERE report = reports.id) AS attachments, (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id) AS every, (SELECT tags FROM search_facts WHERE report = reports.id) AS tags, reports.session FROM reports JOIN apps ON apps.id = reports.app JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1 AND reports.name = ?2 AND true
SELECT reports.id, reports.name FROM client_reports AS client JOIN submissions ON submissions.app = client.app AND submissions.digest = client.digest JOIN reports ON reports.submission = submissions.id WHERE client.install = ?1 AND client.received <= 1700000000000000 AND reports.received <= 1700000000000000
SELECT reports.id, reports.name FROM client_reports AS client JOIN submissions ON submissions.app = client.app AND submissions.digest = client.digest JOIN reports ON reports.submission = submissions.id WHERE client.install = ?1 AND client.received NOT BETWEEN 1700000000000001 AND 1795402462265087 AND reports.received NOT BETWEEN 1700000000000001 AND 1795402462265087
SELECT reports.id, reports.name FROM client_reports AS client JOIN submissions ON submissions.app = client.app AND submissions.digest = client.digest JOIN reports ON reports.submission = submissions.id WHERE client.install = ?1 AND true AND true
SELECT reports.id, reports.name FROM reports JOIN origins ON origins.id = reports.origin WHERE reports.grp = ?1 AND key = ?2 AND rule IS NULL ORDER BY reports.id
SELECT reports.id, reports.name FROM reports WHERE reports.id > 0 AND reports.grp = ?1 ORDER BY reports.id LIMIT 100 OFFSET 0
SELECT reports.id, reports.name FROM reports WHERE reports.id > 0 ORDER BY reports.id LIMIT 3 OFFSET 0
SELECT reports.id, reports.name FROM search_facts JOIN reports ON reports.id = search_facts.report WHERE search_facts.user = ?1 AND reports.received <= 1795402370588366
SELECT reports.id, reports.name FROM search_facts JOIN reports ON reports.id = search_facts.report WHERE search_facts.user = ?1 AND true
SELECT reports.name FROM redo CROSS JOIN reports WHERE reports.id = redo.report AND redo.problem IS NULL ORDER BY redo.report ASC LIMIT ?1
SELECT reports.name FROM redo CROSS JOIN reports WHERE reports.id = redo.report AND redo.problem IS NULL ORDER BY redo.report DESC LIMIT ?1
SELECT reports.name, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name, reports.format, reports.kind, reports.time, reports.received, reports.version, reports.build, reports.os, reports.device, reports.reason, reports.signature, reports.symbols, submissions.source, reports.document, submissions.digest, reports.position, submissions.app_given FROM reports JOIN groups ON groups.id = reports.grp JOIN apps ON apps.id = reports.app JOIN submissions ON submissions.id = reports.submission WHERE reports.grp = ?1 ORDER BY reports.time DESC, reports.id DESC LIMIT ?2
SELECT reports.name, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name, reports.format, reports.kind, reports.time, reports.received, reports.version, reports.build, reports.os, reports.device, reports.reason, reports.signature, reports.symbols, submissions.source, reports.document, submissions.digest, reports.position, submissions.app_given FROM reports JOIN groups ON groups.id = reports.grp JOIN apps ON apps.id = reports.app JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1
SELECT reports.name, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name, reports.format, reports.kind, reports.time, reports.received, reports.version, reports.build, reports.os, reports.device, reports.reason, reports.signature, reports.symbols, submissions.source, reports.document, submissions.digest, reports.position, submissions.app_given FROM reports JOIN groups ON groups.id = reports.grp JOIN apps ON apps.id = reports.app JOIN submissions ON submissions.id = reports.submission WHERE reports.name >= ?1 AND reports.name < ?1 || 'g' ORDER BY reports.name LIMIT 10
SELECT signature, created FROM uploads WHERE id = ?1 AND status = 'created' AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.id = uploads.caller AND (revoked IS NOT NULL OR expires <= ?2))
SELECT size, body, file, log, place FROM intake WHERE id = ?1 AND log IS NOT NULL
SELECT size, body, file, log, place FROM intake WHERE state = 2 AND id = ?1
SELECT state AS value FROM groups WHERE id = ?1
SELECT tester_mails.app AS app, number, tester_mails.name AS name, apps.name AS app_name, tester, email, kind, author, nonce, tester_mails.created AS created, due, finished, outcome, attempts, answer FROM tester_mails JOIN apps ON apps.id = tester_mails.app WHERE due IS NOT NULL AND (due <= ?1 OR due > ?2) ORDER BY attempts, due, tester_mails.app, number LIMIT ?3
SELECT tester_mails.app AS app, number, tester_mails.name AS name, apps.name AS app_name, tester, email, kind, author, nonce, tester_mails.created AS created, due, finished, outcome, attempts, answer FROM tester_mails JOIN apps ON apps.id = tester_mails.app WHERE tester_mails.app = ?1 ORDER BY number DESC LIMIT ?2
SELECT tester_mails.app AS app, number, tester_mails.name AS name, apps.name AS app_name, tester, email, kind, author, nonce, tester_mails.created AS created, due, finished, outcome, attempts, answer FROM tester_mails JOIN apps ON apps.id = tester_mails.app WHERE tester_mails.name = ?1
SELECT time AS time, version, build FROM past_crashes WHERE app = ?1 AND kind = ?2 AND time >= ?3 AND time < ?4
SELECT trackers.kind AS tracker, trackers.address AS tracker_address, trackers.token, trackers.reports AS ticket_reports, trackers.users AS ticket_users FROM trackers WHERE app = ?1
SELECT turn FROM intake WHERE state = ?1 AND attempts = 0 AND turn > ?2 ORDER BY turn LIMIT 1
SELECT turn FROM intake WHERE state = ?1 AND attempts = 0 AND turn >= ?2 ORDER BY turn LIMIT 1
SELECT version, build, coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY version, build
SELECT version, build, count(*) AS sessions FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY version, build
SELECT version, build, sum(sessions) AS sessions FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY version, build
UPDATE artefacts SET enabled = ?3 WHERE app = ?1 AND number = ?2
UPDATE artefacts SET notes = ?3 WHERE app = ?1 AND number = ?2
UPDATE distribution_generation SET number = number + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM groups WHERE id = ?1 AND fixed_how = 'in')
UPDATE group_history SET undone = ?2 WHERE grp = ?1 AND event = 'split' AND undone IS NULL
UPDATE group_keys SET grp = ?4, origin = ?5 WHERE app = ?1 AND origin = ?3 AND (key = ?2 OR is_main = 0 AND key IN (SELECT reading FROM key_readings WHERE app = ?1 AND key_readings.key = ?2 AND reading < '~'))
UPDATE group_versions SET count = count + ?4 WHERE grp = ?1 AND version = ?2 AND build = ?3
UPDATE groups SET (state, state_time, state_author, fixed_how, fixed_version, fixed_build, ignore_reports, ignore_users, ignore_until, assignee) = (SELECT state, state_time, state_author, fixed_how, fixed_version, fixed_build, ignore_reports, ignore_users, ignore_until, assignee FROM rule_set_groups WHERE app = ?1 AND number = ?2 AND grp = groups.id) WHERE app = ?1 AND redirect IS NULL AND id IN (SELECT redirect FROM groups WHERE app = ?1 AND redirect IS NOT NULL AND joined = 0 AND id IN (SELECT grp FROM rule_set_groups WHERE app = ?1 AND number = ?2 AND redirect IS NULL)) AND id IN (SELECT grp FROM rule_set_groups WHERE app = ?1 AND number = ?2) AND NOT EXISTS (SELECT 1 FROM group_history WHERE grp = groups.id AND event IN ('resolved', 'reopened', 'ignored', 'assigned', 'undone') AND author != 'mayday' AND time >= (SELECT time FROM rule_sets WHERE app = ?1 AND number = ?2))
UPDATE groups SET fixed_build = ?2 WHERE id = ?1
UPDATE groups SET fixed_how = ?2 WHERE id = ?1
UPDATE groups SET fixed_version = ?2 WHERE id = ?1
UPDATE groups SET ignore_users = ?2 WHERE id = ?1
UPDATE groups SET redirect = ?2, joined = 0 WHERE id = ?1
UPDATE groups SET redirect = ?2, joined = ?3 WHERE id = ?1
UPDATE groups SET redirect = NULL, joined = 0 WHERE app = ?1 AND redirect IS NOT NULL AND joined = 0 AND id IN (SELECT grp FROM rule_set_groups WHERE app = ?1 AND number = ?2 AND redirect IS NULL)
UPDATE groups SET redirect = NULL, joined = 0 WHERE id = ?1
UPDATE groups SET redirect = NULL, joined = ?2 WHERE id = ?1
UPDATE groups SET reports = reports + ?6, installs = installs + ?7, versions = versions + ?8, first_seen = CASE WHEN ?2 < first_seen THEN ?2 ELSE first_seen END, last_seen = CASE WHEN ?3 > last_seen THEN ?3 ELSE last_seen END, reason = CASE WHEN ?4 > reason_time OR ?4 = reason_time AND coalesce(?5, '') > coalesce(reason, '') THEN ?5 ELSE reason END, reason_time = CASE WHEN ?4 > reason_time THEN ?4 ELSE reason_time END WHERE id = ?1
UPDATE groups SET reports = reports + ?6, installs = installs + ?7, versions = versions + ?8, first_seen = CASE WHEN ?2 < first_seen THEN ?2 ELSE first_seen END, last_seen = CASE WHEN ?3 > last_seen THEN ?3 ELSE last_seen END, reason = CASE WHEN ?4 > reason_time OR ?4 = reason_time AND coalesce(?5, '') > coalesce(reason, '') THEN ?5 ELSE reason END, reason_time = CASE WHEN ?4 > reason_time THEN ?4 ELSE reason_time END, exemplar = CASE WHEN (?10 > exemplar_symbols OR ?10 = exemplar_symbols AND ?9 <= exemplar) THEN ?9 ELSE exemplar END, exemplar_symbols = CASE WHEN (?10 > exemplar_symbols OR ?10 = exemplar_symbols AND ?9 <= exemplar) THEN ?10 ELSE exemplar_symbols END, kind = CASE WHEN (?10 > exemplar_symbols OR ?10 = exemplar_symbols AND ?9 <= exemplar) THEN (SELECT kind FROM reports WHERE name = ?9) ELSE kind END, category = CASE WHEN (?10 > exemplar_symbols OR ?10 = exemplar_symbols AND ?9 <= exemplar) THEN (SELECT category FROM reports WHERE name = ?9) ELSE category END WHERE id = ?1
UPDATE groups SET state = ?2 WHERE id = ?1
UPDATE reports SET format = ?2, kind = ?3, version = ?4, build = ?5, time = ?6, os = ?7, device = ?8, install = ?9, reason = ?10, signature = ?11, key = ?12, category = ?13, rules = ?14, provisional = ?15, symbols = ?16, document = ?17, variant = ?18, happened = CASE WHEN happened = time THEN ?6 ELSE happened END, person = coalesce(?19, person), session = CASE WHEN ?20 = '' THEN session ELSE ?20 END WHERE id = ?1
UPDATE reports SET grp = ?1, origin = ?2 WHERE grp = ?3 AND origin = ?4
UPDATE reports SET grp = ?1, origin = ?2 WHERE id = ?3
UPDATE reports SET grp = ?1, origin = ?2, found_by = ?3, found_detail = ?4 WHERE grp = ?5 AND origin = ?6 AND key = ?7
UPDATE reports SET id = 8092
UPDATE search_facts SET grp = ?1 WHERE report IN (SELECT id FROM reports WHERE grp = ?2 AND origin = ?3 AND key = ?4)
UPDATE search_facts SET grp = ?1 WHERE report IN (SELECT id FROM reports WHERE grp = ?2 AND origin = ?3)
UPDATE search_facts SET grp = ?1 WHERE report IN (SELECT id FROM reports WHERE id = ?2)
UPDATE search_facts SET grp = ?1 WHERE report IN (SELECT id FROM reports WHERE name = ?2)
UPDATE search_facts SET time = ?2, install = ?3, uptime = ?4, stack = ?5, tags = ?6, version = ?7, build = ?8, release = ?9, kind = ?10, format = ?11, category = ?12, os_name = ?13, os_version = ?14, os_build = ?15, os = ?16, device = ?17, arch = ?18, process = ?19, signal = ?20, type = ?21, exception = ?22, code = ?23, headline = ?24, signature = ?25, "user" = ?26, symbols = ?27, provisional = ?28, message = ?29 WHERE report = ?1
UPDATE search_facts SET version = ?1
UPDATE search_past SET (signature, stack, symbols, provisional, category) = (SELECT signature, stack, symbols, provisional, category FROM search_facts WHERE report = ?6) WHERE counted > 0 AND counted IN (SELECT id FROM counted_reports WHERE origin = ?1 AND key = ?2 AND variant = ?3 AND version = ?4 AND build = ?5) AND EXISTS (SELECT 1 FROM search_facts WHERE report = ?6)
UPDATE search_past SET origin = ?3, grp = ?4 WHERE counted > 0 AND counted IN (SELECT id FROM counted_reports WHERE origin = ?1 AND key = ?2)
UPDATE uploads SET file_name = ?2, announced = ?3 WHERE id = ?1 AND status = 'created'
WITH RECURSIVE taken (id, grp) AS ( SELECT id, grp FROM origins WHERE parent = ?1 AND rule IS NOT NULL UNION SELECT origins.id, origins.grp FROM origins JOIN taken ON origins.parent = taken.id WHERE rule IS NOT NULL) SELECT reports.key, count(*) AS count, min(reports.id) AS oldest, max(reports.provisional) AS provisional, max(CASE WHEN group_keys.origin = ?1 THEN 1 ELSE 0 END) AS is_own FROM taken JOIN reports ON reports.grp = taken.grp AND reports.origin = taken.id LEFT JOIN group_keys ON group_keys.app = reports.app AND group_keys.key = reports.key WHERE group_keys.key IS NULL GROUP BY reports.key ORDER BY min(reports.id)
WITH RECURSIVE taken (id, grp) AS ( SELECT id, grp FROM origins WHERE parent = ?1 AND rule IS NOT NULL UNION SELECT origins.id, origins.grp FROM origins JOIN taken ON origins.parent = taken.id WHERE rule IS NOT NULL) SELECT reports.key, count(*) AS count, min(reports.id) AS oldest, max(reports.provisional) AS provisional, max(CASE WHEN group_keys.origin = ?1 THEN 1 ELSE 0 END) AS is_own FROM taken JOIN reports ON reports.grp = taken.grp AND reports.origin = taken.id LEFT JOIN group_keys ON group_keys.app = reports.app AND group_keys.key = reports.key WHERE group_keys.origin = ?1 GROUP BY reports.key ORDER BY min(reports.id)
WITH RECURSIVE tree (id) AS ( SELECT CAST(?1 AS BIGINT) UNION SELECT groups.id FROM groups JOIN tree ON groups.redirect = tree.id) SELECT apps.prefix || '-' || groups.number AS group_name FROM groups JOIN apps ON apps.id = groups.app WHERE groups.id IN (SELECT id FROM tree) AND joined = 1 AND groups.id != ?1 ORDER BY groups.id
WITH RECURSIVE tree (id) AS (SELECT CAST(?1 AS BIGINT) UNION SELECT origins.id FROM origins JOIN tree ON origins.parent = tree.id) SELECT main.key, main.origin FROM group_keys AS main JOIN tree ON main.origin = tree.id WHERE main.is_main = 1 AND main.is_left = 0
