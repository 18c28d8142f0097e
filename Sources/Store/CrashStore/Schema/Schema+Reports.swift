extension Schema {
  /// Reports, what was known of them before they were reprocessed, and what is left of deleted ones.
  ///
  /// - `reports.happened`: `time`, or the time of arrival where a client's clock is not believed.
  /// - `reports.person`: the hash of the installation, or of the user where a report names no installation.
  /// - `reports.variant`: the id of the stack as grouping sees it, in `stacks`; empty where it is still to
  ///   be noted, see ``CrashStore/fillStacks()``.
  /// - `reports.found_by`, `found_detail`: how the report found its group.
  ///
  /// Reports beyond the daily limit of their group and build are only counted:
  ///
  /// - `counted_reports`: what is known of them, as much as moves them to another group later.
  /// - `group_intake`: how many reports of a group and build were stored whole on the day on which they
  ///   came, and how many of them had attachments, or were dumps.
  static let reports = """
    CREATE TABLE reports (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      submission INTEGER NOT NULL REFERENCES submissions,
      position INTEGER NOT NULL,
      app INTEGER NOT NULL REFERENCES apps,
      grp INTEGER NOT NULL REFERENCES groups,
      origin INTEGER NOT NULL REFERENCES origins,
      format TEXT NOT NULL,
      kind TEXT NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      time INTEGER NOT NULL,
      received INTEGER NOT NULL,
      happened INTEGER NOT NULL,
      os TEXT NOT NULL,
      device TEXT NOT NULL,
      install BLOB,
      person BLOB,
      session TEXT NOT NULL,
      reason TEXT,
      signature TEXT NOT NULL,
      key TEXT NOT NULL,
      variant TEXT NOT NULL,
      category TEXT NOT NULL,
      rules TEXT NOT NULL,
      provisional INTEGER NOT NULL,
      found_by TEXT NOT NULL,
      found_detail TEXT,
      symbols INTEGER NOT NULL,
      document BLOB NOT NULL,
      UNIQUE (submission, position)
    ) STRICT;
    CREATE INDEX reports_by_time ON reports (time);
    CREATE INDEX reports_of_app_by_time ON reports (app, time);
    CREATE INDEX reports_of_group_by_time ON reports (grp, time);
    CREATE INDEX reports_of_group_by_variant ON reports (grp, variant);
    CREATE INDEX reports_by_variant ON reports (variant);
    CREATE INDEX reports_of_app_by_kind
      ON reports (app, kind, happened, version, build, person, session);

    CREATE TABLE report_versions (
      report INTEGER NOT NULL REFERENCES reports,
      number INTEGER NOT NULL,
      replaced INTEGER NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      document BLOB NOT NULL,
      arrived TEXT NOT NULL,
      PRIMARY KEY (report, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_reports (
      origin INTEGER PRIMARY KEY REFERENCES origins,
      count INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE counted_reports (
      id INTEGER PRIMARY KEY,
      origin INTEGER NOT NULL REFERENCES origins,
      key TEXT NOT NULL,
      variant TEXT NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      day INTEGER NOT NULL,
      os TEXT NOT NULL,
      device TEXT NOT NULL,
      install BLOB NOT NULL,
      count INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      UNIQUE (origin, key, variant, version, build, day, os, device, install)
    ) STRICT;
    CREATE INDEX counted_reports_by_install ON counted_reports (install, origin);

    CREATE TABLE group_intake (
      day INTEGER NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      stored INTEGER NOT NULL,
      attachments INTEGER NOT NULL,
      dumps INTEGER NOT NULL,
      PRIMARY KEY (day, grp, version, build)
    ) STRICT, WITHOUT ROWID;

    """
}
