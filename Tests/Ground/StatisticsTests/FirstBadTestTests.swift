import Bytes
import Files
import Glibc
import JSON
import Testing

@testable import Statistics

@Suite("The build in which something becomes more frequent")
struct FirstBadTestTests {
  /// Printed by `scripts/oracles/first-bad.py`.
  private static let apps: [JSONValue] = {
    let path = #filePath.replacing("FirstBadTestTests.swift", with: "Golden/first-bad.jsonl")
    guard let bytes = try? ByteView(reading: path, limit: 1 << 20) else { return [] }
    return bytes.text.split(separator: "\n").compactMap {
      try? JSONDocument.parse(ByteView(Array($0.utf8))).value
    }
  }()

  private static func test(_ app: JSONValue) -> FirstBadTest {
    let groups = (app["groups"]?.array ?? []).map { row in
      (row.array ?? []).enumerated().compactMap { build, cases in
        cases.integer.flatMap { $0 > 0 ? FirstBadTest.Count(build: build, cases: $0) : nil }
      }
    }
    return FirstBadTest(
      groups: groups, builds: app["builds"]?.integer ?? 0,
      sessions: app["sessions"]?.array?.map { $0.integer ?? 0 })
  }

  @Test("Results for random apps, builds and counts equal those of another implementation")
  func others() throws {
    try #require(Self.apps.count == 250)
    var found = 0
    for (number, app) in Self.apps.enumerated() {
      let test = Self.test(app)
      #expect(test.comparisons == app["comparisons"]?.integer, "\(number)")
      for (group, expected) in try #require(app["findings"]?.array).enumerated() {
        let finding = test.finding(ofGroup: group)
        guard let p = expected["p"]?.double else {
          #expect(finding == nil, "\(number), \(group)")
          continue
        }
        let place = Comment(rawValue: "app \(number), group \(group)")
        let first = try #require(finding, place)
        found += 1
        func pair(_ name: String) -> [Int?] {
          [0, 1].map { expected[name]?[$0]?.integer }
        }
        #expect([first.builds.lowerBound, first.builds.upperBound] == pair("builds"), place)
        #expect([first.new.marked, first.new.all] == pair("new"), place)
        #expect([first.former.marked, first.former.all] == pair("former"), place)
        let own = first.logP
        #expect(abs(own - log(p)) < 1e-9 * max(1, -own), place)
        #expect(
          abs(first.confidence - max(0, 1 - p * Double(test.comparisons))) < 1.1e-6, place)
      }
    }
    #expect(found > 200)
  }

  private func counts(_ cases: [Int]) -> [FirstBadTest.Count] {
    cases.enumerated().filter { $0.element > 0 }.map { .init(build: $0.offset, cases: $0.element) }
  }

  @Test("A crash that came with the third of five builds is found there, and is certain")
  func new() throws {
    let test = FirstBadTest(
      groups: [counts([0, 0, 12, 15, 9])], builds: 5, sessions: [900, 1000, 1100, 1000, 800])
    let finding = try #require(test.finding(ofGroup: 0))
    #expect(finding.builds == 2...4 && finding.confidence > 0.999)
  }

  @Test("A crash that came and was fixed is found where it came, and ends where it was seen last")
  func fixed() throws {
    let test = FirstBadTest(
      groups: [counts([1, 0, 30, 28, 0, 1, 0, 0])], builds: 8,
      sessions: [Int](repeating: 5000, count: 8))
    let finding = try #require(test.finding(ofGroup: 0))
    #expect(finding.builds == 2...3 && finding.confidence > 0.999)
  }

  @Test("Without sessions, neither a new crash nor a fixed one makes others look more frequent")
  func shares() throws {
    let steady = counts([20, 20, 20, 20])
    let other = counts([22, 19, 21, 18])
    let fixed = counts([900, 900])
    let new = counts([0, 0, 400, 400])
    let test = FirstBadTest(groups: [steady, other, fixed, new], builds: 4, sessions: nil)
    for group in 0...2 {
      let finding = test.finding(ofGroup: group)
      #expect((finding?.confidence ?? 0) < 0.5, "\(group)")
    }
    #expect(try #require(test.finding(ofGroup: 3)).builds == 2...3)
    #expect(try #require(test.finding(ofGroup: 3)).confidence > 0.999)
  }

  @Test("Counts beyond exact numbers are compared, and rare ones are not")
  func extremes() throws {
    let many = 1 << 40
    let test = FirstBadTest(
      groups: [counts([many, many * 4]), counts([1, 1]), []], builds: 2,
      sessions: [1 << 50, 1 << 50])
    #expect(try #require(test.finding(ofGroup: 0)).confidence == 1)
    #expect(test.finding(ofGroup: 1) == nil && test.finding(ofGroup: 2) == nil)
    #expect(FirstBadTest(groups: [], builds: 0, sessions: nil).comparisons == 1)
  }

}
