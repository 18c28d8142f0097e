internal import CrashStore
internal import Query

/// The reports before and after one among those of its group, by the time of the crash.
package struct ReportNeighbours: Hashable, Sendable {
  /// The id of the one that crashed before it; `nil` for the oldest.
  package var older: String?
  /// `nil` for the newest.
  package var newer: String?

  package init(older: String? = nil, newer: String? = nil) {
    self.older = older
    self.newer = newer
  }
}

extension CrashService {
  /// - Parameters:
  ///   - report: Its whole id.
  ///   - group: The one that it is in.
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
  /// Letter by letter, as the query language writes it.
  package var inQuery: String {
    var text = "\""
    for character in unicodeScalars {
      if character == "\"" || character == "\\" { text += "\\" }
      text.unicodeScalars.append(character)
    }
    return text + "\""
  }
}
