internal import CrashModel

/// How much is in a log from its start up to a place.
struct LogTally: Sendable {
  var offset = IntakeLog.headLength
  var count = 0
  /// Of bodies.
  var bytes = 0
  /// When the submission at a place came.
  var first: (offset: Int, received: Timestamp)?

  /// Goes on to the end of the log. The last submission may be cut off.
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

  /// Looks when the submission at `offset` came, unless that is known.
  mutating func findFirst(at offset: Int, in file: IntakeLogFile) throws {
    guard first?.offset != offset else { return }
    var end = offset
    _ = try file.read(from: &end, isChecked: false) { entry in
      first = (offset, entry.received)
      return false
    }
  }
}
