import Arguments
import CrashService
import CrashStore
import TriageModel

/// `mayday ignore`
struct IgnoreCommand: Command {
  static let name = "ignore"
  static let summary = "Ignore groups, for good or until a condition holds."
  static let discussion = """
    Reports are stored as before. The group reopens as soon as one of the given conditions holds.
    """
  static let examples = [
    Example("mayday ignore TERN-12", "For good."),
    Example("mayday ignore TERN-12 --until 100", "Until a hundred more reports have arrived."),
    Example(
      "mayday ignore TERN-12 --users 10 --for 30d",
      "Until ten more users are affected, or for thirty days."),
  ]

  @Argument("ID", help: "Group ids.") var ids: [String]
  @Option("--until", help: "Until N more reports have arrived.", value: "N") var reports: Int?
  @Option(
    "--users", help: "Until reports have come from N more users.", value: "N")
  var users: Int?
  @Option("--for", help: "For this long: 12h, 30d, 2w.", value: "TIME") var duration: TimeLength?
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    for (name, count) in [("--until", reports), ("--users", users)] {
      if let count, count < 1 { throw UsageError("\(name) needs a number from 1 up") }
    }
    // A time or a number after the groups is a condition.
    guard let last = ids.last, ids.count > 1, !GroupName.isOne(last) else { return }
    if Int(last) != nil {
      throw UsageError(
        "'\(last)' is not a group; for that many more reports, write --until \(last)")
    }
    if TimeLength(argument: last) != nil {
      throw UsageError("'\(last)' is not a group; for that long, write --for \(last)")
    }
  }

  func run() throws {
    let condition = IgnoreCondition(
      reports: reports, users: users, until: duration?.end(from: .now))
    try options.decide(.ignore(condition), about: ids)
  }
}
