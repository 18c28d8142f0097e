import CrashModel
import Grouping
import Testing

@testable import Rendering

@Suite("The place under a title") struct TitlePlaceTests {
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
    report.signature = Signer(rules: .v2).signature(of: report, app: "shop")
    #expect(report.signature?.text == "shop.StateException | shop.Till.total")
    #expect(report.place == "Till.java:77")
    // Without a line of its own, the next that has one in the same stack.
    report.reason.exception?.inner[0].frames[0].line = nil
    #expect(report.place == "Till.java:5")
  }
}
