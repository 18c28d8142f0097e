internal import Bytes
internal import CrashModel

/// The file that Clojure writes when its main program fails, a Clojure map:
///
///     {:clojure.main/message
///      "Execution error at tern.desk/charge (desk.clj:13).\nno boat\n",
///      :clojure.main/trace
///      {:via
///       [{:type java.lang.IllegalStateException,
///         :message "no boat",
///         :at [tern.desk$charge invoke "desk.clj" 13]}],
///       :trace
///       [[tern.desk$charge invoke "desk.clj" 13]
///        [clojure.main main nil -1]],
///       :cause "no boat"}}
///
/// `:via` has the exceptions, the outermost first; the calls are those of the last.
///
/// Source: `Throwable->map` of Clojure.
enum ClojureReport {
  static func report(of section: ReportSection, in text: RawSpan) -> CrashReport? {
    let map = text.part(section.range)
    var report = CrashReport(format: .javaTrace)
    report.tags[.language] = "clojure"
    guard let via = map.find(":via"), let trace = map.find(":trace", from: via) else { return nil }
    var chain = exceptions(map.between(via, trace))
    guard !chain.isEmpty else { return nil }
    var counter = StackCounter()
    var frames: [Frame] = []
    var position = trace
    let end = map.find(":cause", from: trace) ?? map.byteCount
    while let open = map.find(UInt8(ascii: "["), from: position), open < end {
      position = open + 1
      if let frame = call(map.between(open + 1, end)) { counter.append(frame, to: &frames) }
    }
    chain[chain.count - 1].frames = frames
    report.reason.exception = LanguageException.chain(chain)
    report.reason.type = chain[0].type
    report.reason.message = chain[0].message
    report.notes = counter.notes
    return report
  }

  private static func exceptions(_ text: RawSpan) -> [LanguageException] {
    var chain: [LanguageException] = []
    var position = 0
    while let type = text.find(":type", from: position), chain.count < FormatLimits.causes {
      let next = text.find(":type", from: type + 5) ?? text.byteCount
      let item = text.between(type + 5, next)
      position = next
      var exception = LanguageException(type: word(item))
      if let message = item.find(":message"), let open = item.find("\"", from: message) {
        exception.message = quoted(item.from(open))
      }
      if let at = item.find(":at"), let open = item.find("[", from: at),
        let frame = call(item.from(open + 1))
      {
        exception.frames = [frame]
      }
      chain.append(exception)
    }
    return chain
  }

  /// `tern.desk$charge invoke "desk.clj" 13]`
  private static func call(_ text: RawSpan) -> Frame? {
    guard let close = text.upTo(2048).find(UInt8(ascii: "]")) else { return nil }
    let parts = text.upTo(close).name.split { $0 == " " || $0.isNewline || $0 == "\t" || $0 == "," }
    guard parts.count == 4, parts[0].first != "[", let line = Int(parts[3]) else { return nil }
    var frame = Frame(position: .returnAddress, function: "\(parts[0]).\(parts[1])")
    if parts[2].hasPrefix("\""), parts[2].hasSuffix("\""), parts[2].utf8.count > 2 {
      frame.file = String(parts[2].dropFirst().dropLast())
      frame.line = line > 0 ? line : nil
    }
    return frame
  }

  private static func word(_ text: RawSpan) -> String? {
    var start = 0
    while start < text.byteCount, text.byte(start) <= 32 { start += 1 }
    var end = start
    while end < text.byteCount, text.byte(end) > 32, text.byte(end) != UInt8(ascii: ","),
      text.byte(end) != UInt8(ascii: "}")
    {
      end += 1
    }
    return end > start ? text.between(start, end).name : nil
  }

  /// A text in quotation marks, with `\n` and `\"` unescaped.
  private static func quoted(_ text: RawSpan) -> String {
    var bytes: [UInt8] = []
    var index = 1
    while index < text.byteCount, text.byte(index) != UInt8(ascii: "\""),
      bytes.count < FormatLimits.nameBytes
    {
      if text.byte(index) == UInt8(ascii: "\\") {
        index += 1
        bytes.append(text.byteOrZero(index) == UInt8(ascii: "n") ? 10 : text.byteOrZero(index))
      } else {
        bytes.append(text.byte(index))
      }
      index += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
