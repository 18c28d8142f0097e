internal import CSQLite
internal import Glibc

/// What SQLite refused, with its words, the SQL and the file.
public struct DatabaseError: Error, Equatable, Sendable {
  /// What a caller may want to tell apart.
  public enum Kind: Sendable {
    /// No room on the disk, or the database reached its own limit.
    case full
    /// The file, its folder or the whole file system cannot be written to.
    case readOnly
    /// The content is damaged, or is no database.
    case corrupt
    /// Another process held the database for longer than we wait.
    case locked
    /// The file cannot be opened.
    case cannotOpen
    /// The disk failed.
    case io
    /// A rule of the schema was broken: a mistake of ours.
    case constraint
    /// Made by a newer program, or by another one.
    case wrongVersion
    case other
  }

  public let kind: Kind
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's words, or ours for ``Kind/wrongVersion``.
  public let message: String
  /// The SQL that was refused; `nil` when the failure came before any.
  public let sql: String?
  /// The path of the database.
  public let path: String

  /// The one place where the library's answers become errors.
  ///
  /// - Parameter cause: What the system said, as an `errno`: a file beside the database that cannot be
  ///   made on a full disk is else one that cannot be opened.
  init(_ code: Int32, _ message: String, sql: String?, path: String, cause: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
    kind =
      switch code & 0xff {
      case SQLITE_FULL: .full
      case SQLITE_CANTOPEN where Self.noRoom.contains(cause),
        SQLITE_IOERR where Self.noRoom.contains(cause):
        .full
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_IOERR: .io
      case SQLITE_CONSTRAINT: .constraint
      default: .other
      }
  }

  private static let noRoom = [ENOSPC, EDQUOT, EFBIG]

  /// A row or a value that must be there is not.
  init(missingIn sql: String, path: String) {
    code = SQLITE_CORRUPT
    kind = .corrupt
    message = "a value that must be there is missing"
    self.sql = sql
    self.path = path
  }

  /// A database that this program does not read.
  init(wrongVersion message: String, path: String) {
    code = SQLITE_MISMATCH
    kind = .wrongVersion
    self.message = message
    sql = nil
    self.path = path
  }
}

extension DatabaseError: CustomStringConvertible {
  public var description: String {
    let meaning: String? =
      switch kind {
      case .full: "no room left"
      case .readOnly: "cannot be written to"
      case .corrupt: "damaged, or no database"
      case .locked: "in use by another process"
      case .cannotOpen: "cannot be opened"
      case .io: "the disk failed"
      case .constraint, .wrongVersion, .other: nil
      }
    var text = "\(path): " + (meaning.map { "\($0) (\(message))" } ?? message)
    if let sql {
      let words = sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      text += ", in: " + (words.count > 100 ? words.prefix(100) + "..." : words)
    }
    return text
  }
}
