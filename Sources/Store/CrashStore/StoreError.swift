public import Bytes

/// Errors of the store itself; the database's own errors are `DatabaseError`, those of files `FileError`.
public enum StoreError: Error, Equatable, Sendable {
  /// No report, group, submission or debug file of this name.
  case notFound(String)
  /// A name that no app has, and the name of an app that resembles it.
  case unknownApp(String, near: String?)
  /// More than one report's id begins with this prefix; some of the ids.
  case ambiguous(prefix: String, matches: [String])
  /// A stored file has changed: its path, and the problem.
  case damagedBlob(path: String, reason: String)
  /// The database has an impossible value: another program wrote to it, or the disk failed.
  case damaged(String)
  /// A report without a signature cannot be put into a group.
  case unsigned(report: String)
  /// An app name that is empty, too long or not printable.
  case invalidAppName(String)
  /// An app that does not exist, whose name resembles that of another one: it is not created by mistake.
  case resembling(String, other: String)
  /// A name that another app has, or had.
  case nameTaken(String)
  /// A prefix for the ids of groups that is malformed.
  case invalidPrefix(String)
  /// A prefix that another app's group ids use, or used: the app's name.
  case prefixTaken(String, by: String)
  /// An app name that differs from another one only in letter case: the other name.
  case alike(String, other: String)
  /// A cursor that does not belong to this list with this order.
  case wrongCursor(String)
  /// A field whose values are not counted.
  case uncountable(field: String)
  /// A limit of ``AttachmentLimits`` was reached: its name and its value.
  case attachmentLimit(name: String, limit: String, value: Int)
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let name): "\(name): not found"
    case .unknownApp(let name, let near):
      "there is no app named \(name)" + (near.map { "; did you mean '\($0)'?" } ?? "")
    case .ambiguous(let prefix, let matches):
      "\(prefix): several reports begin like this: \(matches.joined(separator: ", "))"
    case .damagedBlob(let path, let reason): "\(path): damaged: \(reason)"
    case .damaged(let what): "the database is damaged: \(what)"
    case .unsigned(let report): "report \(report) has no signature"
    case .invalidAppName(""): "an app needs a name"
    case .invalidAppName(let name): "\(name): not a valid app name"
    case .resembling(let name, let other):
      "there is no app named \(name); did you mean '\(other)'? Add a new app first: mayday apps add"
    case .nameTaken(let name): "\(name): another app has, or had, this name"
    case .invalidPrefix(let prefix):
      "\(prefix): not a prefix for group ids; use up to 16 letters and digits, a letter first: SHOP"
    case .prefixTaken(let prefix, let app):
      "\(prefix): group ids of \(app) use, or used, this prefix; choose another"
    case .alike(let name, let other):
      "\(name): the app \(other) differs only in letter case; use that name"
    case .wrongCursor(let text):
      "'\(text)' is not a cursor of this list; use the one it printed, with the same --sort"
    case .uncountable(let field): "\(field): cannot be counted by"
    case .attachmentLimit(let name, let limit, let value):
      "attachment \(name): limit of \(value) \(limit) reached"
    }
  }
}

extension StoreError {
  /// Returns what `body` reads from stored data; `nil` where the stored bytes are damaged, which trying
  /// again cannot fix.
  ///
  /// - Throws: All other errors, such as a locked database or a full disk, which do not show damage.
  public static func unlessDamaged<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch is ParseError {
      return nil
    } catch StoreError.damagedBlob {
      return nil
    }
  }
}

extension StoreError: UserFacingError {
  public var failureKind: FailureKind {
    switch self {
    case .notFound, .unknownApp, .resembling: .notFound
    case .wrongCursor, .invalidAppName, .invalidPrefix, .alike: .wrongUsage
    default: .failed
    }
  }
}
