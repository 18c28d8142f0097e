import Arguments
import Bytes
import Glibc
import ObjectFormats
import SymbolCache
import SymbolSources
import Workers

/// `mayday lookup`
struct LookUpCommand: Command {
  static let name = "lookup"
  static let summary = "Find the function, file and line of addresses."
  static let discussion = """
    Prints each address as llvm-symbolizer does: a function and a place for each inlined call, the \
    innermost first, then an empty line. With --json the objects are those of llvm-symbolizer's \
    --output-style=JSON: an array for addresses on the command line, one a line for standard input.

    Addresses are hexadecimal with 0x, else decimal where they can be. They are linked addresses, or \
    those of a process if --load-address says where the image was loaded; those of a PDB count \
    from the image base. Of a return address from a stack, look up one less.

    Sources are taken from a bundle of the same build (FILE.src.zip, or inside the folder or archive \
    given), else from the debug file itself, else from their path on disk if their checksum is right; \
    where the debug file has none, if they are older than it.
    """
  static let examples = [
    Example("mayday lookup -o build/tern 0x1139", "One address of a program."),
    Example(
      "mayday lookup -o Tern.dSYM -a arm64 -l 0x104a3c000 0x104a3c1f0",
      "An address of a process, from a report."),
    Example("mayday lookup -o build/tern --json < addresses.txt", "Many, from a file."),
    Example("mayday lookup -o build/tern --source=9 0x1139", "With the lines around each place."),
  ]

  @Option(
    "-o", "--object", help: "The program, library, debug file or dSYM bundle.", value: "FILE")
  var object: String?
  @Option("-a", "--arch", help: "Which architecture of a universal file.", value: "ARCH")
  var architecture: String?
  @Option(
    "-l", "--load-address", help: "Where the image was loaded; else addresses are linked ones.",
    value: "ADDRESS")
  var load: AddressText?
  @Flag("--functions-only", help: "Leave out files and lines.") var functionsOnly
  @Flag("--no-inlines", help: "Only the function that holds the code, not the inlined calls.")
  var noInlines
  @Flag("--no-demangle", help: "Print names as the linker has them.") var noDemangle
  @OptionGroup var source = SourceOptions()
  @OptionGroup var output = OutputOptions()
  @Argument(
    "ADDRESS", help: "Addresses to look up; without any they are read from standard input.",
    isRequired: false)
  var addresses: [String]

  func validate() throws(UsageError) {
    if object == nil { throw UsageError("--object FILE is missing") }
    try source.validate()
    if source.lines != nil && functionsOnly {
      throw UsageError("--source prints lines, --functions-only leaves them out")
    }
  }

  /// Damage of the file that is told, in places; the rest follows from it more often than not.
  private static let noteLimit = 8

  func run() throws {
    let path = object ?? ""
    try InputPaths.check([path])
    let target = try LookUpTarget.find(path, architecture: architecture)
    let file = target.file
    let console = output.console
    var options = CacheOptions()
    options.width = Workers.processorCount
    let compiled = try SymbolCache.compiling(
      file.object, companions: file.companions, options: options)
    for note in target.notes + compiled.notes.prefix(Self.noteLimit) {
      console.warn("\(file.path): \(note)".printable)
    }
    let cache = try SymbolCache(opening: compiled.bytes)
    var printer = LookUpPrinter(
      cache, module: path, base: load?.value ?? target.imageBase,
      form: .init(
        isJSON: output.json, hasPlaces: !functionsOnly, hasInlines: !noInlines,
        isDemangled: !noDemangle, sourceLines: source.lines ?? 0),
      sources: source.lines == nil
        ? nil
        : SourceFinder(
          bundles: SourceBundles.beside(path, of: file), file: file, isOnDisk: true))
    if addresses.isEmpty {
      try printer.answerLines(of: STDIN_FILENO, to: console)
    } else {
      try printer.answer(addresses, to: console)
    }
    if let word = printer.firstUnreadable {
      throw CommandFailure("'\(word.printable)' is no address", .wrongUsage)
    }
  }
}
