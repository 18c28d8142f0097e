import Arguments

/// A limit that can be removed: a value, or `none`.
enum RetentionLimit<Value: ArgumentValue>: ArgumentValue {
  case none
  case value(Value)

  init?(argument: String) {
    if argument == "none" {
      self = .none
    } else if let value = Value(argument: argument) {
      self = .value(value)
    } else {
      return nil
    }
  }

  var argument: String {
    switch self {
    case .none: "none"
    case .value(let value): value.argument
    }
  }

  static var valueName: String { Value.valueName }
  static var example: String? { Value.example.map { "\($0), or none" } ?? "none" }
}
