internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A stack trace of Java, Kotlin, Scala, Clojure or Groovy, or a thread dump of a Java virtual machine.
  static let javaTrace = ReportFormat("java-trace")
}

extension Headline.Kind {
  /// The line of an exception above its first call.
  static let javaTrace = Headline.Kind("Java trace")
  /// `Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):`.
  static let javaThreads = Headline.Kind("Java thread dump")
  /// `{:clojure.main/message`.
  static let clojureReport = Headline.Kind("Clojure report")
}

/// An exception as a Java virtual machine prints it:
///
///     Exception in thread "main" java.lang.IllegalStateException: no boat
///     	at com.example.tern.Desk.charge(Desk.java:12)
///     	at java.base/java.lang.Thread.run(Thread.java:840) ~[?:?]
///     	Suppressed: java.io.IOException: close failed
///     		at com.example.tern.Desk.close(Desk.java:20)
///     		... 1 more
///     Caused by: java.lang.NullPointerException
///     	... 2 more
///
/// `... 2 more` are the oldest calls of the trace around it. A trace is recognised by the source location of
/// its first call, and begins with the line above it that names the exception.
///
/// Source: `Throwable.printStackTrace` of OpenJDK, `ThrowableProxyConverter` of logback.
enum JavaTraceReader: LogReader {
  static let format = ReportFormat.javaTrace
  static let fileExtension = "txt"

  static let headlines =
    locationForms.map { mark in
      HeadlineRule(.javaTrace, mark, role: .lastWords) { text, mark, _ in
        JavaHeader.location(ofTraceWithCallAt: mark, in: text)
      }
    }
    + [
      "Exception: ", "Error: ", "Exception\n\tat ", "Error\n\tat ", "Throwable\n\tat ",
      "Exception\r\n\tat ", "Error\r\n\tat ",
    ].map { (mark: StaticString) in
      // A trace whose first call has no location.
      HeadlineRule(.javaTrace, mark, role: .lastWords) { text, mark, _ in
        guard let end = text.find(10, from: mark) else { return nil }
        let next = text.between(end + 1, end + 1 + FormatLimits.prefixBytes * 2)
        let call = next.upTo(next.find(10) ?? next.byteCount)
        guard
          call.contains("(Native Method)") || call.contains("(Unknown Source")
            || call.contains("(SourceFile)") || call.contains(".java)") || call.contains(".kt)")
        else {
          return nil
        }
        return JavaHeader.location(ofTraceWithCallAt: end + 1, in: text)
      }
    } + [
      HeadlineRule(.clojureReport, "{:clojure.main/message"),
      HeadlineRule(.javaThreads, "):") { text, mark, lines in
        let next = text.byteOrZero(mark + 2)
        guard next == 10 || next == 13 else { return nil }
        let line = max(lines.start(of: mark, in: text), mark - 1024)
        guard let start = text.between(line, mark).find("Full thread dump ") else { return nil }
        return Headline.Location(start: line + start, content: line + start + 17)
      },
    ]

  /// The ends of locations in calls.
  private static let locationForms: [StaticString] = [
    ".java:", ".kt:", ".scala:", ".clj:", ".groovy:", "(SourceFile:", "(Unknown Source:",
    "(Proguard:", "(PG:", "(r8-map-id-",
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    if section.headline.kind == .javaThreads {
      var dump = JavaThreadDump(
        text.between(section.headline.content, section.headline.line.upperBound))
      section.forEachLine(in: text) { dump.take($0) }
      return dump.finished().map { LoggedReport(report: $0) }
    }
    if section.headline.kind == .clojureReport {
      return ClojureReport.report(of: section, in: text).map { LoggedReport(report: $0) }
    }
    let headline = section.headline
    let line = text.between(headline.start, headline.line.upperBound).trimmed
    guard let header = JavaHeader(line) else { return nil }
    var parser = JavaParser(header, in: line)
    parser.readContext(
      before: text.between(max(0, headline.line.lowerBound - 8192), headline.line.lowerBound),
      ownLine: text.between(headline.line.lowerBound, headline.start))
    section.forEachIndentedLine(in: text) { parser.take($0, indentation: $1) }
    return parser.finished().map { LoggedReport(report: $0.withScriptStack()) }
  }
}
