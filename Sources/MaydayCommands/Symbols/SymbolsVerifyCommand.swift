import Arguments
import JSON
import SecondOpinion
import SymbolSources

/// `mayday symbols verify`
struct SymbolsVerifyCommand: SandboxedCommand {
  static let name = "verify"
  static let summary = "Read a debug file a second time, with libelf and libdwarf, and compare."
  static let discussion = """
    Mayday reads debug files with readers of its own. This reads the same file with libelf and \
    libdwarf, in a process that can open nothing and has little memory and time, and compares \
    sections, symbols, ids, functions, inlined calls and lines over all of the code. It covers ELF \
    files with DWARF, compressed with zlib or not; for others it says what is not covered. Exits with \
    1 when the two differ in something that the second reader has not said it could not read.
    """
  static let examples = [
    Example("mayday symbols verify build/tern", "A program with debug information."),
    Example("mayday symbols verify libtern.so.debug --limit 100", "With more of the differences."),
  ]

  @Argument("FILE", help: "The program, library or debug file.") var file: String
  @Option("--limit", help: "How many differences to print.", value: "COUNT") var limit = 20
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit is a count") }
  }

  func run() throws {
    try InputPaths.check([file])
    let target = try LookUpTarget.find(file, architecture: nil).file
    let report = try SecondOpinion.report(on: target.object, at: target.path)
    let text = OpinionText(path: target.path, report: report, limit: limit)
    try text.print(output.console, json: output.json)
    if report.unexplained > 0 {
      throw CommandFailure("\(report.unexplained) differences between the two readers", .failed)
    }
  }
}
