extension Schema {
  /// The app of each line of the histories: transactions of one app come one after the other, so within an
  /// app, and only there, a line with a greater number was committed later.
  static let appsOfHistory = """
    ALTER TABLE group_history ADD COLUMN app INTEGER REFERENCES apps;
    UPDATE group_history SET app = (SELECT app FROM groups WHERE groups.id = grp);
    CREATE INDEX group_history_by_app ON group_history (app, id);
    CREATE INDEX distribution_news_by_app ON distribution_news (app, number);

    """
}
