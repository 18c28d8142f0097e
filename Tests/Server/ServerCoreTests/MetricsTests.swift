import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// `/metrics` after some work: the sums agree, and the text follows Prometheus' documentation of its text
/// format (prometheus.io/docs/instrumenting/exposition_formats).
@Suite("Metrics", .serialized)
struct MetricsTests {
  private let folder = ScratchFolder()

  /// Values by name and labels, after checks of the format.
  private func figures(_ server: RunningServer) throws -> [String: Double] {
    let answer = try #require(server.ask("GET", "/metrics"))
    #expect(answer.status == 200)
    var figures: [String: Double] = [:]
    var types: [String: String] = [:]
    var helped: Set<String> = []
    for line in answer.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix("# HELP ") {
        #expect(words.count > 3 && helped.insert(String(words[2])).inserted)
        continue
      }
      if line.hasPrefix("# TYPE ") {
        #expect(types.updateValue(String(words[3]), forKey: String(words[2])) == nil)
        continue
      }
      #expect(words.count == 2)
      let value = try #require(Double(words[1]))
      let key = String(words[0])
      #expect(figures.updateValue(value, forKey: key) == nil, "\(key) twice")
      let name = String(key.prefix { $0 != "{" })
      let base = ["_bucket", "_sum", "_count"].lazy.filter { name.hasSuffix($0) }
        .map { String(name.dropLast($0.count)) }.first { types[$0] == "histogram" }
      let type = try #require(types[base ?? name], "\(name) has no type")
      #expect(helped.contains(base ?? name))
      #expect((type == "counter") == name.hasSuffix("_total"), "\(name) is a \(type)")
      #expect(name.hasPrefix("mayday_") && value >= 0)
    }
    for (name, type) in types where type == "histogram" {
      let buckets = answer.text.split(separator: "\n").filter { $0.hasPrefix(name + "_bucket{le=") }
        .map { $0.split(separator: " ") }
      let bounds = buckets.map {
        Double($0[0].split(separator: "\"")[1].replacing("+Inf", with: "inf")) ?? -1
      }
      let counts = buckets.map { Double($0[1]) ?? -1 }
      #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
      #expect(bounds.last == .infinity && counts == counts.sorted())
      #expect(counts.last == figures[name + "_count"] && figures[name + "_sum"] != nil)
    }
    return figures
  }

  private func checkSums(_ figures: [String: Double]) {
    func value(_ name: String) -> Double { figures[name] ?? -1 }
    func outcome(_ name: String) -> Double {
      value("mayday_intake_done_total{outcome=\"\(name)\"}")
    }
    #expect(
      value("mayday_intake_accepted_total")
        == outcome("stored") + outcome("duplicate") + outcome("discarded") + outcome("erased")
        + value("mayday_queue_waiting") + value("mayday_queue_working")
        + value("mayday_queue_quarantined"))
    #expect(value("mayday_storing_seconds_count") == outcome("stored") + outcome("duplicate"))
    #expect(value("mayday_processing_seconds_count") == value("mayday_storing_seconds_count"))
    #expect(
      value("mayday_ledger_received_total")
        == ["stored", "duplicate", "refused"].reduce(0) {
          $0 + value("mayday_ledger_submissions_total{outcome=\"\($1)\"}")
        })
  }

  @Test(
    "What came is what was stored, known, quarantined, discarded and erased, also after a restart")
  func sums() throws {
    var server = try #require(RunningServer(home: folder.path("home")))
    let token = server.token
    let report = try ByteView(
      mapping: Samples.root + "/Samples/apple-ips/abort-1.0.0-macos-x86_64.ips"
    ).array
    for body in [report, report, Array("no report".utf8), Array("nor this".utf8)] {
      #expect(server.ask("POST", "/api/v1/reports?app=Tern", body: body)?.status == 202)
      checkSums(try figures(server))
    }
    let headers = [
      "App-Secret: 5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10",
      "Install-ID: 0D1E2F3A-0000-4000-8000-000000000001",
    ]
    let logs = """
      {"logs":[{"type":"startSession","sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
      "timestamp":"2026-03-02T10:12:00Z","device":{"appVersion":"1.2.0"}}]}
      """
    for _ in 1...2 {
      #expect(
        server.ask("POST", "/logs", headers: headers, body: Array(logs.utf8))?.status == 200)
    }
    #expect(
      server.ask("POST", "/logs", headers: headers, body: Array("no logs".utf8))?.status == 200)
    #expect(server.waitForQueue())
    // An archive with a known report and a new one counts as new.
    let symbols =
      Samples.debugFile("apple/1.0.0/macos/Tern.app.dSYM/Contents/Resources/DWARF/Tern")
    #expect(
      server.ask(
        "PUT", "/api/v1/symbols?name=Tern", body: try ByteView(mapping: symbols).array)?.status
        == 201)
    #expect(server.waitForQueue())
    let other = try ByteView(
      mapping: Samples.root + "/Samples/apple-ips/trap-1.0.0-macos-x86_64.ips"
    ).array
    #expect(server.ask("POST", "/api/v1/reports?app=Tern", body: other)?.status == 202)
    #expect(server.waitForQueue())

    var seen = try figures(server)
    checkSums(seen)
    #expect(seen["mayday_intake_accepted_total"] == 8)
    #expect(seen["mayday_intake_done_total{outcome=\"stored\"}"] == 3)
    #expect(seen["mayday_intake_done_total{outcome=\"duplicate\"}"] == 2)
    #expect(seen["mayday_queue_quarantined"] == 3)
    #expect(seen["mayday_ledger_reports_total{event=\"stored\"}"] == 2)
    // The first arrived before its debug file, the second after it; the first was reprocessed.
    #expect(seen["mayday_images_total{symbols=\"found\"}"] == 1)
    #expect(seen["mayday_images_total{symbols=\"missing\"}", default: 0] >= 1)
    #expect(seen["mayday_symbol_cache_uses_total{result=\"made\"}"] == 1)
    #expect(seen["mayday_symbol_cache_uses_total{result=\"hit\"}", default: 0] >= 1)
    #expect(seen["mayday_processing_seconds_sum", default: 0] > 0)

    let aside = server.json("/api/v1/intake")["items"]?.array ?? []
    let ids = aside.compactMap { $0["id"]?.integer }
    #expect(ids.count == 3)
    if let id = ids.first { #expect(server.ask("DELETE", "/api/v1/intake/\(id)")?.status == 204) }
    let body = Array(#"{"install":"0D1E2F3A-0000-4000-8000-000000000001"}"#.utf8)
    #expect(server.ask("POST", "/api/v1/erase", body: body)?.status == 200)
    seen = try figures(server)
    checkSums(seen)
    #expect(seen["mayday_intake_done_total{outcome=\"discarded\"}"] == 1)
    #expect(seen["mayday_intake_done_total{outcome=\"erased\"}"] == 1)
    #expect(seen["mayday_queue_quarantined"] == 1)

    #expect(server.stop() == 0)
    server = try #require(RunningServer(home: server.home, token: token))
    let after = try figures(server)
    checkSums(after)
    for (name, value) in seen
    where !name.hasPrefix("mayday_intake_bytes") && !name.hasPrefix("mayday_symbols_added") {
      #expect(after[name] == value, "\(name)")
    }
    #expect(server.stop() == 0)
  }
}
