import Arguments
import CommandSupport
import CrashStore
import Grouping
import Pipeline
import Rendering
import Terminal
import TriageModel

/// `mayday verify`
struct VerifyCommand: SandboxedCommand {
  static let name = "verify"
  static let summary = "Reprocess stored reports and compare the results byte for byte."
  static let discussion = """
    Reprocesses the original bytes with the home's debug files and compares each result with the \
    stored document. Reports that differ are counted by cause: another version of the program or its \
    rules, other debug files, damage. With IDs or --details each is printed, with the first \
    differences. Nothing is changed. Exits with 1 if a report differs.
    """
  static let examples = [
    Example("mayday verify 5a2c9be20f", "One report."),
    Example("mayday verify TERN-12", "All reports of a group."),
    Example("mayday verify --all", "All reports: how many differ, and why."),
    Example("mayday verify --all --details --json", "The same with each report."),
  ]

  @Argument("ID", help: "Reports, or groups with all their reports.", isRequired: false)
  var ids: [String]
  @Flag("--all", help: "Verify every report.") var isAll
  @Flag("--details", help: "With --all, print each report that differs.") var wantsDetails
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  /// The number of reports processed at once, which bounds the memory.
  private static let batch = 256

  func validate() throws(UsageError) {
    if ids.isEmpty && !isAll { throw UsageError("ID is missing; --all verifies every report") }
    if !ids.isEmpty && isAll { throw UsageError("--all takes no ID") }
  }

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    var list = VerificationList(
      console: console, isJSON: output.json, showsDetails: wantsDetails || !isAll)
    let verifier = try Verifier(in: store, signer: Signer(rules: .standard))
    let bar = ProgressBar("Verifying", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    let total = isAll ? try store.reports.totals().reports : nil
    for reports in isAll ? [Reports.all] : try ids.map({ try Reports($0, in: store) }) {
      list.begin(reports.name)
      try reports.forEachPage(of: Self.batch, in: store) { ids in
        try list.add(verifier.verify(ids))
        bar.update(list.sums.count, of: total)
      }
      try list.endNamed()
    }
    bar.finish()
    try list.end()
    let sums = list.sums
    let count = GroupText.count(sums.count, "report", "reports")
    guard sums.differentCount == 0 else {
      throw CommandFailure(
        "\(count): \(sums.identicalCount) identical, "
          + GroupText.count(sums.differentCount, "differs", "differ"))
    }
    console.say("\(count), all identical to what their submissions give today")
  }

  /// Some of the reports of a store.
  private enum Reports {
    case all
    case group(String)
    case one(String)

    init(_ id: String, in store: CrashStore) throws {
      self = id.contains("-") ? .group(try store.groups.get(id).id) : .one(try store.reports.id(id))
    }

    /// The names that the user gave; `nil` for all.
    var name: String? {
      switch self {
      case .all: nil
      case .group(let name), .one(let name): name
      }
    }

    func forEachPage(
      of limit: Int, in store: CrashStore, _ body: ([String]) throws -> Void
    ) throws {
      var group: String?
      switch self {
      case .one(let id): return try body([id])
      case .group(let name): group = name
      case .all: break
      }
      var last: Int?
      while true {
        let page = try store.reports.ids(inGroup: group, after: last, limit: limit)
        if page.ids.isEmpty { return }
        try body(page.ids)
        last = page.last
      }
    }
  }
}
