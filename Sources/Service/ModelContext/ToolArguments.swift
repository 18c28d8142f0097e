internal import APIDocuments
internal import Bytes
internal import CrashService
internal import Documents
internal import Identifiers
internal import JSON

/// The arguments of a call, which are what the tool's schema allows.
struct ToolArguments: Sendable {
  private let values: JSONValue

  /// - Throws: ``ServiceError`` that says what is wrong with which argument.
  init(_ value: JSONValue?, of tool: ModelContextTool) throws {
    let value = value ?? .object([])
    guard let members = value.object else {
      throw ServiceError("arguments is not an object", .wrongUsage)
    }
    for member in members {
      let name = member.key.prefix(80)
      guard let declared = tool.input.first(where: { $0.name == member.key }) else {
        throw ServiceError(
          "\(tool.name) has no argument '\(name)'; there are "
            + tool.input.map(\.name).joined(separator: ", "), .wrongUsage)
      }
      if let fault = declared.schema.fault(of: member.value) {
        throw ServiceError("\(name) \(fault)", .wrongUsage)
      }
    }
    guard Set(members.map(\.key)).count == members.count else {
      throw ServiceError("an argument appears twice", .wrongUsage)
    }
    for declared in tool.input where declared.isRequired && value[declared.name] == nil {
      throw ServiceError("\(declared.name) is missing", .wrongUsage)
    }
    values = value
  }

  func text(_ name: String) -> String? { values[name]?.string }
  func integer(_ name: String) -> Int? { values[name]?.integer }
  func number(_ name: String) -> Double? { values[name]?.double }
  func texts(_ name: String) -> [String] { (values[name]?.array ?? []).compactMap(\.string) }
  func flag(_ name: String) -> Bool { values[name]?.bool ?? false }

  /// The maximum number of items, and the default.
  static let items = (most: 50, usual: 10)

  var limit: Int { integer("limit") ?? Self.items.usual }
}

extension APISchema {
  /// Describes what a value must be according to the schema; `nil` if it is.
  fileprivate func fault(of value: JSONValue) -> String? {
    switch self {
    case .integer(let range):
      guard let number = value.integer else { return "must be a whole number" }
      guard let range, !range.contains(number) else { return nil }
      return range.upperBound == .max
        ? "must be at least \(range.lowerBound)"
        : "must be \(range.lowerBound) to \(range.upperBound)"
    case .share:
      return (value.double.map { (0...1).contains($0) } ?? false) ? nil : "must be 0 to 1"
    case .flag: return value.bool == nil ? "must be true or false" : nil
    case .choice(let words):
      return value.string.map { words.contains($0) } ?? false
        ? nil : "must be one of \(words.joined(separator: ", "))"
    case .list(let element, let least, let most):
      guard let elements = value.array else { return "must be a list" }
      guard ((least ?? 0)...(most ?? .max)).contains(elements.count) else {
        return "must have \(least ?? 0) to \(most ?? .max) elements"
      }
      return elements.lazy.compactMap { element.fault(of: $0) }.first.map { "has one that \($0)" }
    case .text("date", _, _):
      return value.string.flatMap { Timestamp(day: $0) } == nil
        ? "must be a day such as 2026-03-01" : nil
    case .text(_, _, let least):
      guard let text = value.string else { return "must be a text" }
      return text.utf8.count < least ?? 0 ? "is empty" : nil
    default: return nil
    }
  }
}
