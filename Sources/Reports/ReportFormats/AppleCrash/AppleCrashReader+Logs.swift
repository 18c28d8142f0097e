internal import Bytes
internal import CrashModel

extension Headline.Kind {
  /// `panic(cpu 1 caller 0xffffff8002928989): …`.
  fileprivate static let applePanic = Headline.Kind("Apple kernel panic")
}

/// Panics of Apple's kernels in the log of a console, after any other output.
extension AppleCrashReader: LogReader {
  /// Lines that the kernel prints after the panic's own, which has no short distinctive mark.
  static let headlines =
    ([
      " : Return Address", "Debugger message: ", "Panicked thread: 0x",
    ] as [StaticString]).map { words in
      HeadlineRule(.applePanic, words) { text, mark, _ in
        let from = max(0, mark - FormatLimits.preludeBytes)
        let before = text.between(from, mark)
        guard let found = before.findLast("panic(cpu "), let end = before.find(10, from: found)
        else {
          return nil
        }
        let start = from + found
        return Headline.Location(start: start, content: start, lineEnd: from + end)
      }
    }

  /// Lines of a panic, mostly a long list of extensions.
  private static let panicLines = 8192

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var words = text.between(headline.content, headline.line.upperBound).name + "\n"
    var lines = 0
    section.forEachLine(in: text) { line in
      words += line.name + "\n"
      lines += 1
      return lines < panicLines
    }
    var report = CrashReport(format: .appleCrash)
    AppleKernelPanic(text: words).apply(to: &report)
    return LoggedReport(report: report)
  }
}
