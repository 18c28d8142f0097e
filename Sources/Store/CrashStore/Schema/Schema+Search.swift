extension Schema {
  /// The data that answers queries; see ``SearchIndex``.
  ///
  /// - `search_facts`: a row of small numbers for each report. `search_columns`: the same numbers column by
  ///   column, for each 8192 reports that are settled.
  /// - `search_past`: the facts of reports that were deleted while their groups go on counting them, without
  ///   what may identify a person. `counted` is the row of `counted_reports`, or 0.
  /// - `search_incidents`: the first eight bytes of the SHA-256 of the reporter's own id for the crash.
  /// - `search_stale`: chunks to settle. `search_queue`: reports to bring into the index.
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
      counted INTEGER NOT NULL DEFAULT 0,
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
    CREATE INDEX search_past_by_counted ON search_past (counted) WHERE counted > 0;

    CREATE TABLE search_messages (
      report INTEGER PRIMARY KEY,
      text TEXT NOT NULL
    ) STRICT;

    CREATE TABLE search_incidents (
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      hash INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX search_incidents_by_hash ON search_incidents (hash);

    CREATE TABLE search_columns (
      id INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT;

    CREATE TABLE search_stale (chunk INTEGER PRIMARY KEY) STRICT;

    CREATE TABLE search_queue (report INTEGER PRIMARY KEY) STRICT;

    """
}
