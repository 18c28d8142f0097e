extension Schema {
  /// The builds that sessions and crashes are from, and the releases in which groups came back, so that the
  /// figures of a release are found without going through those of all others.
  ///
  /// What clients said before names no build. Lines of the history have named the release in words.
  static let releaseFigures = """
    ALTER TABLE sessions ADD COLUMN build TEXT NOT NULL DEFAULT '';
    ALTER TABLE client_reports ADD COLUMN build TEXT NOT NULL DEFAULT '';
    DROP INDEX sessions_by_day;
    CREATE INDEX sessions_by_day ON sessions (app, day, version, build, install);
    CREATE INDEX group_versions_by_release ON group_versions (version, build);
    CREATE INDEX groups_by_fix ON groups (app, fixed_version) WHERE fixed_version IS NOT NULL;

    ALTER TABLE group_history ADD COLUMN version TEXT;
    ALTER TABLE group_history ADD COLUMN build TEXT;
    UPDATE group_history SET version = substr(detail, 9, instr(detail, ', ') - 9), build = ''
      WHERE event = 'regressed' AND detail LIKE 'seen in %, %';
    UPDATE group_history SET version = substr(version, 1, instr(version, ' (') - 1),
      build = substr(version, instr(version, ' (') + 2, length(version) - instr(version, ' (') - 2)
      WHERE version LIKE '_% (%)';
    UPDATE group_history SET version = '', build = substr(version, 2, length(version) - 2)
      WHERE version LIKE '(%)';
    CREATE INDEX group_history_by_release ON group_history (version) WHERE version IS NOT NULL;

    """
}
