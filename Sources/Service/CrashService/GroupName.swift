/// The names of groups, as people write them.
package enum GroupName {
  /// Whether `text` has the form of a group id: `TERN-12`.
  package static func isOne(_ text: String) -> Bool {
    guard let dash = text.lastIndex(of: "-") else { return false }
    let (prefix, number) = (text[..<dash], text[text.index(after: dash)...])
    return !prefix.isEmpty && !number.isEmpty
      && number.allSatisfy { $0.isASCII && $0.isNumber }
      && prefix.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
