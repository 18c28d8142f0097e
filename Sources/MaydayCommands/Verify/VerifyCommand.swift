import Arguments
import CrashModel
import CrashStore
import Grouping
import Pipeline

/// `mayday verify`
struct VerifyCommand: SandboxedCommand {
  static let name = "verify"
  static let summary = "Do stored reports again, and compare byte for byte."
  static let discussion = """
    The bytes as they came and the debug files of the store are worked through again, and the result \
    is compared with the document that is kept. What differs is told with the reason: another \
    version of the program or its rules, other debug files, damage. Nothing is changed. Exits with 1 \
    when a report differs.
    """
  static let examples = [
    Example("mayday verify 5a2c9be20f", "One report."),
    Example("mayday verify TERN-12", "All reports of a group."),
    Example("mayday verify --all --json", "Everything that is stored."),
  ]

  @Argument("ID", help: "Reports, and groups with all of their reports.", isRequired: false)
  var ids: [String]
  @Flag("--all", help: "Verify every report.") var isAll
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  /// Reports that are worked on at once, which bounds the memory.
  private static let batch = 256

  func validate() throws(UsageError) {
    if ids.isEmpty && !isAll { throw UsageError("ID is missing; --all verifies every report") }
    if !ids.isEmpty && isAll { throw UsageError("--all takes no ID") }
  }

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    var list = VerificationList(console: console, isJSON: output.json)
    let verifier = try Verifier(in: store, signer: Signer(rules: .v1))
    let bar = ProgressBar("Verifying", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    let total = isAll ? try store.totals().reports : nil
    for reports in isAll ? [Reports.all] : try ids.map({ try Reports($0, in: store) }) {
      list.begin(reports.name)
      try reports.forEachPage(of: Self.batch, in: store) { ids in
        try list.add(verifier.verify(ids))
        bar.update(list.count, of: total)
      }
      try list.endPart()
    }
    bar.finish()
    try list.end()
    let count = GroupText.count(list.count, "report", "reports")
    guard list.differentCount == 0 else {
      throw CommandFailure("\(list.differentCount) of \(count) would be made differently today")
    }
    console.say("\(count), all identical to what is made of their bytes today")
  }

  /// Some of the reports of a store.
  private enum Reports {
    case all
    case group(String)
    case one(String)

    init(_ id: String, in store: CrashStore) throws {
      self = id.contains("-") ? .group(try store.group(id).id) : .one(try store.reportID(id))
    }

    /// What the user calls them; `nil` for all.
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
        let page = try store.reportIDs(inGroup: group, after: last, limit: limit)
        if page.ids.isEmpty { return }
        try body(page.ids)
        last = page.last
      }
    }
  }
}
