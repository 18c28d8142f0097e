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
    /// Whether text has neither columns nor empty lines.
    var isGNU = false
    var hasNames = true
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
  }

  /// The first word that was no address.
  private(set) var firstUnreadable: String?
  private let cache: SymbolCache
  private let base: UInt64
  private let form: Form
  private var sources: SourceFinder?
  /// `,"ModuleName":"a.out"`
  private let module: [UInt8]
  private var frames = Table<CacheFrame>()
  private var output: [UInt8] = []
  /// What has been printed of a string once: names come again and again.
  private var names: [CacheFrame.Text: [UInt8]] = [:]
  private var paths: [CacheFrame.Text: [UInt8]] = [:]

  private static let outputLimit = 1 << 16
  /// A longer line is no address.
  private static let lineLimit = 4096

  /// - Parameters:
  ///   - module: What to call the object in JSON.
  ///   - base: The address that the cache's offsets count from.
  ///   - sources: Where lines of source come from, if any are printed.
  init(
    _ cache: SymbolCache, module: String, base: UInt64, form: Form, sources: SourceFinder? = nil
  ) {
    self.sources = sources
    self.cache = cache
    self.base = base
    self.form = form
    var writer = JSONWriter()
    writer.string(module)
    self.module = Array(",\"ModuleName\":".utf8) + writer.bytes
  }

  /// Answers the words of a command line.
  mutating func answer(_ words: [String], to console: Console) throws {
    if form.isJSON { output.append(UInt8(ascii: "[")) }
    for (index, word) in words.enumerated() {
      if form.isJSON && index > 0 { output.append(UInt8(ascii: ",")) }
      answer(Array(word.utf8)[...])
    }
    if form.isJSON { output += Array("]\n".utf8) }
    try flush(to: console)
  }

  /// Answers a line at a time; whoever asks one by one gets each answer at once.
  mutating func answerLines(of descriptor: Int32, to console: Console) throws {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var rest: [UInt8] = []
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", path: "standard input") }
      if count == 0 { break }
      rest += chunk[..<count]
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try answerLine(rest[start..<end], to: console)
        start = end + 1
      }
      rest.removeFirst(start)
      if rest.count > Self.lineLimit { rest.removeLast(rest.count - Self.lineLimit) }
      try flush(to: console)
    }
    if !rest.isEmpty { try answerLine(rest[...], to: console) }
    try flush(to: console)
  }

  private mutating func answerLine(_ line: ArraySlice<UInt8>, to console: Console) throws {
    var line = line
    while let last = line.last, last <= 0x20 { line.removeLast() }
    while let first = line.first, first <= 0x20 { line.removeFirst() }
    guard !line.isEmpty else { return }
    answer(line)
    if form.isJSON { output.append(UInt8(ascii: "\n")) }
    if output.count > Self.outputLimit { try flush(to: console) }
  }

  private mutating func flush(to console: Console) throws {
    guard !output.isEmpty else { return }
    try console.write(output)
    output.removeAll(keepingCapacity: true)
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
    guard let address, let offset = UInt32(exactly: address &- base) else { return }
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
        if index > shown.lowerBound { output.append(contentsOf: " (inlined by) ".utf8) }
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
      output.append(contentsOf: "0x".utf8)
      output.append(contentsOf: String(address, radix: 16).utf8)
    } else {
      output.append(contentsOf: String(decoding: word, as: UTF8.self).printable.utf8)
    }
    output.append(contentsOf: form.isPretty ? ": ".utf8 : "\n".utf8)
  }

  /// `function at file:line:column`, as llvm-symbolizer has it.
  private mutating func writePretty(_ frame: CacheFrame) {
    writeName(frame)
    if form.hasPlaces {
      if form.hasNames { output.append(contentsOf: " at ".utf8) }
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
    output += frame.name.isEmpty ? Array("??".utf8) : name(of: frame)
  }

  private mutating func writePlace(_ frame: CacheFrame) {
    output += frame.file.isEmpty ? Array("??".utf8) : path(frame.file)
    output.append(UInt8(ascii: ":"))
    output.append(contentsOf: String(frame.line).utf8)
    if !form.isGNU {
      output.append(UInt8(ascii: ":"))
      output.append(contentsOf: String(frame.column).utf8)
    }
    output.append(UInt8(ascii: "\n"))
    if let excerpt = excerpt(of: frame) {
      output.append(contentsOf: excerpt.numbered(marking: Int(frame.line), \.printable).utf8)
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
      output += Array("{\"Error\":{\"Message\":".utf8) + writer.bytes
      output.append(UInt8(ascii: "}"))
      output += module
      output.append(UInt8(ascii: "}"))
      return
    }
    output.append(contentsOf: "{\"Address\":\"0x".utf8)
    output.append(contentsOf: String(address, radix: 16).utf8)
    output.append(UInt8(ascii: "\""))
    output += module
    output.append(contentsOf: ",\"Symbol\":[".utf8)
    for index in shown {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      writeSymbol(frame(index))
    }
    if frames.isEmpty { writeSymbol(CacheFrame()) }
    output.append(contentsOf: "]}".utf8)
  }

  private mutating func writeSymbol(_ frame: CacheFrame) {
    let hasPlace = form.hasPlaces
    output.append(contentsOf: "{\"Column\":".utf8)
    output.append(contentsOf: String(hasPlace ? frame.column : 0).utf8)
    output.append(contentsOf: ",\"Discriminator\":0,\"FileName\":".utf8)
    output += hasPlace ? path(frame.file) : Self.emptyText
    output.append(contentsOf: ",\"FunctionName\":".utf8)
    output += form.hasNames ? name(of: frame) : Self.emptyText
    output.append(contentsOf: ",\"Line\":".utf8)
    output.append(contentsOf: String(hasPlace ? frame.line : 0).utf8)
    if let excerpt = excerpt(of: frame) {
      var writer = JSONWriter()
      writer.string(excerpt.numbered(marking: Int(frame.line)) { $0 })
      output += Array(",\"Source\":".utf8) + writer.bytes
    }
    output.append(contentsOf: ",\"StartAddress\":\"".utf8)
    if form.hasNames, frame.functionStart != .max {
      output.append(contentsOf: "0x".utf8)
      output.append(contentsOf: String(base &+ UInt64(frame.functionStart), radix: 16).utf8)
    }
    output.append(contentsOf: "\",\"StartFileName\":".utf8)
    output += hasPlace ? path(frame.declarationFile) : Self.emptyText
    output.append(contentsOf: ",\"StartLine\":".utf8)
    output.append(contentsOf: String(hasPlace ? frame.declarationLine : 0).utf8)
    output.append(UInt8(ascii: "}"))
  }

  private static let emptyText = Array("\"\"".utf8)

  private mutating func name(of frame: CacheFrame) -> [UInt8] {
    guard form.isDemangled, !frame.sourceName.isEmpty, cache.isDecorated(frame) else {
      return name(frame.name)
    }
    return name(frame.sourceName)
  }

  private mutating func name(_ text: CacheFrame.Text) -> [UInt8] {
    if let known = names[text] { return known }
    let raw = string(text)
    let bytes = printed(form.isDemangled ? Demangler.demangle(raw) ?? raw : raw)
    names[text] = bytes
    return bytes
  }

  private mutating func path(_ text: CacheFrame.Text) -> [UInt8] {
    if let known = paths[text] { return known }
    var string = string(text)
    if form.hasBasenames, let slash = string.lastIndex(where: { $0 == "/" || $0 == "\\" }) {
      string = String(string[string.index(after: slash)...])
    }
    let bytes = printed(string)
    paths[text] = bytes
    return bytes
  }

  private func string(_ text: CacheFrame.Text) -> String {
    let start = Int(text.offset)
    return cache.bytes.clamped(start..<start + Int(text.count)).text
  }

  private func printed(_ text: String) -> [UInt8] {
    guard form.isJSON else { return Array(text.printable.utf8) }
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }
}
