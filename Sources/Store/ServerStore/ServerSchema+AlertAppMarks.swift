extension ServerSchema {
  /// - `alert_app_marks`: the last line of an app's histories or news that was read for all rules, where `rule`
  ///   is 0, and the last line that a rule ignores, where that is later. `app` is a row of `mayday.db`.
  static let alertAppMarks = """
    CREATE TABLE alert_app_marks (
      rule INTEGER NOT NULL,
      name TEXT NOT NULL,
      app INTEGER NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (rule, name, app)
    ) STRICT, WITHOUT ROWID;

    """
}
