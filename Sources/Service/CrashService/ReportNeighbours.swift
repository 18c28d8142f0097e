internal import CrashStore
internal import Query

/// The previous and the next report of the same group, by the time of the crash.
package struct ReportNeighbours: Hashable, Sendable {
  /// The id of the previous report; `nil` for the oldest.
  package var older: String?
  /// The id of the next report; `nil` for the newest.
  package var newer: String?

  package init(older: String? = nil, newer: String? = nil) {
    self.older = older
    self.newer = newer
  }
}

extension CrashService {
  /// - Parameters:
  ///   - report: The full id of the report.
  ///   - group: The group that contains it.
  package func neighbours(ofReport report: String, inGroup group: String) throws
    -> ReportNeighbours
  {
    func next(isReversed: Bool) throws -> String? {
      var query = ReportQuery(try Query("group:" + group.inQuery, now: .now))
      query.isReversed = isReversed
      query.limit = 1
      query.start(after: report)
      return try reports(query).items.first?.id
    }
    return ReportNeighbours(older: try next(isReversed: false), newer: try next(isReversed: true))
  }
}

extension String {
  /// The value as a literal of the query language.
  package var inQuery: String {
    var text = "\""
    for character in unicodeScalars {
      if character == "\"" || character == "\\" { text += "\\" }
      text.unicodeScalars.append(character)
    }
    return text + "\""
  }
}
