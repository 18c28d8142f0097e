import Arguments
import CrashStore

/// `mayday undo`
struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "Take back the last thing that was done to a group, or another."
  static let discussion = """
    Everything that somebody did to a group can be undone, and stands in its history with a number, \
    such as #57. The group is then as if it had not been done, with what has come meanwhile: a \
    resolved group that is undone counts the reports that it had while it was resolved. The undo \
    stands in the history too.
    """
  static let examples = [
    Example("mayday undo TERN-12", "The last thing."),
    Example("mayday undo TERN-12 57", "Line #57 of its history, such as a note."),
  ]

  @Argument("ID", help: "A group.") var id: String
  @Argument("LINE|ID...", help: "A line of its history, or more groups.", isRequired: false)
  var more: [String]
  @OptionGroup var options = ActionOptions()

  /// The numbers that were given, with or without `#`.
  private var lines: [Int] {
    more.compactMap { Int($0.hasPrefix("#") ? $0.dropFirst() : $0[...]) }
  }
  private var ids: [String] { lines.isEmpty ? [id] + more : [id] }

  func validate() throws(UsageError) {
    if lines.isEmpty {
      for word in more where !GroupName.isOne(word) {
        throw UsageError("'\(word)' is neither a group nor a line of a history")
      }
    } else if lines.count != 1 || more.count != 1 {
      throw UsageError("one line is undone at a time, of one group")
    }
  }

  func run() throws {
    try options.decide(.undo(line: lines.first), about: ids)
  }
}
