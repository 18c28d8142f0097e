internal import Documents
internal import JSON

extension JSONValue {
  /// Returns a text that an earlier schema had in the place of an object.
  func former(_ name: String) throws -> String {
    guard let member = self[name], !member.isNull else { throw DocumentError(.missing, at: name) }
    guard let text = member.string else { throw DocumentError(.wrong("a text"), at: name) }
    return text
  }
}
