internal import CrashModel
internal import Database

/// Times stand in rows as microseconds since 1970.
extension Statement {
  borrowing func timestamp(_ name: StaticString) throws(DatabaseError) -> Timestamp {
    Timestamp(microseconds: try int(name))
  }

  borrowing func optionalTimestamp(_ name: StaticString) throws(DatabaseError) -> Timestamp? {
    try optionalInt(name).map(Timestamp.init(microseconds:))
  }
}
