internal import AddressLookUp
package import Arguments
package import CommandSupport
internal import JSON
internal import ReferenceReader
internal import SymbolSources
internal import Terminal

/// `mayday symbols verify`
package struct SymbolsVerifyCommand: SandboxedCommand {
  package static let name = "verify"
  package static let summary = "Cross-check a debug file against libelf and libdwarf."
  package static let discussion = """
    Reads the file again with libelf and libdwarf, in a process that can open nothing and has \
    little memory and time, and compares sections, symbols, ids, functions, inlined calls and \
    lines over all code. It covers ELF files with DWARF, compressed with zlib or not, and lists \
    what it does not cover. Exits with 1 if the two readers differ in anything that the second \
    could read.
    """
  package static let examples = [
    Example("mayday symbols verify build/tern", "A program with debug information."),
    Example("mayday symbols verify libtern.so.debug --limit 100", "Print more of the differences."),
  ]

  @Argument("FILE", help: "The program, library or debug file.") var file: String
  @Option("-n", "--limit", help: "Print at most this many differences.", value: "COUNT") var limit =
    20
  @OptionGroup package var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  package init() {}

  package func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit is a count") }
  }

  package func run() throws {
    try InputPaths.check([file])
    let target = try LookUpTarget.find(file, architecture: nil).file
    let report = try CrossCheck.report(on: target.object, at: target.path)
    let text = CrossCheckText(path: target.path, report: report, limit: limit)
    try text.print(output.console, json: output.json)
    if report.unexplained > 0 {
      throw CommandFailure("\(report.unexplained) differences between the two readers", .failed)
    }
  }
}
