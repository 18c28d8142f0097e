internal import AddressLookUp
package import Arguments
internal import Bytes
package import CommandSupport
internal import Glibc
internal import ObjectFormats
internal import SymbolSources
internal import Terminal

/// `mayday addr2line`
package struct Addr2lineCommand: SandboxedCommand {
  package static let name = "addr2line"
  package static let summary = "Answer as addr2line of GNU binutils does."
  /// A configuration file is for Mayday; the other tool has none.
  package static let ignoresSettings = true
  package static let discussion = """
    Takes the options of addr2line and prints what it prints. A link to this program that is called \
    addr2line runs this command.

    Addresses are hexadecimal with or without 0x. @FILE is replaced by the contents of a file. \
    Discriminators are not printed, and code after the end of a function belongs to no function.
    """
  package static let examples = [
    Example("mayday addr2line -e build/tern 0x1139", "The file and line of an address."),
    Example(
      "mayday addr2line -e build/tern -Cfipa 1139",
      "With functions, inlined calls and the address, one line per frame."),
  ]

  @Option("-e", "--exe", help: "The program, library or debug file.", value: "FILE")
  var object = "a.out"
  @Flag("-a", "--addresses", help: "Print each address before its result.") var hasAddresses
  @Flag("-f", "--functions", help: "Print the names of functions.") var hasNames
  @Flag("-i", "--inlines", help: "Print the inlined calls.") var hasInlines
  @Flag("-p", "--pretty-print", help: "Print each frame on one line.") var isPretty
  @Flag("-s", "--basenames", help: "Print the names of files without their folders.")
  var hasBasenames
  @Option(
    "-C", "--demangle", implied: ManglingStyle.auto, help: "Demangle names.")
  var mangling: ManglingStyle?
  @Option(
    "-j", "--section", help: "Addresses are offsets from the start of this section.",
    value: "NAME")
  var section: String?
  @Option("-b", "--target", help: "Ignored: the file's content decides.", value: "NAME")
  var target: String?
  @Flag(
    "-r", "-R", "--recurse-limit", "--no-recurse-limit",
    help: "No effect: the length of names is always limited.")
  var recursion
  @OptionGroup var caching = LookUpCacheOptions()
  @OptionGroup package var sandbox = SandboxOptions()
  @Argument(
    "ADDRESS", help: "Addresses to look up; by default they are read from standard input.",
    isRequired: false)
  var addresses: [String]

  /// The tool's long options, which may be abbreviated as far as they are unambiguous.
  package static let longNames = [
    "--addresses", "--target", "--exe", "--inlines", "--section", "--pretty-print", "--basenames",
    "--functions", "--demangle", "--recurse-limit", "--no-recurse-limit", "--help", "--version",
  ]

  /// The demangling styles of binutils. Names identify their own scheme, so only `none` matters.
  enum ManglingStyle: String, CaseIterable, ArgumentValue {
    case none, auto, gnu
    case version3 = "gnu-v3"
    case java, gnat, dlang, rust
  }

  package init() {}

  package func validate() throws(UsageError) { try caching.validate() }

  package func run() throws {
    let console = Console(colour: .auto)
    try InputPaths.check([object])
    var form = LookUpPrinter.Form()
    form.style = .binutils
    form.reading = .leadingHexadecimal
    form.names = hasNames ? .linkage : .none
    form.hasInlines = hasInlines
    form.isDemangled = mangling != nil && mangling != ManglingStyle.none
    form.isPretty = isPretty
    form.hasBasenames = hasBasenames
    form.hasAddresses = hasAddresses
    var files = LookUpFiles(console: console)
    files.caching = caching.caching
    if hasAddresses || section != nil {
      let object = try files.target(object).file.object
      form.addressDigits = object.container == .elf && object.addressSize == 4 ? 8 : 16
      if let section { files.base = try base(of: section, in: object) }
    }
    let numbers = addresses.compactMap {
      AddressText.parse(Array($0.utf8)[...], as: .leadingHexadecimal)
    }
    var printer = try files.printer(
      for: object, called: object, addresses: addresses.isEmpty ? nil : numbers, form: form)
    if addresses.isEmpty {
      try printer.answerLines(of: STDIN_FILENO, skipsEmpty: false, to: console)
    } else {
      try printer.answer(addresses, to: console)
    }
  }

  /// The address of the section that offsets are relative to.
  private func base(of name: String, in object: ObjectFile) throws -> LookUpFiles.Base {
    guard let section = object.sections.first(where: { $0.name == name }) else {
      throw CommandFailure(
        "\(self.object.printable): there is no section \(name.printable)", .notFound)
    }
    return .slide(0 &- section.address)
  }
}
