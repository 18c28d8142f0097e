import Bytes
import Glibc
import TestSupport
import Testing

/// The rule of this project: a system call that opens, writes, locks, times or starts something is made only
/// in the module that owns it, so that there is one way to do it.
@Suite("System calls are in the modules that own them")
struct RawCallTests {
  /// Text that indicates a call, and the paths under Sources that may make it.
  private static var rules: [(calls: Regex<Substring>, owners: [String])] {
    [
      (
        /\bO_(?:RDONLY|WRONLY|RDWR|CREAT)\b|\b(?:openat|mkstemp)\(/,
        ["Files/", "ChildProcess/", "Bytes/ByteView+Files"]
      ),
      (/\b(?:fsync|fdatasync|flock|mkdir|mkdirat|renameat)\(|\bGlibc\.rename\(/, ["Files/"]),
      (/\b(?:clock_gettime|gettimeofday)\(|\btime\(nil\)/, ["Files/"]),
      (/\b(?:usleep|nanosleep)\(|\bThread\.sleep\b/, ["Files/"]),
      (/\b(?:posix_spawn\w*|waitpid|waitid|vfork)\(/, ["ChildProcess/"]),
      (/\bsandbox_\w+\(/, ["ChildProcess/"]),
    ]
  }

  /// Every line that a rule matches contains one of them.
  private static let words = [
    "O_RDONLY", "O_WRONLY", "O_RDWR", "O_CREAT", "openat(", "mkstemp(", "fsync(", "fdatasync(",
    "flock(", "mkdir", "renameat(", "Glibc.rename(", "clock_gettime(", "gettimeofday(", "time(nil)",
    "usleep(", "nanosleep(", "Thread.sleep", "posix_spawn", "waitpid(", "waitid(", "vfork(",
    "sandbox_",
  ]

  @Test("No other module makes them")
  func calls() throws {
    let files = try SourceTree.files()
    #expect(files.count > 500)
    var found: [String] = []
    let rules = Self.rules
    for (name, text) in files {
      // Almost no file has one: a plain search is fast, a regular expression is not.
      guard Self.words.contains(where: { strstr(text, $0) != nil }) else { continue }
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { continue }
        for rule in rules where !rule.owners.contains(where: name.hasPrefix) {
          if code.contains(rule.calls) { found.append("\(name):\(number + 1): \(code)") }
        }
      }
    }
    #expect(found == [])
  }

  @Test(
    "The rule sees a call that is written out",
    arguments: [
      "let file = open(path, O_RDONLY | O_CLOEXEC)", "guard fsync(file) == 0 else {",
      "while flock(file, LOCK_EX) != 0 {", "if mkdir(path, 0o700) == 0 {",
      "clock_gettime(CLOCK_REALTIME, &time)", "let now = time(nil)", "usleep(1_000)",
      "let code = posix_spawn(&process, path, nil, nil, words, environ)",
    ])
  func sees(line: String) {
    #expect(Self.rules.contains { line.contains($0.calls) })
    #expect(Self.words.contains { strstr(line, $0) != nil })
  }
}
