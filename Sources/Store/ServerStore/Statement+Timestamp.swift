package import Database
package import Identifiers

/// Times are stored in rows as microseconds since 1970.
extension Statement {
  package borrowing func timestamp(_ name: StaticString) throws(DatabaseError) -> Timestamp {
    Timestamp(microseconds: try int(name))
  }

  package borrowing func optionalTimestamp(_ name: StaticString) throws(DatabaseError) -> Timestamp?
  {
    try optionalInt(name).map(Timestamp.init(microseconds:))
  }
}
