internal import Bytes

/// Lines of tools that run a program or show its output: builds, CI services, shells, fuzzers, Markdown. A
/// program's output ends before such a line, though a message may have any number of lines.
enum RunnerLine {
  /// - Parameter line: The line without surrounding blanks.
  static func isOne(_ line: RawSpan) -> Bool {
    guard line.byteCount > 1 else { return false }
    for start in starts where line.has(start) { return true }
    for whole in wholes where line.byteCount == whole.utf8CodeUnitCount && line.has(whole) {
      return true
    }
    return isFence(line) || isOfProcess(line) || isOfMake(line)
  }

  private static let starts: [StaticString] = [
    "##[", "::error", "::warning", "::endgroup", "::group", "##teamcity[", "[Pipeline] ",
    "Error: Process completed with exit code", "Process completed with exit code",
    "Process exited with ", "Process finished with exit code", "script returned exit code",
    "The command '/bin/", "command terminated with ", "Command exited with ",
    "ERROR: Job failed", "Cleaning up project directory", "Uploading artifacts",
    "FATAL: command execution failed", "Build step '", "Finished: FAILURE", "npm ERR!",
    "npm error ", "error Command failed", "ninja: build stopped", "FAILED: ", "*** Error code ",
    "(lldb)", "(gdb)", ">>> ", "</pre>", "</code>", "</details>", "SUMMARY: ", "MS: ",
    "artifact_prefix=", "Test unit written to ", "INFO: ",
  ]

  private static let wholes: [StaticString] = [
    ">>>", "Killed", "Aborted", "Aborted (core dumped)", "Segmentation fault",
    "Segmentation fault (core dumped)", "Trace/breakpoint trap (core dumped)", "$", "\"\"\"",
  ]

  /// Three backticks or tildes, before a language or alone.
  private static func isFence(_ line: RawSpan) -> Bool {
    guard line.has("```") || line.has("~~~") else { return false }
    return !line.contains("^") && line.from(3).find(32) == nil
  }

  /// `==42== ERROR: libFuzzer`
  private static func isOfProcess(_ line: RawSpan) -> Bool {
    guard line.has("==") else { return false }
    var index = 2
    return line.decimal(at: &index) != nil && line.has("==", at: index)
  }

  /// `make: *** [Makefile:12: check] Error 1`, `make[2]: Leaving directory '/src'`
  private static func isOfMake(_ line: RawSpan) -> Bool {
    let rest = line.has("g") ? line.from(1) : line
    return rest.has("make: ") || rest.has("make[") && rest.contains("]: ")
  }
}
