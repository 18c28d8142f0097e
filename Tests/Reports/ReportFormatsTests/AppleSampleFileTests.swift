import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Apple reports among the samples")
struct AppleSampleFileTests {
  @Test(
    "Each is read whole", arguments: Samples.all(in: "apple-ips") + Samples.all(in: "apple-crash"))
  func whole(name: String) throws {
    let bytes = try Samples.view(name)
    let isJSON = name.hasPrefix("apple-ips")
    #expect(AppleIPSReader.recognises(bytes) == isJSON)
    #expect(AppleCrashReader.recognises(bytes) == !isJSON)
    let reports =
      try isJSON ? AppleIPSReader.reports(in: bytes) : AppleCrashReader.reports(in: bytes)
    #expect(reports.count == 1)
    let report = reports[0]
    #expect(report.app.name == "Tern" && report.app.version != nil && report.time != nil)
    let crashed = try #require(report.crashedThread)
    #expect(report.threads.filter(\.crashed).count == 1 && report.threads[crashed].crashed)
    for frame in report.threads.flatMap(\.frames) {
      #expect(frame.image != nil && frame.imageOffset != nil && frame.address != nil)
    }
    #expect(report.images.allSatisfy { $0.debugID != nil && $0.base != nil && $0.size != nil })
    #expect(report.threads[crashed].frames.first?.position == .exact)
    #expect(report.reason.type?.hasPrefix("EXC_") == true && report.reason.signal != nil)
  }

  @Test("Both formats of an incident have the same facts")
  func sameIncident() throws {
    var compared = 0
    for name in Samples.all(in: "apple-ips") {
      let other = name.replacing("apple-ips", with: "apple-crash").replacing(".ips", with: ".crash")
      guard let text = try? Samples.view(other) else { continue }
      let one = try #require(try AppleIPSReader.reports(in: Samples.view(name)).first)
      let two = try #require(try AppleCrashReader.reports(in: text).first)
      guard one.incident == two.incident || two.incident == nil else { continue }
      compared += 1
      #expect(one.crashedThread == two.crashedThread, "\(name)")
      #expect(said(one) == said(two) && one.kind == two.kind, "\(name)")
      #expect(places(one) == places(two), "\(name)")
      #expect(thrown(one) == thrown(two), "\(name)")
    }
    #expect(compared >= 8)
  }

  /// The reason without its stack, which one format may name and the other not.
  private func said(_ report: CrashReport) -> CrashReason {
    var reason = report.reason
    reason.exception?.frames = []
    return reason
  }

  private func place(_ frame: Frame, _ report: CrashReport) -> String {
    let id = frame.image.flatMap { report.images[$0].debugID }?.description ?? "?"
    return "\(id) \(frame.imageOffset?.description ?? "?") \(frame.position)"
  }

  private func thrown(_ report: CrashReport) -> [String]? {
    report.reason.exception?.frames.map { place($0, report) }
  }

  private func places(_ report: CrashReport) -> [[String]] {
    report.threads.map { thread in
      thread.frames.map { "\(place($0, report)) \($0.function ?? "?")" }
    }
  }

  @Test(
    "Prefixes and changes",
    arguments: Samples.all(in: "apple-ips").prefix(3) + Samples.all(in: "apple-crash").prefix(3)
  )
  func damaged(name: String) throws {
    let sample = try Samples.view(name).array
    var mutator = Mutator(seed: UInt64(sample.count))
    var outcomes = Outcomes()
    for round in 0..<40 {
      let cut = ByteView(sample[..<(sample.count * round / 40)])
      let changed = ByteView(mutator.mutated(sample))
      for view in [cut, changed] {
        outcomes.count { FormatRegistryTests.check(try AppleIPSReader.reports(in: view)) }
        outcomes.count { FormatRegistryTests.check(try AppleCrashReader.reports(in: view)) }
      }
    }
    #expect(outcomes.all == 160 && outcomes.read >= 40)
  }
}
