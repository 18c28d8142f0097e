public import Bytes
public import CrashModel
public import Identifiers

/// The reports of one app with one grouping key.
public struct ClassFact: Sendable {
  public var app: String
  public var key: String
  /// Other keys by which reports could be read exactly, and those that are only possibly right. In order.
  public var readings: [String]
  public var weakReadings: [String]
  /// The builds that have the key, in order.
  public var builds: [Release]
  public var title: Title
  public var exemplar: Exemplar
  public var reason: Reason
  /// The stacks of an assertion's statement, in order.
  public var statements: [Statement]

  /// The best text for the key.
  public struct Title: Hashable, Sendable {
    public var text: String
    public var rules: String
    public var isProvisional: Bool

    public init(_ signature: Signature) {
      text = signature.text
      rules = signature.rules
      isProvisional = signature.isProvisional
    }

    /// Whether it is better: final rather than provisional, then as ``Signature/isTitle(before:)`` decides.
    func precedes(_ other: Title) -> Bool {
      guard isProvisional == other.isProvisional else { return !isProvisional }
      let (own, others) = (text.unicodeScalars.count, other.text.unicodeScalars.count)
      return own == others
        ? TextOrder.compare([text, rules], [other.text, other.rules]) < 0 : own > others
    }
  }

  /// The report that represents others.
  public struct Exemplar: Sendable {
    public var coverage: SymbolCoverage
    public var id: String
    public var kind: ReportKind
    public var category: SignatureCategory
    public var document: Document

    public enum Document: Sendable {
      case report(CrashReport)
      /// The JSON of a ``StoredReport``.
      case bytes(ByteView)
    }

    public init(_ report: CrashReport, category: SignatureCategory, id: String) {
      coverage = SymbolCoverage(of: report)
      self.id = id
      kind = report.kind
      self.category = category
      document = .report(report)
    }

    /// Whether it is better: by the symbols, then by the id, which depends on the report's bytes only.
    public func precedes(_ other: Exemplar) -> Bool {
      guard coverage == other.coverage else { return coverage > other.coverage }
      let order = TextOrder.compare(id, other.id)
      guard order == 0, case .bytes(let own) = document, case .bytes(let others) = other.document
      else { return order < 0 }
      // Machines may call the candidates for a debug file by different paths.
      return own.array.lexicographicallyPrecedes(others.array)
    }
  }

  /// Why the newest report crashed.
  public struct Reason: Hashable, Sendable {
    /// `nil` counts as later than all times.
    public var time: Timestamp?
    public var text: String?

    public init(time: Timestamp?, text: String?) {
      self.time = time
      self.text = text
    }

    /// Whether it is the later one; for equal times, the larger text.
    public func precedes(_ other: Reason) -> Bool {
      guard time != other.time else { return TextOrder.compare(text, other.text) > 0 }
      guard let time else { return true }
      return other.time.map { time > $0 } ?? false
    }
  }

  /// A stack of an assertion's statement.
  public struct Statement: Hashable, Sendable {
    public var functions: String
    /// The stack's digest.
    public var digest: String
    /// The stack's features.
    public var stack: [UInt8]

    public init(functions: String, digest: String, stack: [UInt8]) {
      self.functions = functions
      self.digest = digest
      self.stack = stack
    }

    static func order(_ left: Statement, _ right: Statement) -> Int {
      TextOrder.compare([left.functions, left.digest], [right.functions, right.digest])
    }
  }

  public init(
    app: String, key: String, readings: [String], weakReadings: [String], build: Release,
    title: Title, exemplar: Exemplar, reason: Reason, statement: Statement?
  ) {
    self.app = app
    self.key = key
    self.readings = TextOrder.set(readings)
    self.weakReadings = TextOrder.set(weakReadings)
    builds = [build]
    self.title = title
    self.exemplar = exemplar
    self.reason = reason
    statements = statement.map { [$0] } ?? []
  }
}

extension ClassFact: BatchRecord {
  package static let section = BatchSection.classes

  package static func records(of batch: Batch) -> [ClassFact] { batch.classes }

  package static func append(_ record: ClassFact, to batch: inout Batch) {
    batch.classes.append(record)
  }

  package static func order(_ left: ClassFact, _ right: ClassFact) -> Int {
    let order = TextOrder.compare(left.app, right.app)
    return order == 0 ? TextOrder.compare(left.key, right.key) : order
  }

  public mutating func join(_ other: ClassFact) {
    if !other.readings.allSatisfy(readings.contains) {
      readings = TextOrder.set(readings + other.readings)
    }
    if !other.weakReadings.allSatisfy(weakReadings.contains) {
      weakReadings = TextOrder.set(weakReadings + other.weakReadings)
    }
    if !other.builds.allSatisfy({ build in builds.contains { Self.order($0, build) == 0 } }) {
      builds = Self.set(builds + other.builds, Self.order)
    }
    if other.title.precedes(title) { title = other.title }
    if other.exemplar.precedes(exemplar) { exemplar = other.exemplar }
    if other.reason.precedes(reason) { reason = other.reason }
    if !other.statements.allSatisfy(statements.contains) {
      statements = Self.set(statements + other.statements, Statement.order)
    }
  }

  private static func order(_ left: Release, _ right: Release) -> Int {
    TextOrder.compare([left.version, left.build], [right.version, right.build])
  }

  /// The distinct elements in order.
  private static func set<Element>(
    _ elements: [Element], _ order: (Element, Element) -> Int
  ) -> [Element] {
    let sorted = elements.sorted { order($0, $1) < 0 }
    return sorted.indices.filter { $0 == 0 || order(sorted[$0 - 1], sorted[$0]) != 0 }
      .map { sorted[$0] }
  }

  // MARK: As bytes

  package func write(to encoder: inout BatchEncoder) {
    encoder.text(app)
    encoder.text(key)
    encoder.list(readings) { $0.text($1) }
    encoder.list(weakReadings) { $0.text($1) }
    encoder.list(builds) { encoder, build in
      encoder.text(build.version)
      encoder.text(build.build)
    }
    encoder.text(title.text)
    encoder.text(title.rules)
    encoder.flag(title.isProvisional)
    encoder.number(exemplar.coverage.rawValue)
    encoder.text(exemplar.id)
    encoder.text(exemplar.kind.rawValue)
    encoder.text(exemplar.category.rawValue)
    encoder.data(exemplar.bytes)
    encoder.time(reason.time)
    encoder.text(reason.text)
    encoder.list(statements) { encoder, statement in
      encoder.text(statement.functions)
      encoder.text(statement.digest)
      encoder.data(statement.stack)
    }
  }

  package init(from decoder: inout BatchDecoder) throws(ParseError) {
    app = try decoder.text()
    key = try decoder.text()
    readings = try decoder.texts()
    weakReadings = try decoder.texts()
    builds = []
    for _ in 0..<(try decoder.count()) {
      let version = try decoder.text()
      let build = Release(version: version, build: try decoder.text())
      try decoder.check(builds.last.map { Self.order($0, build) < 0 })
      builds.append(build)
    }
    title = try Title(from: &decoder)
    exemplar = try Exemplar(from: &decoder)
    let time = try decoder.time()
    reason = Reason(time: time, text: try decoder.optionalText())
    statements = []
    for _ in 0..<(try decoder.count()) {
      let functions = try decoder.text()
      let digest = try decoder.text()
      let statement = Statement(
        functions: functions, digest: digest, stack: try decoder.data())
      try decoder.check(statements.last.map { Statement.order($0, statement) < 0 })
      statements.append(statement)
    }
  }
}

extension ClassFact.Title {
  fileprivate init(from decoder: inout BatchDecoder) throws(ParseError) {
    text = try decoder.text()
    rules = try decoder.text()
    isProvisional = try decoder.flag()
  }
}

extension ClassFact.Exemplar {
  fileprivate init(from decoder: inout BatchDecoder) throws(ParseError) {
    guard let coverage = SymbolCoverage(rawValue: try decoder.number()) else {
      throw decoder.error("an unknown coverage")
    }
    self.coverage = coverage
    id = try decoder.text()
    guard let kind = ReportKind(rawValue: try decoder.text()) else {
      throw decoder.error("an unknown kind of report")
    }
    self.kind = kind
    category = try decoder.category()
    document = .bytes(ByteView(try decoder.data()))
  }
}

extension BatchDecoder {
  @_lifetime(self: copy self)
  fileprivate mutating func category() throws(ParseError) -> SignatureCategory {
    guard let category = SignatureCategory(rawValue: try text()) else {
      throw error("an unknown category")
    }
    return category
  }
}
