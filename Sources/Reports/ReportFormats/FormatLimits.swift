/// Limits of the readers of text reports. Reaching a limit adds a note to the report, or is an error that
/// names it.
enum FormatLimits {
  /// Bytes of a file that are searched for reports after other output.
  static let searchedBytes = 256 << 20
  /// Reports from one file.
  static let reports = 10_000
  /// Frames of one stack. A stack printed without a limit may name hundreds of thousands.
  static let framesPerStack = 16_384
  /// Stacks of one report: threads, and stacks outside the threads.
  static let stacks = 4_096
  /// Images of one report.
  static let images = 16_384
  /// Registers of one thread.
  static let registers = 256
  /// Bytes of one line that are read.
  static let lineBytes = 1 << 20
  /// Bytes of one name, path or message that are kept.
  static let nameBytes = 16 << 10
  /// Bytes of a logger's prefix before each line.
  static let prefixBytes = 256
  /// Different logger prefixes that are tracked in one file.
  static let prefixes = 16
  /// Lines before a report that may belong to it.
  static let preludes = 4
  /// Bytes before a report in which the message that belongs to it is looked for.
  static let preludeBytes = 16 << 10
  /// Bytes between two lines if the second continues the report of the first.
  static let followUpBytes = 64 << 10
  /// Bytes before a sanitizer's report in which the program's final message is looked for: Go
  /// prints the stacks of all goroutines between the two.
  static let finalMessageBytes = 256 << 10
  /// Exceptions in a chain of causes.
  static let causes = 32
  /// Bytes of the start of a file by which an unsupported format is named.
  static let guessedBytes = 64 << 10
}
