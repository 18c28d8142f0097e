internal import JSON

extension RemoteConfiguration {
  /// The document offering another update. Everything else, including the order of members and the format
  /// of numbers, stays byte for byte.
  ///
  /// - Parameters:
  ///   - kind: The kind of the update. Default for this and the others: the value in the document.
  func offering(
    _ kind: Kind? = nil, version: String? = nil, url: String? = nil
  ) -> [UInt8] {
    guard case .object(let members) = update.content else { return bytes }
    var edits: [(range: Range<Int>, text: [UInt8])] = []
    for (key, value) in [("type", kind?.rawValue), ("availableVersion", version), ("url", url)] {
      guard let value else { continue }
      if let member = members.first(where: { $0.key == key }) {
        edits.append((member.value.range, Self.quoted(value)))
      } else {
        // Others exist: a version and an address are always present.
        let start = update.range.lowerBound + 1
        edits.append((start..<start, Self.quoted(key) + ":".utf8 + Self.quoted(value) + ",".utf8))
      }
    }
    var answer = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      answer.replaceSubrange(edit.range, with: edit.text)
    }
    return answer
  }

  static func quoted(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.takeBytes()
  }
}
