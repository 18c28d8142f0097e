internal import Bytes
public import CrashModel
internal import JSON
internal import ReportDocument

extension ClassFact.Exemplar {
  /// The report.
  ///
  /// - Throws: ``ParseError`` if its document is damaged.
  public var report: CrashReport {
    get throws(ParseError) {
      switch document {
      case .report(let report): report
      case .bytes(let bytes): try StoredReport(document: bytes).report
      }
    }
  }

  /// The document as JSON.
  var bytes: [UInt8] {
    switch document {
    case .bytes(let bytes): return bytes.array
    case .report(let report):
      var writer = JSONWriter()
      StoredReport(id: id, report: report).write(to: &writer)
      return writer.takeBytes()
    }
  }
}
