import Arguments
import CrashModel
import CrashStore

/// `mayday ignore`
struct IgnoreCommand: Command {
  static let name = "ignore"
  static let summary = "Leave groups alone, for good or until they matter."
  static let discussion = """
    Reports are filed as before. The group comes back by itself, as open, as soon as one of the \
    conditions that are given holds.
    """
  static let examples = [
    Example("mayday ignore TERN-12", "For good."),
    Example("mayday ignore TERN-12 --until 100", "Until it has had a hundred more reports."),
    Example("mayday ignore TERN-12 --users 10 --for 30d", "Ten more users, or thirty days."),
  ]

  @Argument("ID", help: "Groups.") var ids: [String]
  @Option("--until", help: "Until so many more reports have come.", value: "N") var reports: Int?
  @Option(
    "--users", help: "Until reports have come from so many more installations.", value: "N")
  var users: Int?
  @Option("--for", help: "For so long: 12h, 30d, 2w.", value: "TIME") var duration: TimeLength?
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    for (name, count) in [("--until", reports), ("--users", users)] {
      if let count, count < 1 { throw UsageError("\(name) needs a number from 1 up") }
    }
  }

  func run() throws {
    let condition = IgnoreCondition(
      reports: reports, users: users, until: duration?.end(from: .now))
    try options.decide(.ignore(condition), about: ids)
  }
}
