package import APIDocuments
internal import CrashService
internal import Documents
package import HTTP
internal import Identifiers
internal import Rendering
internal import Spelling

/// Refuses a query that differs from the route's declaration: an unknown parameter, so that a misspelt one
/// never changes the result silently, a missing one, or a value of another type.
package struct DeclaredParameters: Middleware {
  private let parameters: [APIParameter]

  package init(_ parameters: [APIParameter]) { self.parameters = parameters }

  package func admit(_ head: RequestHead) throws -> Response? {
    var seen: Set<String> = []
    for item in head.query.items {
      guard let parameter = parameters.first(where: { $0.name == item.name }) else {
        return .problem(
          .badRequest, refusal(of: item.name), code: .unknownParameter,
          parameter: String(item.name.prefix(64)))
      }
      guard seen.insert(item.name).inserted else {
        return Self.invalid(item.name, "the parameter '\(item.name)' appears twice")
      }
      if let fault = parameter.schema.fault(of: item.value) {
        return Self.invalid(item.name, "\(item.name) \(fault)")
      }
    }
    return parameters.first { $0.isRequired && !seen.contains($0.name) }.map {
      Self.invalid($0.name, "the parameter '\($0.name)' is missing")
    }
  }

  private static func invalid(_ name: String, _ detail: String) -> Response {
    .problem(.badRequest, detail, code: .invalidParameter, parameter: name)
  }

  private func refusal(of name: String) -> String {
    let names = parameters.map(\.name)
    let shown = String(name.prefix(64))
    let unknown = "no parameter '\(shown)'"
    if let near = Suggestion.nearest(to: shown, among: names) {
      return unknown + "; did you mean '\(near)'?"
    }
    return unknown
      + (names.isEmpty
        ? "; this route has none" : "; use one of " + names.joined(separator: ", "))
  }
}

extension APISchema {
  /// Describes what a text in a query must be according to the schema; `nil` if it is.
  fileprivate func fault(of text: String) -> String? {
    switch self {
    case .integer(let range?):
      if let number = Int(text), range.contains(number) { return nil }
      return range.upperBound == .max
        ? "must be at least \(range.lowerBound)"
        : "must be \(range.lowerBound) to \(range.upperBound)"
    case .share:
      return Double(text).map((0...1).contains) ?? false ? nil : "must be 0 to 1"
    case .choice(let words):
      return words.contains(text) ? nil : "must be one of \(words.joined(separator: ", "))"
    case .text("date", _, _):
      // 2026-02-30 would become another day.
      let isDay = Timestamp(day: text).map { GroupText.day($0) == text } ?? false
      return isDay ? nil : "must be a day such as 2026-03-01"
    case .text(_, _, let least?): return text.utf8.count < least ? "is empty" : nil
    default: return nil
    }
  }
}
