extension Schema {
  /// The first eight bytes of the SHA-256 of what the reporter calls what happened.
  static let incidents = """
    CREATE TABLE search_incidents (
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      hash INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX search_incidents_by_hash ON search_incidents (hash);

    """
}
