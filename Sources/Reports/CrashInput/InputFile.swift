public import Bytes

/// One file that may be a crash report: on disk, out of an archive, or from standard input.
public struct InputFile: Sendable {
  /// The location for display: `crashes/a.zip!logs/b.ips`. Bytes that cannot be shown are escaped.
  public let path: String
  /// The bytes, or why there are none. An unreadable file does not end the walk.
  public let content: Result<ByteView, InputError>
  /// The number of files on disk found before this one, or before the one that contains it; out of the total
  /// of ``InputWalker/count(_:)``.
  public let ordinal: Int
  /// Its relation to a report found before it; `nil` if it has none. In an archive the report may come later.
  public let companion: Companion?
  /// Whether it came out of an archive.
  public let isMember: Bool
  /// The archive on disk that it is in; `nil` if it is not in an archive.
  public let archive: Archive?
  /// The part of the file on disk that it covers.
  public let coverage: Coverage

  /// A long log is handed over in parts, one after the other.
  public enum Coverage: Sendable {
    case whole, first, further
  }

  public struct Archive: Sendable {
    /// Its size, nested archives included.
    public let bytes: Int
    /// The most reports that are read from it.
    public let mostReports: Int
  }

  public init(
    path: String, content: Result<ByteView, InputError>, ordinal: Int, companion: Companion? = nil,
    isMember: Bool = false, archive: Archive? = nil, coverage: Coverage = .whole
  ) {
    self.path = path
    self.content = content
    self.ordinal = ordinal
    self.companion = companion
    self.isMember = isMember
    self.archive = archive
    self.coverage = coverage
  }
}

/// The caller's answer after each file.
public enum InputStep: Sendable {
  case next
  /// The rest is not needed.
  case stop
}

/// The amount of input to walk; an archive counts as one file.
public struct InputCount: Equatable, Sendable {
  public var files = 0
  /// In bytes; pipes are not counted.
  public var bytes = 0
}
