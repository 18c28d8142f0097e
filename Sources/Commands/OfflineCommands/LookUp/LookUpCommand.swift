internal import AddressLookUp
package import Arguments
internal import Bytes
package import CommandSupport
internal import Glibc
internal import Terminal

/// `mayday lookup`
package struct LookUpCommand: SandboxedCommand {
  package static let name = "lookup"
  package static let summary = "Find the function, file and line of addresses."
  package static let discussion = """
    Prints each address as llvm-symbolizer does: function and location of each inlined call, \
    innermost first, then an empty line. --json prints the objects of llvm-symbolizer's \
    --output-style=JSON: an array for addresses on the command line, one object per line for \
    standard input.

    Without --object, each line names its file and an address in it: FILE ADDRESS, "FILE" ADDRESS, \
    FILE:FILE ADDRESS, or BUILDID:HEX ADDRESS for a file that the system keeps by build id. @FILE \
    is replaced by the contents of a file.

    Addresses with 0x are hexadecimal; others are decimal where possible. They are linked \
    addresses, or addresses of a process if --load-address is given; addresses of a PDB count from \
    the image base. For a return address from a stack, look up the address minus one.

    For a few addresses, only the necessary parts of the debug file are read. For many, or with \
    --cache, it is compiled into a symbol cache, which is kept.

    Source lines come from a source bundle of the same build (FILE.src.zip, or one inside the \
    given folder or archive), otherwise from the debug file, or from their path on disk if the \
    checksum matches; if the debug file has no checksum, the source file must be older.
    """
  package static let examples = [
    Example("mayday lookup -o build/tern 0x1139", "One address of a program."),
    Example(
      "mayday lookup -o Tern.dSYM -a arm64 -l 0x104a3c000 0x104a3c1f0",
      "An address of a running process, as in a crash report."),
    Example("mayday lookup -o build/tern --json < addresses.txt", "Many addresses, from a file."),
    Example(
      "mayday lookup -o build/tern --source=9 0x1139", "With source lines around each location."),
    Example(
      "echo 'build/tern 0x1139' | mayday lookup",
      "Each line names its file, as with llvm-symbolizer."
    ),
    Example(
      "mayday lookup -o build/tern --functions=short @addresses.txt",
      "Addresses from a file; function names without scopes and parameters."),
  ]

  @Option(
    "-o", "--object", "-e", "--exe", "--obj",
    help: "The program, library, debug file or dSYM bundle.", value: "FILE")
  var object: String?
  @Option(
    "-a", "--arch", "-arch", "--default-arch",
    help: "The architecture to use from a universal file.",
    value: "ARCH")
  var architecture: String?
  @Option(
    "-l", "--load-address",
    help: "Where the image was loaded; by default addresses are linked addresses.",
    value: "ADDRESS")
  var load: AddressText?
  @Option(
    "--slide", "--adjust-vma", help: "The distance between load address and linked address.",
    value: "DISTANCE")
  var slide: AddressText?
  @Flag("--relative-address", help: "Addresses are offsets from the load address.")
  var isRelative
  @Option(
    "--debug-file-directory",
    help: "Where debug files lie by build id (DIR/.build-id); else \(DebugFolders.standard).",
    value: "DIR")
  var debugFolders: [String] = []
  @OptionGroup var form = LookUpOutputStyle()
  @OptionGroup var source = SourceOptions()
  @OptionGroup var caching = LookUpCacheOptions()
  @OptionGroup package var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()
  @Argument(
    "ADDRESS",
    help:
      "Addresses to look up; @FILE reads them from a file. By default they are read from standard input.",
    isRequired: false)
  var addresses: [String]

  package init() {}

  package func validate() throws(UsageError) {
    if object == nil {
      if load != nil {
        throw UsageError("--load-address is that of one image: --object FILE is missing")
      }
      if addresses.isEmpty, isatty(STDIN_FILENO) == 1 {
        throw UsageError("--object FILE is missing")
      }
    }
    if [load != nil, slide != nil, isRelative].count(where: \.self) > 1 {
      throw UsageError("--load-address, --slide and --relative-address exclude each other")
    }
    if output.console.jsonFilter != nil {
      throw UsageError("lookup answers while it reads: give --json alone, and pipe it into jq")
    }
    try source.validate()
    if source.lines != nil && form.functionsOnly {
      throw UsageError("--source prints lines, --functions-only leaves them out")
    }
    if source.lines != nil && form.hasRelativeNames {
      throw UsageError("--source needs whole paths, --relativenames leaves folders out")
    }
    try caching.validate()
  }

  package func run() throws {
    let words = try ResponseFileArguments.expanding(addresses)
    guard let path = object else { return try answerLines(words) }
    try InputPaths.check([path])
    let isOpen = words.isEmpty && addresses.isEmpty
    var printer = try files.printer(
      for: path, called: path, addresses: isOpen ? nil : Self.numbers(words),
      form: form.form(isJSON: output.json, sourceLines: source.lines ?? 0))
    if isOpen {
      try printer.answerLines(of: STDIN_FILENO, to: output.console)
    } else {
      try printer.answer(words, to: output.console)
    }
    if let word = printer.firstUnreadable {
      throw CommandFailure("'\(word.printable)' is not an address", .wrongUsage)
    }
  }

  private var files: LookUpFiles {
    var files = LookUpFiles(console: output.console)
    files.architecture = architecture
    if isRelative {
      files.base = .image
    } else if let slide {
      files.base = .slide(slide.value)
    } else if let load {
      files.base = .loaded(load.value)
    }
    files.debugFolders = debugFolders
    files.sourceLines = source.lines ?? 0
    files.hasRelativeNames = form.hasRelativeNames
    files.caching = caching.caching
    return files
  }

  private static func numbers(_ words: [String]) -> [UInt64] {
    words.compactMap { AddressText.parse(Array($0.utf8)[...]) }
  }

  /// Answers lines that name their files, from the command line or, without any there, from standard input.
  private func answerLines(_ words: [String]) throws {
    let isJSON = form.isJSON(output)
    let files = files
    var modules = LookUpModules(
      to: output.console,
      open: { module throws in
        let asked = words.compactMap { LookUpLine(Array($0.utf8)[...]) }
          .filter { $0.module == module }.compactMap { AddressText.parse($0.address) }
        return try files.printer(
          for: files.path(of: module), called: module.name,
          addresses: self.addresses.isEmpty ? nil : asked,
          form: self.form.form(isJSON: isJSON, sourceLines: self.source.lines ?? 0))
      },
      failed: { module, error in
        LookUpPrinter(
          module: module.name, form: self.form.form(isJSON: isJSON, sourceLines: 0),
          failure: Exit.describe(error).message ?? "")
      })
    if addresses.isEmpty {
      var input = InputLines(of: STDIN_FILENO)
      while let lines = try input.next() {
        for line in lines { try modules.answer(line, ending: isJSON ? "\n" : "") }
        try modules.flush()
      }
    } else {
      if isJSON { try output.console.write("[") }
      for (index, word) in words.enumerated() {
        let separator: StaticString = isJSON && index < words.count - 1 ? "," : ""
        try modules.answer(Array(word.utf8)[...], ending: separator)
      }
      try modules.flush()
      if isJSON { try output.console.write("]\n") }
    }
    if let line = modules.firstUnreadable {
      throw CommandFailure(
        "'\(line.printable)' is not a file and an address; give the file of all addresses with --object",
        .wrongUsage)
    }
    if modules.failures > 0 { throw AlreadyReported(code: .incomplete) }
  }
}
