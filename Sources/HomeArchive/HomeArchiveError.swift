/// Why an archive of a home cannot be read, or not be taken.
public enum HomeArchiveError: Error, Equatable, Sendable {
  /// What is wrong with it.
  case damaged(String)
  /// A version of the format, and the newest that is known.
  case laterVersion(Int, known: Int)
  /// A part of a home cannot take the place of a whole one.
  case notWhole
  /// Something stands where a new home is to be made.
  case homeNotEmpty(String)
  /// Another process is at the same.
  case busy(String)
}

extension HomeArchiveError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .damaged(let what): "damaged archive: \(what)"
    case .laterVersion(let version, let known):
      "an archive of version \(version), made by a newer program; the newest that is known here is"
        + " \(known)"
    case .notWhole: "an export, which is a part of a home: take it with `mayday import`"
    case .homeNotEmpty(let home):
      "\(home): is not empty; --force puts what is there aside, under another name"
    case .busy(let place): "\(place): another process is filling it"
    }
  }
}
