public import Bytes

/// Why an archive or one of its members could not be read.
public struct ArchiveError: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The file could not be opened or read.
    case file(FileError)
    /// Content that no reader of archives knows.
    case notAnArchive
    /// There is no file in it.
    case empty
    /// The problem, as the library reports it.
    case damaged(String)
    /// The content is encrypted.
    case encrypted
    /// A limit of ``ArchiveLimits`` was reached: its name and its value.
    case limit(String, Int)
    /// The unpacking process could not be started: what failed.
    case cannotStart(String)
    /// The kernel lacks a part of the sandbox that is required: what is in force.
    case incompleteSandbox(String)
    /// The unpacking process ended before it was through: how.
    case unpackerDied(String)
    /// The unpacking process answered with something that it never writes.
    case wrongAnswer(String)
  }

  public let kind: Kind
  /// The archive as it is shown, archives around it included: `logs.zip!inner.tar`.
  public let archive: String

  public init(_ kind: Kind, in archive: String) {
    self.kind = kind
    self.archive = archive
  }
}

extension ArchiveError: CustomStringConvertible {
  /// The problem, without the archive's name.
  public var reason: String {
    switch kind {
    case .file(let error): "cannot \(error.action): \(error.reason)"
    case .notAnArchive: "not a supported archive"
    case .empty: "the archive contains no files"
    case .damaged(let what): "damaged archive: \(what)"
    case .encrypted: "encrypted"
    case .limit(let name, let value): "limit of \(value) \(name) reached"
    case .cannotStart(let what): "the unpacker did not start: \(what)"
    case .incompleteSandbox(let what): "--require-sandbox: the sandbox is incomplete: \(what)"
    case .unpackerDied(let how): "the unpacker \(how)"
    case .wrongAnswer(let what): "the unpacker gave a wrong answer: \(what)"
    }
  }

  public var description: String { "\(archive): \(reason)" }
}

extension ArchiveError: UserFacingError {
  public var failureKind: FailureKind {
    if case .file(let error) = kind { error.failureKind } else { .failed }
  }
}
