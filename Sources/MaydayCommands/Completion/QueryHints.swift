import CrashModel

/// What may stand in a query, for whoever types one.
enum QueryHints {
  static let fields: [(name: String, meaning: String)] = [
    ("app", "The name of the app"), ("version", "The version of the app"),
    ("is", "The state of the group"), ("group", "The group of a report"),
  ]

  /// Every value of a field, where they are few.
  static func choices(of field: String) -> [String]? {
    field == "is" ? GroupState.allCases.map(\.rawValue) : nil
  }
}
