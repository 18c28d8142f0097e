import Arguments
import CommandSupport
import CrashService
import CrashStore

/// `mayday assign`
struct AssignCommand: Command {
  static let name = "assign"
  static let summary = "Assign groups to someone."
  static let discussion = """
    Once accounts were added to the home or server, WHO must be the name of one, unless --anyone \
    is given.
    """
  static let examples = [
    Example("mayday assign TERN-12 ann", "Assign it to Ann."),
    Example("mayday assign TERN-12 TERN-15 --none", "Unassign both."),
    Example("mayday assign TERN-12 graphics --anyone", "Assign it to a team without an account."),
  ]

  @Argument("ID... WHO", help: "Group ids, followed by the assignee.") var words: [String]
  @Flag("--none", help: "Unassign the groups; omit WHO.") var isNobody
  @Flag("--anyone", help: "Accept a name that no account of the server has.") var isAnyone
  @OptionGroup var options = ActionOptions()

  private var ids: [String] { isNobody ? words : Array(words.dropLast()) }

  func validate() throws(UsageError) {
    if ids.isEmpty { throw UsageError("WHO is missing: give a name after the groups, or --none") }
  }

  func run() throws {
    let who = isNobody ? nil : words.last
    // If WHO is forgotten, the last group would become the assignee.
    if let who, GroupName.isOne(who), try isGroup(who) {
      throw UsageError("WHO is missing after \(who), which is a group")
    }
    try options.decide(.assign(who, isKnown: !isAnyone), about: ids)
  }

  private func isGroup(_ name: String) throws -> Bool {
    do {
      _ = try options.home.service().keys(ofGroup: name)
      return true
    } catch {
      // A token that may triage need not be allowed to read.
      if [.notFound, .notAllowed].contains(Exit.describe(error).code) { return false }
      throw error
    }
  }
}
