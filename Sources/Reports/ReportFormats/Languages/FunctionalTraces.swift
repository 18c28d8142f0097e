internal import Bytes
internal import CrashModel

/// OCaml:
///
///     Fatal error: exception Invalid_argument("index out of bounds")
///     Raised by primitive operation at Desk.line in file "desk.ml" (inlined), line 2, characters 2-11
///     Called from Desk in file "desk.ml", line 10, characters 10-17
///
/// Source: `runtime/backtrace.c` and `stdlib/printexc.ml`.
enum OCamlTrace: LanguageTrace {
  static let name = "ocaml"
  static let kind = Headline.Kind("OCaml exception")
  static let headlines = [HeadlineRule(kind, "Fatal error: exception ")]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let line = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    var end = 0
    while end < line.byteCount, line.byte(end) != UInt8(ascii: "("), line.byte(end) != 32 {
      end += 1
    }
    var message = line.from(end).trimmed
    if message.has("("), message.ends(with: ")") {
      message = message.between(1, message.byteCount - 1)
      if message.has("\""), message.ends(with: "\"") {
        message = message.between(1, message.byteCount - 1)
      }
    }
    parser.set(type: line.upTo(end).name, message: message)
    parser.isCertain = true
    section.forEachLine(in: text) { readCall($0, into: &parser) }
  }

  private static func readCall(_ line: RawSpan, into parser: inout LanguageParser) -> Bool {
    guard line.has("Raised ") || line.has("Called from ") || line.has("Re-raised at ") else {
      return false
    }
    let begin =
      line.find(" operation at ").map { $0 + 14 } ?? line.find("Called from ").map { $0 + 12 }
      ?? line.find("aised at ").map { $0 + 9 }
    guard let begin else { return true }
    let start = line.from(begin)
    let file = start.find("file \"") ?? start.byteCount
    let name = start.upTo(start.find(" in file \"") ?? (file == 0 ? 0 : start.byteCount))
    var location: SourceLocation?
    if let close = start.find("\"", from: file + 6) {
      var source = SourceLocation(file: start.between(file + 6, close).name)
      source.line = start.number(after: ", line ").flatMap { Int(exactly: $0) }
      // Characters are counted from 0.
      source.column = start.number(after: "characters ").flatMap { Int(exactly: $0) }
        .flatMap { $0 < Int.max ? $0 + 1 : nil }
      location = source
    }
    parser.add(
      name.has("unknown location") ? name.upTo(0) : name, at: location,
      inlined: line.contains("(inlined)"))
    return true
  }
}

/// Haskell, compiled by GHC:
///
///     tern: Prelude.!!: index too large
///     CallStack (from HasCallStack):
///       error, called at libraries/base/GHC/List.hs:1366:14 in base:GHC.List
///     CallStack (from -prof):
///       Main.charge (app/Main.hs:6:1-30)
///
/// Source: `GHC.Exception` and `GHC.Stack.CCS` of base.
enum HaskellTrace: LanguageTrace {
  static let name = "haskell"
  static let kind = Headline.Kind("Haskell exception")
  static let headlines = [HeadlineRule(kind, "CallStack (from HasCallStack):")]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    // The message comes before, after the name of the program.
    var words = text.upTo(0)
    if let line = TraceText.lineBefore(section.headline.line.lowerBound, in: text) {
      words = text.part(line).trimmed
    }
    if let colon = words.find(": "), words.upTo(colon).find(32) == nil,
      words.byte(0) != UInt8(ascii: "*")
    {
      parser.report.process.name = words.upTo(colon).name
      words = words.from(colon + 2)
    }
    parser.set(type: "error", message: words)
    parser.isCertain = true
    var isProfile = false
    // The call site of the last function: a location in the function that the next line names.
    var caller: (location: SourceLocation, module: String, isLibrary: Bool)?
    func addCaller(into parser: inout LanguageParser) {
      // Only the module of the last one is known.
      if let last = caller {
        parser.add(named: last.module, at: last.location, isLibrary: last.isLibrary)
      }
      caller = nil
    }
    section.forEachLine(in: text) { line in
      if line.has("CallStack (from -prof):") {
        addCaller(into: &parser)
        isProfile = true
      } else if isProfile {
        guard let open = line.find(" ("), line.ends(with: ")") else { return false }
        parser.add(
          line.upTo(open), at: location(line.between(open + 2, line.byteCount - 1)),
          isLibrary: false)
      } else {
        guard let mark = line.find(", called at ") else { return line.byteCount == 0 }
        let rest = line.from(mark + 12)
        let end = rest.find(" in ") ?? rest.byteCount
        let module = rest.from(end + 4)
        let isLibrary = module.has("base:") || module.has("ghc-") || module.has("containers-")
        parser.add(line.upTo(mark), at: caller?.location, isLibrary: caller?.isLibrary ?? true)
        caller = (SourceLocation(rest.upTo(end)), module.name, isLibrary)
      }
      return true
    }
    addCaller(into: &parser)
  }

  /// `app/Main.hs:6:1-30`, `app/Main.hs:(9,1)-(11,40)`, `<entire-module>`
  private static func location(_ text: RawSpan) -> SourceLocation? {
    guard let colon = text.find(UInt8(ascii: ":")) else { return nil }
    var location = SourceLocation(file: text.upTo(colon).name)
    var position = colon + 1
    if text.byteOrZero(position) == UInt8(ascii: "(") { position += 1 }
    location.line = text.decimal(at: &position).flatMap { Int(exactly: $0) }
    position += 1
    location.column = text.decimal(at: &position).flatMap { Int(exactly: $0) }
    return location
  }
}
