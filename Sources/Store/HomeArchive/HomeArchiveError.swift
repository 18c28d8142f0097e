public import Bytes

/// The reason why an archive of a home cannot be read or is refused.
public enum HomeArchiveError: Error, Equatable, Sendable {
  /// The problem with it.
  case damaged(String)
  /// A version of the format, and the newest that is known.
  case laterVersion(Int, known: Int)
  /// A partial export cannot replace a whole home.
  case notWhole
  /// The path of the new home is not empty.
  case homeNotEmpty(String)
  /// Another process is doing the same.
  case busy(String)
}

extension HomeArchiveError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .damaged(let what): "damaged archive: \(what)"
    case .laterVersion(let version, let known):
      "made by a newer version of the program: archive version \(version); this version of Mayday"
        + " reads up to \(known)"
    case .notWhole: "this is an export, not a backup; use `mayday import`"
    case .homeNotEmpty(let home):
      "\(home): not empty; --force moves it to another name"
    case .busy(let path): "\(path): another process is writing to it"
    }
  }
}

extension HomeArchiveError: UserFacingError {}
