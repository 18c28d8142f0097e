import Bytes
import CrashModel
import TestSupport
import Testing

@testable import ReportFormats

extension FormatDescription {
  fileprivate static let invented = FormatDescription(
    title: "Invented", family: .engines, symbols: .printed, since: "0.1.0",
    introduction: "No program writes this.", facts: [])
}

/// Logs of an invented engine whose headline has no colon:
///
///     ~~~ boiler burst ~~~
///     at pump.c
private enum BoilerReader: LogReader {
  static let about = FormatDescription.invented
  static let format = ReportFormat("boiler")
  static let fileExtension = "boil"
  static let headlines = [
    HeadlineRule(.burst, "~~~ boiler burst"),
    HeadlineRule(.hiss, "hiss", role: .precedes),
    HeadlineRule(.whistle, "whistle: ", role: .announces(.burst)),
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var report = CrashReport(format: format)
    var frames: [Frame] = []
    section.forEachLine(in: text) { line in
      if line.has("at ") { frames.append(Frame(position: .exact, function: line.from(3).name)) }
      return true
    }
    report.threads = [CrashThread(index: 0, frames: frames)]
    report.notes = section.prelude.map { text.part($0.line).name }
    if section.headline.kind == .whistle { report.reason.type = "whistle" }
    let isWhole = section.headline.line.count > 40
    return LoggedReport(report: report, end: isWhole ? text.byteCount : nil)
  }
}

extension Headline.Kind {
  fileprivate static let burst = Headline.Kind("burst")
  fileprivate static let hiss = Headline.Kind("hiss")
  fileprivate static let whistle = Headline.Kind("whistle")
}

/// A file that begins with a zip's magic and is a report all the same.
private enum BoxReader: DocumentReader {
  static let about = FormatDescription.invented
  static let format = ReportFormat("box")
  static let fileExtension = "box"
  static let isBinary = true

  static func recognises(_ bytes: ByteView) -> Bool {
    bytes.clamped(0..<6).bytes.has("PK\u{3}\u{4}!!")
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    guard bytes.count > 6 else {
      throw ParseError(.truncated(needed: 1, left: 0), in: "box", at: 6)
    }
    return [CrashReport(format: format)]
  }
}

/// A text document that may follow a logger's prefixes.
private enum LetterReader: DocumentReader {
  static let about = FormatDescription.invented
  static let format = ReportFormat("letter")
  static let fileExtension = "letter"
  static let openings: [StaticString] = ["Dear engineer"]

  static func recognises(_ bytes: ByteView) -> Bool { bytes.bytes.has("Dear engineer") }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var report = CrashReport(format: format)
    report.reason.message = bytes.text
    return [report]
  }
}

@Suite("The registry of formats")
struct RegistryShapeTests {
  private static let own = FormatRegistry([
    LetterReader.self, SanitizerReader.self, BoilerReader.self, BoxReader.self,
  ])

  private func reports(_ text: String) throws -> [CrashReport] {
    try Self.own.reports(in: ByteView(text.utf8))
  }

  @Test("Headlines with and without a colon are found in the order of the log")
  func order() throws {
    let burst = "~~~ boiler burst ~~~\nat pump.c\n"
    let race = "a.c:1:2: runtime error: b\n"
    let reports = try reports("x: y\n" + burst + race + "::\n" + burst + burst + race)
    #expect(
      reports.map(\.format.description) == [
        "boiler", "sanitizer", "boiler", "boiler", "sanitizer",
      ])
    #expect(reports[0].threads[0].frames.map(\.function) == ["pump.c"])
  }

  @Test("The last four lines before a report are passed to it, not those before another report")
  func preludes() throws {
    let hiss = (1...6).map { "hiss \($0)\n" }.joined()
    let reports = try reports(
      hiss + "~~~ boiler burst\n" + "hiss 7\na.c:1:2: runtime error: b\n~~~ boiler burst\n")
    #expect(reports.count == 3)
    #expect(reports[0].notes == ["hiss 3", "hiss 4", "hiss 5", "hiss 6"])
    #expect(reports[2].notes.isEmpty)
  }

  @Test("A line that announces a report begins one only if none follows")
  func announced() throws {
    let two = try reports("whistle: now\n~~~ boiler burst\nwhistle: again\nat nothing\n")
    #expect(two.map(\.reason.type) == [nil, "whistle"])
    #expect(two.map(\.notes) == [["whistle: now"], []])
    let apart = "whistle: now\n" + String(repeating: "-", count: 20_000) + "\n~~~ boiler burst\n"
    #expect(try reports(apart).map(\.reason.type) == ["whistle", nil])
  }

  @Test("Lines before the end that a report gives belong to it")
  func end() throws {
    let long = "~~~ boiler burst" + String(repeating: "~", count: 40) + "\n"
    #expect(try reports(long + "~~~ boiler burst\n").count == 1)
  }

  @Test("A binary reader is asked before other kinds of files are refused; its error is the result")
  func binary() throws {
    #expect(try reports("PK\u{3}\u{4}!!x").map(\.format.description) == ["box"])
    let damaged = #expect(throws: ParseError.self) { try reports("PK\u{3}\u{4}!!") }
    #expect(damaged?.refusal == "box: 1 byte needed at 0x6, 0 left")
    let other = #expect(throws: ParseError.self) { try reports("PK\u{3}\u{4}??") }
    #expect(other?.refusal == "a zip archive, not a report by itself")
  }

  @Test("A text document is also found after a mark and after a logger's prefixes")
  func document() throws {
    let letter = "Dear engineer\nit broke\n"
    for text in [letter, "\u{feff}" + letter, "> Dear engineer\n> it broke\n"] {
      #expect(try reports(text).map(\.reason.message) == [letter])
    }
  }

  @Test("Many marks without a colon cost no more than their length", .timeLimit(.minutes(1)))
  func cost() throws {
    let marks = String(repeating: "hiss", count: 200_000)
    #expect(throws: ParseError.self) { try reports(marks) }
    #expect(try reports("~~~ boiler burst\n" + marks + ":").count == 1)
  }

  @Test("Formats have names and file names of their own")
  func names() {
    let formats = FormatRegistry.builtIn.formats.map(\.format)
    #expect(formats.count > 5 && Set(formats).count == formats.count)
    #expect(FormatRegistry.builtIn.fileExtension(of: .appleIPS) == "ips")
    #expect(FormatRegistry.builtIn.fileExtension(of: .sanitizer) == "txt")
    #expect(FormatRegistry.builtIn.fileExtension(of: ReportFormat("unknown")) == "report")
    #expect(Self.own.fileExtension(of: ReportFormat("box")) == "box")
  }

  @Test("Every format has a sample, and every sample belongs to a format")
  func samples() throws {
    var found: Set<ReportFormat> = []
    for sample in Samples.all {
      found.formUnion(try FormatRegistry.builtIn.reports(in: Samples.view(sample)).map(\.format))
    }
    // The document of a report has the format that the report was read from.
    let own = ReportFormat("report-document")
    #expect(found.union([own]) == Set(FormatRegistry.builtIn.formats.map(\.format)))
  }

  @Test("Readers are named only in their own file and in the registry's list")
  func walls() throws {
    let root = try SourceTree.folder(of: "ReportFormats")
    let sources = try FolderListing.files(below: root).filter { $0.hasSuffix(".swift") }
      .map { root + "/" + $0 }
    #expect(sources.count > 50)
    let readers = sources.compactMap { path -> String? in
      let name = path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
      return name.hasSuffix("Reader") && name != "ReportReader" ? name : nil
    }
    #expect(readers.count == FormatRegistry.builtIn.formats.count)
    for path in sources where !path.hasSuffix("/FormatRegistry.swift") {
      let text = try ByteView(reading: path, limit: 1 << 20).text
      let own = path.split(separator: "/").last.map(String.init) ?? ""
      for reader in readers where !own.hasPrefix(reader) {
        #expect(!text.contains(reader), "\(path) names \(reader)")
      }
    }
  }
}
