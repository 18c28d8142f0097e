import Arguments
import CrashStore

/// `mayday unmerge`
struct UnmergeCommand: Command {
  static let name = "unmerge"
  static let summary = "Take groups out of the one that they were merged into."
  static let discussion = """
    What came for them meanwhile goes with them. States are what they would be if nothing had been \
    merged, unless somebody has decided about the group since.
    """
  static let examples = [
    Example("mayday unmerge TERN-15", "TERN-15 is by itself again.")
  ]

  @Argument("ID", help: "Groups that were merged into another.") var ids: [String]
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.unmerge, about: ids)
  }
}
