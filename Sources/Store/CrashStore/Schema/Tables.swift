/// The tables whose rows others refer to by number. The number of a group's row is a
/// `RowID<Tables.Groups>`; that of another table's row does not fit where it is asked for.
///
/// The search index goes through millions of rows and has the numbers of reports and groups as bare
/// integers: there they are positions in its columns.
enum Tables {
  enum Apps {}
  enum Submissions {}
  enum Reports {}
  enum Groups {}
  /// See ``Origin``.
  enum Origins {}
  /// See ``CountedReports``.
  enum CountedReports {}
  /// See ``StoredStack``.
  enum KeyStacks {}
  /// The lines of the groups' histories, `group_history`.
  enum History {}
}
