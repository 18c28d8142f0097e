internal import Bytes
internal import CrashModel
internal import JSON

extension ReportFormat {
  /// A report of a crash or hang that MetricKit of Apple's systems gives to an app.
  static let metricKit = ReportFormat("metrickit")
}

/// Payloads of MetricKit (`MXDiagnosticPayload.jsonRepresentation()`), one of its diagnostics, or a tree of calls
/// (`MXCallStackTree`) alone:
///
///     {"timeStampBegin", "timeStampEnd",
///      "crashDiagnostics": [{"version", "diagnosticMetaData": {...},
///        "callStackTree": {"callStackPerThread": true, "callStacks": [
///          {"threadAttributed": true, "callStackRootFrames": [
///            {"binaryUUID", "binaryName", "offsetIntoBinaryTextSegment", "sampleCount", "address",
///             "subFrames": [...]}]}]}}],
///      "hangDiagnostics", "cpuExceptionDiagnostics", "diskWriteExceptionDiagnostics", "appLaunchDiagnostics"}
///
/// The reports of iOS 27 are read as well, see ``MetricKitReport``.
///
/// Source: Apple's documentation of MetricKit; payloads of iOS 14 to 17 and macOS 12.
enum MetricKitReader: DocumentReader {
  static let format = ReportFormat.metricKit
  static let fileExtension = "json"

  /// Bytes of the start that contain the distinctive keys: `callStackTree` may come before them.
  private static let head = 256 << 10

  static func recognises(_ bytes: ByteView) -> Bool {
    let head = bytes.clamped(0..<head).bytes
    guard head.beginsObjects else { return false }
    let outermost = head.firstText == UInt8(ascii: "[") ? 2 : 1
    guard
      head.contains("\"callStackRootFrames\"") || head.contains("\"callStackTree\"")
        || head.contains("Diagnostics\"") || head.contains("\"diagnosticReports\"")
    else { return false }
    // Keys of the outermost object; the levels below are deeper than a reader descends.
    var depth = 0
    var position = 0
    var hasTree = false
    var hasResult = false
    var hasEnvironment = false
    while position < head.byteCount {
      switch head.byte(position) {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      case UInt8(ascii: "\""):
        let text = head.part(MetricKitTree.string(head, at: &position))
        guard depth == outermost else { continue }
        if MetricKitParser.lists.contains(where: {
          text.byteCount == $0.key.utf8CodeUnitCount && text.has($0.key)
        }) {
          return true
        }
        if text.byteCount == 10, text.has("callStacks") { hasTree = true }
        if text.byteCount == 13, text.has("callStackTree") { hasTree = true }
        if text.byteCount == 17, text.has("diagnosticReports") { return true }
        if text.byteCount == 6, text.has("result") { hasResult = true }
        if text.byteCount == 10, text.has("diagnostic") { hasResult = true }
        if text.byteCount == 11, text.has("environment") { hasEnvironment = true }
        if text.byteCount == 9, text.has("timeRange") { hasEnvironment = true }
      default: position += 1
      }
    }
    return hasTree || hasResult && hasEnvironment && head.contains("\"callStackTree\"")
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try MetricKitDocument(reading: bytes)
    var reports = MetricKitParser.reports(of: document)
    guard let last = reports.indices.last else {
      throw ParseError(.notRecognised, in: "a MetricKit payload without a diagnostic", at: 0)
    }
    if document.isCut {
      reports[last].notes.append("the payload is cut off: its end is missing")
    }
    return reports
  }
}
