extension Schema {
  /// Issues about groups, and the trackers of apps.
  ///
  /// - `group_tickets.checked`: when the tracker was last asked for the state.
  /// - `trackers.token`: where the token is, as `file:/path` or `env:NAME`.
  static let tickets = """
    CREATE TABLE group_tickets (
      grp INTEGER PRIMARY KEY REFERENCES groups,
      url TEXT NOT NULL,
      state TEXT NOT NULL,
      checked INTEGER
    ) STRICT;

    CREATE TABLE trackers (
      app INTEGER PRIMARY KEY REFERENCES apps,
      kind TEXT NOT NULL,
      address TEXT NOT NULL,
      token TEXT,
      reports INTEGER,
      users INTEGER
    ) STRICT;

    """
}
