internal import CrashModel
internal import CrashService
internal import Documents
package import HTTP
internal import Rendering
internal import Spelling

/// Refuses a query that is not what the route declares: a parameter that it does not have, so that a misspelt
/// one is never an answer to another question, one that is missing, or a value of another kind.
package struct DeclaredParameters: Middleware {
  private let parameters: [APIRoute.Parameter]

  package init(_ parameters: [APIRoute.Parameter]) { self.parameters = parameters }

  package func admit(_ head: RequestHead) throws -> Response? {
    var seen: Set<String> = []
    for item in head.query.items {
      guard let parameter = parameters.first(where: { $0.name == item.name }) else {
        return .problem(
          .badRequest, refusal(of: item.name), code: .unknownParameter,
          parameter: String(item.name.prefix(64)))
      }
      guard seen.insert(item.name).inserted else {
        return Self.invalid(item.name, "the parameter '\(item.name)' is given twice")
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
        ? "; this route takes none" : "; it is one of " + names.joined(separator: ", "))
  }
}

extension APISchema {
  /// What a text in a query is instead of what the schema has; `nil` where it fits.
  fileprivate func fault(of text: String) -> String? {
    switch self {
    case .integer(let range?):
      if let number = Int(text), range.contains(number) { return nil }
      return range.upperBound == .max
        ? "is a number from \(range.lowerBound)" : "is \(range.lowerBound) to \(range.upperBound)"
    case .share:
      return Double(text).map((0...1).contains) ?? false ? nil : "is 0 to 1"
    case .choice(let words):
      return words.contains(text) ? nil : "is one of \(words.joined(separator: ", "))"
    case .text("date", _, _):
      // Of 2026-02-30 another day would be made.
      let isDay = Timestamp(day: text).map { GroupText.day($0) == text } ?? false
      return isDay ? nil : "is a day such as 2026-03-01"
    case .text(_, _, let least?): return text.utf8.count < least ? "is empty" : nil
    default: return nil
    }
  }
}
