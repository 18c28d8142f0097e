internal import Bytes
internal import JSON

/// The start of bytes that may be one of Apple's reports.
enum AppleIPSOpening: Equatable {
  /// A header that ends before `end`, and whether something other than an object follows it.
  case header(end: Int, isBeforeText: Bool)
  /// A body without a header.
  case body

  var isHeader: Bool { self != .body }

  var isBeforeText: Bool {
    if case .header(_, isBeforeText: true) = self { true } else { false }
  }

  /// `nil` if neither is at the start.
  init?(of bytes: ByteView) {
    var reader = JSONReader(bytes.bytes, reading: "Apple report")
    var keys = Keys()
    do throws(ParseError) {
      guard try reader.peek() == .object, try reader.beginObject() else { return nil }
      while try reader.nextKey() { keys.note(&reader) }
      if keys.isHeader {
        let end = reader.position
        let next = try? reader.peek()
        self = .header(end: end, isBeforeText: next != .object && next != .end)
        return
      }
    } catch {
      // Damaged further on; the part before may be enough, and the report gets a note.
    }
    guard keys.isBody else { return nil }
    self = .body
  }

  /// The distinctive keys that an object has.
  private struct Keys {
    private var hasBugType = false
    private var hasSystem = false
    private var hasIdentity = false
    private var hasContent = false
    private var bodyMarks = 0

    mutating func note(_ reader: inout JSONReader) {
      if reader.keyIs("bug_type") { hasBugType = true }
      if reader.keyIs("os_version") { hasSystem = true }
      if reader.keyIs("app_name") || reader.keyIs("incident_id") { hasIdentity = true }
      if reader.keyIs("threads") || reader.keyIs("usedImages") || reader.keyIs("panicString")
        || reader.keyIs("memoryStatus") || reader.keyIs("processByPid")
      {
        hasContent = true
      }
      if reader.keyIs("procName") || reader.keyIs("procPath") || reader.keyIs("captureTime")
        || reader.keyIs("osVersion") || reader.keyIs("faultingThread") || reader.keyIs("cpuType")
        || reader.keyIs("crashReporterKey") || reader.keyIs("modelCode")
        || reader.keyIs("usedImages") || reader.keyIs("product") || reader.keyIs("incident")
      {
        bodyMarks += 1
      }
    }

    var isHeader: Bool {
      !hasContent && bodyMarks < 2 && (hasBugType || hasSystem && hasIdentity)
    }
    /// `threads` alone is too common a word.
    var isBody: Bool { bodyMarks >= 2 && (hasContent || hasBugType && bodyMarks >= 3) }
  }
}
