extension Schema {
  /// The lists of stacks without a reference to the stacks: of a stack that goes, its lists are known, while SQLite
  /// would look through all lists for one that still refers to it. And the keys of an origin are found by it.
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
