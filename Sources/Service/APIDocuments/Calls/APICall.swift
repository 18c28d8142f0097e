package import Documents

/// A call of the API, as far as server and client have to agree on it: both take method, path, query and body
/// from here.
package struct APICall: Sendable {
  /// The name used by programs (`operationId`).
  package let name: String
  package let method: String
  /// `/api/v1/groups/:id`
  package let pattern: String
  package let query: [APIParameter]
  /// The members of the JSON object in the body; `nil` for a call without one.
  package let members: [APIMember]?

  /// Creates a call without a body, or with one that is not a JSON object.
  init(_ name: String, _ method: String, _ pattern: String, query: [APIParameter] = []) {
    self.name = name
    self.method = method
    self.pattern = pattern
    self.query = query
    members = nil
  }

  /// Creates a call with a JSON object in its body.
  init<Body>(_ name: String, _ method: String, _ pattern: String, body: DocumentType<Body>) {
    self.name = name
    self.method = method
    self.pattern = pattern
    query = []
    members = body.schemaMembers
  }

  /// The names in its pattern.
  package var pathParameters: [String] {
    pattern.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
  }

  /// Returns the path with values for its parameters, in their order.
  ///
  /// - Parameter values: Already escaped.
  package func path(_ values: [String]) -> String {
    precondition(values.count == pathParameters.count, "\(name): \(values.count) path parameters")
    var rest = values[...]
    return pattern.split(separator: "/").map { part in
      "/" + (part.hasPrefix(":") ? rest.removeFirst() : String(part))
    }.joined()
  }
}
