internal import Documents
internal import Spelling
package import HTTP

/// Refuses a parameter of the query that the route does not declare, so that a misspelt one is never an
/// answer to another question.
package struct DeclaredParameters: Middleware {
  private let names: [String]

  package init(_ parameters: [APIRoute.Parameter]) { names = parameters.map(\.name) }

  package func admit(_ head: RequestHead) throws -> Response? {
    var seen: Set<String> = []
    for item in head.query.items {
      guard names.contains(item.name) else {
        return .problem(.badRequest, refusal(of: item.name))
      }
      guard seen.insert(item.name).inserted else {
        return .problem(.badRequest, "the parameter '\(item.name)' is given twice")
      }
    }
    return nil
  }

  private func refusal(of name: String) -> String {
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
