import CrashModel
import Grouping
import Testing

@Suite("Failed checks with their location") struct CheckPlaceTests {
  private func text(_ message: String, _ functions: [String?]) -> String? {
    var report = CrashReport(format: ReportFormat("native-log"))
    report.reason.type = "Check failed"
    report.reason.message = message
    report.tags[.checkLocation] = "src/Drawer.cc:57"
    report.crashedThread = 0
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: functions.map {
          Frame(
            position: .returnAddress, function: $0, file: $0 == nil ? "src/Drawer.cc" : nil,
            line: 57)
        })
    ]
    return Signer(rules: .v1).signature(of: report, app: "tern").text
  }

  @Test("The file and the condition are in the text, and not the compared values")
  func values() {
    let one = text(
      "coins > 0 (-1 vs. 0)", ["logging::LogMessage::~LogMessage()", "Drawer::open(int)"])
    #expect(one == "assert | drawer.cc: coins > <num> | Drawer::open")
    #expect(one == text("coins > 0 (-7 vs. 0) so", ["Drawer::open(int)"]))
  }

  @Test("Without a stack the location is named once")
  func place() {
    #expect(text("coins > 0 (\"a\" vs. \"b\")", [nil]) == "assert | coins > <num> | drawer.cc")
  }
}
