package import CrashModel
package import Database

/// Times stand in rows as microseconds since 1970.
extension Statement {
  package borrowing func timestamp(_ name: StaticString) -> Timestamp {
    Timestamp(microseconds: int(name))
  }

  package borrowing func optionalTimestamp(_ name: StaticString) -> Timestamp? {
    optionalInt(name).map(Timestamp.init(microseconds:))
  }
}
