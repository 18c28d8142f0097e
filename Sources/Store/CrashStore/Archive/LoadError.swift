public import Bytes

/// Reasons why the contents of an archive are rejected.
public enum LoadError: Error, Equatable, Sendable {
  /// A table that this version of the program does not know.
  case unknownTable(String)
  /// A version of the schema that this program does not know, and the newest that it does.
  case unknownSchema(Int, newest: Int)
  /// A row that is invalid in its table: its number, counted from 1, and what is wrong.
  case row(table: String, number: Int, reason: String)
  /// A content that does not match the digest in its name.
  case content(String)
  /// A content that came before.
  case repeated(String)
  /// A content that a row names, and that is missing.
  case missingContent(String)
  /// Rows that are valid by themselves, but inconsistent with each other: what is wrong.
  case inconsistent(String)
}

extension LoadError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownTable(let name): "unknown table '\(name)'"
    case .unknownSchema(let version, let newest):
      "its schema version is \(version); this version of Mayday reads up to \(newest)"
    case .row(let table, let number, let reason): "table \(table), row \(number): \(reason)"
    case .content(let digest): "content \(digest) is damaged: its SHA-256 differs"
    case .repeated(let digest): "content \(digest) is repeated"
    case .missingContent(let digest): "content \(digest) is missing"
    case .inconsistent(let what): what
    }
  }
}

extension LoadError: UserFacingError {
  public var userLines: [String] { ["damaged archive: " + description] }
}
