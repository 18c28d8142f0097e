import CrashModel
import Identifiers
import Pipeline
import Testing

@testable import MaydayCommands
@testable import Rendering

@Suite("Descriptions of the thread that a report is about")
struct ThreadDeedTests {
  static func report(_ change: (inout CrashReport) -> Void) -> CrashReport {
    var report = CrashReport(format: .appleIPS, kind: .crash)
    report.os.name = "macOS"
    report.device.architecture = .arm64
    report.process.name = "Tern"
    report.threads = [
      CrashThread(
        index: 0, name: "main", crashed: true, registers: [Register("pc", 4096)],
        frames: [Frame(address: Address(4096), position: .exact, function: "tern::wait()")])
    ]
    report.crashedThread = 0
    change(&report)
    return report
  }

  static let reports: [(report: CrashReport, deed: String?)] = [
    (report { $0.kind = .hang }, "hung"),
    (report { $0.kind = .oom }, "ran out of memory"),
    (report { $0.kind = .handled }, "reported the error"),
    (report { $0.kind = .other }, nil),
    (
      report {
        $0.kind = .other
        $0.process.name = "kernel"
      }, "panicked"
    ),
    (report { $0.reason.type = "EXC_RESOURCE" }, nil),
    (report { $0.reason.signal = "SIGKILL" }, nil),
    (
      report {
        $0.format = .sanitizer
        $0.reason.type = "detected memory leaks"
        $0.tags[.sanitizer] = "LeakSanitizer"
      }, nil
    ),
    (
      report {
        $0.format = .sanitizer
        $0.reason.type = "data race"
        $0.tags[.sanitizer] = "ThreadSanitizer"
      }, nil
    ),
    (
      report {
        $0.format = .sanitizer
        $0.reason.type = "signed integer overflow"
        $0.tags[.sanitizer] = "UndefinedBehaviorSanitizer"
      }, nil
    ),
  ]

  private func texts(of report: CrashReport) -> [String] {
    [
      ReportText(isFull: true).lines(for: report, id: "1").joined(separator: "\n"),
      ReportMarkdown.text(for: report, id: "1"), AppleCrashText(report, id: nil).text(),
    ]
  }

  @Test("No text claims that a thread crashed if it did not", arguments: reports.indices)
  func words(index: Int) {
    let (report, deed) = Self.reports[index]
    #expect(report.threadSummary == deed)
    let texts = texts(of: report)
    for text in texts { #expect(!text.lowercased().contains("crashed"), "\(text)") }
    let heading = "main”" + (deed.map { " " + $0 } ?? ", which the report is about")
    #expect(texts[0].contains(heading + ":") && texts[1].contains(heading))
    #expect(texts[2].contains("Triggered by Thread:  0") && texts[2].contains("Thread 0 with "))
  }

  @Test("A crash is called a crash")
  func crash() {
    let texts = texts(of: Self.report { $0.reason.signal = "SIGSEGV" })
    for text in texts { #expect(text.lowercased().contains("crashed"), "\(text)") }
  }
}
