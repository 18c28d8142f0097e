/// A failure reported by a database, with its message, the SQL and the file.
public struct DatabaseError: Error, Equatable, Sendable {
  /// The kinds of failure that callers distinguish.
  public enum Kind: Sendable {
    /// No room on the disk, or the database reached its own limit.
    case full
    /// The file, its folder or the whole file system cannot be written to.
    case readOnly
    /// The content is damaged, or is not a database.
    case corrupt
    /// Another process held the lock for longer than the timeout.
    case locked
    /// The file cannot be opened.
    case cannotOpen
    /// The disk failed.
    case io
    /// A constraint of the schema was violated: a bug.
    case constraint
    /// Created by a newer program, or by another one.
    case wrongVersion
    case other
  }

  public let kind: Kind
  /// The driver's code, such as SQLite's extended result code; 0 where the error is not the driver's.
  public let code: Int32
  /// The database's message, or Mayday's own.
  public let message: String
  /// The rejected SQL; `nil` when the failure came before any.
  public let sql: String?
  /// The path of the database.
  public let path: String

  /// The driver's initialiser maps its codes to kinds.
  init(_ kind: Kind, code: Int32, _ message: String, sql: String?, path: String) {
    self.kind = kind
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
  }

  /// A required row or value is missing.
  init(missingIn sql: String, path: String) {
    code = 0
    kind = .corrupt
    message = "a value that must be there is missing"
    self.sql = sql
    self.path = path
  }

  /// A column name that the program reads and the statement does not have.
  init(missingColumn name: String, sql: String, path: String) {
    code = 0
    kind = .other
    message = "the statement has no column \"\(name)\""
    self.sql = sql
    self.path = path
  }

  /// A database that this program cannot read.
  init(wrongVersion message: String, path: String) {
    code = 0
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
