public import Bytes
internal import Updates

/// Errors about releases, groups and testers, whose descriptions name the item and what to do.
public enum DistributionError: Error, Equatable, Sendable {
  /// The file does not name its version or build, and none was given.
  case noVersion(String)
  /// The file names one release, and the uploader another.
  case otherRelease(String, says: String, given: String)
  case emptyFile(String)
  case unknownKind(String)
  case noSuchArtefact(String, app: String)
  case noSuchGroup(String, app: String)
  case noSuchTester(String, app: String)
  case groupExists(String, app: String)
  /// Every app has this group.
  case cannotRemove(String)
  case invalidEmail(String)
  case invalidName(String)
  /// Longer than the limit, in characters.
  case tooLong(String, limit: Int)
  /// A share that is not from 0 to 100.
  case wrongPercent(Int)
  /// An invitation that is unknown, was withdrawn, or has expired.
  case noInvitation
  case unknownSetting(String)
}

extension DistributionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noVersion(let file):
      "\(file): the file doesn't say its version: give the release, such as 1.5.0 (600): --release of mayday releases add"
    case .otherRelease(let file, let says, let given):
      "\(file): the file says it is \(says), not \(given)"
    case .emptyFile(let file): "\(file): the file is empty"
    case .unknownKind(let file):
      "\(file): not a file that can be released; those end with "
        + ArtefactKind.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
    case .noSuchArtefact(let name, let app): "\(app) has no release file \(name)"
    case .noSuchGroup(let name, let app): "\(app) has no distribution group \(name)"
    case .noSuchTester(let name, let app): "\(app) has no tester \(name)"
    case .groupExists(let name, let app): "\(app) already has a distribution group \(name)"
    case .cannotRemove(let name):
      "\(name): every app has this group; it can be neither renamed nor removed"
    case .invalidEmail(let text): "'\(text)' is not an email address"
    case .invalidName(let text):
      "'\(text)' cannot be a name: it needs letters, and no control characters"
    case .tooLong(let what, let limit): "\(what) is longer than \(limit) characters"
    case .wrongPercent(let percent): "\(percent) is not a share from 0 to 100 %"
    case .noInvitation: "the invitation is unknown, was withdrawn, or has expired"
    case .unknownSetting(let name): "\(name): no such setting"
    }
  }
}

extension DistributionError: UserFacingError {
  public var failureKind: FailureKind {
    switch self {
    case .noSuchArtefact, .noSuchGroup, .noSuchTester: .notFound
    case .noVersion, .unknownKind, .emptyFile, .invalidEmail, .invalidName, .tooLong, .wrongPercent,
      .unknownSetting:
      .wrongUsage
    case .otherRelease, .groupExists, .cannotRemove, .noInvitation: .failed
    }
  }
}
