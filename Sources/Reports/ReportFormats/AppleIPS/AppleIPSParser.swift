internal import Bytes
internal import CrashModel
internal import JSON

/// Parses a report from its header and body.
///
/// Members come in any order: frames name images that come later, so they are joined in ``finished()``. Only
/// the first of repeated members counts.
struct AppleIPSParser {
  var report: CrashReport
  var bugType: String?
  // From the header; the body is more precise.
  var headerName: String?
  var headerApp = AppIdentity()
  var headerSystem: String?
  var headerTime: String?
  var headerIncident: String?
  // From the body.
  var launchTime: String?
  var captureTime: String?
  var faultingThread: Int?
  var triggeredThread: Int?
  var triggeredName: String?
  var exceptionType: String?
  var exceptionSubtype: String?
  var exceptionMessage: String?
  var rawCodes: [UInt64] = []
  var terminationMessage: String?
  var information: [String] = []
  var exceptionStack: [Frame] = []
  var namedException: LanguageException?
  var informationStacks: [String] = []
  var isSimulated = false
  var hasThreads = false
  var hasImages = false
  /// The index in the report of each element of `usedImages`; `nil` for a placeholder.
  var imageIndices: [Int?] = []
  /// Whether the document was cut off or damaged.
  var isIncomplete = false
  var frameCount = 0
  var reachedLimits: Set<String> = []
  var resource: AppleJetsam?
  var panic: AppleKernelPanic?

  init(format: ReportFormat) { report = CrashReport(format: format) }

  /// Reads one report at the start of `bytes`.
  ///
  /// - Parameter base: The offset of `bytes` in the file, for notes.
  /// - Returns: The offset in `bytes` at which the next report may begin.
  mutating func read(_ bytes: ByteView, from base: Int, hasHeader: Bool) -> Int {
    var reader = JSONReader(bytes.bytes, reading: "Apple report", base: base)
    do throws(ParseError) {
      if hasHeader { try readDocument(&reader) }
      if reader.cut == nil, try reader.peek() == .object {
        try readDocument(&reader)
      } else if reader.cut == nil {
        report.notes.append("The report has a header and no body.")
      }
      if let cut = reader.cut {
        isIncomplete = true
        report.notes.append(
          "The report is cut off at byte \(base + cut); the part before the cut is shown.")
        return bytes.count
      }
      return try endOfFurtherDocuments(&reader, of: bytes)
    } catch {
      isIncomplete = true
      report.notes.append("The report is damaged, the rest of it is missing: \(error)")
      return Self.nextReport(in: bytes, after: reader.position)
    }
  }

  /// Skips documents that are not reports themselves, such as lines of analytics.
  private mutating func endOfFurtherDocuments(
    _ reader: inout JSONReader, of bytes: ByteView
  ) throws(ParseError) -> Int {
    var count = 0
    while let kind = try? reader.peek(), kind == .object {
      let position = reader.position
      if AppleIPSOpening(of: bytes.clamped(position..<bytes.count)) != nil { break }
      try reader.skipValue()
      count += 1
    }
    if count > 0 {
      report.notes.append(
        "\(count) further JSON \(count == 1 ? "document" : "documents") not read.")
    }
    // Text after the last document belongs to no report.
    return (try? reader.peek()) == .object ? reader.position : bytes.count
  }

  /// The start of another report at the start of a line after damage.
  private static func nextReport(in bytes: ByteView, after position: Int) -> Int {
    var tries = 64
    var at = position
    let span = bytes.bytes
    while at + 2 < bytes.count, tries > 0 {
      guard let line = span.find(0x0A, from: at) else { break }
      at = line + 1
      guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "{"), bytes[at + 1] == 0x22 else {
        continue
      }
      tries -= 1
      if AppleIPSOpening(of: bytes.clamped(at..<bytes.count)) != nil { return at }
    }
    return bytes.count
  }

  /// Adds one note that a limit was reached.
  mutating func reach(_ limit: Int, of what: String) {
    guard reachedLimits.insert(what).inserted else { return }
    report.notes.append("Only the first \(limit) \(what) are kept.")
  }
}

/// Sets a member that has not been set: only the first of repeated ones counts.
func keepFirst<Value>(_ member: inout Value?, _ value: Value?) {
  if member == nil { member = value }
}
