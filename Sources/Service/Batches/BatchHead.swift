internal import Bytes
internal import JSON

/// How the reports of a batch were processed: batches are only merged if it was in the same way.
public struct BatchHead: Hashable, Sendable {
  /// The program: `mayday 0.1.0`.
  public var engine: String
  /// A digest of the grouping rules.
  public var rules: String
  /// The app that all reports were assigned to; `nil` if each names its own.
  public var app: String?
  /// A digest of the debug files that were given.
  public var symbols: String
  /// The limit on the bytes of a report; `nil` for the usual one.
  public var largestReport: Int?
  /// Whether the documents of all reports are there.
  public var hasDocuments: Bool
  /// The folders and files that were triaged, as they were named, in order.
  public var inputs: [String]
  /// The debug files that could not be used, with the reason, in order.
  public var refusedSymbols: [Refusal]

  public struct Refusal: Hashable, Sendable, Comparable {
    public var path: String
    public var reason: String

    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }

    public static func < (left: Refusal, right: Refusal) -> Bool {
      TextOrder.compare([left.path, left.reason], [right.path, right.reason]) < 0
    }
  }

  public init(
    engine: String, rules: String, app: String?, symbols: String, largestReport: Int?,
    hasDocuments: Bool = false, inputs: [String], refusedSymbols: [Refusal]
  ) {
    self.engine = engine
    self.rules = rules
    self.app = app
    self.symbols = symbols
    self.largestReport = largestReport
    self.hasDocuments = hasDocuments
    self.inputs = TextOrder.set(inputs)
    self.refusedSymbols = Set(refusedSymbols).sorted()
  }

  /// The properties that must be equal in batches that are merged, in words.
  private var conditions: [(name: String, value: String)] {
    [
      ("program", engine), ("grouping rules", rules), ("--app", app ?? "none"),
      ("debug files", symbols), ("--max-report", largestReport.map { String($0) } ?? "none"),
      ("--with-documents", hasDocuments ? "yes" : "no"),
    ]
  }

  /// The first difference that forbids a merge: what differs, and both values.
  public func difference(from other: BatchHead) -> (name: String, own: String, other: String)? {
    for (own, other) in zip(conditions, other.conditions) where own.value != other.value {
      return (own.name, own.value, other.value)
    }
    return nil
  }

  mutating func join(_ other: BatchHead) {
    inputs = TextOrder.set(inputs + other.inputs)
    refusedSymbols = Set(refusedSymbols + other.refusedSymbols).sorted()
  }

  // MARK: As a document

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("engine", engine)
    writer.member("rules", rules)
    writer.member("app", app)
    writer.member("symbols", symbols)
    writer.member("largest_report", largestReport)
    writer.member("documents", hasDocuments)
    writer.member("inputs", inputs)
    writer.key("refused_symbols")
    writer.beginArray()
    for refusal in refusedSymbols {
      writer.beginObject()
      writer.member("file", refusal.path)
      writer.member("reason", refusal.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.takeBytes()
  }

  init(_ bytes: ByteView) throws(ParseError) {
    let parse = try JSONDocument.parse(bytes)
    guard parse.cut == nil, let engine = parse.value["engine"]?.string,
      let rules = parse.value["rules"]?.string, let symbols = parse.value["symbols"]?.string,
      let inputs = parse.value["inputs"]?.array, let refused = parse.value["refused_symbols"]?.array
    else { throw ParseError(.invalid("a wrong document"), in: "batch head", at: 0) }
    self.init(
      engine: engine, rules: rules, app: parse.value["app"]?.string, symbols: symbols,
      largestReport: parse.value["largest_report"]?.integer,
      hasDocuments: parse.value["documents"]?.bool ?? false, inputs: inputs.compactMap(\.string),
      refusedSymbols: refused.compactMap { entry in
        guard let path = entry["file"]?.string, let reason = entry["reason"]?.string else {
          return nil
        }
        return Refusal(path: path, reason: reason)
      })
  }
}
