import CrashService
import Arguments
import CrashStore

/// `mayday merge`
struct MergeCommand: Command {
  static let name = "merge"
  static let summary = "Merge groups into one."
  static let discussion = """
    All reports, counts and history of the others appear under the first group, and so do reports \
    that arrive later. Their ids lead to it. `unmerge` separates a group again, with the reports \
    that have arrived for it since.
    """
  static let examples = [
    Example("mayday merge TERN-3 TERN-12 TERN-15", "All three become TERN-3."),
    Example("mayday unmerge TERN-15", "TERN-15 is a group of its own again."),
  ]

  @Argument("ID", help: "The group to keep.") var whole: String
  @Argument("OTHER", help: "The groups to merge into it.") var parts: [String]
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.merge(into: whole), about: parts, isList: false)
  }
}
