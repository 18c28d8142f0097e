extension Schema {
  /// The packages of distributions that images were installed from, as the images themselves say.
  static let packages = """
    CREATE TABLE image_packages (
      debug_id TEXT PRIMARY KEY,
      type TEXT,
      name TEXT NOT NULL,
      version TEXT,
      architecture TEXT,
      os TEXT,
      os_cpe TEXT,
      debug_info_url TEXT
    ) STRICT, WITHOUT ROWID;

    """
}
