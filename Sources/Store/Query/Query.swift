public import CrashModel

/// The conditions of a list or count, all of which must hold.
///
///     version:2.4.* build:>=512 -is:handled signal:SIGSEGV|SIGBUS first:<7d "free text"
///
/// Between blanks stand conditions `field:value`, and words to search for. `-` before a condition
/// negates it. `a|b` is either. Values of names take `*` and `?`; versions, builds, numbers and
/// times take `>`, `>=`, `<`, `<=` and `a..b`. Quotes take what stands in them letter by letter,
/// with `\"` and `\\` for a quote and a backslash; `""` asks for values that the report lacks.
public struct Query: Sendable, Hashable {
  public let conditions: [Condition]

  /// The query that holds for everything.
  public static let all = Query(conditions: [])

  public init(conditions: [Condition]) { self.conditions = conditions }

  /// - Parameter now: The time from which relative times, such as `<7d`, are counted.
  /// - Throws: ``QueryError``, which names the place.
  public init(_ text: String, now: Timestamp) throws(QueryError) {
    var parser = QueryParser(text, now: now)
    conditions = try parser.conditions()
  }

  /// The query as text that reads as the same query.
  public var text: String { conditions.map(\.text).joined(separator: " ") }

  /// Whether all conditions hold for a report. A condition about its group holds only where the
  /// values tell of the group.
  public func matches(_ values: ReportValues) -> Bool {
    conditions.allSatisfy { $0.matches(values) }
  }
}
