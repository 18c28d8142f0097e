/// Limits of the readers of text reports. Reaching a limit is a note in the report, or an
/// error that names it.
enum FormatLimits {
  /// How far into a file reports are looked for that may follow other output, in bytes.
  static let searchedBytes = 256 << 20
  /// Reports out of one file.
  static let reports = 10_000
  /// Frames of one stack. A stack printed without a limit may name hundreds of thousands.
  static let framesPerStack = 16_384
  /// Stacks of one report: threads, and stacks outside the threads.
  static let stacks = 4_096
  /// Images of one report.
  static let images = 16_384
  /// Registers of one thread.
  static let registers = 256
  /// Bytes that are looked at of one line.
  static let lineBytes = 1 << 20
  /// Bytes that are kept of one name, path or message.
  static let nameBytes = 16 << 10
  /// Bytes of a logger's prefix before each line.
  static let prefixBytes = 256
  /// Different logger prefixes that are kept apart in one file.
  static let prefixes = 16
  /// Lines before a report that may belong to it.
  static let preludes = 4
  /// Bytes before a report in which the message that belongs to it is looked for.
  static let preludeBytes = 16 << 10
  /// Bytes between two lines of which the second continues the report of the first.
  static let followUpBytes = 64 << 10
  /// Bytes before a sanitizer's report in which the program's final message is looked for: Go
  /// prints the stacks of all goroutines between the two.
  static let finalMessageBytes = 256 << 10
  /// Exceptions of which each caused the next.
  static let causes = 32
  /// Bytes of the start of a file by which a format that is not read here is named.
  static let guessedBytes = 64 << 10
}
