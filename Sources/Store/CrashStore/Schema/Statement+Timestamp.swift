internal import Database
internal import Identifiers

/// Times stand in rows as microseconds since 1970.
extension Statement {
  borrowing func timestamp(_ name: StaticString) throws(DatabaseError) -> Timestamp {
    Timestamp(microseconds: try int(name))
  }

  borrowing func optionalTimestamp(_ name: StaticString) throws(DatabaseError) -> Timestamp? {
    try optionalInt(name).map(Timestamp.init(microseconds:))
  }
}

extension Timestamp {
  /// The start of a day, counted from 1970.
  init(day: Int) { self.init(seconds: Int64(day) * 86_400) }
}
