extension Schema {
  /// The program itself changes what follows from other tables: see ``CountersTable``, ``MissingTable`` and
  /// ``SearchIndex``.
  static let withoutTriggers = """
    DROP TRIGGER IF EXISTS waiting_begins;
    DROP TRIGGER IF EXISTS waiting_ends;
    DROP TRIGGER IF EXISTS waiting_decides;
    DROP TRIGGER IF EXISTS waiting_moves;
    DROP TRIGGER IF EXISTS search_moved;
    DROP TRIGGER IF EXISTS search_removed;
    DROP TRIGGER IF EXISTS search_past_moved;
    DROP TRIGGER IF EXISTS search_origin_shown;
    DROP TRIGGER IF EXISTS group_versions_added;
    DROP TRIGGER IF EXISTS group_versions_removed;
    DROP TRIGGER IF EXISTS counters_added;
    DROP TRIGGER IF EXISTS counters_changed;
    DROP TRIGGER IF EXISTS counters_moved;
    DROP TRIGGER IF EXISTS counters_removed;
    DROP TRIGGER IF EXISTS spread_added;
    DROP TRIGGER IF EXISTS spread_grown;
    DROP TRIGGER IF EXISTS spread_moved;
    DROP TRIGGER IF EXISTS spread_removed;
    """
}
