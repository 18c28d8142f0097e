internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A crash of an app on Trusty, or a panic of its kernel.
  static let trusty = ReportFormat("trusty")
}

extension Headline.Kind {
  /// `Backtrace for thread: trusty_app_9_829bdd97`.
  fileprivate static let trustyBacktrace = Headline.Kind("Trusty backtrace")
}

/// Crashes and panics in the kernel log of Trusty, the system for secure hardware in Android devices:
///
///     panic notifier - trusty version Project: slider, Build: 9445778, Built: 10:17:59 Dec 30 2022
///     data fault writing to 0x10, PC at 0x1b048(0x1b048)
///     fault code 0x7: Translation fault, level 3
///     app: hwbcc
///     …
///     Backtrace for thread: trusty_app_9_829bdd97
///     (app: hwbcc)
///     kSP+0x0df0: 0xffff000000022f5c in trusty_app_exit ld-temp.o:?
///     uSP+0x01d0: 0x000000000001b048 in fe_invert crypto/internal.h:845
///     panic (caller 0xffff000000022f5c): Unclean exit from critical app
///
/// Frames on the kernel's stack come first, those on the app's stack below them. Functions appear after
/// symbolication by a tool. Addresses may be masked as `0x***` for privacy.
///
/// Source: `lib/backtrace/backtrace.c` and `arch/arm64/exceptions.c` of Trusty's LK; the symbolized form is that of
/// Android's fuzzing.
enum TrustyReader: LogReader {
  static let format = ReportFormat.trusty
  static let fileExtension = "txt"
  static let headlines = [HeadlineRule(.trustyBacktrace, "Backtrace for thread: ")]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = TrustyParser(
      thread: text.between(headline.content, headline.line.upperBound).trimmed.name)
    section.forEachLine(in: text) { line in
      parser.readFrameOrEnd(line)
      return !parser.isComplete
    }
    guard parser.hasFrames else { return nil }
    section.forEachLineBefore(in: text) { line in parser.readCause(line) }
    return LoggedReport(report: parser.finished())
  }
}
