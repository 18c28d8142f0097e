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
      case .report(let report): return report
      case .bytes(let bytes):
        let parse = try JSONDocument.parse(bytes, limits: Self.limits)
        if let cut = parse.cut {
          throw ParseError(.truncated(needed: 1, left: 0), in: "report document", at: cut)
        }
        return try StoredReport(parse.value).report
      }
    }
  }

  /// Limits that the largest report that can be read stays below: one with millions of frames must not cost a
  /// merge.
  private static let limits = JSONLimits(
    depth: JSONLimits.report.depth, bytes: BatchFormat.mostBlockBytes, nodes: 40_000_000,
    stringBytes: BatchFormat.mostBlockBytes)

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
