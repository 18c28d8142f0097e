/// Times and numbers of watching.
public enum WatchLimits {
  /// The most files that are handed over at once.
  public static let batch = 256
  /// The most incomplete files that are tracked; with more, the folders are walked again instead.
  public static let pending = 4096
  /// The most files of one folder of attachments that are read.
  public static let attachments = 256
  /// The depth of folders below a watched one.
  public static let depth = 64
  /// Nanoseconds to wait after a writer has closed a file: some reopen it to write more.
  static let pause: Int64 = 250_000_000
  /// Nanoseconds between walks of all folders: not every file system reports changes.
  static let walk: Int64 = 60_000_000_000
  /// Nanoseconds between walks when the kernel had no watch left for a folder.
  static let blindWalk: Int64 = 5_000_000_000
  /// Nanoseconds between two checks for a missing folder.
  static let absence: Int64 = 500_000_000
}
