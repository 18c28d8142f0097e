extension Schema {
  /// Files with the columns of settled reports; see ``SearchSegments``.
  ///
  /// - `search_segments`: the first and the last chunk of each, and its name in the folder `search`.
  /// - `search_changed`: chunks that were settled again since.
  static let segments = """
    CREATE TABLE search_segments (
      last INTEGER PRIMARY KEY,
      first INTEGER NOT NULL,
      file TEXT NOT NULL
    ) STRICT;

    CREATE TABLE search_changed (chunk INTEGER PRIMARY KEY) STRICT;

    """
}
