/// A line of a group's history that a form can undo.
struct GroupChange: Hashable {
  /// `TERN-12`
  let group: String
  let line: Int

  /// The longest id of a group in bytes, so that nothing else is shown as one.
  private static let longestGroup = 100

  init(group: String, line: Int) {
    self.group = group
    self.line = line
  }

  /// Reads `TERN-12.57`; `nil` for another text.
  init?(_ text: String) {
    guard let point = text.lastIndex(of: "."), let line = Int(text[text.index(after: point)...]),
      line > 0
    else { return nil }
    let group = String(text[..<point])
    guard group.contains("-"), group.utf8.count <= Self.longestGroup else { return nil }
    self.init(group: group, line: line)
  }

  /// `TERN-12.57`
  var text: String { "\(group).\(line)" }
}
