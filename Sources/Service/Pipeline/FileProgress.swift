internal import Files

/// A file, a member of an archive or a part of a long log that was read.
public struct FileProgress: Sendable {
  public var source: String
  /// The number of files on disk found before it, or before the one that contains it.
  public var ordinal: Int
  /// Whether it is a part of a log after the first.
  public var isContinued: Bool
  public var bytes: Int
  public var reports = 0
  /// The format of its first report.
  public var format: String?
  /// Whether it may have a report but could not be read.
  public var isFailed = false
  public var times = ProcessingTimes()
}

/// The seconds that the steps for a file took on one thread.
public struct ProcessingTimes: Hashable, Sendable {
  public var parsing = 0.0
  public var symbolicating = 0.0
  public var signing = 0.0
  public var all: Double { parsing + symbolicating + signing }

  public init() {}

  /// Runs `body`, and adds the time that it takes to a step.
  mutating func measure<Result>(
    _ step: WritableKeyPath<ProcessingTimes, Double>, _ body: () throws -> Result
  ) rethrows -> Result {
    let start = SteadyClock.seconds
    defer { self[keyPath: step] += SteadyClock.seconds - start }
    return try body()
  }
}
