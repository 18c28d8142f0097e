import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashInput
import CrashModel
import Grouping
import Pipeline
import SymbolSources
import Symbolication
import Terminal

/// `mayday rules check`
struct RulesCheckCommand: SandboxedCommand {
  static let name = "check"
  static let summary = "Check a file of grouping rules before using it."
  static let discussion = """
    Needs no home. Prints each mistake with its line and column, and exits with 2. With --tests it \
    also computes the signatures of reports: each line of that file is a report and an expectation, \
    title TEXT, same group as REPORT, or other group than REPORT. Exits with 1 if one is not met.
    """
  static let examples = [
    Example("mayday rules check tern.rules", "Check it before it is applied."),
    Example("mayday rules check tern.rules --tests tern.tests", "Does it do what it should?"),
  ]

  @Argument("FILE", help: "Grouping rules; - is standard input.") var file: String
  @Option("--tests", help: "Reports, and their expected titles and groups.", value: "FILE")
  var tests: String?
  @Option(
    "--builtin", help: "The built-in rules that they come after: v1.", value: "VERSION")
  var version: String?
  @Option("-s", "--symbols", help: "Debug files for the reports.", value: "PATH")
  var symbols: [String] = []
  @Option("-a", "--app", help: "The app that the reports belong to.", value: "NAME")
  var app: String?
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let own = try CustomRules(file: file)
    let rules = try GroupingRules(named: version).with(own)
    let name = file == "-" ? "standard input" : file.printable
    messages.console.say("\(name): \(own.count) \(own.count == 1 ? "rule" : "rules")")
    guard let tests else { return }
    let expectations = try RuleExpectations(file: tests)
    try InputPaths.check(symbols)
    let processor = ReportProcessor(
      symbolicator: DebugFileScanner().scan(symbols).symbolicator, signer: Signer(rules: rules),
      scrubber: nil, app: app)
    let folder = tests.lastIndex(of: "/").map { String(tests[...$0]) } ?? ""
    let misses = try expectations.misses { report in
      let path = report.hasPrefix("/") ? report : folder + report
      return try Self.signature(in: path, by: processor)
    }
    for miss in misses {
      messages.console.say(
        "\(tests):\(miss.line.number): \(miss.line.report): \(miss.words)".printable)
    }
    let count = expectations.lines.count
    let all = "\(count) \(count == 1 ? "expectation" : "expectations")"
    guard misses.isEmpty else { throw CommandFailure("\(misses.count) of \(all) not met") }
    messages.console.say("\(all), all met")
  }

  /// - Throws: ``CommandFailure`` for a file with no report or several.
  private static func signature(in path: String, by processor: ReportProcessor) throws -> Signature
  {
    let reports = try processor.process(
      ByteView(reading: path, limit: InputLimits.standard.fileBytes))
    guard reports.count == 1, let signature = reports.first?.report.signature else {
      throw CommandFailure("\(path.printable): \(reports.count) reports, and one is expected")
    }
    return signature
  }
}
