import Bytes
import CrashModel
import JSON
import Testing
import TriageModel

@testable import Pipeline
@testable import Rendering

@Suite("Triages for CI services")
struct TriageReportTests {
  private let root = SourceRoot("/ci/tern/")

  /// A group whose reports crashed at `file`:12:5.
  private func group(
    _ text: String, key: String = "00", file: String? = "/ci/tern/src/a.c", app: String = "Tern",
    reason: String? = "SIGSEGV", isNew: Bool? = nil
  ) -> TriageGroup {
    var frame = Frame(position: .exact, function: text, file: file)
    frame.line = file == nil ? nil : 12
    frame.column = file == nil ? nil : 5
    frame.inApp = true
    var report = CrashReport(format: .sanitizer)
    report.threads = [CrashThread(index: 0, crashed: true, frames: [frame])]
    report.crashedThread = 0
    let signature = Signature(text: text, key: key, category: .signal, rules: "v1")
    return TriageGroup(
      summary: GroupSummary(
        id: "TERN-1", app: app, signature: signature, reason: reason, kind: .crash, reports: 2,
        exemplar: "r"),
      exemplar: report,
      reports: [
        TriageReport(
          id: "r", source: "crashes/a.txt", format: report.format, version: "", os: report.os,
          signature: text)
      ],
      keys: [key], isNew: isNew)
  }

  private func parsed(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDocument.parse(ByteView(bytes)).value
  }

  @Test(
    "Paths below the root are relative to it",
    arguments: [
      ("/ci/tern/src/a.c", "src/a.c", "src/a.c"), ("/ci/ternary/a.c", "/ci/ternary/a.c", nil),
      ("./src//a.c", "src//a.c", "src//a.c"), ("src\\a b.c", "src/a b.c", "src/a%20b.c"),
      ("C:\\tern\\a.c", "C:/tern/a.c", "file:///C%3A/tern/a.c"),
      ("/x/é:#?.c", "/x/é:#?.c", "file:///x/%C3%A9%3A%23%3F.c"),
      ("javascript:alert(1)", "javascript:alert(1)", "javascript%3Aalert%281%29"),
    ] as [(String, String, String?)])
  func paths(file: String, path: String, uri: String?) {
    #expect(root.path(of: file) == path)
    #expect(root.uri(of: file) == uri ?? "file://" + path)
  }

  @Test("A root of Windows counts with either slash")
  func windows() {
    #expect(SourceRoot("D:\\a\\tern\\").path(of: "D:\\a\\tern\\src\\a.c") == "src/a.c")
    #expect(SourceRoot("").path(of: "/src/a.c") == "/src/a.c")
    #expect(SourceRoot("/").path(of: "/src/a.c") == "/src/a.c")
  }

  @Test("No text of a report ends an annotation or begins another")
  func escapedCommands() throws {
    let name = "f%0A\r\n::error::x, y: z"
    let triage = TriageResult(
      groups: [group(name, file: "/ci/tern/a,b:c\n%.c", reason: "r\n::stop-commands::t")],
      refused: [
        RefusedFile(source: "x\n::error::y", reason: "z\r\n::debug::"),
        RefusedFile(source: "picture.png", reason: "no report", kind: .foreign),
      ],
      missing: [])
    let lines = GitHubAnnotations(triage, root: root).commands
    try #require(lines.count == 2)
    for line in lines { #expect(!line.contains { $0.isNewline }) }
    // What follows `::error ` up to the next `::` are properties, none of which has a colon or a comma.
    let properties = lines[0].dropFirst("::error ".count).prefix { $0 != ":" }
      .split(separator: ",")
    #expect(properties.count == 4)
    #expect(properties.first == "file=a%2Cb%3Ac%0A%25.c")
    #expect(properties[1...2] == ["line=12", "col=5"])
    #expect(properties[3].hasPrefix("title=Crash%3A f%250A"))
    #expect(lines[0].hasSuffix("%0A2 reports") && lines[0].hasPrefix("::error "))
    #expect(lines[1].hasPrefix("::warning title=Unreadable crash file::x"))
  }

  @Test("Known groups are notices, new ones errors; the summary names both")
  func annotations() {
    let triage = TriageResult(
      groups: [group("a|b", isNew: true), group("old", isNew: false)], reports: 4)
    let annotations = GitHubAnnotations(triage, root: root)
    #expect(annotations.commands[0].hasPrefix("::error file=src/a.c,line=12,col=5,title=New crash"))
    #expect(annotations.commands[1].hasPrefix("::notice file=src/a.c,line=12,col=5,title=Known"))
    let summary = annotations.summary
    #expect(summary.contains("**1 new group**") && summary.contains("**new** `a\\|b`"))
    #expect(summary.contains("`src/a.c:12`"))
  }

  @Test("Code Quality has a path and a line for each group, and its key as fingerprint")
  func codeQuality() throws {
    let triage = TriageResult(
      groups: [group("a", key: "k1", isNew: true), group("b", key: "k2", file: nil, isNew: false)])
    let value = try parsed(GitLabCodeQuality(triage, root: root).bytes)
    let first = value[0]
    #expect(first?["location"]?["path"]?.string == "src/a.c")
    #expect(first?["location"]?["lines"]?["begin"]?.integer == 12)
    #expect(first?["fingerprint"]?.string == "k1" && first?["severity"]?.string == "critical")
    #expect(value[1]?["location"]?["path"]?.string == "crashes/a.txt")
    #expect(value[1]?["location"]?["lines"]?["begin"]?.integer == 1)
    #expect(value[1]?["severity"]?.string == "minor")
  }

  @Test("A SARIF result has the location, the stack, the key and what the baseline says")
  func sarif() throws {
    let triage = TriageResult(
      groups: [group("a", key: "k1", isNew: true), group("b", key: "k2", file: nil)],
      refused: [RefusedFile(source: "cut.zip", reason: "damaged")])
    let run = try #require(try parsed(SARIFLog(triage, root: root).bytes)["runs"]?[0])
    let result = try #require(run["results"]?[0])
    let place = result["locations"]?[0]?["physicalLocation"]
    #expect(place?["artifactLocation"]?["uri"]?.string == "src/a.c")
    #expect(place?["region"]?["startLine"]?.integer == 12)
    #expect(result["partialFingerprints"]?["maydayGroup/v1"]?.string == "k1")
    #expect(result["baselineState"]?.string == "new" && result["level"]?.string == "error")
    let frame = result["stacks"]?[0]?["frames"]?[0]
    #expect(
      frame?["location"]?["logicalLocations"]?[0]?["fullyQualifiedName"]?.string == "a")
    #expect(run["results"]?[1]?["baselineState"] == nil)
    let notice = run["invocations"]?[0]?["toolExecutionNotifications"]?[0]
    #expect(notice?["message"]?["text"]?.string == "cut.zip: damaged")
  }

  @Test("A JUnit report has a suite for each app, and stays XML whatever is in a report")
  func junit() {
    let triage = TriageResult(
      groups: [
        group("a<b>\u{1b}&\"", isNew: true), group("a<b>\u{1b}&\"", key: "k2", isNew: false),
        group("c", app: "Other"),
      ], refused: [RefusedFile(source: "cut.zip", reason: "]]>")])
    let text = JUnitReport(triage, root: root).text
    #expect(text.contains("tests=\"4\" failures=\"2\" errors=\"1\""))
    #expect(
      text.contains(
        "<testsuite name=\"Tern\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\">"))
    #expect(text.contains("name=\"a&lt;b&gt;\\x1b&amp;&quot;\" file=\"src/a.c\" line=\"12\""))
    // The same name in the same app would be the same test.
    #expect(text.contains("name=\"a&lt;b&gt;\\x1b&amp;&quot; [k2]\""))
    #expect(text.contains("<skipped message=\"Known crash") && text.contains("]]&gt;"))
    #expect(!text.unicodeScalars.contains("\u{1b}"))
  }

  @Test("A group is known by any key of its reports, within its app only")
  func baseline() throws {
    let text = """
      [{"app":{"name":"Tern"},"signature":{"hash":"k1"},"keys":["k1","k2"],
      "alternative_keys":["k3"]}]
      """
    let baseline = try TriageBaseline(ByteView(Array(text.utf8)))
    for key in ["k1", "k2", "k3"] { #expect(baseline.contains(group("a", key: key)), "\(key)") }
    #expect(!baseline.contains(group("a", key: "k4")))
    #expect(!baseline.contains(group("a", key: "k1", app: "Other")))
    var other = group("a", key: "k4")
    other.alternativeKeys = ["k2"]
    #expect(baseline.contains(other))
    other.alternativeKeys = ["k3"]
    #expect(!baseline.contains(other))
  }

  @Test(
    "What is no baseline is refused, so that not everything is new",
    arguments: [
      ("", "not JSON"), ("crash", "not JSON"), ("[{\"app\":", "cut off"), ("{}", "no groups"),
      ("[{\"app\":{\"name\":\"a\"}}]", "groups[0]"), ("[1]", "groups[0]"),
    ])
  func wrongBaseline(text: String, reason: String) {
    let error = #expect(throws: TriageBaseline.Invalid.self) {
      try TriageBaseline(ByteView(Array(text.utf8)))
    }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }
}
