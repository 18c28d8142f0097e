public import Bytes
public import CrashModel
public import Identifiers
public import JSON

/// A report with what it is called and when it came.
public struct StoredReport: Hashable, Sendable {
  public var id: String
  public var received: Timestamp?
  /// The group that it was stored in; what is kept of a report does not name it, since it may change.
  public var group: String?
  /// The app that the store has it under, which need not be called as the report says.
  public var app: String?
  public var report: CrashReport
  /// The names of the parts that the reader's role does not see, and that are left out.
  public var withheld: [String] = []

  public init(
    id: String, received: Timestamp? = nil, group: String? = nil, app: String? = nil,
    report: CrashReport
  ) {
    self.app = app
    self.id = id
    self.received = received
    self.group = group
    self.report = report
  }

  /// Reads a report's document.
  ///
  /// - Throws: ``ParseError`` when `document` is not a whole JSON document, or not that of a report, or
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
  public init(_ value: JSONValue) throws(ParseError) {
    guard let schema = value["schema"]?.integer, let format = value["format"]?.string else {
      throw ParseError(.notRecognised, in: Self.structure, at: 0)
    }
    guard schema == CrashReport.documentSchema else {
      throw ParseError(.unsupported("schema \(schema)"), in: Self.structure, at: 0)
    }
    id = value["id"]?.string ?? ""
    received = value["received"]?.time
    group = value["group"]?.string
    app = value["store_app"]?.string
    withheld = value["withheld"]?.array?.compactMap(\.string) ?? []
    report = CrashReport(value, format: ReportFormat(format))
  }

  /// Writes the report's document as the next value.
  public func write(to writer: inout JSONWriter) {
    report.write(
      to: &writer, id: id, received: received, group: group, app: app, withheld: withheld)
  }

  private static let structure = "report document"
}
