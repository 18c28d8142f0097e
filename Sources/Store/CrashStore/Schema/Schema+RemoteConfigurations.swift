extension Schema {
  /// What apps with the RemoteConfiguration library poll: each document that was ever published, byte for
  /// byte. The one with the highest number is served. `event` says how it came about, `source` which number
  /// a roll-back went to.
  static let remoteConfigurations = """
    CREATE TABLE update_documents (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      time INTEGER NOT NULL,
      author TEXT NOT NULL,
      event TEXT NOT NULL,
      source INTEGER,
      note TEXT,
      follows_releases INTEGER NOT NULL DEFAULT 0,
      document TEXT NOT NULL,
      PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;

    """
}
