import CrashModel
import Grouping
import Testing

@testable import Rendering

@Suite("The location under a title") struct TitlePlaceTests {
  @Test("It is that of the function in the title, not of what wraps its exception")
  func causes() {
    func frame(_ function: String, _ line: Int) -> Frame {
      Frame(position: .returnAddress, function: function, file: "Till.java", line: line)
    }
    var report = CrashReport(format: ReportFormat("java-trace"))
    let cause = LanguageException(
      type: "shop.StateException",
      frames: [frame("shop.Till.total", 77), frame("shop.Till.run", 5)])
    report.reason.exception = LanguageException(
      type: "shop.WrapperException", frames: [frame("shop.Desk.wrap", 10)], inner: [cause])
    report.signature = Signer(rules: .standard).signature(of: report, app: "shop")
    #expect(report.signature?.text == "shop.StateException | shop.Till.total")
    #expect(report.location == "Till.java:77")
    // Without a line of its own, the next that has one in the same stack.
    report.reason.exception?.inner[0].frames[0].line = nil
    #expect(report.location == "Till.java:5")
  }

  @Test("It is never that of the function that ended the process")
  func ends() {
    func frame(_ function: String, _ file: String?) -> Frame {
      Frame(position: .returnAddress, function: function, file: file, line: file == nil ? nil : 7)
    }
    var report = CrashReport(format: ReportFormat("test"))
    report.reason.signal = "SIGABRT"
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [
          frame("abort", "/build/glibc/stdlib/abort.c"), frame("main", "/src/till.c"),
        ])
    ]
    report.crashedThread = 0
    report.signature = Signer(rules: .standard).signature(of: report, app: "shop")
    #expect(report.signature?.text == "SIGABRT | main")
    #expect(report.location == "/src/till.c:7")
    report.threads[0].frames[1].file = nil
    #expect(report.location == nil)
  }
}
