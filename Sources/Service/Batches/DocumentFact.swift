public import Bytes

/// The document of a report, where a batch keeps them.
public struct DocumentFact: Hashable, Sendable {
  /// The id of the report.
  public var id: String
  /// The JSON of a ``StoredReport``.
  public var bytes: ByteView

  public init(id: String, bytes: ByteView) {
    self.id = id
    self.bytes = bytes
  }

  public static func == (left: DocumentFact, right: DocumentFact) -> Bool {
    left.id == right.id && left.bytes.array == right.bytes.array
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension DocumentFact: BatchRecord {
  package static let section = BatchSection.documents

  package static func records(of batch: Batch) -> [DocumentFact] { batch.documents }

  package static func append(_ record: DocumentFact, to batch: inout Batch) {
    batch.documents.append(record)
  }

  package static func order(_ left: DocumentFact, _ right: DocumentFact) -> Int {
    TextOrder.compare(left.id, right.id)
  }

  package mutating func join(_ other: DocumentFact) {
    if other.bytes.array.lexicographicallyPrecedes(bytes.array) { self = other }
  }

  package func write(to encoder: inout BatchEncoder) {
    encoder.text(id)
    encoder.data(bytes.array)
  }

  package init(from decoder: inout BatchDecoder) throws(ParseError) {
    id = try decoder.text()
    bytes = ByteView(try decoder.data())
  }
}
