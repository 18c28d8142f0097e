extension Schema {
  /// Drops the foreign key from lists to stacks: the lists of a deleted stack are known, but SQLite would
  /// search all lists for remaining references. Also indexes keys by origin.
  static let ownedLists = """
    ALTER TABLE stack_lists RENAME TO former_stack_lists;
    CREATE TABLE stack_lists (
      app INTEGER NOT NULL REFERENCES apps,
      list INTEGER NOT NULL,
      stack INTEGER NOT NULL,
      PRIMARY KEY (list, app, stack)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO stack_lists (app, list, stack) SELECT app, list, stack FROM former_stack_lists;
    DROP TABLE former_stack_lists;
    CREATE INDEX group_keys_by_origin ON group_keys (origin);
    """
}
