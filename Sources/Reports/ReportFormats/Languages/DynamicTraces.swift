internal import Bytes
internal import CrashModel

/// Lua:
///
///     lua: desk.lua:2: attempt to perform arithmetic on a nil value (field '?')
///     stack traceback:
///     	desk.lua:2: in function <desk.lua:1>
///     	(...tail calls...)
///     	desk.lua:14: in main chunk
///     	[C]: in ?
///
/// Source: `lauxlib.c` of Lua, `lj_debug.c` of LuaJIT.
enum LuaTrace: LanguageTrace {
  static let name = "lua"
  static let kind = Headline.Kind("Lua error")
  static let headlines = [
    HeadlineRule(kind, "stack traceback:") { text, mark, _ in
      let next = text.part(TraceText.lineAfter(mark, in: text)).trimmed
      guard next.contains(": in ") || next.has("[C]") || next.has("(...") else { return nil }
      return Headline.Location(start: mark, content: mark)
    }
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    if let range = TraceText.lineBefore(section.headline.line.lowerBound, in: text) {
      parser.set(type: "error", message: message(text.part(range).trimmed, section, text, &parser))
    }
    section.forEachLine(in: text) { line in
      if line.has("(...") || line.has("...") { return true }
      guard let mark = line.find(": in ") else { return false }
      var name = line.from(mark + 5)
      for words: StaticString in [
        "function ", "local ", "upvalue ", "method ", "field ", "global ",
      ]
      where name.has(words) { name = name.from(words.utf8CodeUnitCount) }
      if name.byteCount > 1, let close = name.find(UInt8(ascii: "'"), from: 1),
        name.has("'") || name.has("`")
      {
        name = name.between(1, close)
      }
      if name.has("?"), name.byteCount == 1 { name = name.upTo(0) }
      let isLibrary = line.has("[C]")
      let location = SourceLocation(line.upTo(mark))
      if isLibrary {
        parser.add(name, isLibrary: true)
      } else {
        parser.add(name, at: location.hasNumber ? location : nil)
      }
      return true
    }
  }

  /// The message without the program's name and the location, which the first call repeats.
  @_lifetime(copy line)
  private static func message(
    _ line: RawSpan, _ section: ReportSection, _ text: RawSpan, _ parser: inout LanguageParser
  ) -> RawSpan {
    var rest = line
    for _ in 0..<2 {
      guard let colon = rest.find(": ") else { break }
      let head = rest.upTo(colon)
      guard head.find(32) == nil else { break }
      if !SourceLocation(head).hasNumber { parser.report.process.name = head.name }
      rest = rest.from(colon + 2)
    }
    return rest
  }
}

/// Julia:
///
///     ERROR: LoadError: BoundsError: attempt to access 3-element Vector{Int64} at index [7]
///     Stacktrace:
///      [1] throw_boundserror(A::Vector{Int64}, I::Tuple{Int64})
///        @ Base ./essentials.jl:14
///      [2] charge
///        @ ~/desk.jl:2 [inlined]
///
/// Before 1.6 a call and its location share a line: `[1] charge(::Int64) at desk.jl:2`.
///
/// Source: `base/errorshow.jl`.
enum JuliaTrace: LanguageTrace {
  static let name = "julia"
  static let kind = Headline.Kind("Julia error")
  static let headlines = [
    HeadlineRule(kind, "Stacktrace:") { text, mark, _ in
      guard errorLine(in: text, before: mark) != nil,
        text.part(TraceText.lineAfter(mark, in: text)).trimmed.has("[1] ")
      else { return nil }
      return Headline.Location(start: mark, content: mark)
    }
  ]

  /// The range of the text after the last `ERROR: `.
  private static func errorLine(in text: RawSpan, before end: Int) -> Range<Int>? {
    let from = max(0, end - 4096)
    guard let mark = text.between(from, end).findLast("ERROR: ") else { return nil }
    let start = from + mark + 7
    return min(start, end)..<end
  }

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    if let range = errorLine(in: text, before: section.headline.line.lowerBound) {
      var words = text.part(range).trimmed
      while words.byteCount > 0, words.byte(words.byteCount - 1) == 10 {
        words = words.upTo(words.byteCount - 1)
      }
      // The `require` that loaded a failing file is not an error of its own.
      while words.has("LoadError: ") { words = words.from(11) }
      let colon = words.find(": ") ?? 0
      let hasType = colon > 0 && words.upTo(colon).find(32) == nil
      parser.set(
        type: hasType ? words.upTo(colon).name : "ErrorException",
        message: hasType ? words.from(colon + 2) : words)
    }
    var pending = ""
    section.forEachLine(in: text) { line in
      if line.has("@ ") {
        readLocation(line.from(2), of: pending, into: &parser)
        pending = ""
        return true
      }
      if !pending.isEmpty { parser.add(named: pending) }
      pending = ""
      if line.has("["), let close = line.find("] ") {
        let call = line.from(close + 2)
        if let at = call.findLast(" at ") {
          parser.add(function(call.upTo(at)), at: SourceLocation(call.from(at + 4).trimmed))
        } else {
          pending = function(call).trimmed.name
        }
        return true
      }
      if line.has("caused by: ") {
        let rest = line.from(11)
        let colon = rest.find(": ") ?? 0
        parser.begin(type: rest.upTo(colon).name, message: rest.from(colon == 0 ? 0 : colon + 2))
        return true
      }
      return line.byteCount == 0 || line.has("Stacktrace:")
    }
    if !pending.isEmpty { parser.add(named: pending) }
  }

  /// `Base ./essentials.jl:14 [inlined]`
  private static func readLocation(
    _ text: RawSpan, of name: String, into parser: inout LanguageParser
  ) {
    var rest = text
    let isInlined = rest.ends(with: " [inlined]")
    if isInlined { rest = rest.upTo(rest.byteCount - 10) }
    let isLibrary = rest.has("Base ") || rest.has("Core ") || rest.has("./")
    let start = rest.findLast(32).map { $0 + 1 } ?? 0
    parser.add(
      named: name, at: SourceLocation(rest.from(start)), inlined: isInlined, isLibrary: isLibrary)
  }

  /// The name before the arguments, and before `(repeats 900 times)`.
  @_lifetime(copy text)
  private static func function(_ text: RawSpan) -> RawSpan {
    let end = text.find(UInt8(ascii: "("), from: 1) ?? text.byteCount
    return text.upTo(end)
  }
}

/// R, the oldest call first, in the middle left out:
///
///     Error in charge(lines, 7) : subscript out of bounds
///     Calls: main ... charge_all -> charge
///     Execution halted
///
/// Source: `src/main/errors.c`.
enum RTrace: LanguageTrace {
  static let name = "r"
  static let kind = Headline.Kind("R error")
  static let headlines = [
    HeadlineRule(kind, "Calls: ") { text, mark, _ in
      error(in: text, before: mark) == nil ? nil : Headline.Location(start: mark, content: mark + 7)
    }
  ]

  private static func error(in text: RawSpan, before end: Int) -> Int? {
    let from = max(0, end - 2048)
    let near = text.between(from, end)
    guard let mark = near.findLast("Error in ") ?? near.findLast("Error: ") else { return nil }
    return from + mark
  }

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    if let start = error(in: text, before: section.headline.start) {
      let end = max(start, section.headline.line.lowerBound - 1)
      let line = text.between(start, end)
      let colon =
        line.find(" : ").map { $0 + 3 } ?? line.find(": ").map { $0 + 2 } ?? line.byteCount
      parser.set(type: "error", message: line.from(colon).trimmed)
    }
    let calls = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    for call in calls.name.replacing(" ... ", with: " -> ").split(separator: " ") where call != "->"
    {
      parser.add(named: String(call))
    }
    parser.reverse()
    if calls.contains(" ... ") {
      parser.report.notes.append("R left out calls in the middle of the stack")
    }
  }
}

/// Smalltalk, as GNU Smalltalk prints it:
///
///     Object: 0 error: The program attempted to divide a number by zero
///     ZeroDivide(Exception)>>signal (ExcHandling.st:254)
///     Desk class>>charge: (desk.st:2)
///
/// Source: `kernel/AnySOS.st` of GNU Smalltalk.
enum SmalltalkTrace: LanguageTrace {
  static let name = "smalltalk"
  static let kind = Headline.Kind("Smalltalk error")
  static let headlines = [
    HeadlineRule(kind, "Object: ") { text, mark, _ in
      let line = text.between(mark, text.find(10, from: mark) ?? text.byteCount).upTo(4096)
      guard let words = line.find(" error: "),
        text.part(TraceText.lineAfter(mark, in: text)).contains(">>")
      else { return nil }
      return Headline.Location(start: mark, content: mark + words + 8)
    }
  ]

  /// The files of the folder `kernel` of GNU Smalltalk, which have no folder in a trace.
  private static let kernel: Set<String> = [
    "AnySOS.st", "Array.st", "ArrayColl.st", "Bag.st", "BlkClosure.st", "BlkContext.st",
    "Boolean.st",
    "ByteArray.st", "CharArray.st", "Character.st", "Collection.st", "CompildMeth.st",
    "ContextPart.st",
    "Date.st", "Delay.st", "ExcHandling.st", "File.st", "FilePath.st", "FileStream.st", "Float.st",
    "Fraction.st", "HashedColl.st", "Integer.st", "Interval.st", "Iterable.st", "LargeInt.st",
    "Link.st",
    "LinkList.st", "LookupTbl.st", "Magnitude.st", "MappedColl.st", "Number.st", "Object.st",
    "OrderColl.st", "PosStream.st", "ProcSched.st", "Process.st", "ReadStream.st", "RWStream.st",
    "Semaphore.st", "SeqCollect.st", "Set.st", "SmallInt.st", "SortCollect.st", "Stream.st",
    "String.st",
    "Symbol.st", "SysExcept.st", "Time.st", "UndefObject.st", "UniString.st", "WriteStream.st",
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    parser.set(
      type: nil, message: text.between(section.headline.content, section.headline.line.upperBound))
    section.forEachLine(in: text) { line in
      guard line.contains(">>"), let open = line.findLast(" (") else {
        return line.byteCount > 0 && line.ends(with: ")")
      }
      let name = line.upTo(open)
      let location = SourceLocation(line.between(open + 2, line.byteCount - 1))
      if parser.chain[0].type == nil, let class_ = name.find("("), name.contains("(Exception)") {
        parser.chain[0].type = name.upTo(class_).name
      }
      parser.add(
        name, at: location.hasNumber ? location : nil,
        isLibrary: location.file.map { kernel.contains($0) } ?? false)
      return true
    }
    if parser.chain[0].type == nil { parser.chain[0].type = "error" }
  }
}
