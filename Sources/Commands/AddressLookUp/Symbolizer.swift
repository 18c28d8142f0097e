internal import Bytes
internal import CrashService
internal import JSON
internal import ObjectFormats
internal import Rendering
internal import SymbolSources
internal import Terminal

/// Answers words and lines as llvm-symbolizer and llvm-addr2line do.
///
/// An address that cannot be read, or is not in the file, gets an empty answer, so that a client that asks
/// line by line stays in step; the reason is printed on standard error.
package struct Symbolizer: ~Copyable {
  private let files: LookUpFiles
  private let form: LookUpPrinter.Form
  private let object: LookUpLine.Module?
  private let console: Console
  private var modules: OpenedModules
  private var last: LookUpLine.Module?
  private var symbols: [LookUpLine.Module: SymbolAddresses] = [:]
  private var hasWarnedOfData = false

  /// - Parameters:
  ///   - object: The file of all lines, where the command line names one.
  ///   - words: The words of the command line; none for standard input.
  package init(
    _ files: LookUpFiles, form: LookUpPrinter.Form, object: LookUpLine.Module?, words: [String]
  ) {
    self.files = files
    self.form = form
    self.object = object
    console = files.console
    modules = OpenedModules(
      to: console,
      open: { module throws in
        try files.printer(
          for: files.path(of: module), called: module.name,
          addresses: Self.addresses(words, of: module, object, form.reading), form: form)
      },
      failed: { module, error in
        LookUpPrinter(
          module: module.name, form: form, failure: FailureText.describe(error).message)
      })
  }

  /// Returns the addresses that the command line requests from `module`; `nil` where these are not all.
  private static func addresses(
    _ words: [String], of module: LookUpLine.Module, _ object: LookUpLine.Module?,
    _ reading: AddressText.Reading
  ) -> [UInt64]? {
    guard !words.isEmpty else { return nil }
    var addresses: [UInt64] = []
    for word in words {
      // A word that cannot be read requests nothing.
      guard
        let line = try? SymbolizerLine(Array(word.utf8)[...], object: object, reading: reading),
        line.module == module
      else { continue }
      guard case .address(let address) = line.target else { return nil }
      addresses.append(address)
    }
    return addresses
  }

  /// Answers the words of a command line.
  package mutating func answer(_ words: [String]) throws {
    if form.isJSON { try console.write("[") }
    for (index, word) in words.enumerated() {
      try answer(Array(word.utf8)[...], ending: index < words.count - 1 ? "," : "")
    }
    try flush()
    if form.isJSON { try console.write("]\n") }
  }

  /// Answers lines as they arrive.
  package mutating func answerLines(of descriptor: Int32) throws {
    var input = InputLines(of: descriptor, skipsEmpty: false)
    while let lines = try input.next() {
      for line in lines { try answer(line, ending: "\n") }
      try flush()
    }
  }

  private mutating func flush() throws {
    if let last { try modules.flush(last) }
  }

  private mutating func answer(_ text: ArraySlice<UInt8>, ending: StaticString) throws {
    let line: SymbolizerLine
    do throws(SymbolizerLine.Refusal) {
      line = try SymbolizerLine(text, object: object, reading: form.reading)
    } catch {
      let text = String(decoding: text.prefix(160), as: UTF8.self).printable
      console.warn("'\(text)': \(error.reason)")
      try flush()
      var printer = modules.failed(.path(error.module), ServiceError(error.reason))
      try printer.answerNothing(ending: ending, to: console)
      return try printer.flush(to: console)
    }
    if line.module != last { try flush() }
    last = line.module
    let opened = modules.module(line.module)
    switch (line.kind, line.target) {
    case (.code, .address(let address)):
      try opened.printer.answer(address, line.word, ending: ending, to: console)
    case (.code, .symbol(let name, let offset)):
      let addresses = try symbols(of: line.module).addresses(of: name, offset)
      try opened.printer.answer(
        symbol: name, at: addresses, ending: ending, to: console)
    case (.data, let target), (.frame, let target):
      if !hasWarnedOfData {
        hasWarnedOfData = true
        console.warn("DATA and FRAME are not looked up, only code is")
      }
      var address: UInt64?
      if case .address(let number) = target { address = number }
      try opened.printer.answerNothing(
        of: line.kind, address, line.word, ending: ending, to: console)
    }
  }

  private mutating func symbols(of module: LookUpLine.Module) throws -> SymbolAddresses {
    if let known = symbols[module] { return known }
    var found = SymbolAddresses()
    do {
      let target = try files.target(files.path(of: module))
      let linked = try SymbolAddresses(target.file.object.symbolTable())
      found = linked.moved(by: files.start(of: target) &- target.imageBase)
    } catch {
      console.warn(FailureText.describe(error).message)
    }
    symbols[module] = found
    return found
  }
}

/// The addresses of a file's functions, by their linker names.
private struct SymbolAddresses {
  private var addresses: [String: [UInt64]] = [:]
  private var distance: UInt64 = 0

  init() {}

  init(_ table: SymbolTable) {
    for symbol in table.symbols where symbol.nameCount > 0 {
      addresses[table.name(of: symbol), default: []].append(symbol.address)
    }
  }

  /// Returns the addresses for an image that is not at its linked address.
  func moved(by distance: UInt64) -> SymbolAddresses {
    var copy = self
    copy.distance = distance
    return copy
  }

  func addresses(of name: String, _ offset: UInt64) -> [UInt64] {
    (addresses[name] ?? []).map { $0 &+ distance &+ offset }
  }
}
