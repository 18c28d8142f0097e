import CrashModel
import Identifiers
import Testing
import TriageModel

@testable import Query

@Suite struct MatchingTests {
  static let values: ReportValues = {
    var report = CrashReport(format: .appleIPS)
    report.app = AppIdentity(name: "Tern", version: "1.4.0", build: "512")
    report.os = OperatingSystem(name: "iOS", version: "17.2.1", build: "21C66")
    report.device = Device(model: "iPhone15,2", architecture: .arm64)
    report.process.uptime = 4.75
    report.user = "Ärger@example.com"
    report.install = "8D1F"
    report.tags = [ReportTag("Category"): "Music", ReportTag("empty"): ""]
    report.reason = CrashReason(
      type: "EXC_BAD_ACCESS", signal: "SIGSEGV", code: "KERN_INVALID_ADDRESS",
      address: Address(16), message: "Index 57 out of range")
    report.images = [LoadedImage(name: "Tern"), LoadedImage(name: "UIKitCore")]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [
          Frame(position: .exact, image: 0, function: "Foo.bar(_:)", file: "/src/Renderer.swift"),
          Frame(position: .returnAddress, image: 1, function: "-[UIView layout]"),
        ]),
      CrashThread(
        index: 1, frames: [Frame(position: .exact, image: 0, function: "idle")]),
    ]
    report.crashedThread = 0
    report.signature = Signature(
      text: "Foo.bar | main", key: "k", category: .signal, rules: "v1", isProvisional: true)
    var values = ReportValues(
      report, id: "5a2c9be2", app: "Tern",
      time: Timestamp(seconds: QueryParserTests.now.seconds - 3 * 86_400),
      received: QueryParserTests.now, source: "crashes/nightly/a.ips")
    values.group = GroupValues(
      name: "TERN-12", state: .regressed, reports: 33, installs: 20, versions: 3,
      firstSeen: Timestamp(seconds: QueryParserTests.now.seconds - 30 * 86_400),
      lastSeen: QueryParserTests.now)
    return values
  }()

  @Test(
    "A report for which the query holds",
    arguments: [
      "", "app:Tern group:tern-12 id:5A2C", "is:regressed is:crash is:provisional", "-is:open",
      "version:1.4.*", "version:1.4.0", "version:>=1.4", "version:>1.3.9", "version:<1.10",
      "version:\"1.4.0 (512)\"", "version:1.4.0(512)", "version:>1.4.0(511)", "version:1..2",
      "build:>=512", "build:500..512", "-build:<512", "os:ios", "os:\"ios 17.2.1\"", "os:iOS*",
      "os.version:>17.2", "os.version:17.*", "device:iphone15,?", "arch:arm64|x86_64",
      "signal:sigsegv", "signal:SEGV", "signal:bus|segv", "type:*BAD*", "code:KERN_*",
      "reason:bad_access", "reason:\"out of\"",
      "message:\"index 57\"", "message:i*57*range", "function:foo.bar", "function:\"-[UIView\"",
      "-function:idle", "function:=foo.bar(_:)", "image:uikitcore", "file:renderer.swift",
      "user:ärger@*", "install:8D1F", "-install:8d1f", "tag.category:music", "tag.CATEGORY:m*",
      "tag.other:\"\"", "tag.empty:\"\"", "-tag.category:\"\"", "process:\"\"", "uptime:<5",
      "uptime:4.75", "time:<7d", "-time:<2d", "time:>2d", "time:2026-05-25", "time:2026-05",
      "received:2026-05-28T20:26", "first:>7d", "last:<=1s", "reports:>=33", "installs:20",
      "versions:1..3", "foo renderer range", "\"Foo.bar | main\"", "nothing|foo", "-nothing",
      "source:nightly/", "format:apple-*", "category:signal", "symbols:full",
      "symbols:partial|full",
      "-is:new", "is:new|regressed", "signature:foo.BAR", "-[UIView layout]", "version:1.4",
      "version:1", "version:=1.4.0",
    ])
  func holds(text: String) throws {
    #expect(try QueryParserTests.query(text).matches(Self.values))
  }

  @Test("A group is new for seven days", arguments: zip([6.99, 7, 7.01], [true, false, false]))
  func new(days: Double, isNew: Bool) throws {
    var values = Self.values
    values.group?.firstSeen = Timestamp(
      seconds: QueryParserTests.now.seconds - Int64(days * 86_400))
    #expect(try QueryParserTests.query("is:new").matches(values) == isNew)
    #expect(try QueryParserTests.query("-is:new").matches(values) != isNew)
  }

  @Test(
    "One for which it does not",
    arguments: [
      "app:ter", "is:open", "version:1.3", "version:=1.4", "version:1.4.", "version:\"1.4\"",
      "version:1.4.0.1", "version:>1.4.0", "version:<1.4.0", "version:\"1.4.*\"",
      "build:>512", "os:iO", "device:iphone15,", "function:=foo.bar", "function:idle",
      "install:8d1f", "tag.category:mus", "tag.category:\"\"", "time:>7d", "time:2026-05-26..",
      "reports:<33", "uptime:>5", "message:\"index 58\"", "message:i?57", "-foo", "foo nothing",
      "process:*", "is:new", "user:?rger", "id:a2c", "received:<=2026-05-27",
    ])
  func fails(text: String) throws {
    #expect(try !QueryParserTests.query(text).matches(Self.values))
  }

  @Test("Without a group, no condition of groups holds")
  func withoutGroup() throws {
    var values = Self.values
    values.group = nil
    #expect(try !QueryParserTests.query("is:regressed").matches(values))
    #expect(try !QueryParserTests.query("reports:>0").matches(values))
  }

  @Test(
    "Wildcards, in either letter case",
    arguments: zip(
      ["a*b*c", "*", "a?c", "*b", "a*", "?", "*a*a*", "ß", "é*", "??"],
      ["AxxBxxC", "x", "abc", "aab", "a", "é", "xaYa", "ß", "Éx", "日本"]))
  func patterns(pattern: String, text: String) {
    #expect(TextPattern(pattern, .whole, hasWildcards: true).matches(text))
  }

  @Test(
    "Wildcards that do not fit",
    arguments: zip(["a?c", "a*", "?", "a*a", "*a", "a"], ["ac", "b", "éa", "a", "ab", "b"]))
  func others(pattern: String, text: String) {
    #expect(!TextPattern(pattern, .whole, hasWildcards: true).matches(text))
  }

  @Test("Names and texts are limited, and contain no characters that an index interprets")
  func bounded() {
    var report = CrashReport(format: .appleIPS)
    report.user = "a\0b\u{1a}"
    report.device.model = String(repeating: "é", count: 2_000)
    let values = ReportValues(
      report, id: "", app: "", time: Timestamp(seconds: 0), received: Timestamp(seconds: 0),
      source: "")
    #expect(values.user == "a\u{fffd}b\u{fffd}")
    #expect(values.device.utf8.count == QueryLimits.valueLength)
  }
}
