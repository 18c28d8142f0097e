import CrashService
internal import Query

extension Query {
  /// The query as a command line.
  ///
  /// - Throws: ``QueryError`` with the position.
  init(words: [String]) throws(QueryError) {
    try self.init(words.joined(separator: " "), now: .now)
  }
}
