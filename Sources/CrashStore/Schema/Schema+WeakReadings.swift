extension Schema {
  /// Which readings of keys are weak, as `KeyGroups` has it.
  static let weakReadings = """
    ALTER TABLE key_readings ADD COLUMN weak INTEGER NOT NULL DEFAULT 0;

    """
}
