package import Bytes
public import CrashModel
public import Identifiers

/// One report in one of the files that have it, in a few words.
public struct ReportFact: Hashable, Sendable {
  public var app: String
  public var key: String
  public var id: String
  /// The file it came in, as ``FileFact`` has it.
  public var path: String
  public var occurrence: Int
  /// Its index among the reports of the file, or of the part of a long log.
  public var position: Int
  public var format: ReportFormat
  public var time: Timestamp?
  /// The version and build of the app; empty if the report names none.
  public var version: String
  public var os: OperatingSystem
  /// The text of its signature.
  public var title: String
  public var install: String?
  /// Its images without a debug file, by their indices in the batch, in ascending order.
  public var images: [Int]

  public init(
    app: String, key: String, id: String, path: String, occurrence: Int, position: Int,
    format: ReportFormat, time: Timestamp?, version: String, os: OperatingSystem, title: String,
    install: String?, images: [Int]
  ) {
    self.app = app
    self.key = key
    self.id = id
    self.path = path
    self.occurrence = occurrence
    self.position = position
    self.format = format
    self.time = time
    self.version = version
    self.os = os
    self.title = title
    self.install = install
    self.images = images
  }

  /// The order of the files that they came in, then their order in one.
  public static func orderInFiles(_ left: ReportFact, _ right: ReportFact) -> Int {
    let order = TextOrder.comparePaths(left.path, right.path)
    if order != 0 { return order }
    return left.occurrence == right.occurrence
      ? left.position - right.position : left.occurrence - right.occurrence
  }
}

extension ReportFact: BatchRecord {
  package static let section = BatchSection.reports

  package static func records(of batch: Batch) -> [ReportFact] { batch.reports }

  package static func append(_ record: ReportFact, to batch: inout Batch) {
    batch.reports.append(record)
  }

  package static func order(_ left: ReportFact, _ right: ReportFact) -> Int {
    let order = TextOrder.compare(left.app, right.app)
    if order != 0 { return order }
    let keys = TextOrder.compare(left.key, right.key)
    if keys != 0 { return keys }
    let places = orderInFiles(left, right)
    return places == 0 ? TextOrder.compare(left.id, right.id) : places
  }

  package mutating func join(_ other: ReportFact) {
    if other.encoded.lexicographicallyPrecedes(encoded) { self = other }
  }

  package func write(to encoder: inout BatchEncoder) {
    encoder.text(app)
    encoder.text(key)
    encoder.text(id)
    encoder.text(path)
    encoder.number(occurrence)
    encoder.number(position)
    encoder.text(format.description)
    encoder.time(time)
    encoder.text(version)
    encoder.text(os.name)
    encoder.text(os.version)
    encoder.text(os.build)
    encoder.text(title)
    encoder.text(install)
    encoder.list(images) { $0.number($1) }
  }

  package init(from decoder: inout BatchDecoder) throws(ParseError) {
    app = try decoder.text()
    key = try decoder.text()
    id = try decoder.text()
    path = try decoder.text()
    occurrence = try decoder.number()
    position = try decoder.number()
    format = ReportFormat(try decoder.text())
    time = try decoder.time()
    version = try decoder.text()
    let name = try decoder.optionalText()
    let osVersion = try decoder.optionalText()
    os = OperatingSystem(name: name, version: osVersion, build: try decoder.optionalText())
    title = try decoder.text()
    install = try decoder.optionalText()
    images = []
    for _ in 0..<(try decoder.count()) {
      let image = try decoder.number()
      try decoder.check(images.last.map { $0 < image })
      images.append(image)
    }
  }
}
