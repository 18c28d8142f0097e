public import Identifiers

/// The conditions of a list or count, all of which must hold.
///
///     version:2.4.* build:>=512 -is:handled signal:SIGSEGV|SIGBUS first:<7d "free text"
///
/// Conditions `field:value` and words to search for are separated by blanks. `-` before a condition
/// negates it. `a|b` matches either. Values of names accept `*` and `?`; versions, builds, numbers
/// and times accept `>`, `>=`, `<`, `<=` and `a..b`. Text in quotes is literal, with `\"` and `\\`
/// for a quote and a backslash; `""` matches reports without a value.
public struct Query: Sendable, Hashable {
  public let conditions: [Condition]

  /// The query that matches everything.
  public static let all = Query(conditions: [])

  public init(conditions: [Condition]) { self.conditions = conditions }

  /// The assignee that stands for whoever asks.
  static let me = "me"

  /// - Parameters:
  ///   - now: The time that relative times, such as `<7d`, refer to.
  ///   - me: The name for `assignee:me`; `nil` leaves the condition as it is, for another machine to read.
  /// - Throws: ``QueryError`` with the position.
  public init(_ text: String, now: Timestamp, me: String? = nil) throws(QueryError) {
    var parser = QueryParser(text, now: now, me: me)
    conditions = try parser.conditions()
  }

  /// Reads a query that was stored, maybe before text that only looks like a condition was an error.
  ///
  /// - Throws: ``QueryError`` with the position.
  public init(stored text: String, now: Timestamp) throws(QueryError) {
    var parser = QueryParser(text, now: now)
    parser.takesLookalikes = true
    conditions = try parser.conditions()
  }

  /// The text of the query, which parses to the same query.
  public var text: String { conditions.map(\.text).joined(separator: " ") }

  /// Whether `assignee:me` is among the conditions, without a name for it.
  public var isAboutCaller: Bool {
    conditions.contains { condition in
      condition.field.sources == [.assignee]
        && condition.alternatives.contains { $0.text == Self.me }
    }
  }

  /// Whether all conditions hold for a report. A condition on its group holds only if the values
  /// include the group's.
  public func matches(_ values: ReportValues) -> Bool {
    conditions.allSatisfy { $0.matches(values) }
  }
}
