internal import Bytes
internal import CrashModel

/// Nim, the oldest call first and the message last:
///
///     Traceback (most recent call last)
///     /app/desk.nim(12) main
///     /app/desk.nim(8) charge
///     Error: unhandled exception: index 9137 not in 0 .. 999 [IndexDefect]
///
/// Source: `lib/system/excpt.nim`.
enum NimTrace: LanguageTrace {
  static let name = "nim"
  static let kind = Headline.Kind("Nim exception")
  static let headlines = [HeadlineRule(kind, "Error: unhandled exception: ")]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let line = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    var type: String?
    var message = line
    if line.ends(with: "]"), let open = line.findLast(" [") {
      type = line.between(open + 2, line.byteCount - 1).name
      message = line.upTo(open)
    }
    parser.set(type: type, message: message)
    parser.isCertain = true
    // From the message upwards the calls are youngest first.
    var end = section.headline.line.lowerBound
    var count = 0
    while count < FormatLimits.framesPerStack, let range = TraceText.lineBefore(end, in: text) {
      guard readCall(text.part(range).trimmed, into: &parser) else { break }
      end = range.lowerBound
      count += 1
    }
  }

  private static func readCall(_ line: RawSpan, into parser: inout LanguageParser) -> Bool {
    // `[[reraised from:` and `]]` may be in between, and calls of a prefix end with the name.
    if line.has("[[reraised") || line.has("]]") { return true }
    guard let open = line.find(".nim("), let close = line.find(")", from: open) else {
      return false
    }
    var location = SourceLocation(file: line.upTo(open + 4).name)
    var digits = open + 5
    location.line = line.decimal(at: &digits).flatMap { Int(exactly: $0) }
    parser.add(line.from(close + 1), at: location)
    return true
  }
}

/// Crystal:
///
///     Unhandled exception: Index out of bounds (IndexError)
///       from src/desk.cr:2:3 in 'charge'
///
/// Source: `src/exception.cr` of Crystal.
enum CrystalTrace: LanguageTrace {
  static let name = "crystal"
  static let kind = Headline.Kind("Crystal exception")
  static let headlines = [
    HeadlineRule(kind, "Unhandled exception: ") { text, mark, _ in
      crystal(text, mark, content: mark + 21)
    },
    HeadlineRule(kind, "Unhandled exception in spawn: ") { text, mark, _ in
      crystal(text, mark, content: mark + 30)
    },
  ]

  private static func crystal(_ text: RawSpan, _ mark: Int, content: Int) -> Headline.Location? {
    let next = text.part(TraceText.lineAfter(mark, in: text)).trimmed
    return next.has("from ") ? Headline.Location(start: mark, content: content) : nil
  }

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    readException(
      text.between(section.headline.content, section.headline.line.upperBound).trimmed,
      into: &parser, isFirst: true)
    section.forEachLine(in: text) { line in
      if line.has("from ") {
        let rest = line.from(5)
        let end = rest.find(" in '") ?? rest.byteCount
        let name = rest.between(end + 5, rest.byteCount - 1)
        parser.add(name.has("??") ? name.upTo(0) : name, at: SourceLocation(rest.upTo(end)))
        return true
      }
      guard line.has("Caused by: ") else { return false }
      readException(line.from(11), into: &parser, isFirst: false)
      return true
    }
  }

  private static func readException(
    _ line: RawSpan, into parser: inout LanguageParser, isFirst: Bool
  ) {
    var type: String?
    var message = line
    if line.ends(with: ")"), let open = line.findLast(" (") {
      type = line.between(open + 2, line.byteCount - 1).name
      message = line.upTo(open)
    }
    if isFirst {
      parser.set(type: type, message: message)
    } else {
      parser.begin(type: type, message: message)
    }
  }
}

/// D:
///
///     core.exception.ArrayIndexError@desk.d(4): index [7] is out of bounds for array of length 3
///     ----------------
///     desk.d:4 int desk.charge(int[]) [0x55cb068248f4]
///
/// Source: `object.d` and `core/runtime.d` of druntime.
enum DTrace: LanguageTrace {
  static let name = "d"
  static let kind = Headline.Kind("D exception")
  static let headlines = [
    HeadlineRule(kind, "): ") { text, mark, _ in
      // `TYPE@FILE(LINE): `
      var open = mark
      while open > 0, text.byte(open - 1).isDigit, mark - open < 9 { open -= 1 }
      guard text.byteOrZero(open - 1) == UInt8(ascii: "("), open < mark else { return nil }
      let near = text.between(max(0, open - 1024), open - 1)
      guard near.ends(with: ".d") || near.ends(with: ".di") || near.ends(with: "@"),
        let at = near.findLast(UInt8(ascii: "@"))
      else { return nil }
      var start = at
      while start > 0,
        near.byte(start - 1).isLetter || near.byte(start - 1).isDigit
          || near.byte(start - 1) == UInt8(ascii: ".") || near.byte(start - 1) == UInt8(ascii: "_")
      {
        start -= 1
      }
      guard near.between(start, at).find(UInt8(ascii: ".")) != nil,
        near.between(at, near.byteCount).find(10) == nil
      else { return nil }
      return Headline.Location(start: max(0, open - 1024) + start, content: mark + 3)
    }
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let head = text.between(section.headline.start, section.headline.content)
    let at = head.find(UInt8(ascii: "@")) ?? 0
    parser.set(
      type: head.upTo(at).name,
      message: text.between(section.headline.content, section.headline.line.upperBound))
    parser.isCertain = true
    section.forEachLine(in: text) { line in
      if line.has("--------") { return true }
      if line.ends(with: "]"), let open = line.findLast(" [0x") {
        var digits = open + 2
        let address = line.hexadecimal(at: &digits)
        let source = line.upTo(line.find(32) ?? open)
        if SourceLocation(source).hasNumber || source.has("??:?") {
          parser.add(
            line.between(source.byteCount, open), at: SourceLocation(source), address: address,
            isLibrary: source.has("??:?"))
        } else {
          parser.add(line.upTo(open), address: address)
        }
        return true
      }
      if parser.hasFrames { return line.byteCount == 0 }
      parser.addWords(line)
      return parser.chain[0].message?.utf8.count ?? 0 < 4096
    }
  }
}

/// Zig:
///
///     thread 266437 panic: index out of bounds: index 7, len 3
///     /app/desk.zig:9:17: 0x1141de8 in charge (desk.zig)
///         return lines[n];
///                     ^
///
/// and `error: NoBoat` with the calls through which an error was returned.
///
/// Source: `lib/std/debug.zig` of Zig.
enum ZigTrace: LanguageTrace {
  static let name = "zig"
  static let kind = Headline.Kind("Zig panic")
  static let headlines = [
    HeadlineRule(kind, " panic: ") { text, mark, _ in
      var start = mark
      while start > 0, text.byte(start - 1).isDigit, mark - start < 20 { start -= 1 }
      guard start < mark, text.has("thread ", at: start - 7) else { return nil }
      return Headline.Location(start: start - 7, content: mark + 8)
    },
    HeadlineRule(kind, "error: ", evidence: .following(".zig:")) { text, mark, _ in
      let next = text.part(TraceText.lineAfter(mark, in: text)).upTo(4096)
      guard let zig = next.find(".zig:"), next.find(": 0x", from: zig) != nil else { return nil }
      return Headline.Location(start: mark, content: mark + 7)
    },
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let message = text.between(section.headline.content, section.headline.line.upperBound)
    let head = text.between(section.headline.start, section.headline.content)
    let isPanic = head.has("thread ")
    parser.set(type: isPanic ? "panic" : "error", message: message)
    parser.isCertain = isPanic
    if isPanic { parser.report.tags[.threadID] = head.number(after: "thread ").map { String($0) } }
    section.forEachLine(in: text) { line in
      guard let mark = line.find(": 0x"), let name = line.find(" in ", from: mark) else {
        return true
      }
      var digits = mark + 2
      let address = line.hexadecimal(at: &digits)
      let end = line.findLast(" (") ?? line.byteCount
      let location = SourceLocation(line.upTo(mark))
      guard location.hasNumber || line.has("???:?:?") else { return true }
      let function = line.between(name + 4, end)
      parser.add(
        function.has("???") ? function.upTo(0) : function, at: location.hasNumber ? location : nil,
        address: address)
      return true
    }
  }
}

/// V:
///
///     ================ V panic ================
///        module: builtin
///      function: panic_n2()
///       message: array.get: index out of range (i,a.len):9137, 1000
///     /app/desk.v:3: by main__charge
///
/// Source: `vlib/builtin/builtin.c.v`.
enum VTrace: LanguageTrace {
  static let name = "v"
  static let kind = Headline.Kind("V panic")
  static let headlines = [
    HeadlineRule(kind, "module: ") { text, mark, lines in
      let line = lines.start(of: mark, in: text)
      guard let before = TraceText.lineBefore(line, in: text),
        text.part(before).contains("= V panic =")
      else { return nil }
      return Headline.Location(start: mark, content: mark + 8)
    },
    HeadlineRule(kind, "V panic: "),
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let line = text.between(section.headline.content, section.headline.line.upperBound)
    let isShort = text.has("V panic: ", at: section.headline.start)
    parser.set(type: "panic", message: isShort ? line : line.upTo(0))
    section.forEachLine(in: text) { line in
      if line.has("message: ") { parser.addWords(line.from(9)) }
      let mark = line.find(": by ") ?? line.find(": at ")
      if let mark {
        let name = line.from(mark + 5)
        let location = SourceLocation(line.upTo(mark))
        if location.hasNumber {
          parser.add(name.upTo(name.find(": ") ?? name.byteCount), at: location)
        }
      }
      return true
    }
  }
}

/// Odin: `/app/desk.odin(7:16) Index 7 is out of range 0..<3`, before an illegal instruction ends the program.
///
/// Source: `base/runtime/error_checks.odin`.
enum OdinTrace: LanguageTrace {
  static let name = "odin"
  static let kind = Headline.Kind("Odin panic")
  static let headlines = [
    HeadlineRule(kind, ".odin(") { text, mark, lines in
      let open = mark + 6
      var end = open
      guard text.decimal(at: &end) != nil, text.byteOrZero(end) == UInt8(ascii: ":") else {
        return nil
      }
      end += 1
      guard text.decimal(at: &end) != nil, text.has(") ", at: end) else { return nil }
      // A compiler's messages name their severity.
      let rest = text.between(end + 2, end + 64)
      if rest.has("Error:") || rest.has("Warning:") || rest.has("Syntax Error") { return nil }
      let line = max(lines.start(of: mark, in: text), mark - 4096)
      let path = text.between(line, open)
      let start = (path.findLast(32) ?? -1) + 1
      return Headline.Location(start: line + start, content: end + 2)
    }
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let source = text.between(section.headline.start, section.headline.content)
    guard let open = source.findLast(UInt8(ascii: "(")) else { return }
    var location = SourceLocation(file: source.upTo(open).name)
    var position = open + 1
    location.line = source.decimal(at: &position).flatMap { Int(exactly: $0) }
    position += 1
    location.column = source.decimal(at: &position).flatMap { Int(exactly: $0) }
    parser.set(
      type: "panic",
      message: text.between(section.headline.content, section.headline.line.upperBound))
    parser.report.reason.signal = "SIGILL"
    parser.add(source.upTo(0), at: location)
  }
}

/// Ada, compiled by GNAT:
///
///     raised CONSTRAINT_ERROR : desk.adb:7 index check failed
///     [/app/desk]
///     0x401234 Desk.Charge at desk.adb:7
///
/// Source: `libgnat/a-exextr.adb` and `s-trasym.ads`.
enum AdaTrace: LanguageTrace {
  static let name = "ada"
  static let kind = Headline.Kind("Ada exception")
  static let headlines = [
    HeadlineRule(kind, ".adb:") { text, mark, lines in ada(text, mark, &lines) },
    HeadlineRule(kind, ".ads:") { text, mark, lines in ada(text, mark, &lines) },
  ]

  private static func ada(_ text: RawSpan, _ mark: Int, _ lines: inout LineStarts) -> Headline
    .Location?
  {
    let line = max(lines.start(of: mark, in: text), mark - 1024)
    guard let start = text.between(line, mark).find("raised ") else { return nil }
    return Headline.Location(start: line + start, content: line + start + 7)
  }

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let line = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    let end = line.find(" : ") ?? line.byteCount
    let rest = line.from(end + 3)
    // `desk.adb:7 index check failed`
    let blank = rest.find(32) ?? rest.byteCount
    parser.set(type: line.upTo(end).name, message: rest.from(blank + 1))
    section.forEachLine(in: text) { line in
      guard line.has("0x"), let at = line.find(" at ") else {
        return line.has("[") || line.byteCount == 0
      }
      var digits = 0
      let address = line.hexadecimal(at: &digits)
      parser.add(line.between(digits, at), at: SourceLocation(line.from(at + 4)), address: address)
      return true
    }
    if !parser.hasFrames { parser.add(rest.upTo(0), at: SourceLocation(rest.upTo(blank))) }
  }
}

/// Fortran, compiled by gfortran:
///
///     At line 7 of file desk.f90
///     Fortran runtime error: Index '7' of dimension 1 of array 'lines' above upper bound of 3
///
///     Error termination. Backtrace:
///     #0  0x401234 in charge
///     	at /app/desk.f90:7
///
/// Source: `libgfortran/runtime/error.c`.
enum FortranTrace: LanguageTrace {
  static let name = "fortran"
  static let kind = Headline.Kind("Fortran error")
  static let headlines = [HeadlineRule(kind, "Fortran runtime error: ")]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    parser.set(
      type: "Fortran runtime error",
      message: text.between(section.headline.content, section.headline.line.upperBound))
    parser.isCertain = true
    var name = ""
    var address: UInt64?
    section.forEachLine(in: text) { line in
      if line.has("#"), let mark = line.find("0x") {
        if !name.isEmpty { parser.add(named: name, address: address) }
        var digits = mark
        address = line.hexadecimal(at: &digits)
        name = line.has(" in ", at: digits) ? line.from(digits + 4).trimmed.name : ""
        if name.hasPrefix("???") { name = "" }
      } else if line.has("at "), !name.isEmpty {
        parser.add(named: name, at: SourceLocation(line.from(3)), address: address)
        name = ""
      }
      return true
    }
    if !name.isEmpty { parser.add(named: name, address: address) }
    if !parser.hasFrames,
      let range = TraceText.lineBefore(section.headline.line.lowerBound, in: text)
    {
      let before = text.part(range)
      if let file = TraceText.after(" of file ", in: before) {
        var location = SourceLocation(file: file.upTo(file.find(32) ?? file.byteCount).trimmed.name)
        location.line = before.number(after: "At line ").flatMap { Int(exactly: $0) }
        parser.add(before.upTo(0), at: location)
      }
    }
  }
}
