/// Limits for one of Apple's reports; reaching one adds a note to the report.
enum AppleLimits {
  static let threads = 8192
  /// Frames of all stacks of a report in total.
  static let frames = 250_000
  static let images = 32_768
  /// Registers of one thread.
  static let registers = 512
  /// Reports in one file.
  static let reports = 1024
  /// Lines of a block of free text.
  static let textLines = 256
  /// Frames of a kernel panic.
  static let panicFrames = 4096
  /// Kernel extensions in a panic.
  static let panicExtensions = 2048
  /// The text of a kernel panic, in bytes.
  static let panicBytes = 4 << 20
  /// The length of a message, in bytes.
  static let messageBytes = 16 << 10
  /// The longest text before a text report, in bytes.
  static let preamble = 64 << 10
}
