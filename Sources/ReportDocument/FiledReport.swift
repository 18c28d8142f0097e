public import Bytes
public import CrashModel
internal import JSON

/// A report with what it is called and when it came.
public struct FiledReport: Hashable, Sendable {
  public var id: String
  public var received: Timestamp?
  public var report: CrashReport

  public init(id: String, received: Timestamp? = nil, report: CrashReport) {
    self.id = id
    self.received = received
    self.report = report
  }

  /// Reads a report's document.
  ///
  /// - Throws: ``ParseError`` when `document` is no whole JSON document, or not one of a report, or
  ///   of a later schema.
  public init(document: ByteView) throws(ParseError) {
    let parse = try JSONDocument.parse(document)
    if let cut = parse.cut {
      throw ParseError(.truncated(needed: 1, left: 0), in: Self.structure, at: cut)
    }
    try self.init(parse.value)
  }

  /// Reads a report's document that is part of another one.
  ///
  /// - Throws: ``ParseError`` when `value` is not the document of a report, or of a later schema.
  init(_ value: JSONValue) throws(ParseError) {
    guard let schema = value["schema"]?.integer, let format = value["format"]?.string else {
      throw ParseError(.notRecognised, in: Self.structure, at: 0)
    }
    guard schema == CrashReport.documentSchema else {
      throw ParseError(.unsupported("schema \(schema)"), in: Self.structure, at: 0)
    }
    id = value["id"]?.string ?? ""
    received = value["received"]?.time
    report = CrashReport(value, format: ReportFormat(format))
  }

  private static let structure = "report document"
}
