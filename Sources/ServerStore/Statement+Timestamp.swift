internal import CrashModel
internal import Database

/// Times stand in rows as microseconds since 1970.
extension Statement {
  borrowing func timestamp(_ name: StaticString) -> Timestamp { Timestamp(microseconds: int(name)) }

  borrowing func optionalTimestamp(_ name: StaticString) -> Timestamp? {
    optionalInt(name).map(Timestamp.init(microseconds:))
  }
}
