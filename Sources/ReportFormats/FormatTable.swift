public import Bytes
public import CrashModel

public struct FormatTable {
  public static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let text = ReportText(bytes)
    let sections = ReportSections(in: text.bytes.bytes)
    var r: [CrashReport] = []
    for s in sections.sections {
      if let x = SanitizerReader.report(of: s, in: text.bytes.bytes) ?? SwiftBacktraceReader.report(of: s, in: text.bytes.bytes) { r.append(x) }
    }
    return r
  }
}
