internal import Bytes
internal import CrashModel
internal import Identifiers

extension Headline.Kind {
  /// `*** Terminating app due to uncaught exception 'NSRangeException', reason: '...'`
  static let appleException = Headline.Kind("Apple exception")
  /// `[General] An uncaught exception was raised`
  static let appKitException = Headline.Kind("AppKit exception")
}

/// An uncaught exception as the Objective-C runtime prints it.
///
///     2026-05-01 10:11:12.345+0200 Tern[42:9021] *** Terminating app due to uncaught exception 'NSRangeException', reason: 'TEXT'
///     *** First throw call stack:
///     (
///     \t0   CoreFoundation   0x00000001804b910c __exceptionPreprocess + 172
///     \t1   Tern             0x0000000102a5c1d0 -[Basket total] + 124
///     )
///     libc++abi: terminating due to uncaught exception of type NSException
///
/// AppKit catches what its event loop throws, prints it in the same form, and continues:
///
///     2026-05-01 10:11:12.345+0200 Tern[42:9021] [General] An uncaught exception was raised
///     2026-05-01 10:11:12.345+0200 Tern[42:9021] [General] TEXT
///     2026-05-01 10:11:12.346+0200 Tern[42:9021] [General] (
///     \t0   CoreFoundation   0x00000001804b910c __exceptionPreprocess + 172
///     )
///
/// Devices print addresses alone: `(0x1804b910c 0x180092da8 0x102a5c1d0)`.
///
/// Sources: output of macOS, iOS and their simulators; `NSException.m` of GNUstep.
enum AppleExceptionLog {
  static let headlines = [
    HeadlineRule(
      .appleException, "*** Terminating app due to uncaught exception '", role: .lastWords
    ) {
      text, mark, lines in own(text, mark, &lines)
    },
    HeadlineRule(.appleException, ": Uncaught exception ", role: .lastWords) { text, mark, lines in
      let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 1024)
      guard text.between(mark, end).contains(", reason: ") else { return nil }
      return own(text, mark + 2, &lines)
    },
    HeadlineRule(.appKitException, "An uncaught exception was raised") { text, mark, lines in
      let end = text.find(10, from: mark) ?? text.byteCount
      guard text.between(mark + 32, end).trimmed.byteCount == 0 else { return nil }
      return own(text, mark, &lines)
    },
  ]

  private static func own(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let start = lines.start(of: mark, in: text)
    guard mark - start <= FormatLimits.prefixBytes,
      !QuotedWords.follow(text.between(start, mark))
    else { return nil }
    // Under this heading it is part of Apple's own report.
    let before = text.between(start - 64, start - 1).trimmed
    if before.ends(with: "Application Specific Information:") { return nil }
    return Headline.Location(start: mark, content: mark)
  }

  /// Lines of a reason, and lines between the parts.
  private static let reasonLines = 200
  private static let otherLines = 4
  /// Lines of the reason of an exception that AppKit caught.
  private static let mostCaughtLines = 32

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var lines = TraceLines(of: section, in: text)
    guard let first = lines.next(in: text) else { return nil }
    var words = text.part(first).name
    var end = lines.position
    var stack = ""
    var addresses: [UInt64] = []
    var isInStack = false
    var isReason = !isClosed(words)
    var others = 0
    while others <= otherLines, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.lineBytes).trimmed
      if line.contains("terminating ") && line.contains(" uncaught exception") {
        end = lines.position
        break
      }
      if line.contains("*** Terminating app due to") { break }
      if line.has("*** First throw call stack:") || line.has("(") && !isReason {
        isInStack = true
        isReason = false
        others = 0
        readAddresses(line, into: &addresses)
      } else if isReason {
        others += 1
        if others <= 1 || words.utf8.count < FormatLimits.nameBytes, others < reasonLines {
          words += "\n" + line.name
          others = 0
        }
        isReason = !line.ends(with: "'")
      } else if isInStack, line.byteOrZero(0).isDigit || line.has("\""),
        stack.utf8.count < FormatLimits.lineBytes
      {
        stack += line.name + "\n"
        others = 0
      } else if isInStack, line.has(")") {
        isInStack = false
      } else {
        others += 1
        continue
      }
      end = lines.position
    }
    guard let exception = exception(words) else { return nil }
    var report = CrashReport(format: .nativeLog)
    report.reason.exception = exception
    add(AppleCallStackText(stack, limit: FormatLimits.framesPerStack), addresses, to: &report)
    setProgram(of: &report, section, in: text)
    return LoggedReport(
      report: report.withScriptStack(), end: min(end, text.byteCount),
      isMessage: true)
  }

  /// Reads an exception that AppKit caught. If it ends the program, the runtime prints it again.
  static func caught(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    // The lines of the stack have no prefix.
    let after = min(section.headline.line.upperBound + 1, text.byteCount)
    var lines = LineCursor(after..<text.byteCount)
    var reason = ""
    var stack = ""
    var isInStack = false
    var isEnded = false
    var reasons = 0
    while !isEnded, reasons < mostCaughtLines {
      guard let range = lines.next(in: text) else { break }
      let line = text.part(range).upTo(FormatLimits.lineBytes).trimmed
      if isInStack {
        guard line.byteOrZero(0).isDigit, stack.utf8.count < FormatLimits.lineBytes else {
          isEnded = true
          continue
        }
        stack += line.name + "\n"
        continue
      }
      let words = line.from(line.find("[General] ").map { $0 + 10 } ?? 0)
      if words.byteCount == 1, words.has("(") {
        isInStack = true
      } else {
        reasons += 1
        reason += (reason.isEmpty ? "" : "\n") + words.name
      }
    }
    let end = min(lines.position, text.byteCount)
    guard !stack.isEmpty, !reason.isEmpty,
      !text.between(end, end + 4096).contains("*** Terminating app due to uncaught exception '")
    else { return nil }
    var report = CrashReport(format: .nativeLog, kind: .handled)
    report.reason.exception = LanguageException(type: "NSException", message: reason.cutMessage)
    add(AppleCallStackText(stack, limit: FormatLimits.framesPerStack), [], to: &report)
    setProgram(of: &report, section, in: text)
    return LoggedReport(report: report, end: end)
  }

  /// Whether the reason ends in its first line.
  private static func isClosed(_ words: String) -> Bool {
    guard let open = words.firstRange(of: "reason: '") else { return true }
    return words[open.upperBound...].hasSuffix("'") || words[open.upperBound...].contains("', ")
  }

  private static func exception(_ words: String) -> LanguageException? {
    if words.hasPrefix("Uncaught exception ") {
      let rest = words.dropFirst(19)
      guard let reason = rest.firstRange(of: ", reason: ") else { return nil }
      return LanguageException(
        type: String(rest[..<reason.lowerBound]),
        message: String(rest[reason.upperBound...]).cutMessage)
    }
    guard var exception = LanguageException(appleText: words) else { return nil }
    // Some print the exception's other contents: `reason: 'TEXT', userInfo: {`.
    if let message = exception.message, let more = message.firstRange(of: "', userInfo: {") {
      exception.message = String(message[..<more.lowerBound])
    }
    exception.message = exception.message?.cutMessage
    if exception.message == "(null)" { exception.message = nil }
    return exception
  }

  /// `(0x1804b910c 0x180092da8 0x102a5c1d0)`
  private static func readAddresses(_ line: RawSpan, into addresses: inout [UInt64]) {
    var index = 0
    while addresses.count < FormatLimits.framesPerStack, let found = line.find("0x", from: index) {
      index = found
      guard let value = line.hexadecimal(at: &index) else { return }
      addresses.append(value)
    }
  }

  // MARK: The stack

  private static func add(
    _ stack: AppleCallStackText, _ addresses: [UInt64], to report: inout CrashReport
  ) {
    var indices: [String: Int] = [:]
    var frames: [Frame] = []
    for call in stack.calls {
      var frame = Frame(
        address: Address(call.address), position: .returnAddress, function: call.function)
      frame.symbolOffset = call.functionOffset
      if let name = call.image {
        if indices[name] == nil, report.images.count < FormatLimits.images {
          indices[name] = report.images.count
          report.images.append(LoadedImage(name: name))
        }
        frame.image = indices[name]
        if let index = frame.image, let offset = call.imageOffset, offset <= call.address {
          report.images[index].base = report.images[index].base ?? Address(call.address - offset)
        }
      }
      frames.append(frame)
    }
    for index in frames.indices {
      guard let image = frames[index].image, let address = frames[index].address else { continue }
      frames[index].imageOffset = report.images[image].offset(of: address)
    }
    if frames.isEmpty {
      frames = addresses.map { Frame(address: Address($0), position: .returnAddress) }
    }
    guard !frames.isEmpty else { return }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    if stack.isCut {
      report.notes.append(
        "frames beyond the limit of \(FormatLimits.framesPerStack) a stack were left out")
    }
  }

  // MARK: The program

  /// Sets the program: the name before the text in its log, or that of the image with `main`.
  private static func setProgram(
    of report: inout CrashReport, _ section: ReportSection, in text: RawSpan
  ) {
    let headline = section.headline
    var found = logged(text.between(headline.line.lowerBound, headline.start))
    if found == nil, let thread = report.threads.first {
      let main = thread.frames.last { $0.function == "main" || $0.function == "_main" }
      found = main.flatMap(\.image).map { (report.images[$0].name, nil) }
    }
    if found == nil {
      // Lines that it logged earlier.
      let start = max(section.previous, headline.line.lowerBound - 2048)
      var cursor = LineCursor(min(start, headline.line.lowerBound)..<headline.line.lowerBound)
      while let range = cursor.next(in: text) {
        found = logged(text.part(range).upTo(FormatLimits.prefixBytes)) ?? found
      }
    }
    guard let (name, pid) = found else { return }
    report.process.name = name
    report.process.pid = pid
    report.app.name = name
  }

  /// `2026-05-01 10:11:12.345678+0200 Tern[42:9021] `
  static func logged(_ line: RawSpan) -> (name: String, pid: Int?)? {
    guard let open = line.find(UInt8(ascii: "[")) else { return nil }
    var digits = open + 1
    guard let pid = line.decimal(at: &digits), line.byteOrZero(digits) == UInt8(ascii: ":"),
      line.byteOrZero(digits + 1).isDigit
    else { return nil }
    let head = line.upTo(open)
    // The name may hold blanks: it begins after the time.
    guard head.has("20"), head.byteOrZero(4) == UInt8(ascii: "-"),
      let date = head.find(32), let time = head.find(32, from: date + 1), time + 1 < open
    else { return nil }
    return (head.from(time + 1).name, Int(exactly: pid))
  }
}
