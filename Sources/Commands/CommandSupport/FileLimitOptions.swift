package import Arguments
package import CrashService
internal import Glibc
package import Pipeline

/// How much time and memory a command may spend on one file.
package struct FileLimitOptions {
  @Option(
    "--per-file-seconds",
    help: "The most seconds for a file; one that takes longer could not be read.", value: "SECONDS")
  package var seconds: Int?
  @Option(
    "--per-file-memory",
    help: "The most memory for a file; one that takes more could not be read.", value: "SIZE")
  package var memory: ByteSize?

  /// The memory of the program without a file.
  private static let leastMemory = 64 << 20

  package init() {}

  package func validate() throws(UsageError) {
    if let seconds, seconds < 1 { throw UsageError("--per-file-seconds must be 1 or more") }
    if let memory, memory.bytes < Self.leastMemory {
      throw UsageError("--per-file-memory must be 64MiB or more")
    }
  }

  /// A processor that keeps the limits: with any, files are read by other processes.
  ///
  /// - Parameters:
  ///   - processor: What reads files without limits.
  ///   - symbols: The debug files for the other processes.
  ///   - app: The app that all reports are assigned to.
  package func limiting(
    _ processor: ReportProcessor, symbols: SymbolOptions, cache: SymbolCacheOptions, app: String?
  ) -> FileProcessor {
    guard seconds != nil || memory != nil else { return .direct(processor) }
    // A process that reaches its limit would print where it was.
    setenv("SWIFT_BACKTRACE", "enable=no", 1)
    var arguments = [ReadReportsName.name] + symbols.paths.flatMap { ["--symbols", $0] }
    if let place = cache.place { arguments += ["--cache", place] }
    if let app { arguments += ["--app", app] }
    if let memory { arguments += ["--per-file-memory", "\(memory.bytes)B"] }
    return .limited(
      LimitedProcessor(
        arguments: arguments, seconds: seconds.map(Double.init), memory: memory?.bytes))
  }
}

/// The name of the command that reads files for another process.
package enum ReadReportsName {
  package static let name = "read-reports"
}
