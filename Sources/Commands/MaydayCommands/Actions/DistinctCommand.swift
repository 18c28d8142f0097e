import CrashService
import Arguments
import CrashStore

/// `mayday distinct`
struct DistinctCommand: Command {
  static let name = "distinct"
  static let summary = "Mark groups as not the same as another."
  static let discussion = """
    They are never linked with it by likeness, and no longer listed as related. A group that was \
    linked by likeness becomes a group of its own again. `undo` removes the mark, and so does \
    --undo, which also forgets that `unmerge` separated a linked group.
    """
  static let examples = [
    Example("mayday distinct TERN-3 TERN-15", "These are two bugs, however alike."),
    Example("mayday distinct TERN-3 TERN-15 --undo", "Perhaps they are one."),
  ]

  @Argument("ID", help: "Group id.") var other: String
  @Argument("OTHER", help: "The groups that are not the same as it.") var ids: [String]
  @Flag("--undo", help: "Forget that they are not the same.") var isUndone
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.distinct(from: other, isUndone: isUndone), about: ids, isList: true)
  }
}
