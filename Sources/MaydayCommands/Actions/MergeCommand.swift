import Arguments
import CrashStore

/// `mayday merge`
struct MergeCommand: Command {
  static let name = "merge"
  static let summary = "Merge groups into one."
  static let discussion = """
    Everything that the others have shows under the first: reports, counts, history, and what still \
    comes for them. Their names lead there. `unmerge` takes one out again, with what came for it \
    meanwhile, as if it had not been merged.
    """
  static let examples = [
    Example("mayday merge TERN-3 TERN-12 TERN-15", "Three groups are one: TERN-3."),
    Example("mayday unmerge TERN-15", "TERN-15 is by itself again."),
  ]

  @Argument("ID", help: "The group that stays.") var whole: String
  @Argument("OTHER", help: "Those that become a part of it.") var parts: [String]
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.merge(into: whole), about: parts, isList: false)
  }
}
