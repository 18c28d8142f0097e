internal import AddressLookUp
package import Arguments
internal import Bytes
package import CommandSupport
internal import Files
internal import Glibc
internal import Terminal

/// `mayday atos`
package struct AtosCommand: SandboxedCommand {
  package static let name = "atos"
  package static let summary = "Answer as Apple's atos does."
  /// A configuration file is for Mayday; the other tool has none.
  package static let ignoresSettings = true
  package static let discussion = """
    Takes the options of atos and prints what it prints: function (in Image) (File.swift:12), or \
    function (in Image) + 20 where no line is known, and an unknown address as it was given. \
    With -i, each inlined call has a line, innermost first, followed by an empty line; without it, \
    there is one line, for the enclosing function. A link to this program that is called atos runs \
    this command.

    -p is refused: there are no Mac processes on this system.
    """
  package static let examples = [
    Example(
      "mayday atos -o Tern.dSYM -arch arm64 -l 0x104a3c000 0x104a3c1f0",
      "An address of a process, from a report."),
    Example(
      "mayday atos -o Tern.dSYM -arch arm64 -i -fullPath -offset 0x1f0",
      "An offset from the load address, with inlined calls."),
    Example(
      "mayday atos -o Tern.dSYM -l 104a3c000 -f addresses.txt", "The addresses in a file."),
  ]

  @Option("-o", "--object", help: "The program, library or dSYM bundle.", value: "FILE")
  var object: String?
  @Option("-arch", "--arch", help: "The architecture to use from a universal file.", value: "ARCH")
  var architecture: String?
  @Option(
    "-l", "--load-address", help: "Where the image was loaded, in hexadecimal.", value: "ADDRESS")
  var load: HexadecimalNumber?
  @Option(
    "-s", "--slide", help: "The distance between load address and linked address.",
    value: "DISTANCE")
  var slide: AddressText?
  @Flag("-offset", "--offset", help: "Addresses are offsets from the load address.")
  var isOffset
  @Flag("-i", "-inlineFrames", "--inlineFrames", help: "Print the inlined calls.") var hasInlines
  @Flag("-fullPath", "--fullPath", help: "Print the names of files with their folders.")
  var hasFullPaths
  @Option(
    "-d", "--delimiter", help: "Text between inlined calls; by default a new line.",
    value: "TEXT")
  var delimiter: String?
  @Option("-f", "--file", help: "A file with addresses, separated by whitespace.", value: "FILE")
  var list: String?
  @Flag("-printHeader", "--printHeader", help: "No effect: it is for processes.")
  var printsHeader
  @OptionGroup var caching = LookUpCacheOptions()
  @OptionGroup package var sandbox = SandboxOptions()
  @Argument(
    "ADDRESS", help: "Addresses to look up; by default they are read from standard input.",
    isRequired: false)
  var addresses: [String]

  package init() {}

  package func validate() throws(UsageError) {
    guard object != nil else { throw UsageError("-o FILE is missing") }
    if [load != nil, slide != nil, isOffset].count(where: \.self) > 1 {
      throw UsageError("-l, -s and -offset exclude each other")
    }
    if list != nil, !addresses.isEmpty {
      throw UsageError("give addresses either by -f or on the command line")
    }
    try caching.validate()
  }

  /// The most bytes of the file with addresses.
  private static let listLimit = 1 << 28

  package func run() throws {
    let console = Console(colour: .auto)
    let path = object ?? ""
    try InputPaths.check([path])
    var words = addresses
    if let list {
      words = try ByteView(reading: list, limit: Self.listLimit).text
        .split(whereSeparator: \.isWhitespace).map(String.init)
    }
    var files = LookUpFiles(console: console)
    files.architecture = architecture
    if isOffset { files.base = .image }
    if let slide { files.base = .slide(slide.value) }
    if let load { files.base = .loaded(load.value) }
    files.caching = caching.caching
    var form = LookUpPrinter.Form()
    form.style = .atos
    form.hasInlines = hasInlines
    form.hasBasenames = !hasFullPaths
    form.delimiter = delimiter ?? "\n"
    form.image = Self.imageName(of: path)
    let isOpen = addresses.isEmpty && list == nil
    var printer = try files.printer(
      for: path, called: path,
      addresses: isOpen ? nil : words.compactMap { AddressText.parse(Array($0.utf8)[...]) },
      form: form)
    guard isOpen else { return try printer.answer(words, to: console) }
    var input = InputLines(of: STDIN_FILENO)
    while let lines = try input.next() {
      for word in lines.flatMap({ $0.split(whereSeparator: { $0 <= 0x20 }) }) {
        try printer.answer(word, ending: "", to: console)
      }
      try printer.flush(to: console)
    }
  }

  /// The name of the file to look addresses up in: for a dSYM bundle, the file inside it.
  static func imageName(of path: String) -> String {
    let inner = FolderNames.of(path + "/Contents/Resources/DWARF").filter { !$0.hasPrefix(".") }
    if inner.count == 1 { return inner[0] }
    let name = String(path.split(separator: "/").last ?? "")
    return name.hasSuffix(".dSYM") ? String(name.dropLast(5)) : name
  }
}

/// A hexadecimal address, with or without `0x`.
struct HexadecimalNumber: ArgumentValue {
  let value: UInt64

  init?(argument: String) {
    guard let value = AddressText.parse(Array(argument.utf8)[...], as: .hexadecimal) else {
      return nil
    }
    self.value = value
  }

  var argument: String { value.hexadecimal }
  static var valueName: String { "ADDRESS" }
  static var example: String? { "0x104a3c000" }
}
