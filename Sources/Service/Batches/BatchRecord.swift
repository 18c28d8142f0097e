package import Bytes

/// A fact with a key. Facts with one key that come from different batches are joined: the result depends neither on
/// the order nor on how often a fact comes.
package protocol BatchRecord: Sendable {
  static var section: BatchSection { get }

  /// All records of a batch, in order.
  static func records(of batch: Batch) -> [Self]

  /// Adds the next record of a batch.
  static func append(_ record: Self, to batch: inout Batch)

  /// The order of the keys: a number below, equal to or above zero.
  static func order(_ left: Self, _ right: Self) -> Int

  /// Takes over what another record with the same key says.
  mutating func join(_ other: Self)

  func write(to encoder: inout BatchEncoder)
  init(from decoder: inout BatchDecoder) throws(ParseError)
}

extension BatchRecord {
  /// The record's bytes, which decide where nothing else does.
  var encoded: [UInt8] {
    var encoder = BatchEncoder()
    write(to: &encoder)
    return encoder.bytes
  }
}

extension Array where Element: BatchRecord {
  /// The records in the order of their keys; those with one key are joined.
  func inOrder() -> [Element] {
    var records: [Element] = []
    records.reserveCapacity(count)
    for record in sorted(by: { Element.order($0, $1) < 0 }) {
      if let last = records.last, Element.order(last, record) == 0 {
        records[records.count - 1].join(record)
      } else {
        records.append(record)
      }
    }
    return records
  }
}
