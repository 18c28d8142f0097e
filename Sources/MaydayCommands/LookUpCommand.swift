import Arguments
import Bytes
import CrashModel
import Glibc
import ObjectFormats
import SymbolCache
import SymbolSources
import Workers

/// `mayday lookup`
struct LookUpCommand: SandboxedCommand {
  static let name = "lookup"
  static let summary = "Find the function, file and line of addresses."
  static let discussion = """
    Prints each address as llvm-symbolizer does: a function and a place for each inlined call, the \
    innermost first, then an empty line. With --json the objects are those of llvm-symbolizer's \
    --output-style=JSON: an array for addresses on the command line, one a line for standard input.

    Without --object each line names its file and an address in it: FILE ADDRESS, "FILE" ADDRESS, \
    FILE:FILE ADDRESS, or BUILDID:HEX ADDRESS for a file that the system keeps by its build id. \
    @FILE stands for the words in a file.

    Addresses are hexadecimal with 0x, else decimal where they can be. They are linked addresses, or \
    those of a process if --load-address says where the image was loaded; those of a PDB count \
    from the image base. Of a return address from a stack, look up one less.

    For a few addresses only what they need of the debug file is read. For many, or with --cache, it is \
    compiled to a symbol cache, which is kept for the next time.

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
    Example(
      "echo 'build/tern 0x1139' | mayday lookup",
      "Each line names its file, as for llvm-symbolizer."
    ),
    Example(
      "mayday lookup -o build/tern --functions=short @addresses.txt",
      "Addresses from a file, functions without scopes and parameters."),
  ]

  @Option(
    "-o", "--object", "-e", "--exe", "--obj",
    help: "The program, library, debug file or dSYM bundle.", value: "FILE")
  var object: String?
  @Option(
    "-a", "--arch", "-arch", "--default-arch", help: "Which architecture of a universal file.",
    value: "ARCH")
  var architecture: String?
  @Option(
    "-l", "--load-address", help: "Where the image was loaded; else addresses are linked ones.",
    value: "ADDRESS")
  var load: AddressText?
  @Option(
    "--slide", "--adjust-vma", help: "The same, by the distance from the linked address.",
    value: "DISTANCE")
  var slide: AddressText?
  @Flag("--relative-address", help: "Addresses are distances from the load address.")
  var isRelative
  @Option(
    "--debug-file-directory",
    help: "Where debug files lie by build id (DIR/.build-id); else \(DebugFolders.standard).",
    value: "DIR")
  var debugFolders: [String] = []
  @OptionGroup var form = LookUpFormOptions()
  @OptionGroup var source = SourceOptions()
  @OptionGroup var caching = LookUpCacheOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()
  @Argument(
    "ADDRESS",
    help:
      "Addresses to look up, @FILE for those in a file; else they are read from standard input.",
    isRequired: false)
  var addresses: [String]

  func validate() throws(UsageError) {
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
    try source.validate()
    if source.lines != nil && form.functionsOnly {
      throw UsageError("--source prints lines, --functions-only leaves them out")
    }
    if source.lines != nil && form.hasRelativeNames {
      throw UsageError("--source needs whole paths, --relativenames leaves folders out")
    }
    try caching.validate()
  }

  /// Damage of the file that is told, in places; the rest follows from it more often than not.
  private static let noteLimit = 8
  /// For so many addresses it is faster to read what they need than to compile all.
  private static let fewAddresses = 20

  func run() throws {
    let words = try ResponseFile.expanding(addresses)
    guard let path = object else { return try answerLines(words) }
    try InputPaths.check([path])
    var printer = try printer(for: path, called: path, words: words)
    if words.isEmpty && addresses.isEmpty {
      try printer.answerLines(of: STDIN_FILENO, to: output.console)
    } else {
      try printer.answer(words, to: output.console)
    }
    if let word = printer.firstUnreadable {
      throw CommandFailure("'\(word.printable)' is no address", .wrongUsage)
    }
  }

  /// Answers lines that name their files: those on the command line, else those of standard input.
  private func answerLines(_ words: [String]) throws {
    let isJSON = form.isJSON(output)
    var modules = LookUpModules(
      to: output.console,
      open: { module throws in
        let path = try self.path(of: module)
        let asked = words.compactMap { LookUpLine(Array($0.utf8)[...]) }
          .filter { $0.module == module }.map { String(decoding: $0.address, as: UTF8.self) }
        return try self.printer(for: path, called: module.name, words: asked)
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
        "'\(line.printable)' is no file and address; --object names the file of all", .wrongUsage)
    }
    if modules.failures > 0 { throw AlreadyReported(code: .incomplete) }
  }

  private func path(of module: LookUpLine.Module) throws -> String {
    switch module {
    case .path(let path):
      try InputPaths.check([path])
      return path
    case .buildID(let text):
      let folders = debugFolders.isEmpty ? [DebugFolders.standard] : debugFolders
      guard let id = CodeID(text), let path = DebugFolders(paths: folders).file(of: id) else {
        throw CommandFailure(
          "no debug file for build id \(text.printable) in "
            + folders.joined(separator: ", ").printable, .notFound)
      }
      return path
    }
  }

  /// - Parameters:
  ///   - name: What the file is called in JSON.
  ///   - words: The addresses that are asked for; none where they are not known yet.
  private func printer(
    for path: String, called name: String, words: [String]
  ) throws -> LookUpPrinter {
    let opened = try open(path, words)
    for note in opened.notes.prefix(Self.noteLimit) {
      output.console.warn("\(opened.path): \(note)".printable)
    }
    return LookUpPrinter(
      opened.cache, module: name, base: base(opened.imageBase),
      form: form.form(isJSON: output.json, sourceLines: source.lines ?? 0),
      sources: opened.file.map {
        SourceFinder(bundles: SourceBundles.beside(path, of: $0), file: $0, isOnDisk: true)
      })
  }

  /// The address that the offsets of a cache count from.
  private func base(_ imageBase: UInt64) -> UInt64 {
    if isRelative { return 0 }
    if let slide { return imageBase &+ slide.value }
    return load?.value ?? imageBase
  }

  /// A symbol cache and what is told of it.
  private struct Opened {
    let cache: SymbolCache
    /// The address that its offsets count from.
    let imageBase: UInt64
    let path: String
    let notes: [String]
    /// The debug file, where it is needed for its sources.
    var file: DebugFile?
  }

  private func open(_ path: String, _ words: [String]) throws -> Opened {
    // A cache that is kept has whole paths.
    let folder =
      form.hasRelativeNames ? nil : caching.cache(of: path, architecture: architecture)
    if source.lines == nil, let kept = folder?.kept {
      return Opened(cache: kept, imageBase: kept.imageBase, path: path, notes: kept.notes)
    }
    let target = try LookUpTarget.find(
      path, architecture: architecture, debugFolders: DebugFolders(paths: debugFolders))
    let cache = try cache(of: target, in: folder, words)
    return Opened(
      cache: cache, imageBase: target.imageBase, path: target.file.path,
      notes: target.notes + cache.notes, file: source.lines == nil ? nil : target.file)
  }

  private func cache(
    of target: LookUpTarget, in folder: LookUpCache?, _ words: [String]
  ) throws -> SymbolCache {
    let file = target.file
    var options = CacheOptions()
    options.width = Workers.processorCount
    options.hasRelativePaths = form.hasRelativeNames
    if !words.isEmpty, words.count <= Self.fewAddresses, caching.folder == nil {
      let base = base(target.imageBase)
      options.places = words.compactMap { word in
        AddressText.parse(Array(word.utf8)[...]).flatMap { UInt32(exactly: $0 &- base) }
      }
    }
    func compile() throws(ParseError) -> ByteView {
      try SymbolCache.compiling(
        file.object, companions: file.companions, options: options
      ).bytes
    }
    guard let folder, options.places == nil, let others = target.others else {
      return try SymbolCache(opening: compile())
    }
    return try folder.cache(besides: others, make: compile)
  }
}
