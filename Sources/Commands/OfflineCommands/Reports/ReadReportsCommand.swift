internal import Arguments
internal import CommandSupport
internal import CrashService
internal import Grouping
internal import Pipeline

/// Reads the files that another process names, within limits; started by `triage` and `symbolicate`.
package struct ReadReportsCommand: Command {
  package static let name = ReadReportsName.name
  package static let summary = "Read reports for another process."
  package static var isHidden: Bool { true }

  @OptionGroup var symbols = SymbolOptions()
  @OptionGroup var cache = SymbolCacheOptions()
  @OptionGroup var limits = FileLimitOptions()
  @Option("-a", "--app", help: "Assign all reports to this app.", value: "APP") var app: String?
  @OptionGroup var output = OutputOptions()

  package init() {}

  package func run() throws {
    let given = try symbols.find(output.console, cache: cache)
    defer { given.finish() }
    let processor = ReportProcessor(
      symbolicator: given.symbolicator, signer: Signer(rules: .standard), scrubber: nil, app: app)
    try ReadingLoop.run(by: processor, memory: limits.memory?.bytes) {
      Exit.describe($0).message ?? ""
    }
  }
}
