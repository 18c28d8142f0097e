package import Archives
internal import Bytes
package import CrashInput
package import CrashService
package import CrashStore
internal import Files
internal import Glibc
internal import HomeArchive
internal import Query
internal import ReferenceReader
internal import ServerStore
internal import Updates

/// The message and kind of an error thrown below the commands.
package enum FailureText {
  /// - Parameter namesCommands: Whether the message may name a command that shows more.
  package static func describe(
    _ error: any Error, namesCommands: Bool = true
  ) -> (message: String, kind: ServiceError.Kind) {
    switch error {
    case let error as QueryError:
      (error.lines().map(\.printable).joined(separator: "\n"), .wrongUsage)
    case let error as ServiceError: (error.message, error.kind)
    case let error as UnknownID: describe(unknown: error, namesCommands)
    case let error as FileError: (error.description.printable, kind(forSystemError: error.code))
    case let error as InputError: (error.description.printable, kind(for: error))
    case let error as ArchiveError: (error.description.printable, kind(for: .archive(error)))
    case ArchiveWriteError.exists(let path):
      ("\(path.printable): already exists; --force overwrites it", .failed)
    case let error as ArchiveWriteError: (error.description.printable, kind(for: error))
    case let error as StoreError: (error.description.printable, kind(for: error))
    case let error as ActionError: (error.description.printable, kind(for: error))
    case let error as DistributionError: (error.description.printable, kind(for: error))
    case let error as RemoteConfigurationError: (error.description.printable, .wrongUsage)
    case let error as RemoteConfigurationAbsence: (error.description.printable, kind(for: error))
    case let error as HomeArchiveError: (error.description.printable, .failed)
    case let error as LoadError: ("damaged archive: " + error.description.printable, .failed)
    case ReferenceReaderError.file(let error):
      (error.description.printable, kind(forSystemError: error.code))
    case let error as ReferenceReaderError: (error.description.printable, .failed)
    case let error as ParseError: (error.description.printable, .failed)
    default:
      // For example a database on a read-only disk.
      ("\(error)".printable, StorageCause(of: error) == .readOnly ? .notAllowed : .failed)
    }
  }

  private static func describe(
    unknown error: UnknownID, _ namesCommands: Bool
  ) -> (message: String, kind: ServiceError.Kind) {
    switch error.cause {
    case .notFound(let near):
      (NearMatchText.notFound(error.id, near, namesCommands: namesCommands), .notFound)
    case .ambiguous(let reports): (NearMatchText.ambiguous(error.id, reports), .failed)
    }
  }

  /// - Parameter number: An `errno`.
  package static func kind(forSystemError number: Int32) -> ServiceError.Kind {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .notAllowed
    default: .failed
    }
  }

  package static func kind(for error: InputError) -> ServiceError.Kind {
    switch error {
    case .file(let error): kind(forSystemError: error.code)
    case .archive(let error):
      if case .file(let error) = error.kind { kind(forSystemError: error.code) } else { .failed }
    case .tooLarge, .special, .debugFile, .limit: .failed
    }
  }

  package static func kind(for error: ArchiveWriteError) -> ServiceError.Kind {
    if case .file(let error) = error { kind(forSystemError: error.code) } else { .failed }
  }

  package static func kind(for error: StoreError) -> ServiceError.Kind {
    switch error {
    case .notFound: .notFound
    case .wrongCursor, .invalidAppName, .invalidPrefix, .alike: .wrongUsage
    default: .failed
    }
  }

  package static func kind(for error: DistributionError) -> ServiceError.Kind {
    switch error {
    case .noSuchArtefact, .noSuchGroup, .noSuchTester: .notFound
    case .noVersion, .unknownKind, .emptyFile, .invalidEmail, .invalidName, .tooLong, .wrongPercent,
      .unknownSetting:
      .wrongUsage
    case .otherRelease, .groupExists, .cannotRemove, .noInvitation: .failed
    }
  }

  private static func kind(for error: RemoteConfigurationAbsence) -> ServiceError.Kind {
    switch error.cause {
    case .nothing, .number: .notFound
    case .noFormer, .isServed: .failed
    }
  }

  package static func kind(for error: ActionError) -> ServiceError.Kind {
    switch error {
    case .invalidName, .tooLong, .emptyNote, .sameGroup, .otherApp, .ambiguousKey, .emptyRule,
      .ruleOfGroup:
      .wrongUsage
    case .noSuchLine, .noSuchKey, .noSuchRelease, .nothingToUndo: .notFound
    default: .failed
    }
  }
}
