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
    let lines: [String]
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

  @Test("Every sample in every wrapping", arguments: Wrapping.all)
  func wrapped(wrapping: Wrapping) throws {
    var wrong: [String] = []
    for sample in Self.samples {
      let bytes = try Samples.bytes(sample)
      let bare = try #require(Self.facts(bytes))
      let wrapped = Self.facts(wrapping.wrap(bytes))
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
