internal import AddressLookUp
package import Arguments
internal import Bytes
internal import CommandSupport
internal import CrashStore
internal import Glibc
internal import Identifiers
internal import Rendering
internal import SymbolSources
internal import Symbolication
internal import Terminal
internal import UnwindRules

/// `mayday symbols unwind`
package struct SymbolsUnwindCommand: Command {
  package static let name = "unwind"
  package static let summary = "Show the unwind rules at an address."
  package static let discussion = """
    Prints the unwind rules of a program, library or debug file (or of a stored one, by debug id \
    or build id) at each address, or all of them. A rule describes how to compute the canonical \
    frame address (CFA) and each register of the caller. As in readelf's tables, c-16 means saved \
    in memory 16 bytes below the CFA, v-16 the CFA minus 16, s unchanged, u lost, and ra is the \
    return address.

    Addresses with 0x are hexadecimal; others are decimal where possible. They are linked \
    addresses, or addresses of a process if --load-address is given.
    """
  package static let examples = [
    Example("mayday symbols unwind build/tern 0x1139", "The rules at one address."),
    Example("mayday symbols unwind --json libtern.so", "All rules of a file."),
  ]

  @Argument(
    "FILE", help: "A program, library, debug file or dSYM bundle, or the id of a stored one.")
  var file: String
  @Argument(
    "ADDRESS", help: "Addresses to show rules for; by default all rules.",
    isRequired: false)
  var addresses: [AddressText]
  @Option("-a", "--arch", help: "The architecture to use from a universal file.", value: "ARCH")
  var architecture: String?
  @Option(
    "-l", "--load-address",
    help: "Where the image was loaded; by default addresses are linked addresses.",
    value: "ADDRESS")
  var load: AddressText?
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  package init() {}

  package func run() throws {
    let rules = try rules()
    let console = output.console
    for note in rules.notes { console.warn("\(file): \(note)".printable) }
    let base = load?.value ?? rules.imageBase
    let list = UnwindList(rules, lines: lines(of: rules, base: base))
    guard try !output.printedJSON(list.lines, { list.write($1, to: &$0) }) else { return }
    guard !list.lines.isEmpty else {
      return console.say("\(file): no unwind rules".printable)
    }
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }

  /// The rules of the file at a path, or otherwise of the stored one with an id.
  private func rules() throws -> UnwindRules {
    var status = stat()
    guard stat(file, &status) != 0 else {
      let found = try LookUpTarget.find(file, architecture: architecture).file
      return try UnwindRuleCache().rules(for: found)
    }
    let missing = FileError("open", path: file)
    guard DebugID(file) != nil || CodeID(file) != nil else { throw missing }
    let store = try home.openForReading()
    var records: [DebugFileRecord] = []
    if let id = DebugID(file) { records = try store.debugFiles.list(for: id) }
    if records.isEmpty, let id = CodeID(file) { records = try store.debugFiles.list(for: id) }
    if let architecture { records.removeAll { $0.architecture != Architecture(architecture) } }
    let found = try records.compactMap { try StoredUnwindRules.rules(of: $0, in: store) }
    // Either the program or the debug file has them.
    guard let best = found.max(by: { $0.rowCount < $1.rowCount }) else {
      throw StoreError.notFound(file)
    }
    return best
  }

  private func lines(of rules: UnwindRules, base: UInt64) -> [UnwindList.Line] {
    guard addresses.isEmpty else {
      return addresses.map { address in
        let offset = address.value >= base ? UInt32(exactly: address.value - base) : nil
        return UnwindList.Line(address: address.value, row: offset.flatMap { rules.lookUp($0) })
      }
    }
    var lines: [UnwindList.Line] = []
    rules.forEachRow { range, row in
      lines.append(
        UnwindList.Line(
          address: base &+ UInt64(range.lowerBound), end: base &+ UInt64(range.upperBound),
          row: row))
      return true
    }
    return lines
  }
}
