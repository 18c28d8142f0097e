internal import CSQLite
internal import Glibc

extension DatabaseError {
  /// The one place where SQLite's result codes become errors.
  ///
  /// - Parameter cause: What the system said, as an `errno`: a file beside the database that cannot be
  ///   made on a full disk is else one that cannot be opened.
  init(_ code: Int32, _ message: String, sql: String?, path: String, cause: Int32 = 0) {
    let noRoom = [ENOSPC, EDQUOT, EFBIG]
    let kind: Kind =
      switch code & 0xff {
      case SQLITE_FULL: .full
      case SQLITE_CANTOPEN where noRoom.contains(cause),
        SQLITE_IOERR where noRoom.contains(cause):
        .full
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_IOERR: .io
      case SQLITE_CONSTRAINT: .constraint
      default: .other
      }
    self.init(kind, code: code, message, sql: sql, path: path)
  }
}
