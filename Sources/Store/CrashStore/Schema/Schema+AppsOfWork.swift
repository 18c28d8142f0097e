extension Schema {
  /// The app of each report to reprocess and of each origin to look through, so that an app is settled while
  /// reports of others wait.
  static let appsOfWork = """
    CREATE TABLE redo_of_apps (
      app INTEGER NOT NULL REFERENCES apps,
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      rule_set INTEGER,
      problem TEXT
    ) STRICT;
    INSERT INTO redo_of_apps (app, report, rule_set, problem)
      SELECT reports.app, report, rule_set, redo.problem FROM redo JOIN reports ON reports.id = report;
    DROP TABLE redo;
    ALTER TABLE redo_of_apps RENAME TO redo;
    CREATE INDEX redo_waiting ON redo (app) WHERE problem IS NULL;

    CREATE TABLE regroup_of_apps (
      app INTEGER NOT NULL REFERENCES apps,
      origin INTEGER PRIMARY KEY,
      phase INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO regroup_of_apps (app, origin, phase)
      SELECT groups.app, origin, phase FROM regroup JOIN origins ON origins.id = origin
        JOIN groups ON groups.id = origins.home;
    DROP TABLE regroup;
    ALTER TABLE regroup_of_apps RENAME TO regroup;
    CREATE INDEX regroup_next ON regroup (app, phase, origin);

    """
}
