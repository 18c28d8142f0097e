extension Schema {
  /// Which builds have a key: rows of `key_readings` whose `weak` is 2, and whose reading is `~VERSION (BUILD)`.
  /// A weak reading does not hold between two keys of one build.
  ///
  /// With what is asked for in the index, the search by a reading uses it.
  static let buildsOfKeys = """
    DROP INDEX key_readings_by_reading;
    CREATE INDEX key_readings_by_reading ON key_readings (app, reading, weak);
    INSERT INTO key_readings (app, key, reading, position, weak)
      SELECT DISTINCT app, key, '~' || version || ' (' || build || ')', 0, 2 FROM reports WHERE true
      ON CONFLICT DO NOTHING;

    """
}
