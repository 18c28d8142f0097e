package import CrashStore

extension GroupEvent {
  /// The first line of a note, with a mark if there are more.
  package var noteStart: String {
    let lines = detail.split(whereSeparator: \.isNewline)
    return String(lines.first ?? "") + (lines.count > 1 ? " …" : "")
  }
}
