import Query

/// Completions of a query that is being typed.
enum QueryHints {
  /// Words need no field.
  static let fields = QueryField.all.filter { $0.name != "text" && !$0.name.hasSuffix(".NAME") }

  /// The fields that lists can be counted by.
  static let countable = fields.filter(\.isCountable)

  /// Every value of a field, where they are few.
  static func choices(of name: String) -> [String]? {
    QueryField(named: name).flatMap { $0.choices.isEmpty ? nil : $0.choices }
  }
}
