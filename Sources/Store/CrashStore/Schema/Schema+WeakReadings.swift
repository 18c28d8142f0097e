extension Schema {
  /// Which readings of keys are weak, as `KeyGroups` has it. The stacks of keys of all reports are noted again,
  /// those included that were stored before there were any; see ``CrashStore/fillStacks()``.
  static let weakReadings = """
    ALTER TABLE key_readings ADD COLUMN weak INTEGER NOT NULL DEFAULT 0;
    DELETE FROM stack_lists;
    DELETE FROM key_stacks;
    UPDATE reports SET variant = '';

    """
}
