import CrashService
import Arguments
import CrashStore

/// `mayday undo`
struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "Undo the last change to a group, or an earlier one."
  static let discussion = """
    Every change to a group has a number in its history, such as #57, and can be undone. The group \
    is then as if the change had not been made, including reports that have arrived since: a group \
    that was resolved counts the reports it had while resolved. The history shows the undo, too.
    """
  static let examples = [
    Example("mayday undo TERN-12", "Undo the last change."),
    Example("mayday undo TERN-12 57", "Undo change #57, such as a note."),
  ]

  @Argument("ID", help: "Group id.") var id: String
  @Argument("LINE|ID...", help: "A number in its history, or more group ids.", isRequired: false)
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
        throw UsageError("'\(word)' is neither a group nor the number of a history entry")
      }
    } else if lines.count != 1 || more.count != 1 {
      throw UsageError("undo one change at a time, of one group")
    }
  }

  func run() throws {
    try options.decide(.undo(line: lines.first), about: ids)
  }
}
