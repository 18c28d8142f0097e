internal import Bytes
internal import CrashModel
internal import JSON

extension ReportFormat {
  /// An event as Sentry's SDKs write it.
  static let sentryEvent = ReportFormat("sentry-event")
}

/// Events of Sentry's SDKs, native and managed, among them those of CrashProbe:
///
///     {"event_id", "timestamp", "platform", "release", "contexts": {"os", "device", "app"}, "sdk",
///      "exception": {"values": [{"type", "value", "thread_id", "mechanism", "stacktrace": {"frames": [...]}}]},
///      "threads": {"values": [{"id", "name", "crashed", "stacktrace"}]},
///      "debug_meta": {"images": [{"type", "debug_id", "image_addr", "image_size", ...}]}}
///
/// Frames are listed oldest first, and so are exceptions.
///
/// Source: "Event Payloads" of Sentry's developer documentation, and its SDKs.
enum SentryEventReader: DocumentReader {
  static let format = ReportFormat.sentryEvent
  static let fileExtension = "json"

  /// Bytes of the start that are read: events may begin with any member.
  private static let head = 256 << 10

  static func recognises(_ bytes: ByteView) -> Bool {
    let head = bytes.clamped(0..<head)
    guard head.bytes.beginsObjects else { return false }
    if SentryEnvelope.begins(head) {
      let envelope = SentryEnvelope(bytes)
      return !envelope.dumps.isEmpty
        || envelope.events.contains { isEvent($0.clamped(0..<Self.head)) }
    }
    return isEvent(head)
  }

  private static func isEvent(_ head: ByteView) -> Bool {
    var reader = JSONReader(head.bytes, reading: "Sentry event")
    var marks = Marks()
    do throws(ParseError) {
      guard try reader.beginFirstObject() else { return false }
      while try reader.nextKey() { try marks.note(&reader) }
    } catch {
      // Damaged further on; the part before may be enough.
    }
    return marks.isEvent
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    guard SentryEnvelope.begins(bytes) else { return try events(in: bytes) }
    let envelope = SentryEnvelope(bytes)
    var reports: [CrashReport] = []
    for event in envelope.events where isEvent(event.clamped(0..<head)) {
      reports += try events(in: event)
    }
    for dump in envelope.dumps {
      // The event beside it describes the app.
      let event = reports.first
      if event?.threads.isEmpty == true, event?.reason.exception == nil { reports.removeFirst() }
      for var report in try FormatRegistry.builtIn.reports(in: dump) {
        if report.app.version == nil { report.app = event?.app ?? report.app }
        report.incident = report.incident ?? event?.incident
        report.user = report.user ?? event?.user
        reports.append(report)
      }
    }
    guard let last = reports.indices.last else {
      throw ParseError(.notRecognised, in: "an envelope of Sentry without a crash", at: 0)
    }
    if envelope.isCut { reports[last].notes.append("the envelope is cut off: its end is missing") }
    return reports
  }

  private static func events(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let sequence = try JSONSequence(reading: bytes, limit: AppleLimits.reports)
    var reports: [CrashReport] = []
    for event in sequence.objects
    where ["exception", "threads", "debug_meta"].contains(where: { event.member($0) != nil }) {
      var parser = SentryEventParser(event)
      reports.append(parser.read().withScriptStack())
    }
    guard let last = reports.indices.last else {
      throw ParseError(.notRecognised, in: "JSON without an event", at: 0)
    }
    if sequence.isCut { reports[last].notes.append("the event is cut off: its end is missing") }
    return reports
  }

  /// The distinctive members that were seen.
  private struct Marks {
    /// A list of exceptions or threads with frames as Sentry writes them.
    private var hasStack = false
    private var hasImages = false
    private var count = 0
    /// An exception with only its type and value.
    private var hasException = false
    private var hasID = false

    var isEvent: Bool {
      hasStack && (hasImages || count > 0) || hasImages && count > 1
        || hasException && hasID && count > 1
    }

    @_lifetime(reader: copy reader)
    mutating func note(_ reader: inout JSONReader) throws(ParseError) {
      if reader.keyIs("exception") || reader.keyIs("threads") {
        try noteValues(&reader)
      } else if reader.keyIs("debug_meta") {
        guard try reader.peek() == .object, try reader.beginObject() else { return }
        while try reader.nextKey() { if reader.keyIs("images") { hasImages = true } }
      } else if reader.keyIs("event_id") || reader.keyIs("platform") || reader.keyIs("sdk")
        || reader.keyIs("contexts") || reader.keyIs("tags")
      {
        count += 1
        if reader.keyIs("event_id") { hasID = true }
      } else if reader.keyIs("level") || reader.keyIs("release") || reader.keyIs("timestamp") {
        count += 1
      }
    }

    /// `{"values": [{"stacktrace": {"frames": …}}]}`; old SDKs leave `values` out.
    @_lifetime(reader: copy reader)
    private mutating func noteValues(_ reader: inout JSONReader) throws(ParseError) {
      if try reader.peek() == .array {
        try noteList(&reader)
        return
      }
      guard try reader.peek() == .object, try reader.beginObject() else { return }
      while try reader.nextKey() {
        if reader.keyIs("values"), try reader.peek() == .array { try noteList(&reader) }
      }
    }

    @_lifetime(reader: copy reader)
    private mutating func noteList(_ reader: inout JSONReader) throws(ParseError) {
      guard try reader.beginArray() else { return }
      while try reader.nextElement() {
        guard try reader.peek() == .object, try reader.beginObject() else { continue }
        var hasType = false
        var hasValue = false
        while try reader.nextKey() {
          if reader.keyIs("type") { hasType = true }
          if reader.keyIs("value") { hasValue = true }
          if hasType, hasValue { hasException = true }
          // Other services' stacks are lists.
          let isTelling = reader.keyIs("stacktrace") || reader.keyIs("mechanism")
          if isTelling, try reader.peek() == .object { hasStack = true }
        }
      }
    }
  }
}
