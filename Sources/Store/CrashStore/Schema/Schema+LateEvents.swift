extension Schema {
  /// Whether a line of a history is about reports that were there before: nobody has to hear of it again.
  static let lateEvents = """
    ALTER TABLE group_history ADD COLUMN is_late INTEGER NOT NULL DEFAULT 0;
    """
}
