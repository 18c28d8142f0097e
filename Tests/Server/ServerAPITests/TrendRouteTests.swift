import Bytes
import CrashStore
import HTTP
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing
import TriageModel

@testable import APIDocuments
@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

/// Figures over time, and deletions, over the API.
@Suite("Trends and deletions over the API") struct TrendRouteTests {
  private let folder = ScratchFolder()

  private func get(_ server: RunningServer, _ path: String) -> JSONValue {
    server.json("/api/v1" + path)
  }

  @Test("Reports are added up by day, week and month, empty periods included")
  func reports() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let days = get(server, "/reports/trend")
    let items = try #require(days["items"]?.array)
    let first = try #require(days["from"]?.string)
    let last = try #require(days["to"]?.string)
    #expect(days["by"]?.string == "day")
    #expect(items.first?["day"]?.string == first && items.last?["day"]?.string == last)
    let total = items.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) }
    #expect(total > 0)
    for by in ["week", "month"] {
      let sums = try #require(get(server, "/reports/trend?by=\(by)")["items"]?.array)
      #expect(sums.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) } == total)
      #expect(sums.count <= items.count)
      for sum in sums where by == "month" {
        #expect(sum["day"]?.string?.hasSuffix("-01") == true)
      }
    }
    let week = get(server, "/reports/trend?from=2001-01-01&to=2001-01-07")
    #expect(week["items"]?.array?.count == 7)
    #expect(week["items"]?.array?.allSatisfy { $0["reports"]?.integer == 0 } == true)
    for wrong in ["from=2026-02-02&to=2026-02-01", "from=1990-01-01&to=2026-01-01", "by=year"] {
      #expect(server.ask("GET", "/api/v1/reports/trend?\(wrong)")?.status == 400, "\(wrong)")
    }
    let group = try #require(get(server, "/groups")["items"]?[0]?["id"]?.string)
    let groups = get(server, "/groups/trend?groups=\(group)&from=\(last)&to=\(last)&by=month")
    #expect(groups["by"]?.string == "month" && groups["from"]?.string == last)
    #expect(groups["items"]?[0]?["group"]?.string == group)
    let sessions = get(server, "/sessions/trend?from=2026-01-01&to=2026-01-31&by=week")
    // 2026-01-01 is a Thursday.
    #expect(sessions["items"]?[0]?["day"]?.string == "2025-12-29")
    #expect(sessions["items"]?.array?.count == 5)
    #expect(sessions["items"]?[4]?["sessions"]?["all"]?.integer == 0)
    let run = Run(
      ["reports", "--trend", "--json", "--server", "http://127.0.0.1:\(server.port)"]
        + ["--token", server.token])
    #expect(run.json == Run(["reports", "--trend", "--json", "--home", home]).json)
  }

  @Test("Weeks begin on Monday and months on their first day, before 1970 too")
  func periods() throws {
    func start(_ period: TrendPeriod, _ day: String) throws -> String {
      let number = TrendWindow.day(try #require(Timestamp(day: day)))
      return GroupText.day(TrendWindow.midnight(period.start(of: number)))
    }
    for (day, week, month) in [
      ("2026-03-01", "2026-02-23", "2026-03-01"), ("2026-03-02", "2026-03-02", "2026-03-01"),
      ("2024-02-29", "2024-02-26", "2024-02-01"), ("1970-01-01", "1969-12-29", "1970-01-01"),
      ("1969-12-28", "1969-12-22", "1969-12-01"),
    ] {
      #expect(try start(.day, day) == day)
      #expect(try start(.week, day) == week)
      #expect(try start(.month, day) == month)
    }
  }

  @Test("A report is deleted with a line in the audit log, and does not come back")
  func reportRemoval() throws {
    let home = folder.path("home")
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", sample, "--app", "Tern", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let report = try #require(get(server, "/reports")["items"]?[0]?["id"]?.string)
    #expect(server.ask("DELETE", "/api/v1/reports/\(report.prefix(8))")?.status == 204)
    #expect(server.ask("DELETE", "/api/v1/reports/\(report)")?.status == 404)
    #expect(get(server, "/reports")["total"]?.integer == 0)
    let entry = get(server, "/audit")["items"]?[0]
    #expect(entry?["action"]?.string == "remove report" && entry?["subject"]?.string == report)
  }

  @Test("A debug file that stored reports need is deleted only by force")
  func debugFileRemoval() throws {
    let home = folder.path("home")
    #expect(Run(["symbols", "add", Samples.symbols, "--home", home]).status == 0)
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let uses = try CrashStore(opening: home).debugFiles.uses()
    let needed = try #require(uses.first { $0.reports > 0 }).digest
    let path = "/api/v1/symbols/\(needed.prefix(12))"
    #expect(server.ask("DELETE", path)?.status == 409)
    #expect(server.ask("DELETE", path + "?force=true")?.status == 204)
    #expect(server.ask("DELETE", path)?.status == 404)
    #expect(
      try CrashStore(opening: home).debugFiles.uses().contains { $0.digest == needed } == false)
    #expect(get(server, "/audit")["items"]?[0]?["action"]?.string == "remove symbols")
  }
}
