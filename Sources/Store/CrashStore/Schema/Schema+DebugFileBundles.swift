extension Schema {
  /// The releases that bundles of debug files name themselves, for images of which reports name only the
  /// release of their app.
  static let debugFileBundles = """
    CREATE TABLE debug_file_bundles (
      digest BLOB NOT NULL PRIMARY KEY,
      version TEXT NOT NULL,
      build TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
