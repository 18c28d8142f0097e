import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("Lists on the command line")
struct ListCommandTests {
  /// A home that is filled once: lists change nothing.
  private static let filled = FilledHome()
  private let home = Self.filled.home

  private func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }

  private func lines(_ words: String...) -> [String] {
    let run = Run(words + ["--home", home])
    #expect(run.status == 0, "\(words): \(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private func json(_ words: String...) throws -> [JSONValue] {
    let run = Run(words + ["--home", home, "--json"])
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try #require(try JSONDocument.parse(ByteView(Array(run.output.utf8))).value.array)
  }

  @Test(
    "A list read part by part is the whole list, in every order",
    arguments: [
      ("groups", ["reports", "last-seen", "first-seen", "versions", "users", "change"]),
      ("reports", ["time", "received"]),
    ])
  func parts(command: String, orders: [String]) throws {
    for order in orders.flatMap({ [$0, "-" + $0] }) {
      let whole = lines(command, "--sort", order, "--limit", "0", "--ndjson")
      #expect(whole.count > 8)
      var parts: [String] = []
      var cursor: String?
      repeat {
        let after = cursor.map { ["--after", $0] } ?? []
        let words = [command, "--sort", order, "--limit", "7", "--ndjson", "--home", home]
        let run = Run(words + after)
        #expect(run.status == 0)
        parts += run.output.split(separator: "\n").map(String.init)
        cursor = run.errors.split(separator: " ").last.map { String($0.dropLast()) }
        #expect(run.errors.isEmpty || run.errors.contains(" of \(whole.count) \(command)"))
      } while cursor != nil && parts.count <= whole.count
      #expect(parts == whole, "\(command) \(order)")
    }
  }

  @Test("The order is the requested one, or reversed")
  func order() throws {
    let counts = try json("groups").compactMap { $0["reports"]?.integer }
    #expect(counts == counts.sorted(by: >))
    let up = try json("groups", "--sort", "-reports").compactMap { $0["reports"]?.integer }
    #expect(up == counts.sorted())
    let reversed = lines("groups", "--reverse", "--ndjson")
    #expect(reversed == lines("groups", "--sort=-reports", "--ndjson"))
    #expect(lines("groups", "--sort", "-reports", "--reverse") == lines("groups"))
    let times = try json("reports", "--sort", "-time").compactMap { $0["time"]?.string }
    #expect(times == times.sorted())
  }

  @Test("A cursor of another list is refused")
  func wrongCursor() {
    let run = mayday("groups", "--after", "nonsense")
    #expect(run.status == 2 && run.errors.contains("'nonsense' is not a cursor of this list"))
  }

  @Test("The chosen columns are printed, in their order")
  func columns() {
    let head = lines("groups", "--columns", "signature,reports,LAST_SEEN").first ?? ""
    #expect(
      head.split(separator: " ", omittingEmptySubsequences: true)
        == ["SIGNATURE", "REPORTS", "LAST", "SEEN"])
    let csv = lines("reports", "--columns", "id,symbols", "--csv")
    #expect(csv.first?.hasPrefix("id,symbols") == true)
    for (command, all) in [
      ("groups", GroupColumns.all.map(\.name)), ("reports", ReportColumns.all.map(\.name)),
    ] {
      let every = mayday(command, "--columns", all.joined(separator: ","), "--csv")
      #expect(every.output == mayday(command, "--csv").output)
      let wrong = mayday(command, "--columns", "id,sygnature")
      #expect(wrong.status == 2 && wrong.errors.contains("did you mean 'signature'?"))
      #expect(wrong.errors.contains("\nColumns: id, "))
    }
  }

  @Test(
    "Tables fit 80 columns",
    arguments: [
      ["groups"], ["reports"], ["groups", "--trend"],
      ["groups", "--by", "version"], ["reports", "--by", "signature"], ["reports", "--trend"],
      ["fields"], ["groups", "--columns", "id,app,reports,state,kind,reason,signature"],
    ])
  func width(words: [String]) {
    let run = Run(words + (words == ["fields"] ? [] : ["--home", home]))
    #expect(run.status == 0 && !run.output.isEmpty, "\(run.errors)")
    for line in run.output.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
    #expect(!run.output.contains("\u{1b}"))
  }

  @Test("CSV follows RFC 4180, and none of its values is a formula")
  func csv() throws {
    let run = mayday("groups", "--csv", "--limit", "0")
    let rows = run.output.split(separator: "\r\n")
    #expect(run.output.hasSuffix("\r\n"))
    #expect(rows.count == (try json("groups", "--limit", "0")).count + 1)
    #expect(rows.first?.hasPrefix("id,app,reports,users,first-seen") == true)
    var csv = CSV()
    csv.add([
      .text("=1+2"), .text("-[A b]"), .text("a,\"b\""), .text("x\ny"), .number("-1"), .text(" z"),
      .text("@x"), .text(""),
    ])
    #expect(csv.text == "'=1+2,'-[A b],\"a,\"\"b\"\"\",x\\ny,-1,\" z\",'@x,\r\n")
  }

  @Test("Counts by a field equal those of the lists")
  func counts() throws {
    let reports = try json("reports", "--limit", "0")
    var expected: [String: Int] = [:]
    for report in reports { expected[report["app"]?["version"]?.string ?? "", default: 0] += 1 }
    for command in ["reports", "groups"] {
      for row in try json(command, "--by", "version") {
        #expect(row["reports"]?.integer == expected[row["value"]?.string ?? ""])
        let version = try #require(row["value"]?.string)
        let groups = try json("groups", "version:\(version)", "--limit", "0")
        #expect(row["groups"]?.integer == groups.count)
      }
    }
    let text = lines("reports", "--by", "version")
    #expect(text.first?.hasPrefix("VERSION  REPORTS  GROUPS  SHARE") == true)
    #expect(
      text.dropFirst().allSatisfy { ($0.contains("━") || $0.contains("╸")) && $0.contains(" %") })
    let csv = mayday("reports", "--by", "version", "--csv").output
    #expect(csv.hasPrefix("version,reports,groups,share\r\n"))
    let limited = mayday("reports", "--by", "signature", "--limit", "2")
    #expect(limited.output.split(separator: "\n").count == 3)
    #expect(limited.errors.contains("more values: --limit 0"))
  }

  @Test("Counting by an unknown field is an error that lists the fields")
  func uncountable() {
    let unknown = mayday("groups", "--by", "verison")
    #expect(
      unknown.status == 2
        && unknown.errors.contains("unknown field 'verison'; did you mean 'version'?"))
    #expect(unknown.errors.contains("\nFields: app, group, version"))
    let number = mayday("groups", "--by", "uptime")
    #expect(number.status == 2 && number.errors.contains("cannot count by 'uptime'"))
  }

  @Test("A trend counts every report of its days, and compares with the days before")
  func trend() throws {
    // Every report of the samples is from these days.
    let days = try json("reports", "--trend", "--days", "3650")
    #expect(days.count == 3650)
    let total = days.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) }
    #expect(total == (try json("reports", "--limit", "0")).count)
    let chart = lines("reports", "--trend")
    #expect(chart.first?.hasPrefix("Reports each day, 20") == true)
    #expect(chart.contains { $0.contains("┤") } && chart.contains { $0.contains("└┬") })
    #expect(chart.last?.contains("in 30 days, ") == true)
    #expect(
      lines("reports", "--trend", "--days", "365").first?.hasPrefix("Reports in 5 days each")
        == true)
    #expect(mayday("reports", "--trend", "--csv").output.hasPrefix("day,reports\r\n"))
  }

  @Test("A line next to each group shows its days")
  func groupTrends() throws {
    let rows = try json("groups", "--trend", "--days", "3650", "--limit", "0")
    for row in rows {
      let days = try #require(row["trend"]?["days"]?.array)
      #expect(days.reduce(0) { $0 + ($1.integer ?? 0) } == row["reports"]?.integer)
    }
    // A condition on reports narrows the days as it narrows the counts.
    for row in try json("groups", "version:1.1.0", "--trend", "--days", "3650") {
      let days = try #require(row["trend"]?["days"]?.array)
      #expect(days.reduce(0) { $0 + ($1.integer ?? 0) } == row["reports"]?.integer)
    }
    let head = lines("groups", "--trend").first ?? ""
    #expect(head.contains("TREND") && head.contains("CHANGE"))
  }

  @Test("The order of changes shows them, with the test of each")
  func changes() throws {
    let rows = try json("groups", "--sort", "change", "--days", "20", "--limit", "0")
    #expect(rows.count == (try json("groups", "--limit", "0")).count)
    var signed: [Double] = []
    for row in rows {
      let trend = try #require(row["trend"])
      let now = try #require(trend["days"]?.array).reduce(0) { $0 + ($1.integer ?? 0) }
      let before = try #require(trend["before"]?.integer)
      let p = try #require(trend["p"]?.double)
      #expect(trend["days"]?.array?.count == 20 && (0...1).contains(p))
      #expect((trend["change"]?.integer == nil) == (before == 0))
      if let change = trend["change"]?.integer { #expect((change > 0) == (now > before)) }
      signed.append(now >= before ? 1 - p : p - 1)
    }
    #expect(signed == signed.sorted(by: >) && Set(signed).count > 1)
    let head = lines("groups", "--sort", "change").first ?? ""
    #expect(head.contains("TREND") && head.contains("CHANGE"))
    // Conditions on the time of reports do not hide the days before.
    let old = try json("groups", "time:>1d", "--sort", "change", "--days", "3000", "--limit", "1")
    #expect(old.count == 1)
  }

  @Test("is:new finds the groups that were first seen in the last days")
  func new() throws {
    let new = try json("groups", "is:new", "--limit", "0").compactMap { $0["id"]?.string }
    let first = try json("groups", "first:<7d", "--limit", "0").compactMap { $0["id"]?.string }
    #expect(new == first)
    let old = try json("groups", "-is:new", "--limit", "0").compactMap { $0["id"]?.string }
    #expect(old.count + new.count == (try json("groups", "--limit", "0")).count)
  }

  @Test(
    "An empty result is an empty list and fine",
    arguments: [
      ["groups"], ["reports"], ["groups", "--by", "version"], ["reports", "--by", "version"],
      ["groups", "--trend"], ["reports", "--trend"],
    ])
  func empty(words: [String]) {
    for place in [["no-such-word-anywhere", "--home", home]] {
      let run = Run(words + place + ["--json"])
      #expect(run.output == "[]\n" && run.status == 0 && run.errors == "", "\(run.errors)")
      #expect(Run(words + place + ["--ndjson"]).output == "")
      let text = Run(words + place)
      #expect(text.status == 0 && text.output == "" && text.errors.hasPrefix("No "))
      let csv = Run(words + place + ["--csv"])
      #expect(csv.status == 0 && csv.output.split(separator: "\r\n").count <= 1)
    }
  }

  @Test(
    "What contradicts itself is wrong usage",
    arguments: [
      (["groups", "--json", "--csv"], "--json and --csv are two forms"),
      (["groups", "--by", "version", "--trend"], "cannot be combined"),
      (["reports", "--trend", "--columns", "id"], "--trend is one chart"),
      (["groups", "--columns", "id", "--json"], "JSON holds everything"),
      (["groups", "--days", "0"], "--days is 1 to"), (["groups", "--limit", "-1"], "below 0"),
      (["groups", "--sort", "repotrs"], "did you mean reports?"),
      (["reports", "--by", "os", "--after", "x"], "--after does not work with --by"),
    ] as [([String], String)])
  func contradictions(words: [String], message: String) {
    let run = Run(words + ["--home", home])
    #expect(run.status == 2 && run.output == "" && run.errors.contains(message), "\(run.errors)")
  }

  @Test("Colours follow the options")
  func colours() {
    let words = ["groups", "--by", "version", "--home", home]
    #expect(!Run(words).output.contains("\u{1b}"))
    #expect(Run(words, environment: ["CLICOLOR_FORCE": "1"]).output.contains("\u{1b}"))
    let both = ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]
    #expect(!Run(words, environment: both).output.contains("\u{1b}"))
    #expect(Run(words + ["--color", "always"], environment: both).output.contains("\u{1b}"))
    #expect(!Run(words, environment: ["CLICOLOR_FORCE": "0"]).output.contains("\u{1b}"))
  }

  @Test("fields lists the fields of queries, as text and as JSON")
  func fields() throws {
    let run = Run(["fields", "--json"])
    let fields = try #require(try JSONDocument.parse(ByteView(Array(run.output.utf8))).value.array)
    #expect(fields.contains { $0["name"]?.string == "version" && $0["of"]?.string == "report" })
    let text = Run(["fields"]).output
    for field in fields {
      let name = try #require(field["name"]?.string)
      let example = try #require(field["example"]?.string)
      #expect(text.contains("  \(name) ") && text.contains(example))
      #expect(mayday("groups", example).status == 0, "\(example)")
    }
  }
}

/// A home with the samples in it.
final class FilledHome: Sendable {
  let home: String
  private let folder: Folder

  init() {
    folder = Folder()
    home = folder.scratch.path("home")
    for sample in ["apple-ips", "apple-crash"] {
      let run = Run(["ingest", Samples.path(sample), "--home", home, "--app", "Tern"])
      precondition(run.status == 0, run.errors)
    }
  }

  /// Only read once it is filled.
  private final class Folder: @unchecked Sendable {
    let scratch = ScratchFolder()
  }
}
