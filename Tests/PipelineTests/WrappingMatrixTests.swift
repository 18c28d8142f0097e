import Bytes
import CrashModel
import Pipeline
import ReportFormats
import TestSupport
import Testing

/// Every sample of text as people have it: behind the prefixes of loggers and containers, in JSON, in mails, quoted,
/// in Markdown and on web pages. What is read is what the bare sample says.
@Suite("Samples in what wraps them") struct WrappingMatrixTests {
  /// What of a report does not depend on where it was printed.
  private struct Facts: Equatable, CustomStringConvertible {
    private(set) var lines: [String]
    var description: String { lines.joined(separator: " / ") }

    init(_ report: CrashReport) throws {
      let processed = try Samples.standardProcessor.process(report)
      var lines = ["\(report.format) \(report.kind)"]
      lines.append("type \(report.reason.type ?? "-") signal \(report.reason.signal ?? "-")")
      lines.append("message \(report.reason.message ?? "-")")
      var exception = report.reason.exception
      var depth = 0
      while let level = exception, depth < 8 {
        lines.append("exception \(level.type ?? "-"): \(level.message ?? "-")")
        lines += level.frames.prefix(8).map { Self.text($0) }
        exception = level.inner.first
        depth += 1
      }
      lines.append("app \(report.app.name ?? "-") \(report.app.version ?? "-")")
      lines.append("process \(report.process.name ?? "-")")
      lines.append("threads \(report.threads.count) crashed \(report.crashedThread ?? -1)")
      if let index = report.crashedThread,
        let thread = report.threads.first(where: { $0.index == index })
      {
        lines.append("thread \(thread.name ?? "-")")
        lines += thread.frames.prefix(24).map { Self.text($0) }
      }
      lines.append("key \(processed.report.signature.map { "\($0.text) \($0.key)" } ?? "-")")
      self.lines = lines
    }

    /// The same without the key, which the name of an app may be part of.
    var withoutKey: Facts {
      var facts = self
      facts.lines.removeAll { $0.hasPrefix("key ") }
      return facts
    }

    /// The same of an app that the logger names.
    func named(_ app: String) -> Facts {
      var facts = self
      if lines.contains("process -"), let index = lines.firstIndex(of: "app - -") {
        facts.lines[index] = "app \(app) -"
      }
      return facts
    }

    private static func text(_ frame: Frame) -> String {
      "\(frame.function ?? "-") \(frame.file ?? "-"):\(frame.line ?? 0) \(frame.address.map { "\($0)" } ?? "-")"
    }
  }

  private static func facts(_ bytes: [UInt8]) -> [Facts]? {
    do {
      return try FormatRegistry.builtIn.reports(in: ByteView(bytes)).map { try Facts($0) }
    } catch {
      return nil
    }
  }

  /// Samples of text: those that are JSON or binary are wrapped as files, and are elsewhere.
  private static let samples = Samples.all.filter { name in
    guard let bytes = try? Samples.bytes(name), !bytes.contains(0), bytes.first != 0x7B,
      !name.hasSuffix(".pb")
    else {
      return false
    }
    return facts(bytes)?.isEmpty == false
  }

  /// Formats whose own lines begin as those of loggers do, which docs/formats.md says.
  private static let argued = ["laravel/", "bsd-kernel/"]

  /// What is still read otherwise, by wrapping and the start of the samples' names.
  private static let open = [
    ("numbers of lines, tab", "apple-crash/raised-exception"),
    ("numbers of lines, tab", "apple-crash/uncaught-exception"),
    ("grep -n", "systemd-coredump/"), ("grep -n", "wasm-runtime/"), ("grep -Hn", "wasm-runtime/"),
    ("a logger's JSON, the stack in a field", "apple-crash/trap-1.0.0-ios"),
  ]

  @Test("Every sample in every wrapping", arguments: Wrapping.all)
  func wrapped(wrapping: Wrapping) throws {
    var wrong: [String] = []
    for sample in Self.samples where !Self.argued.contains(where: sample.hasPrefix) {
      if Self.open.contains(where: { $0.0 == wrapping.name && sample.hasPrefix($0.1) }) { continue }
      let bytes = try Samples.bytes(sample)
      var bare = try #require(Self.facts(bytes))
      if let app = wrapping.app { bare = bare.map { $0.named(app).withoutKey } }
      var wrapped = Self.facts(wrapping.wrap(bytes))
      if wrapping.app != nil { wrapped = wrapped?.map { $0.withoutKey } }
      if wrapped == bare { continue }
      let place = "\(wrapping.name)\t\(sample)"
      guard let wrapped else {
        wrong.append("\(place)\tnot recognised")
        continue
      }
      if wrapped.count != bare.count {
        wrong.append("\(place)\t\(wrapped.count) reports for \(bare.count)")
        continue
      }
      for (one, other) in zip(bare, wrapped) where one != other {
        let differing = zip(one.lines, other.lines).first { $0 != $1 }
        wrong.append(
          "\(place)\t\(differing.map { "\($0.0) -> \($0.1)" } ?? "\(one.lines.count) lines, \(other.lines.count)")"
        )
        break
      }
    }
    #expect(wrong == [])
  }
}
