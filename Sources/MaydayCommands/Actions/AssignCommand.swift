import Arguments
import CrashStore

/// `mayday assign`
struct AssignCommand: Command {
  static let name = "assign"
  static let summary = "Note who looks after groups."
  static let examples = [
    Example("mayday assign TERN-12 ann", "Ann looks after it."),
    Example("mayday assign TERN-12 TERN-15 --none", "Nobody looks after them any more."),
  ]

  @Argument("ID... WHO", help: "Groups, and then who looks after them.") var words: [String]
  @Flag("--none", help: "Nobody looks after them; no WHO is given.") var isNobody
  @OptionGroup var options = ActionOptions()

  private var ids: [String] { isNobody ? words : Array(words.dropLast()) }

  func validate() throws(UsageError) {
    if ids.isEmpty { throw UsageError("WHO is missing: a name behind the groups, or --none") }
  }

  func run() throws {
    let who = isNobody ? nil : words.last
    // A forgotten name would make the last group one.
    if let who, GroupName.isOne(who), try isGroup(who) {
      throw UsageError("WHO is missing behind \(who), which is a group")
    }
    try options.decide(.assign(who), about: ids)
  }

  private func isGroup(_ name: String) throws -> Bool {
    do {
      _ = try options.home.answers().keys(ofGroup: name)
      return true
    } catch {
      // Whoever may decide need not be allowed to read.
      if [.notFound, .notAllowed].contains(Exit.describe(error).code) { return false }
      throw error
    }
  }
}
