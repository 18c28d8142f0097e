import CrashService
import Arguments
import CrashStore

/// `mayday unmerge`
struct UnmergeCommand: Command {
  static let name = "unmerge"
  static let summary = "Separate groups that were merged."
  static let discussion = """
    Reports that have arrived for a group since the merge go with it. Each group gets the status \
    it would have had without the merge, unless someone has changed it since.
    """
  static let examples = [
    Example("mayday unmerge TERN-15", "TERN-15 is a group of its own again.")
  ]

  @Argument("ID", help: "Groups that were merged into another.") var ids: [String]
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.unmerge, about: ids)
  }
}
