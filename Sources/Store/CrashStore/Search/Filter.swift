internal import Database

/// Conditions of a list, joined by AND, with their parameter values.
struct Filter {
  private var conditions: [String]
  private(set) var values: [any SQLBindable] = []

  init(_ condition: String? = nil) { conditions = condition.map { [$0] } ?? [] }

  /// Adds `before ?n after`.
  mutating func add(_ before: String, _ value: any SQLBindable, _ after: String = "") {
    values.append(value)
    conditions.append("\(before) ?\(values.count)\(after)")
  }

  var sql: String {
    conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// The clause for the requested page of the list.
  func page(limit: Int?, offset: Int) -> String {
    " LIMIT \(limit.map { max($0, 0) } ?? .max) OFFSET \(max(offset, 0))"
  }
}
