/// How much of one of Apple's reports is kept; hitting a limit leaves a note in the report.
enum AppleLimits {
  static let threads = 8192
  /// Of all stacks of a report together.
  static let frames = 250_000
  static let images = 32_768
  /// Of one thread.
  static let registers = 512
  /// In one file.
  static let reports = 1024
  /// Lines of a block of free text.
  static let textLines = 256
  /// Of a kernel panic.
  static let panicFrames = 4096
  /// The kernel's extensions in one.
  static let panicExtensions = 2048
  /// The text of a kernel panic, in bytes.
  static let panicBytes = 4 << 20
  /// The length of a message, in bytes.
  static let messageBytes = 16 << 10
  /// Where a text report may begin after other text, in bytes.
  static let preamble = 64 << 10
}
