package import Arguments
internal import Bytes
internal import CommandSupport
internal import CrashInput
internal import CrashStore
internal import Grouping
internal import JSON
internal import Pipeline
internal import Rendering
internal import Scrubbing
internal import SymbolSources
internal import Terminal

/// `mayday scrub-dump`
package struct ScrubDumpCommand: Command {
  package static let name = "scrub-dump"
  package static let summary = "Copy a crash dump without private memory."
  package static let discussion = """
    All memory that the stacks and the reason do not need becomes zero, and so do registers. \
    Environment, command line, comments and parts of unknown kinds are removed; matches of the \
    scrubbing rules in other texts are overwritten with x. The copy has the size and the layout of the \
    dump. It is read and checked before it gets its name: unless its threads, frames and reason are \
    those of the dump, nothing is written.
    """
  package static let examples = [
    Example("mayday scrub-dump crash.dmp -o clean.dmp", "A dump that can be passed on."),
    Example(
      "mayday scrub-dump crash.dmp -o clean.dmp --symbols build/",
      "Keep what a walk with these unwind rules needs."),
  ]

  @Argument("FILE", help: "A minidump or an ELF core.") var file: String
  @Option("-o", "--output", help: "Where to write the copy.", value: "FILE")
  var path: String?
  @Option(
    "-s", "--symbols", help: "Debug files: files, folders, dSYM bundles, archives.", value: "PATH")
  var symbolPaths: [String] = []
  @Option(
    "--rules",
    help: "A scrubbing file; by default the home's, or all built-in lists if it has none.",
    value: "FILE")
  var rules: String?
  @Flag("--keep-registers", help: "Keep all registers.") var keepsRegisters
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  package init() {}

  package func validate() throws(UsageError) {
    if path == nil { throw UsageError("-o FILE is missing: where to write the copy") }
  }

  package func run() throws {
    let console = output.console
    try InputPaths.check([file])
    try InputPaths.check(symbolPaths)
    let scan = symbolPaths.isEmpty ? DebugFileScan() : DebugFileScanner().scan(symbolPaths)
    for refusal in scan.refusals { console.warn(refusal.description.printable) }
    let scrubber = DumpScrubber(
      symbolicator: scan.symbolicator, signer: Signer(rules: .standard),
      scrubber: try Scrubber(ScrubRules(ofDumps: rules, home: home)),
      keepsRegisters: keepsRegisters)
    let result: ScrubbedDump
    do {
      result = try scrubber.scrub(try dump(), to: path ?? "")
    } catch let error as DumpScrubError {
      throw CommandFailure("\(file.printable): \(Self.text(of: error))")
    }
    if output.json { try print(result, to: console) }
    console.say(Self.summary(of: result))
  }

  /// The one named file, unpacked.
  private func dump() throws -> ByteView {
    var found: [Result<ByteView, any Error>] = []
    InputWalker().walk([file]) { file in
      found.append(Result { try file.content.get() })
      return found.count < 2 ? .next : .stop
    }
    guard let first = found.first, found.count == 1 else {
      throw CommandFailure("\(file.printable): one dump is wanted, not a folder or an archive")
    }
    return try first.get()
  }

  private static func text(of error: DumpScrubError) -> String {
    switch error {
    case .notADump: "neither a minidump nor a Linux core; nothing was written"
    case .differs(let what):
      "\(what) would not be the same whatever is kept; nothing was written"
    }
  }

  /// `Kept 3.1 kB of 1.2 MB of memory and 12 of 90 registers; removed environment, overwrote 14 texts.`
  private static func summary(of result: ScrubbedDump) -> String {
    let kept = DebugFileList.size(result.keptMemoryBytes)
    var text = "Kept \(kept) of \(DebugFileList.size(result.memoryBytes)) of memory"
    text +=
      " and \(result.keptRegisters) of \(GroupText.count(result.registers, "register", "registers"))"
    var done: [String] = []
    if !result.removedParts.isEmpty {
      done.append("removed " + result.removedParts.joined(separator: ", "))
    }
    if result.maskedTexts > 0 {
      done.append("overwrote " + GroupText.count(result.maskedTexts, "text", "texts"))
    }
    if !done.isEmpty { text += "; " + done.joined(separator: ", ") }
    text += "."
    if result.changesSignature { text += " The signature named something that was overwritten." }
    return text
  }

  private func print(_ result: ScrubbedDump, to console: Console) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("size", result.size)
    writer.member("memory", result.memoryBytes)
    writer.member("kept_memory", result.keptMemoryBytes)
    writer.member("registers", result.registers)
    writer.member("kept_registers", result.keptRegisters)
    writer.member("overwritten_texts", result.maskedTexts)
    writer.member("removed", result.removedParts)
    writer.member("changes_signature", result.changesSignature)
    writer.endObject()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}

extension ScrubRules {
  /// The rules of a file. Default: those of the home, or all built-in lists if it has none: a dump that is
  /// passed on needs no personal names.
  fileprivate init(ofDumps file: String?, home: HomeOptions) throws {
    if file == nil, try !Self.hasRules(home) {
      let lines = ["[scrub]"] + Self.known.map { "use = \($0.name)" }
      try self.init(parsing: ByteView(lines.joined(separator: "\n").utf8))
    } else {
      try self.init(file: file, home: home)
    }
  }

  private static func hasRules(_ home: HomeOptions) throws -> Bool {
    let folder: String
    do {
      folder = try HomeOptions.folder(named: home.home)
    } catch is CommandFailure {
      // There is no home.
      return false
    }
    return try SettingsFolder(of: folder).scrubRules(limit: sizeLimit) != nil
  }
}
