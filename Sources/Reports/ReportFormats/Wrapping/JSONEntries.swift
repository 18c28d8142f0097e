internal import Bytes
internal import Identifiers
internal import JSON

/// Logs in JSON: an entry a line, as Docker, cloud loggers, systemd and the loggers of programs write them, or lists
/// of entries, as their exports do.
///
/// An entry adds its stack, or its message if it has none, to the source that it names.
enum JSONEntries {
  private static let limits = JSONLimits(
    depth: 64, bytes: 16 << 20, nodes: 100_000, stringBytes: 8 << 20)
  /// The most separate sources; further ones are merged.
  private static let sources = 256

  /// The sources of `text`; `nil` if it holds no entries.
  ///
  /// - Complexity: O(n).
  static func sources(of text: ByteView) -> [TextSource]? {
    var gatherer = Gatherer()
    let bytes = text.bytes
    var cursor = LineCursor(0..<bytes.byteCount)
    var hasEntries = false
    var lines = 0
    while let range = cursor.next(in: bytes) {
      let line = bytes.part(range).trimmed
      if line.byteCount == 0 { continue }
      lines += 1
      if line.byte(0) == UInt8(ascii: "{"), line.ends(with: "}"), let entry = entry(text, range) {
        hasEntries = true
        gatherer.take(entry, from: range.lowerBound)
      } else {
        // That many lines of another kind: it is not a log of this kind.
        if !hasEntries, lines > 200 { return nil }
        gatherer.others.append(bytes.part(range), from: range.lowerBound)
      }
    }
    if hasEntries { return gatherer.hasText ? gatherer.all : nil }
    let first = bytes.upTo(4096).firstText
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    do throws(ParseError) {
      var list = Gatherer()
      for object in try JSONSequence(reading: text, limit: FormatLimits.reports).objects {
        list.take(object, from: 0)
      }
      return list.hasText ? list.all : nil
    } catch {
      return nil
    }
  }

  private static func entry(_ text: ByteView, _ range: Range<Int>) -> JSONValue? {
    do throws(ParseError) {
      let document = try JSONDocument.parse(text.clamped(range), limits: limits)
      return document.cut == nil && document.value.object != nil ? document.value : nil
    } catch {
      return nil
    }
  }

  private struct Gatherer {
    var others = TextSource.Builder()
    private(set) var hasText = false
    private var names: [String: Int] = [:]
    private var builders: [TextSource.Builder] = []

    var all: [TextSource] {
      (builders + [others]).filter { !$0.isEmpty }.map { $0.source }
    }

    /// Takes an entry, or those of a document: the objects, at any depth, that have a text.
    mutating func take(_ value: JSONValue, from origin: Int, depth: Int = 0) {
      guard let entry = JSONEntry(value) else {
        guard depth < 8 else { return }
        for member in value.object ?? [] { take(member.value, from: origin, depth: depth + 1) }
        for element in value.array ?? [] { take(element, from: origin, depth: depth + 1) }
        return
      }
      hasText = true
      let index: Int
      if let known = names[entry.source] {
        index = known
      } else if names.count < JSONEntries.sources {
        index = builders.count
        names[entry.source] = index
        builders.append(TextSource.Builder())
      } else {
        index = 0
      }
      if entry.isWhole { builders[index].endLine() }
      var text = Array(entry.text.utf8)
      if !entry.isPart, text.last != 10 { text.append(10) }
      builders[index].append(text, from: origin, time: entry.time)
    }
  }
}

/// An entry of a log: its text, its time, and its source.
struct JSONEntry {
  let text: String
  let time: Timestamp?
  /// The names of container, process and stream.
  let source: String
  /// Whether the text begins a new line, rather than continuing one.
  let isWhole: Bool
  /// Whether the line continues in the next entry.
  let isPart: Bool

  private static let stacks: Set<String> = [
    "stack", "stacktrace", "stack_trace", "stackTrace", "StackTrace", "Stacktrace", "exception",
    "Exception", "exc_info", "exc_text", "traceback", "Traceback", "trace", "backtrace",
    "errorStack", "error_stack", "error.stack", "err.stack", "error.stack_trace",
    "exception.stacktrace", "exception.stack", "extendedStackTrace", "errorVerbose", "stack.trace",
    "@x", "full_message", "error_stacktrace", "throwable", "stackString",
  ]
  private static let messages = [
    "log", "message", "msg", "MESSAGE", "textPayload", "@message", "text", "line", "body", "event",
    "Message", "@m", "@mt", "short_message", "output", "content", "data", "stringValue", "payload",
    "RenderedMessage", "raw", "_raw",
  ]
  private static let containers = [
    "jsonPayload", "_source", "error", "err", "exc", "exception", "fields", "attributes", "extra",
    "body", "payload", "logEvent", "thrown", "details", "context", "data", "log", "event",
    "protoPayload", "record",
  ]
  private static let names = [
    "stream", "container", "container_name", "containerName", "container_id", "containerId", "pod",
    "pod_name", "podName", "kubernetes.pod_name", "host", "hostname", "_HOSTNAME", "service",
    "serviceName", "service.name", "logName", "logStream", "@logStream", "logStreamName",
    "SYSLOG_IDENTIFIER", "_PID", "_SYSTEMD_UNIT", "unit", "instance", "source", "dyno",
  ]
  private static let times = [
    "time", "timestamp", "@timestamp", "ts", "datetime", "date", "@t", "Timestamp", "asctime",
    "__REALTIME_TIMESTAMP", "eventTime", "timeUnixNano", "receiveTimestamp", "ingestionTime",
  ]

  /// Names of the members that are read.
  private static let known = stacks.union(messages).union(containers).union(names).union(times)
    .union([
      "stream", "kubernetes", "resource", "docker", "error.type", "exception.type", "error.kind",
      "exception.class", "error.message", "exception.message",
    ])

  /// - Returns: `nil` for an object without a text.
  init?(_ value: JSONValue) {
    // All names are looked for, and most members have others.
    let members = (value.object ?? []).filter { Self.known.contains($0.key) }
    let value = JSONValue.object(members)
    let stack = Self.stack(in: value, depth: 0)
    let message = Self.message(in: value, depth: 0)
    guard stack != nil || message != nil else { return nil }
    if let stack {
      if let message, message.utf8.contains(10), message.contains(stack) {
        text = message
      } else if Self.beginsWithFrame(stack), let title = Self.title(of: value) ?? message {
        text = "\(title)\n\(stack)"
      } else {
        text = stack
      }
    } else {
      text = message ?? ""
    }
    // Docker keeps the line's end, and cuts lines at 16 KiB.
    let isDocker = value.member("log") != nil && value.member("stream") != nil
    isPart = isDocker && text.utf8.last != 10
    isWhole = !isDocker
    time = Self.times.lazy.compactMap { value.member($0) }.first.flatMap { Self.time($0) }
    var source = ""
    for name in Self.names {
      if let text = value.member(name)?.text { source += "\(name)=\(text.prefix(200))\n" }
    }
    for (outer, inner) in [("kubernetes", "pod_name"), ("resource", "labels"), ("docker", "id")] {
      if let value = value.member(outer)?.member(inner) { source += "\(value)".prefix(400) }
    }
    self.source = source
  }

  /// A text of several lines, or a list of lines, under a name that loggers use for stacks.
  private static func stack(in value: JSONValue, depth: Int) -> String? {
    for member in value.object ?? [] where stacks.contains(member.key) {
      if let text = member.value.string, text.utf8.contains(10) { return text }
      if let lines = member.value.array, lines.count > 1 {
        let texts = lines.compactMap { $0.string }
        if texts.count == lines.count { return texts.joined(separator: "\n") }
      }
    }
    guard depth < 3 else { return nil }
    for name in containers {
      if let inner = value.member(name), inner.object != nil,
        let found = stack(in: inner, depth: depth + 1)
      {
        return found
      }
    }
    return nil
  }

  private static func message(in value: JSONValue, depth: Int) -> String? {
    for name in messages {
      guard let member = value.member(name) else { continue }
      if let text = member.string { return text }
      // The journal's form, if the text has bytes that are not printable characters.
      if name == "MESSAGE", let numbers = member.array, !numbers.isEmpty {
        let bytes = numbers.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
        if bytes.count == numbers.count { return String(decoding: bytes, as: UTF8.self) }
      }
    }
    guard depth < 3 else { return nil }
    for name in containers {
      if let inner = value.member(name), inner.object != nil,
        let found = message(in: inner, depth: depth + 1)
      {
        return found
      }
    }
    return nil
  }

  /// Whether `stack` has only the frames, without the exception.
  private static func beginsWithFrame(_ stack: String) -> Bool {
    let line = stack.drop { $0.isWhitespace }
    return line.hasPrefix("at ") || line.hasPrefix("#0") || line.hasPrefix("File \"")
      || line.hasPrefix("from ") || line.hasPrefix("in ")
  }

  /// `type: message` of the error in an entry.
  private static func title(of value: JSONValue) -> String? {
    for name in ["error", "err", "exception", "exc", "thrown"] {
      guard let inner = value.member(name), inner.object != nil else { continue }
      let type = ["type", "name", "class", "kind", "className"].lazy.compactMap {
        inner.member($0)?.string
      }.first
      let text = ["message", "msg", "value"].lazy.compactMap { inner.member($0)?.string }.first
      if let type, let text { return "\(type): \(text)" }
      if let type { return type }
    }
    let type = ["error.type", "exception.type", "error.kind", "exception.class"].lazy.compactMap {
      value.member($0)?.string
    }.first
    let text = ["error.message", "exception.message"].lazy.compactMap {
      value.member($0)?.string
    }.first
    guard let type else { return nil }
    return text.map { "\(type): \($0)" } ?? type
  }

  /// A time as text, or as a number of seconds, milliseconds, microseconds or nanoseconds since 1970.
  private static func time(_ value: JSONValue) -> Timestamp? {
    if let text = value.string {
      if let time = Timestamp(text) { return time }
      guard let number = Double(text) else { return LineTime.first(in: ByteView(text.utf8).bytes) }
      return time(number)
    }
    return value.double.flatMap { time($0) }
  }

  private static func time(_ number: Double) -> Timestamp? {
    guard number.isFinite, number > 0 else { return nil }
    var seconds = number
    // The largest of a unit is the year 5138 in seconds, and before 1973 in the next smaller unit.
    while seconds > 1e11 { seconds /= 1000 }
    guard seconds > 1e8 else { return nil }
    return Timestamp(microseconds: Int(seconds * 1_000_000))
  }
}
