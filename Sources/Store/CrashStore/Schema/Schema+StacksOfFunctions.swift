extension Schema {
  /// The stacks with the same functions, in the order in which they are compared. Without the order in the
  /// index, SQLite takes that of the keys, and reads all stacks of the app for each new one.
  static let stacksOfFunctions = """
    DROP INDEX key_stacks_by_functions;
    CREATE INDEX key_stacks_by_functions ON key_stacks (app, functions, key, variant);
    """
}
