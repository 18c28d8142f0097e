public import Bytes

/// One file that may be a crash report: on disk, out of an archive, or from standard input.
public struct InputFile: Sendable {
  /// Where it is, as a person would say it: `crashes/a.zip!logs/b.ips`. For showing only: bytes
  /// that cannot be shown are escaped.
  public let path: String
  /// The bytes, or why there are none. A file that cannot be read is not the end of the walk.
  public let content: Result<ByteView, InputError>
  /// How many files on disk were met before the one that this is, or is in; of as many as
  /// ``InputWalker/count(_:)`` counts.
  public let ordinal: Int
  /// Its relation to a report that was met before it; `nil` where it has none. Of a member of
  /// an archive the report may come later.
  public let companion: Companion?
  /// Whether it came out of an archive.
  public let isMember: Bool
  /// The archive on disk that it is in; `nil` where it is in none.
  public let archive: Archive?
  /// How much of the file on disk it is.
  public let part: Part

  /// A long log is handed over in parts, one after the other.
  public enum Part: Sendable {
    case whole, first, further
  }

  public struct Archive: Sendable {
    /// Its size, archives inside included.
    public let bytes: Int
    /// How many reports are taken of all that is in it.
    public let mostReports: Int
  }

  public init(
    path: String, content: Result<ByteView, InputError>, ordinal: Int, companion: Companion? = nil,
    isMember: Bool = false, archive: Archive? = nil, part: Part = .whole
  ) {
    self.path = path
    self.content = content
    self.ordinal = ordinal
    self.companion = companion
    self.isMember = isMember
    self.archive = archive
    self.part = part
  }
}

/// The caller's answer after each file.
public enum InputStep: Sendable {
  case next
  /// The rest is not needed.
  case stop
}

/// How much there is to walk, archives counted as the files that they are on disk.
public struct InputCount: Equatable, Sendable {
  public var files = 0
  /// In bytes; what comes through a pipe is not counted.
  public var bytes = 0
}
