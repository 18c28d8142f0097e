package import Bytes
package import CrashModel
internal import Demangling
internal import Glibc
internal import JSON
package import SymbolCache
package import SymbolSources
package import Terminal

/// Looks addresses up and prints the answers, as fast as requests arrive.
package struct LookUpPrinter: ~Copyable {
  /// The first word that was not an address.
  package private(set) var firstUnreadable: String?
  /// `nil` where the file cannot be used.
  package let cache: SymbolCache?
  /// Why the file cannot be used.
  package let failure: String?
  package let base: UInt64
  package let form: Form
  package var sources: SourceFinder?
  /// `,"ModuleName":"a.out"`
  package let module: [UInt8]
  package var frames = Table<CacheFrame>()
  package var output = PrintBuffer()
  /// The printed form of a string: names are repeated often.
  package var names = PrintedTexts()
  package var paths = PrintedTexts()

  private static let outputLimit = 1 << 16

  /// - Parameters:
  ///   - module: The name of the object in JSON.
  ///   - base: The address that the cache's offsets count from.
  ///   - sources: Where source lines are read from, if any are printed.
  package init(
    _ cache: SymbolCache, module: String, base: UInt64, form: Form, sources: SourceFinder? = nil
  ) {
    self.sources = sources
    self.cache = cache
    failure = nil
    self.base = base
    self.form = form
    self.module = Self.member(module)
  }

  /// Creates a printer without answers, for the given reason.
  package init(module: String, form: Form, failure: String) {
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
  package mutating func answer(_ words: [String], to console: Console) throws {
    if form.isJSON { output.append(UInt8(ascii: "[")) }
    for (index, word) in words.enumerated() {
      if form.isJSON && index > 0 { output.append(UInt8(ascii: ",")) }
      answer(Array(word.utf8)[...])
    }
    if form.isJSON { output.append("]\n") }
    try flush(to: console)
  }

  /// Answers line by line; a client that sends single lines gets each answer at once.
  package mutating func answerLines(
    of descriptor: Int32, skipsEmpty: Bool = true, to console: Console
  ) throws {
    var input = InputLines(of: descriptor, skipsEmpty: skipsEmpty)
    while let lines = try input.next() {
      for line in lines {
        answer(line)
        if form.isJSON { output.append(UInt8(ascii: "\n")) }
        if output.count > Self.outputLimit { try flush(to: console) }
      }
      try flush(to: console)
    }
  }

  /// Answers a word among words for other files.
  ///
  /// - Parameter ending: The text after the answer in JSON.
  package mutating func answer(
    _ word: ArraySlice<UInt8>, ending: StaticString, to console: Console
  ) throws {
    answer(word)
    try end(ending, to: console)
  }

  /// Ends an answer, and prints the collected answers where they are long.
  package mutating func end(_ ending: StaticString, to console: Console) throws {
    if form.isJSON { output.append(ending) }
    if output.count > Self.outputLimit { try flush(to: console) }
  }

  package mutating func flush(to console: Console) throws {
    guard !output.isEmpty else { return }
    try console.write(output.take())
  }

  private mutating func answer(_ word: ArraySlice<UInt8>) {
    let address = AddressText.parse(word, as: form.reading)
    if address == nil, firstUnreadable == nil {
      firstUnreadable = String(decoding: word.prefix(80), as: UTF8.self)
    }
    lookUp(address)
    if form.isJSON { writeJSON(address, word) } else { writeText(address, word) }
  }

  package mutating func lookUp(_ address: UInt64?) {
    frames.removeAll()
    guard let cache, let address, let offset = UInt32(exactly: address &- base) else { return }
    cache.lookUp(offset, into: &frames)
  }

  /// The frames that are printed: all, or one.
  package var shown: Range<Int> {
    guard !form.hasInlines, !frames.isEmpty else { return 0..<frames.count }
    return form.style == .atos ? frames.count - 1..<frames.count : 0..<1
  }

  /// Returns a frame as it is printed.
  package func frame(_ index: Int) -> CacheFrame {
    form.namesHolder ? placed(index) : frames[index]
  }

  /// Returns a frame with the name of the function that contains the code.
  package func placed(_ index: Int) -> CacheFrame {
    var frame = frames[index]
    if let outermost = frames.last {
      frame.name = outermost.name
      frame.sourceName = outermost.sourceName
      frame.functionStart = outermost.functionStart
    }
    return frame
  }
}

extension LookUpPrinter {
  // MARK: Names and paths

  package mutating func excerpt(of frame: CacheFrame) -> SourceExcerpt? {
    guard sources != nil, frame.line > 0, !frame.file.isEmpty else { return nil }
    let path = string(frame.file)
    return sources?.excerpt(of: path, around: Int(frame.line), count: form.sourceLines)
  }

  package mutating func writeName(of frame: CacheFrame) {
    if frame.name.isEmpty, !form.isJSON {
      output.append("??")
      return
    }
    let isShort = form.names == .short
    if form.hasMicrosoftSpelling, form.isDemangled, !isShort, writeAsLLVM(frame.name) { return }
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

  /// - Returns: Whether the name comes from Microsoft's compiler.
  private mutating func writeAsLLVM(_ text: CacheFrame.Text) -> Bool {
    let raw = string(text)
    guard raw.utf8.first == UInt8(ascii: "?") else { return false }
    if names.write(text, to: &output) { return true }
    guard let name = Demangler.undecorate(raw, as: .symbolizer) else { return false }
    names.add(text, printed(name))
    return names.write(text, to: &output)
  }

  package mutating func writePath(_ text: CacheFrame.Text) {
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
