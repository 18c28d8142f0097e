import CrashModel
import CrashService
import Identifiers
import Testing

@testable import Rendering

@Suite("Stacks that repeat one another, and names that came with a report")
struct RepeatedStackTests {
  private func frame(_ function: String, line: Int? = 1, inApp: Bool? = true) -> Frame {
    let file = line.map { _ in "a.swift" }
    var frame = Frame(position: .exact, function: function, file: file, line: line)
    frame.inApp = inApp
    frame.image = 0
    return frame
  }

  /// A report of an exception with a crashed thread.
  private func report(thrown: [Frame], thread: [Frame]) -> CrashReport {
    var report = CrashReport(format: .appleIPS, kind: .crash)
    report.reason.exception = LanguageException(type: "Error", frames: thrown)
    report.threads = [CrashThread(index: 0, frames: thread)]
    report.crashedThread = 0
    return report
  }

  private func repeated(_ thrown: [Frame], _ thread: [Frame]) -> [String?] {
    ReportFragment(report: report(thrown: thrown, thread: thread)).telling.map(\.repeated)
  }

  @Test("A thread whose stack ends with the thrown one is folded, any other is not")
  func repeats() {
    let thrown = [frame("draw"), frame("main", line: 9)]
    #expect(repeated(thrown, thrown) == [nil, "Thrown at"])
    #expect(repeated(thrown, [frame("abort", line: nil)] + thrown) == [nil, "Thrown at"])
    #expect(repeated(thrown, [frame("draw")]) == [nil, nil])
    #expect(repeated(thrown, [frame("draw"), frame("main", line: 8)]) == [nil, nil])
    #expect(repeated(thrown, thrown + [frame("start")]) == [nil, nil])
    #expect(repeated([], thrown) == [nil])
    // The frames that raise the exception are often others than those that end the process.
    let raise = frame("objc_exception_throw", line: nil, inApp: false)
    let abort = frame("abort", line: nil, inApp: false)
    #expect(repeated([raise] + thrown, [abort] + thrown) == [nil, "Thrown at"])
    #expect(repeated([raise], [abort, raise]) == [nil, nil])
    let fragment = ReportFragment(report: report(thrown: thrown, thread: thrown), isDetailed: true)
    let markup = fragment.stacks().markup
    #expect(markup.contains("<summary class=\"quiet\">2 frames, the same calls as “Thrown at”"))
    // The frames are there, and can be linked to.
    #expect(markup.contains("id=\"e0f1\"") && markup.contains("id=\"t0f1\""))
  }

  @Test("Frames without names are the same where their addresses are")
  func addresses() {
    func frame(_ address: UInt64) -> Frame { Frame(address: Address(address), position: .exact) }
    #expect(repeated([frame(16)], [frame(8), frame(16)]) == [nil, "Thrown at"])
    #expect(repeated([frame(16)], [frame(16), frame(8)]) == [nil, nil])
    let unknown = Frame(position: .exact)
    #expect(repeated([unknown], [unknown]) == [nil, nil])
  }

  private func words(_ frames: [Frame], _ verdict: SymbolStatus.Verdict) -> String? {
    var report = report(thrown: [], thread: frames)
    report.images = [LoadedImage(name: "Tern")]
    report.images[0].symbols = SymbolStatus(verdict)
    return ImageSummary(of: report).ownWords
  }

  @Test("An image whose frames the report names lacks no symbols")
  func named() {
    #expect(words([frame("draw")], .missing) == "names came with the report")
    #expect(words([frame("draw")], .found) == "symbols for 1 of 1 own images")
    #expect(words([frame("draw", line: nil)], .missing) == "symbols for 0 of 1 own images")
    #expect(
      words([frame("draw"), frame("x", line: nil)], .missing) == "symbols for 0 of 1 own images")
    #expect(
      words([frame("draw"), frame("x", line: nil, inApp: false)], .missing)
        == "names came with the report")
    #expect(words([frame("draw", inApp: false)], .missing) == nil)
    #expect(words([frame("draw")], .unneeded) == nil)
  }
}
