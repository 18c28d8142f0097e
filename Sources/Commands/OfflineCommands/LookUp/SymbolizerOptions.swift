internal import APIDocuments
internal import AddressLookUp
internal import Arguments
internal import Bytes
internal import Glibc
internal import Terminal

/// The options of llvm-symbolizer and llvm-addr2line, except their defaults.
struct SymbolizerOptions {
  @Option(
    "-e", "--obj", "--exe",
    help: "The file of all addresses; by default each line names its own.", value: "FILE")
  var object: String?
  @Option(
    "--build-id", help: "The file of all addresses, by its build id; see --debug-file-directory.",
    value: "HEX")
  var buildID: String?
  @Option("--default-arch", help: "The architecture to use from a universal file.", value: "ARCH")
  var architecture: String?
  @Option("--adjust-vma", help: "The distance between given and linked addresses.", value: "OFFSET")
  var slide: LiteralNumber?
  @Flag(
    "--relative-address", help: "Addresses of Windows programs count from their image base.")
  var isRelative
  @Option(
    "-f", "--functions", implied: LookUpOutputStyle.Names.linkage,
    help: "The names of functions: whole, without scopes and parameters, or none.")
  var names: LookUpOutputStyle.Names?
  @Option("--output-style", help: "The tool whose style to print.")
  var style: LookUpOutputStyle.Style?
  @Flag("-s", "--basenames", help: "Print the names of files without their folders.")
  var hasBasenames
  @Flag("--relativenames", help: "Print the names of files as the compiler was given them.")
  var hasRelativeNames
  @Flag("-p", "--pretty-print", help: "Print each frame on one line.") var isPretty
  @Flag("-a", "--addresses", "--print-address", help: "Print each address before its result.")
  var hasAddresses
  @Flag("--verbose", help: "Print everything known about a frame, one item per line.") var isVerbose
  @Option(
    "--print-source-context-lines", help: "Print N lines of source around each location.",
    value: "N")
  var sourceLines: Int?
  @Option(
    "--debug-file-directory",
    help: "Where debug files lie by build id (DIR/.build-id); else \(DebugFolders.standard).",
    value: "DIR")
  var debugFolders: [String] = []
  @Option(
    "--fallback-debug-path", help: "Another folder of debug files.", value: "DIR")
  var fallbackFolder: String?
  @Option("--dsym-hint", help: "A dSYM bundle that may belong to the file.", value: "DIR")
  var bundles: [String] = []
  @Option("--dwp", help: "The file with the split DWARF units.", value: "FILE") var package: String?
  @Option("--cache-size", help: "No effect: files are mapped.", value: "BYTES")
  var cacheSize: Int?
  @Flag(
    "--no-debuginfod", "--disable-gsym", "--no-untag-addresses",
    help: "No effect: neither is used here.")
  var unused
  @OptionGroup var caching = LookUpCacheOptions()

  func validate() throws(UsageError) {
    if object != nil, buildID != nil {
      throw UsageError("--build-id and --obj exclude each other")
    }
    if isRelative, slide != nil {
      throw UsageError("--adjust-vma and --relative-address exclude each other")
    }
    if let sourceLines, !(0...APILimits.sourceLines).contains(sourceLines) {
      throw UsageError(
        "--print-source-context-lines wants a number from 0 to \(APILimits.sourceLines)")
    }
    try caching.validate()
  }

  var files: LookUpFiles {
    var files = LookUpFiles(console: Console(colour: .auto))
    files.architecture = architecture
    if isRelative { files.base = .windowsImage }
    if let slide { files.base = .slide(slide.value) }
    files.debugFolders = debugFolders
    files.hints = ([fallbackFolder, package].compactMap(\.self) + bundles)
    files.sourceLines = sourceLines ?? 0
    files.hasRelativeNames = hasRelativeNames
    files.caching = caching.caching
    return files
  }

  var module: LookUpLine.Module? {
    object.map(LookUpLine.Module.path) ?? buildID.map(LookUpLine.Module.buildID)
  }

  /// - Parameters:
  ///   - style: The tool's default style.
  ///   - names: The tool's default for function names.
  func form(
    _ style: LookUpOutputStyle.Style, names: LookUpOutputStyle.Names
  ) -> LookUpPrinter.Form {
    var form = LookUpPrinter.Form()
    let style = self.style ?? style
    form.style = style == .gnu ? .gnu : .llvm
    form.isJSON = style == .json
    form.names = (self.names ?? names).printed
    form.hasBasenames = hasBasenames
    form.isPretty = isPretty
    form.hasAddresses = hasAddresses
    form.isVerbose = isVerbose
    form.sourceLines = sourceLines ?? 0
    return form
  }

  /// Answers the words of the command line; without any, the lines of standard input.
  func run(_ form: LookUpPrinter.Form, _ words: [String]) throws {
    if case .path(let path) = module { try InputPaths.check([path]) }
    // Empty words are skipped.
    let asked = words.filter { !$0.isEmpty }
    var symbolizer = Symbolizer(files, form: form, object: module, words: asked)
    if words.isEmpty {
      try symbolizer.answerLines(of: STDIN_FILENO)
    } else {
      try symbolizer.answer(asked)
    }
  }
}

/// A number as llvm-symbolizer reads one: `0x10`, `0b1`, `020`, `16`.
struct LiteralNumber: ArgumentValue {
  let value: UInt64

  init?(argument: String) {
    guard let value = AddressText.parse(Array(argument.utf8)[...], as: .literal) else { return nil }
    self.value = value
  }

  var argument: String { value.hexadecimal }
  static var valueName: String { "NUMBER" }
  static var example: String? { "0x1000" }
}
