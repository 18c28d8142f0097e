import Database

@testable import CrashStore

extension CrashStore {
  /// Opens a home so that each transaction is run, undone and run again, and must change no more than it
  /// declares: what these tests find in the store shows that all of its transactions can be repeated.
  ///
  /// - Parameter readsAhead: See ``CrashStore/readsAhead``.
  convenience init(checking home: String, readsAhead: Bool = true) throws {
    var options = Connection.Options()
    options.checksTransactions = true
    var contentOptions = ContentStore.options
    contentOptions.checksTransactions = true
    try self.init(
      opening: home, options: options, contentOptions: contentOptions, readsAhead: readsAhead)
  }
}
