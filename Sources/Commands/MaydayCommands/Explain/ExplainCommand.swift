import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import Terminal

/// `mayday explain`
struct ExplainCommand: SandboxedCommand, PagedCommand {
  static let name = "explain"
  static let summary = "Explain a report's signature, frame by frame and rule by rule."
  static let discussion = """
    ID is a group (its exemplar is explained), a report, or a file of reports, which needs no \
    home: the same bytes and debug files always give the same explanation. With --against it shows \
    where two reports diverge, and why they share a group or not.
    """
  static let examples = [
    Example("mayday explain TERN-12", "Why does this group have this title?"),
    Example("mayday explain 5a2c9be20f --against TERN-7", "Why is this report not in that group?"),
    Example("mayday explain crash.ips --symbols App.dSYM", "Without a home."),
  ]

  @Argument("ID", help: "A group, a report, or a file of reports.") var id: String
  @Option("--against", help: "Another group, report or file to compare with.", value: "ID")
  var other: String?
  @Flag("--full", help: "Show every frame and every rule.") var isFull
  @Option(
    "-s", "--symbols",
    help: "For files: where to find debug files (files, folders, dSYM bundles, archives).",
    value: "PATH")
  var symbols: [String] = []
  @Option("-a", "--app", help: "For files: the app the reports belong to.", value: "NAME")
  var app: String?
  @OptionGroup var grouping = GroupingOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  var isPaged: Bool { !output.json }

  func run() throws {
    let console = output.console
    let source = ExplanationSource(
      home: home, symbols: symbols, app: app, rules: try grouping.rules(),
      isStandardInputTaken: id == "-" && other == "-")
    let explanations = try source.explanations(of: id, console)
    guard let other else { return try print(explanations, to: console) }
    let others = try source.explanations(of: other, console)
    guard let first = explanations.first, let second = others.first, explanations.count == 1,
      others.count == 1
    else {
      let many = explanations.count > 1 ? id : other
      throw CommandFailure(
        "\(many.printable): --against compares one report with one other", .wrongUsage)
    }
    let comparison = Comparison(first, second)
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(comparison)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    let text = ComparisonText(
      width: console.readableWidth, styles: console.styles, isFull: isFull)
    try console.write(lines: text.lines(for: comparison))
  }

  private func print(_ explanations: [Explanation], to console: Console) throws {
    if output.json {
      var writer = JSONWriter(pretty: true)
      if explanations.count != 1 { writer.beginArray() }
      for explanation in explanations { writer.write(explanation) }
      if explanations.count != 1 { writer.endArray() }
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    let text = ExplanationText(
      width: console.readableWidth, styles: console.styles, isFull: isFull)
    for (index, explanation) in explanations.enumerated() {
      if index > 0 {
        let rule = String(repeating: "─", count: console.readableWidth)
        try console.write(lines: ["", console.styles.dim(rule), ""])
      }
      try console.write(lines: text.lines(for: explanation))
    }
  }
}
