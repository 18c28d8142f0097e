import CrashModel
import Grouping
import Testing

@Suite("Panics")
struct PanicTests {
  private func title(_ report: CrashReport) -> String {
    ReportBuilder.signer.signature(of: report, app: "tern").text
  }

  private func report(
    _ format: String, _ type: String, _ message: String, _ frames: [(String?, String)]
  ) -> CrashReport {
    var report = CrashReport(format: ReportFormat(format))
    report.reason.type = type
    report.reason.message = message
    report.reason.exception = LanguageException(
      type: type, message: message,
      frames: frames.map { Frame(position: .adjusted, function: $0.0, file: $0.1, line: 1) })
    return report
  }

  @Test("A program's message is in the title, a runtime's is not")
  func words() {
    let frames: [(String?, String)] = [
      ("main.(*Desk).line", "/app/tern.go"), ("main.main", "/app/tern.go"),
    ]
    #expect(
      title(report("go-panic", "panic", "no boat", frames)) == "panic: no boat | main.(*Desk).line")
    #expect(
      title(
        report("go-panic", "panic", "runtime error: index out of range [7] with length 0", frames))
        == "panic | main.(*Desk).line")
    #expect(
      title(
        report(
          "rust-panic", "panic", "index out of bounds: the len is 0 but the index is 7",
          [("tern::charge", "src/main.rs")])) == "panic | tern::charge")
    // Without a backtrace only the file is known.
    #expect(
      title(
        report(
          "rust-panic", "panic", "called `Option::unwrap()` on a `None` value",
          [(nil, "src/till.rs")]))
        == "panic | till.rs")
  }

  @Test("Go's library, its modules and vendored packages are not the app's")
  func owners() {
    let frames: [(String?, String)] = [
      ("runtime.gopanic", "/usr/local/go/src/runtime/panic.go"),
      ("strings.ToLower", "/usr/local/go/src/strings/strings.go"),
      ("github.com/other/log.Print", "/go/pkg/mod/github.com/other/log@v1.2.3/log.go"),
      ("example.com/tern/vendor/github.com/x/y.Do", "/app/vendor/github.com/x/y/do.go"),
      ("example.com/log.Open", "/app/log.go"),
    ]
    #expect(
      title(report("go-panic", "panic", "runtime error: x", frames)).hasSuffix("| log.Open"))
  }

  @Test("A function of Python has its module, and is the app's outside its library and packages")
  func python() {
    let frames: [(String?, String)] = [
      ("loads", "/usr/lib/python3.11/json/__init__.py"),
      ("_call", "C:\\Python311\\Lib\\site-packages\\requests\\api.py"),
      ("run_path", "<frozen runpy>"), ("abort", "/app/tern/desk.py"),
    ]
    #expect(
      title(report("python-traceback", "ValueError", "no boat", frames)).hasSuffix("| desk.abort"))
  }

  @Test("A race is not a crash in the same function")
  func race() {
    var race = CrashReport(format: ReportFormat("go-panic"), kind: .handled)
    race.reason.type = "DATA RACE"
    race.threads = [
      CrashThread(
        index: 1, crashed: true,
        frames: [Frame(position: .adjusted, function: "main.add", file: "/app/a.go", line: 1)])
    ]
    race.crashedThread = 0
    #expect(title(race) == "data race | main.add")
  }

  @Test("Under a sanitizer, the panic's stack counts if the runtime's own is empty")
  func sanitizer() {
    var crash = report("sanitizer", "panic", "no boat", [("main.main", "/app/a.go")])
    crash.reason.signal = "SIGABRT"
    crash.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [Frame(position: .adjusted, function: "runtime.raise", file: "runtime/sys.s")])
    ]
    crash.crashedThread = 0
    #expect(title(crash) == "panic: no boat | main.main")
    crash.threads[0].frames.append(
      Frame(position: .adjusted, function: "tern::row", file: "/app/row.rs"))
    #expect(title(crash) == "tern::row")
  }
}
