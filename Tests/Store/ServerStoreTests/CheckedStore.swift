import Database

@testable import ServerStore

extension ServerStore {
  /// Opens a home so that each transaction is run, undone and run again: what these tests find in the queue
  /// shows that all of its transactions can be repeated.
  convenience init(checking home: String) throws {
    var options = Connection.Options()
    options.checksTransactions = true
    try self.init(opening: home, options: options)
  }
}
