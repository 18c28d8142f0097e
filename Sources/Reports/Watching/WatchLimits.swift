/// Times and numbers of watching.
public enum WatchLimits {
  /// Files that are handed over at once.
  public static let batch = 256
  /// Files that are known to be incomplete and looked at again; with more, the folders are walked
  /// again instead.
  public static let pending = 4096
  /// Files of one folder of attachments that are looked at.
  public static let attachments = 256
  /// How deep folders may lie in a watched one.
  public static let depth = 64
  /// Nanoseconds of quiet after a writer has closed a file: some write in several turns.
  static let pause: Int64 = 250_000_000
  /// Nanoseconds after which all is walked again: not every file system shows what happens in it.
  static let walk: Int64 = 60_000_000_000
  /// The same where the kernel had no watch left for a folder.
  static let blindWalk: Int64 = 5_000_000_000
  /// Nanoseconds between two looks for a folder that is gone.
  static let absence: Int64 = 500_000_000
}
