internal import Bytes
internal import CrashModel

/// Erlang, as its shell, `escript` and crash reports print it:
///
///     exception error: bad argument
///       in function  list_to_integer/1
///          called as list_to_integer("x")
///       in call from desk:charge/2 (src/desk.erl, line 4)
///
/// and as the emulator logs a process that died:
///
///     Error in process <0.79.0> with exit value:
///     {badarith,[{desk,charge,2,[{file,"src/desk.erl"},{line,4}]}]}
///
/// Source: `lib/stdlib/src/erl_error.erl`, `proc_lib.erl` and `error_logger_tty_h.erl` of OTP.
enum ErlangTrace: LanguageTrace {
  static let name = "erlang"
  static let kind = Headline.Kind("Erlang exception")
  static let headlines =
    ["exception error: ", "exception exit: ", "exception throw: "].map { (mark: StaticString) in
      HeadlineRule(kind, mark) { text, mark, _ in
        // Elixir's logger has the same text inside sentences.
        let before = text.byteOrZero(mark - 1)
        guard before.isBlank || before == 10 || before == 0 else { return nil }
        return Headline.Location(start: mark, content: mark + 10)
      }
    } + [
      HeadlineRule(kind, "with exit value:") { text, mark, _ in
        let near = text.between(max(0, mark - 200), mark)
        guard let start = near.findLast("Error in process <") else { return nil }
        return Headline.Location(start: max(0, mark - 200) + start, content: mark + 16)
      }
    ]

  /// Modules of OTP at the bottom of every program.
  private static let library: [StaticString] = [
    "erl_eval:", "escript:", "init:", "shell:", "proc_lib:", "gen_server:", "gen_statem:", "lists:",
    "erlang:", "gen:", "supervisor:", "application_master:", "array:", "maps:", "io:", "gen_event:",
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let line = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    let head = text.between(section.headline.start, section.headline.line.upperBound)
    if head.has("Error in process ") {
      let end = head.find(">") ?? 17
      parser.report.tags[.threadName] = head.between(17, end + 1).name
      section.forEachLine(in: text) { readTerm($0, into: &parser) }
      return
    }
    let colon = line.find(": ") ?? 0
    parser.set(type: line.upTo(colon).name, message: line.from(colon + 2))
    parser.isCertain = true
    if let before = TraceText.lineBefore(section.headline.line.lowerBound, in: text) {
      readCrashHeader(
        text.between(max(0, before.upperBound - 1024), before.upperBound), into: &parser)
    }
    section.forEachLine(in: text) { readCall($0, into: &parser) }
  }

  /// `    pid: <0.79.0>` of a crash report.
  private static func readCrashHeader(_ text: RawSpan, into parser: inout LanguageParser) {
    guard let report = text.findLast("crasher:") else { return }
    let head = text.from(report)
    if let name = TraceText.after("pid: ", in: head) {
      parser.report.tags[.threadName] = name.upTo(name.find(10) ?? name.byteCount).trimmed.name
    }
  }

  private static func readCall(_ line: RawSpan, into parser: inout LanguageParser) -> Bool {
    let words: StaticString? =
      if line.has("in function  ") { "in function  " } else if line.has("in call from ") {
        "in call from "
      } else if line.has("in operator  ") { "in operator  " } else { nil }
    guard let words else {
      return line.has("called as ") || line.has("*** argument ")
        || !parser.hasFrames && line.byteCount > 0
    }
    let call = line.from(words.utf8CodeUnitCount).trimmed
    let end = call.find(" (") ?? call.byteCount
    var location: SourceLocation?
    if let mark = call.find(", line ", from: end) {
      var found = SourceLocation(file: call.between(end + 2, mark).name)
      found.line = call.number(after: ", line ").flatMap { Int(exactly: $0) }
      location = found
    }
    let name = call.upTo(end)
    let isLibrary =
      line.has("in operator  ") || library.contains { name.has($0) }
      || name.find(UInt8(ascii: ":")) == nil
    parser.add(name, at: location, isLibrary: isLibrary)
    return true
  }

  /// `{badarith,[{desk,charge,2,[{file,"src/desk.erl"},{line,4}]},…]}`, possibly over several lines.
  private static func readTerm(_ line: RawSpan, into parser: inout LanguageParser) -> Bool {
    guard line.byteCount > 0, !line.has("=") else {
      return !parser.hasFrames && line.byteCount == 0
    }
    if parser.chain[0].message == nil {
      let end = line.find(",[{") ?? line.byteCount
      parser.set(type: "error", message: line.between(line.has("{") ? 1 : 0, end))
    }
    // Each call has a list with its location.
    var position = 0
    while let list = line.find(",[", from: position) {
      position = list + 2
      guard line.has("{file,\"", at: list + 2) || line.byteOrZero(list + 2) == UInt8(ascii: "]"),
        let open = line.upTo(list).findLast(UInt8(ascii: "{"))
      else { continue }
      let parts = line.between(open + 1, list).name.split(separator: ",")
      guard parts.count >= 3, let module = parts.first else { continue }
      let name = "\(module):\(parts[1])/\(parts[2])"
      var location: SourceLocation?
      if let file = line.find("{file,\"", from: list), file == list + 2,
        let end = line.find("\"", from: file + 7)
      {
        var found = SourceLocation(file: line.between(file + 7, end).name)
        found.line = line.from(end).upTo(64).number(after: "{line,").flatMap { Int(exactly: $0) }
        location = found
      }
      parser.add(
        named: name, at: location,
        isLibrary: library.contains { "\(module):" == $0.description })
    }
    return true
  }
}

/// Elixir:
///
///     ** (ArithmeticError) bad argument in arithmetic expression
///         :erlang.div(0, 0)
///         (tern 1.2.0) lib/desk.ex:4: Tern.Desk.charge/2
///         lib/tern.exs:16: (file)
///
/// Source: `lib/elixir/lib/exception.ex`.
enum ElixirTrace: LanguageTrace {
  static let name = "elixir"
  static let kind = Headline.Kind("Elixir exception")
  static let headlines = [".ex:", ".exs:", ".erl:"].map { (mark: StaticString) in
    HeadlineRule(kind, mark) { text, mark, _ in exception(above: mark, in: text) }
  }

  /// The line of the exception whose first call with a location has it at `mark`; `nil` for a later one.
  private static func exception(above mark: Int, in text: RawSpan) -> Headline.Location? {
    guard let call = TraceText.lineBefore(mark, in: text) else { return nil }
    var end = call.lowerBound
    for _ in 0..<24 {
      guard let range = TraceText.lineBefore(end, in: text) else { return nil }
      let line = text.part(range)
      if let start = line.find("** ("), let close = line.find(") ", from: start) {
        let name = line.between(start + 4, close)
        let first = name.byteOrZero(0)
        guard first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z"),
          name.find(32) == nil || name.has("EXIT"), !line.has("***", at: start - 1)
        else { return nil }
        return Headline.Location(
          start: range.lowerBound + start, content: range.lowerBound + start + 4,
          lineEnd: range.upperBound)
      }
      for form: StaticString in [".ex:", ".exs:", ".erl:"] where line.contains(form) {
        return nil
      }
      end = range.lowerBound
    }
    return nil
  }

  private static let library: [StaticString] = [
    "elixir ", "stdlib ", "kernel ", "erts ", "mix ", "ex_unit ", "logger ", "iex ", "eex ",
  ]

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    let line = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    let close = line.find(") ") ?? line.byteCount
    parser.set(type: line.upTo(close).name, message: line.from(close + 2))
    if let before = TraceText.lineBefore(section.headline.line.lowerBound, in: text) {
      let above = text.part(before)
      // `[error] GenServer Tern.Desk terminating`
      if let end = above.find(" terminating"),
        let start = above.find("GenServer ") ?? above.find("Task ")
      {
        parser.report.tags[.threadName] = above.between(start, end).name
      }
    }
    var count = 0
    section.forEachLine(in: text) { line in
      count += 1
      if readCall(line, into: &parser) { return true }
      if line.has("Last message"), !parser.hasFrames { return false }
      if !parser.hasFrames, count < 32, line.byteCount > 0 {
        parser.addWords(line)
        return true
      }
      return !parser.hasFrames && count < 32
    }
  }

  private static func readCall(_ line: RawSpan, into parser: inout LanguageParser) -> Bool {
    var rest = line
    var isLibrary = false
    if line.has("("), let close = line.find(") "), !line.has("(file)") {
      isLibrary = library.contains { line.has($0, at: 1) }
      rest = line.from(close + 2)
    }
    // `lib/desk.ex:4: Tern.Desk.charge/2`
    if let colon = rest.find(": "), SourceLocation(rest.upTo(colon)).hasNumber {
      parser.add(rest.from(colon + 2), at: SourceLocation(rest.upTo(colon)), isLibrary: isLibrary)
      return true
    }
    // `:erlang.div(0, 0)`, without a place
    guard
      rest.has(":erlang.") || rest.byteOrZero(0) == UInt8(ascii: ":") && rest.find(".") != nil
        || isLibrary
    else { return false }
    parser.add(rest.upTo(rest.find(UInt8(ascii: "(")) ?? rest.byteCount), isLibrary: true)
    return true
  }
}
