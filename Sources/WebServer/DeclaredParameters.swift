internal import APIDocuments
internal import CrashService
internal import Spelling
internal import Arguments
package import HTTP

/// Refuses a parameter of the query that the API's document does not have, so that a misspelt one is
/// never an answer to another question.
///
/// Addresses of other protocols are left alone: their clients send what they like.
package struct DeclaredParameters: Middleware {
  private static let names: [String: [String]] = Dictionary(
    APIOperation.all.map { ("\($0.method) \($0.pattern)", $0.query.map(\.name)) },
    uniquingKeysWith: { first, _ in first })

  package func admit(_ head: RequestHead) throws -> Response? {
    let method = head.method == "HEAD" ? "GET" : head.method
    guard let names = Self.names["\(method) \(head.pattern)"] else { return nil }
    var seen: Set<String> = []
    for item in head.query.items {
      guard names.contains(item.name) else {
        return .problem(.badRequest, Self.refusal(of: item.name, names))
      }
      guard seen.insert(item.name).inserted else {
        return .problem(.badRequest, "the parameter '\(item.name)' is given twice")
      }
    }
    return nil
  }

  private static func refusal(of name: String, _ names: [String]) -> String {
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
