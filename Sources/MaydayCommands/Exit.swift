import Archives
import CrashInput
import Arguments
import Bytes
import CrashStore
import Glibc
import HomeArchive
import Pipeline
import Query
import ReferenceReader
import ServerStore

/// The one place where an error becomes words and an exit status.
enum Exit {
  /// Says what went wrong, where there is something to say.
  static func report(_ error: any Error) -> ExitCode {
    let (message, code) = describe(error)
    if let message { Console.say("mayday: " + message) }
    return code
  }

  /// The words, printable and without the program's name; `nil` where silence is right.
  static func describe(_ error: any Error) -> (message: String?, code: ExitCode) {
    switch error {
    case is BrokenPipe: (nil, .fine)
    case let error as AlreadyReported: (nil, error.code)
    case let error as UsageError: (describe(error), .wrongUsage)
    case let error as QueryError:
      (error.lines().map(\.printable).joined(separator: "\n"), .wrongUsage)
    case let error as SettingsError: (describe(error), .wrongUsage)
    case let error as CommandFailure: (error.message, error.code)
    case let error as FileError: (error.description.printable, code(forSystemError: error.code))
    case let error as InputError: (error.description.printable, code(for: error))
    case let error as ArchiveError: (error.description.printable, code(for: .archive(error)))
    case ArchiveWriteError.exists(let path):
      ("\(path.printable): already exists; --force overwrites it", .failed)
    case let error as ArchiveWriteError: (error.description.printable, code(for: error))
    case let error as IngestError: (describe(error), .failed)
    case let error as StoreError: (error.description.printable, code(for: error))
    case let error as ActionError: (error.description.printable, code(for: error))
    case let error as HomeArchiveError: (error.description.printable, .failed)
    case let error as LoadError: ("damaged archive: " + error.description.printable, .failed)
    case ReferenceReaderError.file(let error):
      (error.description.printable, code(forSystemError: error.code))
    case let error as ReferenceReaderError: (error.description.printable, .failed)
    case let error as ParseError: (error.description.printable, .failed)
    default:
      // Such as a database on a disk that may not be written to.
      ("\(error)".printable, StorageCause(of: error) == .readOnly ? .notAllowed : .failed)
    }
  }

  /// - Parameter number: An `errno`.
  static func code(forSystemError number: Int32) -> ExitCode {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .notAllowed
    default: .failed
    }
  }

  static func code(for error: InputError) -> ExitCode {
    switch error {
    case .file(let error): code(forSystemError: error.code)
    case .archive(let error):
      if case .file(let error) = error.kind { code(forSystemError: error.code) } else { .failed }
    case .tooLarge, .special, .debugFile: .failed
    }
  }

  static func code(for error: ArchiveWriteError) -> ExitCode {
    if case .file(let error) = error { code(forSystemError: error.code) } else { .failed }
  }

  static func code(for error: StoreError) -> ExitCode {
    switch error {
    case .notFound: .notFound
    case .wrongCursor, .invalidAppName, .invalidPrefix, .alike: .wrongUsage
    default: .failed
    }
  }

  static func code(for error: ActionError) -> ExitCode {
    switch error {
    case .invalidName, .tooLong, .emptyNote, .sameGroup, .otherApp, .ambiguousKey, .emptyRule,
      .ruleOfGroup:
      .wrongUsage
    case .noSuchLine, .noSuchKey, .noSuchRelease, .nothingToUndo: .notFound
    default: .failed
    }
  }

  private static func describe(_ error: IngestError) -> String {
    switch error {
    case .noReportToAttachTo: "there is no report to attach to; nothing was stored"
    case .severalReports(let path):
      "--attach needs a single report, but there is another in \(path.printable); nothing was stored"
    }
  }

  /// Each mistake on a line of its own.
  private static func describe(_ error: SettingsError) -> String {
    let (first, rest) = (error.problems.prefix(1), error.problems.dropFirst())
    return (first.map(\.printable) + rest.map { "mayday: " + $0.printable })
      .joined(separator: "\n")
  }

  private static func describe(_ error: UsageError) -> String {
    var text = error.message.printableLines.joined(separator: "\n")
    if let usage = error.usage { text += "\nUsage: \(usage)" }
    if let help = error.helpCommand { text += "\nMore: \(help)" }
    return text
  }
}
