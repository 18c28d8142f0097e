internal import Identifiers

/// Counts of the content of a log, from its start to an offset.
struct LogUsage: Sendable {
  var offset = IntakeLog.headLength
  var count = 0
  /// The bytes of bodies.
  var bytes = 0
  /// The time of receipt of the submission at an offset.
  var first: (offset: Int, received: Timestamp)?

  /// Continues to the end of the log. The last submission may be cut off.
  mutating func count(through file: IntakeLogFile) throws {
    var offset = offset
    _ = try file.read(from: &offset, isChecked: false) { entry in
      guard entry.body.upperBound <= file.count else { return false }
      if first == nil { first = (self.offset, entry.received) }
      count += 1
      bytes = bytes &+ entry.size
      self.offset = entry.body.upperBound
      return true
    }
  }

  /// Continues over records that were just written behind what is counted.
  mutating func count(_ records: [IntakeLogRecord], from start: Int) {
    guard start == offset else { return }
    for record in records {
      if first == nil { first = (offset, record.received) }
      count += 1
      bytes = bytes &+ record.size
      offset += record.count
    }
  }

  /// Looks up when the submission at `offset` was received, unless that is known.
  mutating func findFirst(at offset: Int, in file: IntakeLogFile) throws {
    guard first?.offset != offset else { return }
    var end = offset
    _ = try file.read(from: &end, isChecked: false) { entry in
      first = (offset, entry.received)
      return false
    }
  }
}
