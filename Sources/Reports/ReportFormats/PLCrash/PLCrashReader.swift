internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// PLCrashReporter's own files.
  static let plCrash = ReportFormat("plcrash")
}

/// Reports of PLCrashReporter, as HockeyApp's and App Center's SDKs for Apple's systems keep them:
///
///     OFFSET  SIZE  FIELD
///          0     7  "plcrash"
///          7     1  version, 1
///          8        a protobuf message; zeros may follow
///
/// Source: `Resources/crash_report.proto` of plcrashreporter.
enum PLCrashReader: DocumentReader {
  static let format = ReportFormat.plCrash
  static let fileExtension = "plcrash"
  static let isBinary = true

  static func recognises(_ bytes: ByteView) -> Bool { bytes.clamped(0..<8).bytes.has("plcrash") }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var reader = ByteReader(bytes.bytes, reading: "PLCrashReporter report")
    try reader.skip(7)
    let version = try reader.read(UInt8.self)
    guard version == 1 else { throw reader.error(.invalid("version \(version) of the format")) }
    guard !reader.isAtEnd else { throw reader.error(.truncated(needed: 1, left: 0)) }
    var parser = PLCrashParser()
    try parser.read(bytes.bytes, from: reader.position)
    return [parser.finished().withScriptStack()]
  }
}
