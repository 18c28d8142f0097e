import Bytes
import CrashModel
import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import ProgramSupport
@testable import Rendering
@testable import ServerCore
@testable import WebPages

/// Pages of reports that are designed to break them.
@Suite("Hostile reports on pages", .serialized) struct HostileReportPageTests {
  private let folder = ScratchFolder()

  private func pages(of report: CrashReport) throws -> [(path: String, answer: PageVisit.Answer)] {
    let visit = try PageVisit(home: folder.path("home"))
    try visit.signIn("ann", .viewer)
    let id = try StoredReports.add(report, to: visit.context.store)
    let other = try StoredReports.add(StoredReports.report("other"), to: visit.context.store)
    return ["", "?against=\(other)", "/explain", "/explain?against=\(other)"].map {
      ($0, visit.get("/reports/\(id)\($0)"))
    }
  }

  /// A report in which every text is `text`.
  private func report(_ text: String) -> CrashReport {
    var frame = Frame(
      address: Address(.max), position: .exact, image: 0, imageOffset: ImageOffset(.max),
      function: text, symbol: text + "s", file: text, line: .max, inApp: true, trust: .scan)
    frame.registers = [Register(text, .max)]
    let id = DebugID("11111111-1111-1111-1111-111111111111")
    var image = LoadedImage(
      name: text, path: text, architecture: Architecture(text), debugID: id, base: Address(.max),
      size: .max, version: text)
    image.symbols = SymbolStatus(
      .missing, file: text,
      tried: [SymbolCandidate(text, .damaged, architecture: Architecture(text), detail: text)])
    var report = CrashReport(format: ReportFormat("apple-ips"))
    report.incident = text
    report.app = AppIdentity(name: text, identifier: text, version: text, build: text)
    report.time = StoredReports.start
    (report.install, report.user) = (text, text)
    report.os = OperatingSystem(name: text, version: text, build: text)
    report.device = Device(model: text, architecture: Architecture(text))
    report.process = ProcessDetails(name: text, pid: .max, path: text, uptime: .infinity)
    report.reason = CrashReason(
      type: text, signal: text, code: text, message: text,
      exception: LanguageException(
        type: text, message: text, frames: [frame],
        inner: [LanguageException(type: text, message: text, frames: [frame])]),
      fault: Fault(
        summary: text, instruction: text, accesses: [.init(.read, at: Address(1), operand: text)],
        bitFlips: [.init(address: Address(1), register: text, confidence: 1)]))
    var thread = CrashThread(
      index: .max, name: text, crashed: true, registers: [Register(text, 1)], frames: [frame])
    thread.lastError = text
    report.threads = [thread, thread]
    report.crashedThread = 0
    (report.images, report.unloadedImages) = ([image], [image])
    report.otherStacks = [NamedStack(title: text, frames: [frame])]
    report.tags = [
      ReportTag(text): text, .comment: text, .lastWords: text + "\n" + text, .session: text,
    ]
    report.properties = [text: text]
    report.notes = [text]
    report.signature = Signature(
      text: text, key: "hostile", alternativeKeys: [], category: .signal, rules: "v1",
      isProvisional: false, waitsFor: [])
    return report
  }

  @Test("Markup and direction marks are shown as text everywhere")
  func markup() throws {
    let text =
      "x<img src=x onerror=alert(1)>'\"></pre></details><script>alert(2)</script>\u{202e}\u{7}\u{2028}"
    for (path, answer) in try pages(of: report(text)) {
      #expect(answer.status == 200, "\(path)")
      for mark in [
        "<img src=x", "<script>alert", "</details><script", "\u{202e}", "\u{7}", "\u{2028}",
      ] {
        #expect(!answer.text.contains(mark), "\(path)")
      }
      #expect(answer.text.contains("&lt;script&gt;alert(2)&lt;/script&gt;\\u{202e}"), "\(path)")
      #expect(
        answer.text.ranges(of: "<details").count == answer.text.ranges(of: "</details>").count)
    }
  }

  @Test("Words of a megabyte are truncated")
  func words() throws {
    for (path, answer) in try pages(of: report(String(repeating: "w", count: 1 << 20))) {
      #expect(answer.status == 200, "\(path)")
      #expect(answer.text.utf8.count < 400_000, "\(path): \(answer.text.utf8.count)")
    }
  }

  @Test("With ten thousand of everything, some are shown and the rest is counted")
  func many() throws {
    let many = 10_000
    var report = StoredReports.report("many")
    let name = String(repeating: "n", count: 300)
    // The app's and the system's code alternate, so that nothing else is folded.
    report.threads = (0..<many).map { index in
      CrashThread(index: index, name: name, frames: [StoredReports.frame(name, line: index)])
    }
    report.threads[0].frames = (0..<many).map { index in
      StoredReports.frame(
        "\(name)\(index)", image: index / 1_000 % 2, inApp: index / 1_000 % 2 == 0)
    }
    report.threads[0].registers = (0..<many).map { Register("r\($0)", 1) }
    report.threads[1].frames = report.threads[0].frames
    report.images += (0..<many).map { LoadedImage(name: "\(name)\($0)") }
    report.unloadedImages = report.images
    report.otherStacks = (0..<many).map { NamedStack(title: "\(name)\($0)", frames: []) }
    report.reason.message = Array(repeating: name, count: many).joined(separator: "\n")
    report.reason.exception = LanguageException(
      type: "E", message: "e", frames: report.threads[0].frames,
      inner: (0..<many).map { LanguageException(type: "E\($0)", frames: []) })
    report.tags = Dictionary(uniqueKeysWithValues: (0..<many).map { (ReportTag("t\($0)"), name) })
    report.properties = Dictionary(uniqueKeysWithValues: (0..<many).map { ("p\($0)", name) })
    report.notes = (0..<many).map { "\(name)\($0)" }
    for (path, answer) in try pages(of: report) {
      #expect(answer.status == 200, "\(path)")
      #expect(answer.text.utf8.count < 5_000_000, "\(path): \(answer.text.utf8.count)")
      guard path.isEmpty else { continue }
      for text in [
        "more threads", "more frames", "more images", "more stacks", "more lines", "more notes",
        "more registers", "and 9800 more, all of them in the",
      ] { #expect(answer.text.contains(text), "\(text)") }
    }
  }

  @Test("The last of ten thousand breadcrumbs are shown")
  func breadcrumbs() {
    var report = StoredReports.report()
    let start = StoredReports.start.seconds
    report.breadcrumbs = (0..<10_000).map { number in
      Breadcrumb(
        time: Timestamp(seconds: start - 10_000 + Int64(number)), name: "crumb \(number) <b>",
        properties: Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", "v") }))
    }
    let list = ReportTimeline(report, "/reports/1").list.markup
    #expect(list.contains("crumb 9999 &lt;b&gt;") && !list.contains("<b>"))
    #expect(list.contains("and 9800 earlier events, all of them in the"))
    #expect(list.contains("… 8 more"))
    #expect(list.utf8.count < 500_000)
  }
}
