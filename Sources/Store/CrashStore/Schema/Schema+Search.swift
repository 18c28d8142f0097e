extension Schema {
  /// What queries are answered from; see docs/use/query.md.
  ///
  /// `search_facts` has a row of small numbers for each report, `search_columns` the same numbers
  /// column by column for each 8192 reports that are settled. Triggers keep both in step with
  /// `reports`, and `group_versions` with `counters`, whoever changes those. `search_past` has the facts
  /// of reports that went while their groups go on counting them, without what may tell of a person.
  static let search = """
    CREATE TABLE search_terms (
      id INTEGER PRIMARY KEY,
      hash INTEGER NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX search_terms_by_hash ON search_terms (hash);
    CREATE VIRTUAL TABLE search_grams USING fts5(
      text, tokenize = 'trigram case_sensitive 1', content = '', columnsize = 0, detail = none);

    CREATE TABLE search_sets (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE,
      members BLOB NOT NULL
    ) STRICT;
    CREATE TABLE search_set_terms (
      term INTEGER NOT NULL,
      holder INTEGER NOT NULL,
      PRIMARY KEY (term, holder)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE search_facts (
      report INTEGER PRIMARY KEY,
      grp INTEGER NOT NULL,
      time INTEGER NOT NULL,
      received INTEGER NOT NULL,
      install INTEGER NOT NULL,
      uptime INTEGER NOT NULL,
      stack INTEGER NOT NULL,
      tags INTEGER NOT NULL,
      version INTEGER NOT NULL,
      build INTEGER NOT NULL,
      release INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      format INTEGER NOT NULL,
      category INTEGER NOT NULL,
      os_name INTEGER NOT NULL,
      os_version INTEGER NOT NULL,
      os_build INTEGER NOT NULL,
      os INTEGER NOT NULL,
      device INTEGER NOT NULL,
      arch INTEGER NOT NULL,
      process INTEGER NOT NULL,
      signal INTEGER NOT NULL,
      type INTEGER NOT NULL,
      exception INTEGER NOT NULL,
      code INTEGER NOT NULL,
      headline INTEGER NOT NULL,
      signature INTEGER NOT NULL,
      user INTEGER NOT NULL,
      symbols INTEGER NOT NULL,
      provisional INTEGER NOT NULL,
      message INTEGER NOT NULL,
      source INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE search_past (
      id INTEGER PRIMARY KEY,
      origin INTEGER NOT NULL,
      grp INTEGER NOT NULL,
      time INTEGER NOT NULL,
      received INTEGER NOT NULL,
      install INTEGER NOT NULL,
      uptime INTEGER NOT NULL,
      stack INTEGER NOT NULL,
      tags INTEGER NOT NULL,
      version INTEGER NOT NULL,
      build INTEGER NOT NULL,
      release INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      format INTEGER NOT NULL,
      category INTEGER NOT NULL,
      os_name INTEGER NOT NULL,
      os_version INTEGER NOT NULL,
      os_build INTEGER NOT NULL,
      os INTEGER NOT NULL,
      device INTEGER NOT NULL,
      arch INTEGER NOT NULL,
      process INTEGER NOT NULL,
      signal INTEGER NOT NULL,
      type INTEGER NOT NULL,
      exception INTEGER NOT NULL,
      code INTEGER NOT NULL,
      headline INTEGER NOT NULL,
      signature INTEGER NOT NULL,
      user INTEGER NOT NULL,
      symbols INTEGER NOT NULL,
      provisional INTEGER NOT NULL,
      message INTEGER NOT NULL,
      source INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX search_past_by_origin ON search_past (origin);
    CREATE TABLE search_messages (
      report INTEGER PRIMARY KEY,
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE search_columns (
      id INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE search_stale (chunk INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE search_queue (report INTEGER PRIMARY KEY) STRICT;
    INSERT INTO search_queue SELECT id FROM reports;

    CREATE TRIGGER search_moved AFTER UPDATE OF grp ON reports WHEN old.grp != new.grp BEGIN
      UPDATE search_facts SET grp = new.grp WHERE report = new.id;
      INSERT OR IGNORE INTO search_stale (chunk) VALUES (new.id >> 13);
    END;
    CREATE TRIGGER search_removed AFTER DELETE ON reports BEGIN
      INSERT INTO search_past (origin,
        grp, time, received, install, uptime, stack, tags, version, build, release, kind,
        format, category, os_name, os_version, os_build, os, device, arch, process, signal,
        type, exception, code, headline, signature, user, symbols, provisional, message,
        source)
      SELECT old.origin,
        grp, time, received, install, uptime, stack, 0, version, build, release, kind, format,
        category, os_name, os_version, os_build, os, device, arch, process, signal, type,
        exception, code, headline, signature, 0, symbols, provisional, 0, 0
      FROM search_facts WHERE report = old.id;
      INSERT OR IGNORE INTO search_stale (chunk)
        SELECT (max(id) >> 13) + (1 << 20) FROM search_past HAVING max(id) IS NOT NULL;
      DELETE FROM search_facts WHERE report = old.id;
      DELETE FROM search_messages WHERE report = old.id;
      DELETE FROM search_queue WHERE report = old.id;
      INSERT OR IGNORE INTO search_stale (chunk) VALUES (old.id >> 13);
    END;
    CREATE TRIGGER search_past_moved AFTER UPDATE ON search_past BEGIN
      INSERT OR IGNORE INTO search_stale (chunk) VALUES ((new.id >> 13) + (1 << 20));
    END;
    CREATE TRIGGER search_origin_shown AFTER UPDATE OF grp ON origins WHEN old.grp != new.grp BEGIN
      UPDATE search_past SET grp = new.grp WHERE origin = new.id;
    END;

    ALTER TABLE groups ADD COLUMN versions INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE group_versions (
      grp INTEGER NOT NULL REFERENCES groups,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, version, build)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER group_versions_added AFTER INSERT ON group_versions BEGIN
      UPDATE groups SET versions = versions + 1 WHERE id = new.grp;
    END;
    CREATE TRIGGER group_versions_removed AFTER DELETE ON group_versions BEGIN
      UPDATE groups SET versions = versions - 1 WHERE id = old.grp;
    END;
    INSERT INTO group_versions (grp, version, build, count)
      SELECT grp, version, build, sum(count) FROM counters GROUP BY grp, version, build;
    CREATE TRIGGER counters_added AFTER INSERT ON counters BEGIN
      INSERT INTO group_versions (grp, version, build, count)
        VALUES (new.grp, new.version, new.build, new.count)
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
    END;
    CREATE TRIGGER counters_changed AFTER UPDATE ON counters
    WHEN old.grp = new.grp AND old.version = new.version AND old.build = new.build BEGIN
      UPDATE group_versions SET count = count + new.count - old.count
        WHERE grp = new.grp AND version = new.version AND build = new.build;
      DELETE FROM group_versions
        WHERE grp = new.grp AND version = new.version AND build = new.build AND count <= 0;
    END;
    CREATE TRIGGER counters_moved AFTER UPDATE ON counters
    WHEN old.grp != new.grp OR old.version != new.version OR old.build != new.build BEGIN
      INSERT INTO group_versions (grp, version, build, count)
        VALUES (new.grp, new.version, new.build, new.count)
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
      UPDATE group_versions SET count = count - old.count
        WHERE grp = old.grp AND version = old.version AND build = old.build;
      DELETE FROM group_versions
        WHERE grp = old.grp AND version = old.version AND build = old.build AND count <= 0;
    END;
    CREATE TRIGGER counters_removed AFTER DELETE ON counters BEGIN
      UPDATE group_versions SET count = count - old.count
        WHERE grp = old.grp AND version = old.version AND build = old.build;
      DELETE FROM group_versions
        WHERE grp = old.grp AND version = old.version AND build = old.build AND count <= 0;
    END;

    DROP INDEX groups_by_reports;
    DROP INDEX groups_of_app_by_reports;
    CREATE INDEX groups_by_reports ON groups (reports DESC, last_seen DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_of_app_by_reports ON groups (app, reports DESC, last_seen DESC)
      WHERE redirect IS NULL;
    DROP INDEX reports_by_time;
    DROP INDEX reports_of_app_by_time;
    DROP INDEX reports_of_group_by_time;
    CREATE INDEX reports_by_time ON reports (time);
    CREATE INDEX reports_of_app_by_time ON reports (app, time);
    CREATE INDEX reports_of_group_by_time ON reports (grp, time);

    """
}
