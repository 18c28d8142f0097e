internal import APIDocuments
internal import Bytes
internal import CrashService
internal import Documents
internal import JSON

extension APICall {
  typealias QueryItem = (name: String, value: String?)

  /// Returns path and query of a request.
  ///
  /// - Parameters:
  ///   - parts: The values of the path's parameters.
  ///   - query: Only parameters that the call declares; values that are `nil` are left out.
  /// - Throws: `ServiceError` for an empty part of the path.
  func address(_ parts: [String], _ query: [QueryItem] = []) throws -> String {
    for item in query {
      precondition(self.query.contains { $0.name == item.name }, "\(name): no \(item.name)")
    }
    return path(try parts.map(Self.component)) + ServerAddress.query(query)
  }

  /// Returns the body of a request: a JSON object with the members that the call declares.
  func body<Body>(_ value: Body, as type: DocumentType<Body>) -> ByteView {
    precondition(
      members?.map(\.name) == type.schemaMembers.map(\.name), "\(name): not its body")
    var writer = JSONWriter()
    type.write(value, to: &writer)
    return ByteView(writer.takeBytes())
  }

  /// Returns a name as a component of a path: an empty name or dots alone would change the path.
  private static func component(_ part: String) throws -> String {
    guard !part.isEmpty else {
      throw ServiceError("there is no group or report named ''", .notFound)
    }
    return part.allSatisfy { $0 == "." }
      ? String(repeating: "%2E", count: part.count) : ServerAddress.escaped(part)
  }
}
