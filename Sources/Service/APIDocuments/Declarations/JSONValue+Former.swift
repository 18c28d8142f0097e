internal import Documents
internal import JSON

extension JSONValue {
  /// A text that documents of an earlier schema had where an object is now.
  func former(_ name: String) throws -> String {
    guard let member = self[name], !member.isNull else { throw DocumentError(.missing, at: name) }
    guard let text = member.string else { throw DocumentError(.wrong("a text"), at: name) }
    return text
  }
}
