internal import CSQLite

/// Learns from SQLite which tables a statement changes, while the statement is prepared.
final class ChangedTables {
  /// The tables changed by the statement that was prepared last.
  var names: Set<String> = []

  /// Registers for each statement of the connection, which must not outlive this object.
  func attach(to handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { context, action, table, _, _, _ in
        if [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action), let context, let table {
          Unmanaged<ChangedTables>.fromOpaque(context).takeUnretainedValue().names.insert(
            String(cString: table))
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
