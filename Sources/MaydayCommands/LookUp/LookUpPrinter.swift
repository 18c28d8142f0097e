import Bytes
import CrashModel
import Demangling
import Glibc
import JSON
import SymbolCache
import SymbolSources

/// Looks addresses up and prints the answers, as fast as they can be asked.
struct LookUpPrinter: ~Copyable {
  struct Form {
    var isJSON = false
    /// Which names of functions are printed.
    var names = Names.linkage
    /// Whether text has neither columns nor empty lines.
    var isGNU = false
    var hasNames: Bool { names != .none }
    /// Whether files and lines are printed.
    var hasPlaces = true
    var hasInlines = true
    var isDemangled = true
    /// How many lines of source are printed of each place.
    var sourceLines = 0
    /// Whether files are printed without their folders.
    var hasBasenames = false
    /// Whether a frame is one line of text.
    var isPretty = false
    /// Whether the address stands before its answer in text.
    var hasAddresses = false

    enum Names {
      /// No names at all.
      case none
      /// Without scopes and parameters.
      case short
      case linkage
    }
  }

  /// The first word that was no address.
  private(set) var firstUnreadable: String?
  /// `nil` where the file cannot be used.
  private let cache: SymbolCache?
  /// Why the file cannot be used.
  private let failure: String?
  private let base: UInt64
  private let form: Form
  private var sources: SourceFinder?
  /// `,"ModuleName":"a.out"`
  private let module: [UInt8]
  private var frames = Table<CacheFrame>()
  private var output = PrintBuffer()
  /// What has been printed of a string once: names come again and again.
  private var names = PrintedTexts()
  private var paths = PrintedTexts()

  private static let outputLimit = 1 << 16

  /// - Parameters:
  ///   - module: What to call the object in JSON.
  ///   - base: The address that the cache's offsets count from.
  ///   - sources: Where lines of source come from, if any are printed.
  init(
    _ cache: SymbolCache, module: String, base: UInt64, form: Form, sources: SourceFinder? = nil
  ) {
    self.sources = sources
    self.cache = cache
    failure = nil
    self.base = base
    self.form = form
    self.module = Self.member(module)
  }

  /// Knows nothing of any address, and says why.
  init(module: String, form: Form, failure: String) {
    cache = nil
    self.failure = failure
    base = 0
    self.form = form
    self.module = Self.member(module)
  }

  private static func member(_ module: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(module)
    return Array(",\"ModuleName\":".utf8) + writer.bytes
  }

  /// Answers the words of a command line.
  mutating func answer(_ words: [String], to console: Console) throws {
    if form.isJSON { output.append(UInt8(ascii: "[")) }
    for (index, word) in words.enumerated() {
      if form.isJSON && index > 0 { output.append(UInt8(ascii: ",")) }
      answer(Array(word.utf8)[...])
    }
    if form.isJSON { output.append("]\n") }
    try flush(to: console)
  }

  /// Answers a line at a time; whoever asks one by one gets each answer at once.
  mutating func answerLines(of descriptor: Int32, to console: Console) throws {
    var input = InputLines(of: descriptor)
    while let lines = try input.next() {
      for line in lines {
        answer(line)
        if form.isJSON { output.append(UInt8(ascii: "\n")) }
        if output.count > Self.outputLimit { try flush(to: console) }
      }
      try flush(to: console)
    }
  }

  /// Answers a word among those that other files are asked for.
  ///
  /// - Parameter ending: What stands behind it in JSON.
  mutating func answer(
    _ word: ArraySlice<UInt8>, ending: StaticString, to console: Console
  ) throws {
    answer(word)
    if form.isJSON { output.append(ending) }
    if output.count > Self.outputLimit { try flush(to: console) }
  }

  mutating func flush(to console: Console) throws {
    guard !output.isEmpty else { return }
    try console.write(output.take())
  }

  private mutating func answer(_ word: ArraySlice<UInt8>) {
    let address = AddressText.parse(word)
    if address == nil, firstUnreadable == nil {
      firstUnreadable = String(decoding: word.prefix(80), as: UTF8.self)
    }
    lookUp(address)
    if form.isJSON {
      writeJSON(address, word)
    } else {
      if form.hasAddresses { writeAddress(address, word) }
      writeText()
    }
  }

  private mutating func lookUp(_ address: UInt64?) {
    frames.removeAll()
    guard let cache, let address, let offset = UInt32(exactly: address &- base) else { return }
    cache.lookUp(offset, into: &frames)
  }

  /// The frames that are printed: all, or the one that holds the code.
  private var shown: Range<Int> {
    form.hasInlines || frames.isEmpty ? 0..<frames.count : 0..<1
  }
}

extension LookUpPrinter {
  private mutating func writeText() {
    for index in shown {
      if form.isPretty {
        if index > shown.lowerBound { output.append(" (inlined by) ") }
        writePretty(frame(index))
      } else {
        write(frame(index))
      }
    }
    if frames.isEmpty {
      if form.isPretty { writePretty(CacheFrame()) } else { write(CacheFrame()) }
    }
    if !form.isGNU { output.append(UInt8(ascii: "\n")) }
  }

  private mutating func writeAddress(_ address: UInt64?, _ word: ArraySlice<UInt8>) {
    if let address {
      output.append("0x")
      output.append(hexadecimal: address)
    } else {
      output.append(String(decoding: word, as: UTF8.self).printable)
    }
    output.append(form.isPretty ? ": " : "\n")
  }

  /// `function at file:line:column`, as llvm-symbolizer has it.
  private mutating func writePretty(_ frame: CacheFrame) {
    writeName(frame)
    if form.hasPlaces {
      if form.hasNames { output.append(" at ") }
      writePlace(frame)
    } else {
      output.append(UInt8(ascii: "\n"))
    }
  }

  /// What is printed of a frame. Without inlined calls it is the place of the innermost one under the
  /// name of the function that holds the code, as llvm-symbolizer has it.
  private func frame(_ index: Int) -> CacheFrame {
    var frame = frames[index]
    if !form.hasInlines, let outermost = frames.last {
      frame.name = outermost.name
      frame.sourceName = outermost.sourceName
      frame.functionStart = outermost.functionStart
    }
    return frame
  }

  private mutating func write(_ frame: CacheFrame) {
    writeName(frame)
    if form.hasNames { output.append(UInt8(ascii: "\n")) }
    guard form.hasPlaces else { return }
    writePlace(frame)
  }

  private mutating func writeName(_ frame: CacheFrame) {
    guard form.hasNames else { return }
    writeName(of: frame)
  }

  private mutating func writePlace(_ frame: CacheFrame) {
    if frame.file.isEmpty { output.append("??") } else { writePath(frame.file) }
    output.append(UInt8(ascii: ":"))
    output.append(decimal: frame.line)
    if !form.isGNU {
      output.append(UInt8(ascii: ":"))
      output.append(decimal: frame.column)
    }
    output.append(UInt8(ascii: "\n"))
    if let excerpt = excerpt(of: frame) {
      output.append(excerpt.numbered(marking: Int(frame.line), \.printable))
    }
  }

  private mutating func excerpt(of frame: CacheFrame) -> SourceExcerpt? {
    guard sources != nil, frame.line > 0, !frame.file.isEmpty else { return nil }
    let path = string(frame.file)
    return sources?.excerpt(of: path, around: Int(frame.line), count: form.sourceLines)
  }

  private mutating func writeJSON(_ address: UInt64?, _ word: ArraySlice<UInt8>) {
    guard let address else {
      var writer = JSONWriter()
      writer.string("unable to parse arguments: " + String(decoding: word, as: UTF8.self))
      output.append("{\"Error\":{\"Message\":")
      output.append(writer.bytes)
      output.append(UInt8(ascii: "}"))
      output.append(module)
      output.append(UInt8(ascii: "}"))
      return
    }
    output.append("{\"Address\":\"0x")
    output.append(hexadecimal: address)
    output.append(UInt8(ascii: "\""))
    if let failure {
      var writer = JSONWriter()
      writer.string(failure)
      output.append(",\"Error\":{\"Message\":")
      output.append(writer.bytes)
      output.append(UInt8(ascii: "}"))
      output.append(module)
      output.append(UInt8(ascii: "}"))
      return
    }
    output.append(module)
    output.append(",\"Symbol\":[")
    for index in shown {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      writeSymbol(frame(index))
    }
    if frames.isEmpty { writeSymbol(CacheFrame()) }
    output.append("]}")
  }

  private mutating func writeSymbol(_ frame: CacheFrame) {
    let hasPlace = form.hasPlaces
    output.append("{\"Column\":")
    output.append(decimal: hasPlace ? frame.column : 0)
    output.append(",\"Discriminator\":0,\"FileName\":")
    if hasPlace { writePath(frame.file) } else { output.append("\"\"") }
    output.append(",\"FunctionName\":")
    if form.hasNames { writeName(of: frame) } else { output.append("\"\"") }
    output.append(",\"Line\":")
    output.append(decimal: hasPlace ? frame.line : 0)
    if let excerpt = excerpt(of: frame) {
      var writer = JSONWriter()
      writer.string(excerpt.numbered(marking: Int(frame.line)) { $0 })
      output.append(",\"Source\":")
      output.append(writer.bytes)
    }
    output.append(",\"StartAddress\":\"")
    if form.hasNames, frame.functionStart != .max {
      output.append("0x")
      output.append(hexadecimal: base &+ UInt64(frame.functionStart))
    }
    output.append("\",\"StartFileName\":")
    if hasPlace { writePath(frame.declarationFile) } else { output.append("\"\"") }
    output.append(",\"StartLine\":")
    output.append(decimal: hasPlace ? frame.declarationLine : 0)
    output.append(UInt8(ascii: "}"))
  }

  private mutating func writeName(of frame: CacheFrame) {
    if frame.name.isEmpty, !form.isJSON {
      output.append("??")
      return
    }
    let isShort = form.names == .short
    let isDecorated =
      (isShort || form.isDemangled) && !frame.sourceName.isEmpty
      && cache?.isDecorated(frame) == true
    let text = isDecorated ? frame.sourceName : frame.name
    if names.write(text, to: &output) { return }
    let raw = string(text)
    let name =
      if isShort {
        Demangler.shortName(raw)
      } else {
        form.isDemangled ? Demangler.demangle(raw) ?? raw : raw
      }
    names.add(text, printed(name))
    _ = names.write(text, to: &output)
  }

  private mutating func writePath(_ text: CacheFrame.Text) {
    if paths.write(text, to: &output) { return }
    var string = string(text)
    if form.hasBasenames, let slash = string.lastIndex(where: { $0 == "/" || $0 == "\\" }) {
      string = String(string[string.index(after: slash)...])
    }
    paths.add(text, printed(string))
    _ = paths.write(text, to: &output)
  }

  private func string(_ text: CacheFrame.Text) -> String {
    let start = Int(text.offset)
    return cache?.bytes.clamped(start..<start + Int(text.count)).text ?? ""
  }

  private func printed(_ text: String) -> [UInt8] {
    guard form.isJSON else { return Array(text.printable.utf8) }
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }
}
