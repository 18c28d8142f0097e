internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// Exceptions of Dart and Flutter.
  static let dart = ReportFormat("dart")
}

extension Headline.Kind {
  /// `Unhandled exception:` of Dart, `Unhandled Exception: ` of Flutter.
  fileprivate static let dartUnhandled = Headline.Kind("Dart unhandled exception")
  /// The first line of a stack.
  fileprivate static let dartStack = Headline.Kind("Dart stack")
  /// `isolate_dso_base: 752602b000, vm_dso_base: 752602b000` of a program without symbols.
  fileprivate static let dartBase = Headline.Kind("Dart snapshot")
}

/// Exceptions of Dart and Flutter, with names or as offsets into a program compiled ahead of time.
///
///     [ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: FormatException: no price
///     #0      Basket.total (package:tern/till.dart:4:39)
///     <asynchronous suspension>
///     #1      main.<anonymous closure> (file:///src/main.dart:9)
///
///     *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
///     pid: 9437, tid: 10069, name 1.ui
///     os: android arch: arm64 comp: yes sim: no
///     build_id: 'bca64abfdfcc84d231bb8f1ccdbfbd8d'
///     isolate_dso_base: 752602b000, vm_dso_base: 752602b000
///     isolate_instructions: 7526344980, vm_instructions: 752633f000
///         #00 abs 00000075266c2fbf virt 0000000000697fbf _kDartIsolateSnapshotInstructions+0x37e63f
///
/// Source: the Dart SDK's runtime/vm/stack_trace.cc and pkg/native_stack_traces.
enum DartReader: LogReader {
  static let format = ReportFormat.dart
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.dartUnhandled, "Unhandled exception:", locate: unhandled),
    HeadlineRule(.dartUnhandled, "Unhandled Exception:", locate: unhandled),
    HeadlineRule(.dartBase, "isolate_dso_base: "),
    HeadlineRule(.dartStack, "(package:", locate: firstFrame),
    HeadlineRule(.dartStack, "(dart:", locate: firstFrame),
    HeadlineRule(.dartStack, "(file:", locate: firstFrame),
    HeadlineRule(.dartStack, "_kDart", locate: firstFrame),
  ]

  private static let unhandled: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard let end = text.find(10, from: mark) else { return nil }
    var cursor = LineCursor(end + 1..<min(text.byteCount, end + 1 + FormatLimits.preludeBytes))
    for _ in 0..<40 {
      guard let range = cursor.next(in: text) else { return nil }
      var line = text.part(range).trimmed
      if let hash = line.find("#0") { line = line.from(hash) }
      guard DartLine(line) != nil || line.contains("isolate_dso_base: ") else { continue }
      let before = text.part(start..<mark)
      let flutter = before.findLast("[ERROR:")
      return Headline.Location(start: flutter.map { start + $0 } ?? mark, content: mark + 20)
    }
    return nil
  }

  /// The first line of a stack: `#0` or, in some SDKs, any number after another line.
  private static let firstFrame: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - start < FormatLimits.nameBytes else { return nil }
    let line = text.part(start..<end)
    guard let hash = line.find("#"), let frame = DartLine(line.from(hash).trimmed),
      frame.number == 0
    else {
      return nil
    }
    let begin = line.upTo(hash).ends(with: "at . ") ? hash - 5 : hash
    return Headline.Location(start: start + begin, content: start + begin)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var parser = DartParser()
    let headline = section.headline
    var lines = TraceLines(of: section, in: text)
    guard let first = lines.next(in: text) else { return nil }
    switch headline.kind {
    case .dartUnhandled:
      let words = text.part(headline.content..<headline.line.upperBound).trimmed
      if words.byteCount > 0 { parser.addMessage(words) }
    default:
      parser.readBefore(section, in: text)
      _ = parser.read(text.part(first).trimmed)
    }
    var end = lines.position
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { break }
      let line = text.part(range).trimmed
      guard parser.read(line) else { break }
      lines = ahead
      if line.byteCount > 0 { end = lines.position }
    }
    guard let report = parser.finished() else { return nil }
    return LoggedReport(report: report, end: end)
  }
}
