internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The message with which a Perl program dies, or a warning.
  static let perl = ReportFormat("perl")
}

extension Headline.Kind {
  /// `message at FILE.pl line 2.`
  fileprivate static let perlDied = Headline.Kind("Perl message")
}

/// Messages of Perl's `die` and `warn`, and of Carp with their stacks.
///
///     not a number: two at /src/till.pl line 2.
///     	main::quantity("two") called at /src/till.pl line 3
///     	eval {...} called at /src/till.pl line 4
///
/// A line of the stack names a function and its call site; a frame here is a function and the line in it.
///
/// Source: perldoc die and Carp.
enum PerlReader: LogReader {
  static let format = ReportFormat.perl
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.perlDied, ".p") { text, mark, lines in
      let letter = text.byteOrZero(mark + 2)
      guard letter == UInt8(ascii: "l") || letter == UInt8(ascii: "m"),
        text.has(" line ", at: mark + 3)
      else { return nil }
      let start = lines.start(of: mark, in: text)
      let end = text.find(10, from: mark) ?? text.byteCount
      guard end - start < FormatLimits.nameBytes else { return nil }
      let line = text.part(start..<end)
      guard let location = PerlLocation(line), location.isEnd, !location.isCall else { return nil }
      let blanks = start + line.skippingBlanks(from: 0)
      return Headline.Location(start: blanks, content: blanks)
    }
  ]

  /// Starts of messages after which the program continues.
  private static let warnings: [StaticString] = [
    "Use of ", "Argument ", "Odd number of ", "Subroutine ", "Deep recursion ", "Name \"",
    "Useless use ",
    "Possible ", "Scalar value ", "substr outside ", "splice() offset ", "Wide character ",
    "Reference found where ", "Statement unlikely ", "Smartmatch is ", "readline() on ",
    "print() on ",
    "Negative repeat count ", "isn't numeric",
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var lines = TraceLines(of: section, in: text)
    guard let first = lines.next(in: text) else { return nil }
    let line = text.part(first).trimmed
    guard let origin = PerlLocation(line) else { return nil }
    var report = CrashReport(format: .perl)
    let message = line.upTo(origin.start).trimmed
    if warnings.contains(where: { message.has($0) }) { report.kind = .handled }
    var budget = StackBudget()
    var end = lines.position
    var calls: [Frame] = []
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { break }
      let line = text.part(range).trimmed
      guard let call = PerlLocation(line), call.isCall else { break }
      if budget.takeFrame() {
        var frame = call.frame
        frame.function = name(line.upTo(call.start).trimmed)
        calls.append(frame)
      }
      lines = ahead
      end = lines.position
    }
    var exception = LanguageException(message: message.name)
    var location = origin.frame
    for call in calls {
      var frame = location
      frame.function = call.function
      exception.frames.append(frame)
      location = call
    }
    location.function = nil
    exception.frames.append(location)
    exception.type = report.kind == .handled ? "warning" : "die"
    report.reason.exception = exception
    report.reason.type = exception.type
    report.reason.message = exception.message?.cutMessage
    if let note = budget.note { report.notes.append(note) }
    return LoggedReport(report: report, end: end)
  }

  /// `main::quantity("two")` without the arguments.
  private static func name(_ call: RawSpan) -> String {
    if call.has("eval {") { return "eval" }
    return call.upTo(call.find("(") ?? call.byteCount).name
  }
}

/// ` at FILE line N.` at the end of a message, ` called at FILE line N` at that of a call.
struct PerlLocation {
  let start: Int
  let isCall: Bool
  /// Whether only the handle that was read last follows.
  let isEnd: Bool
  let frame: Frame

  init?(_ line: RawSpan) {
    var line = line.trimmed
    // The last line that was read follows: `, <STDIN> line 3.`
    var hasHandle = false
    if let handle = line.findLast(", <"), line.from(handle).find("> ") != nil {
      line = line.upTo(handle)
      hasHandle = true
    }
    guard let mark = line.findLast(" line "), let at = line.upTo(mark).findLast(" at ") else {
      return nil
    }
    var index = mark + 6
    guard let number = line.decimal(at: &index) else { return nil }
    var frame = Frame(position: .returnAddress)
    let file = line.part((at + 4)..<mark)
    guard file.byteCount > 0 else { return nil }
    frame.file = file.name
    frame.line = Int(exactly: number)
    self.frame = frame
    let rest = line.from(index)
    isEnd =
      hasHandle || rest.byteCount == 0 || rest.has(".") && rest.byteCount == 1
      || rest.has(" thread ")
    isCall = line.upTo(at).ends(with: " called")
    start = isCall ? at - 7 : at
  }
}
