internal import Bytes
internal import CrashModel
internal import JSON

extension ReportFormat {
  /// The JSON of KSCrash and of SDKs that are built on it.
  static let ksCrash = ReportFormat("kscrash")
}

/// Reports of KSCrash, and of Sentry's, Bugsnag's, Embrace's and other SDKs with a copy of it:
///
///     {"report": {"id", "type": "standard", ...}, "system": {...},
///      "binary_images": [{"name", "uuid", "image_addr", "image_size", ...}],
///      "crash": {"error": {"type": "mach", ...}, "threads": [{"backtrace": {"contents": [...]}}]},
///      "recrash_report": {...}}
///
/// `minimal` reports have `crashed_thread` in place of `threads`. A report with `recrash_report` holds another one:
/// KSCrash itself crashed while it wrote the first.
///
/// Source: `KSCrashReportFields.h` and `KSCrashReportC.c` of KSCrash 0.x to 2.x.
enum KSCrashReader: DocumentReader {
  static let format = ReportFormat.ksCrash
  static let fileExtension = "json"

  /// Bytes of the start that are read: notable addresses of a thread may be large.
  private static let head = 256 << 10

  static func recognises(_ bytes: ByteView) -> Bool {
    guard bytes.clamped(0..<4096).bytes.beginsObjects else { return false }
    var reader = JSONReader(bytes.clamped(0..<head).bytes, reading: "KSCrash report")
    var marks = Marks()
    do throws(ParseError) {
      guard try reader.beginFirstObject() else { return false }
      while try reader.nextKey() { try marks.note(&reader) }
    } catch {
      // Damaged further on; the part before may be enough.
    }
    return marks.isReport
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let sequence = try JSONSequence(reading: bytes, limit: AppleLimits.reports)
    var reports = sequence.objects.filter { value in
      ["report", "crash", "binary_images"].contains { value.member($0) != nil }
    }.flatMap { KSCrashParser.reports(of: $0) }.map { $0.withScriptStack() }
    guard let last = reports.indices.last else {
      throw ParseError(.notRecognised, in: "JSON without a report of KSCrash", at: 0)
    }
    if sequence.isCut {
      reports[last].notes.append("the report is cut off: its end is missing")
    }
    return reports
  }

  /// The distinctive members that were seen.
  private struct Marks {
    private var hasHead = false
    private var hasCrash = false
    private var hasImages = false
    private var hasSystem = false

    var isReport: Bool {
      hasHead || hasCrash && (hasImages || hasSystem) || hasImages && hasSystem
    }

    @_lifetime(reader: copy reader)
    mutating func note(_ reader: inout JSONReader) throws(ParseError) {
      if reader.keyIs("report") {
        try noteHead(&reader)
      } else if reader.keyIs("crash") {
        guard try reader.peek() == .object, try reader.beginObject() else { return }
        while try reader.nextKey() {
          if reader.keyIs("threads") || reader.keyIs("error") || reader.keyIs("crashed_thread") {
            hasCrash = true
          }
        }
      } else if reader.keyIs("binary_images") {
        guard try reader.peek() == .array, try reader.beginArray() else { return }
        while try reader.nextElement() {
          guard try reader.peek() == .object, try reader.beginObject() else { continue }
          while try reader.nextKey() {
            if reader.keyIs("image_addr") || reader.keyIs("image_vmaddr") { hasImages = true }
          }
        }
      } else if reader.keyIs("system") || reader.keyIs("recrash_report") {
        hasSystem = true
      }
    }

    /// `{"id", "type": "standard", "timestamp", "version", "process_name"}`.
    @_lifetime(reader: copy reader)
    private mutating func noteHead(_ reader: inout JSONReader) throws(ParseError) {
      guard try reader.peek() == .object, try reader.beginObject() else { return }
      var known = 0
      var hasType = false
      while try reader.nextKey() {
        if reader.keyIs("type") {
          let type = try reader.peek() == .string ? try reader.readString() : nil
          hasType = ["standard", "minimal", "custom"].contains(type)
        } else if reader.keyIs("id") || reader.keyIs("timestamp") || reader.keyIs("version")
          || reader.keyIs("process_name")
        {
          known += 1
        }
      }
      hasHead = hasType && known >= 2
    }
  }
}
