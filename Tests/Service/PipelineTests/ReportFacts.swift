import Bytes
import CrashModel
import Pipeline
import ReportFormats
import TestSupport

/// Facts of a report that do not depend on where it was printed.
struct ReportFacts: Equatable, CustomStringConvertible {
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

  /// The facts without the key, which may include an app's name.
  var withoutKey: ReportFacts {
    var facts = self
    facts.lines.removeAll { $0.hasPrefix("key ") }
    return facts
  }

  /// The facts for an app that the logger names.
  func named(_ app: String) -> ReportFacts {
    var facts = self
    if lines.contains("process -"), let index = lines.firstIndex(of: "app - -") {
      facts.lines[index] = "app \(app) -"
    }
    return facts
  }

  private static func text(_ frame: Frame) -> String {
    "\(frame.function ?? "-") \(frame.file ?? "-"):\(frame.line ?? 0) \(frame.address.map { "\($0)" } ?? "-")"
  }

  /// A description of how `other` differs from `these`.
  static func difference(_ these: [ReportFacts], _ other: [ReportFacts]) -> String {
    let lines = zip(these, other).lazy.flatMap { zip($0.lines, $1.lines) }.first { $0 != $1 }
    let text = lines.map { "\($0.0.prefix(120)) -> \($0.1.prefix(120))" } ?? "other lines"
    return these.count == other.count ? text : "\(other.count) for \(these.count): \(text)"
  }

  /// Facts of the reports in `bytes`; `nil` if there is none.
  static func of(_ bytes: [UInt8]) -> [ReportFacts]? {
    do {
      return try FormatRegistry.builtIn.reports(in: ByteView(bytes)).map { try ReportFacts($0) }
    } catch {
      return nil
    }
  }
}

enum WrappedSamples {
  /// Samples of text: those that are JSON or binary are wrapped as files, and are elsewhere.
  static let all = Samples.all.filter { name in
    guard let bytes = try? Samples.bytes(name), !bytes.contains(0), bytes.first != 0x7B,
      !name.hasSuffix(".pb")
    else {
      return false
    }
    return ReportFacts.of(bytes)?.isEmpty == false
  }
}
