import CrashService
internal import Query

extension Query {
  /// The query as a command line.
  ///
  /// - Parameter server: The server that will be asked, if any: it knows who `assignee:me` is.
  /// - Throws: ``QueryError`` with the position.
  init(words: [String], server: String?) throws(QueryError) {
    try self.init(
      words.joined(separator: " "), now: .now, me: server == nil ? AuthorOptions().name : nil)
  }
}
