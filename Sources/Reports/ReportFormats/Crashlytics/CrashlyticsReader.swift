internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A stack trace saved from Crashlytics.
  static let crashlytics = ReportFormat("crashlytics")
}

extension Headline.Kind {
  /// `# Crashlytics - Stack trace`
  fileprivate static let crashlytics = Headline.Kind("Crashlytics")
}

/// Stack traces that Firebase Crashlytics saves as text, of Apple's systems and of Android:
///
///     # Crashlytics - Stack trace
///     # Application: shop.tern.till
///     # Platform: apple
///     # Version: 5.2 (520)
///     # Date: Wed Apr 16 2025 20:54:21 GMT+0700 (Indochina Time)
///
///     Fatal Exception: NSInternalInconsistencyException
///     Invalid update: …
///     0  CoreFoundation                 0x129708 __exceptionPreprocess
///     4  Tern                           0x55baac DraftList.apply(_:) + 61 (DraftList.swift:61)
///
///     Crashed: com.apple.main-thread
///     0  Tern                           0x55baac Till.pay() + 12 (Till.swift:12)
///
///     Fatal Exception: java.lang.IllegalStateException: no till
///            at shop.tern.Till.pay(Till.kt:88)
///     Caused by java.lang.NullPointerException: …
///
///     Thread #2
///
/// A number after an image is an offset into it. After a name of the app's comes a line, after others an
/// offset.
enum CrashlyticsReader: LogReader {
  static let format = ReportFormat.crashlytics
  static let fileExtension = "txt"
  static let beginsDeaths = true
  static let headlines = [HeadlineRule(.crashlytics, "# Crashlytics - Stack trace")]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var parser = CrashlyticsParser()
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 16, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes)
      if line.trimmed.has("# Crashlytics - ") || parser.isOver { break }
      if parser.read(line) {
        // After an empty line, another report may begin.
        if line.trimmed.byteCount == 0 { continue }
        others = 0
        end = lines.position
      } else {
        others += 1
      }
    }
    return parser.finished().map {
      LoggedReport(report: $0, end: min(end, text.byteCount))
    }
  }
}
