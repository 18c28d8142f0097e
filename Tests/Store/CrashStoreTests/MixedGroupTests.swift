import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Groups whose variants have little in common.
@Suite struct MixedGroupTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private func splits(_ group: String = "TERN-1") throws -> [ProposedSplit] {
    try store.groups.variants(ofGroup: group).splits
  }

  @Test func `A group of two bugs looks mixed, and the proposed split takes them apart`() throws {
    for number in 0..<6 {
      try fixture.add("a\(number)", RelatedTests.report("k", RelatedTests.cart))
    }
    for number in 0..<2 {
      try fixture.add("b\(number)", RelatedTests.report("k", RelatedTests.stock))
    }
    try fixture.add("c", RelatedTests.report("k", "stock count loop main"))
    let split = try #require(try splits().first)
    #expect(try splits().count == 1 && split.group == "TERN-1")
    #expect(split.reports == 3 && split.compared == 9 && split.variants.count == 2)
    #expect(split.millionths < 350_000)
    let rule = "variant:" + split.variants.joined(separator: "|")
    try store.triage.split("TERN-1", where: rule, by: "ann")
    #expect(try store.groups.list().items.map(\.reports).sorted() == [3, 6])
    #expect(try splits("TERN-1").isEmpty && splits("TERN-2").isEmpty)
  }

  @Test func `A single odd report, or few of many, don't make a group look mixed`() throws {
    for number in 0..<45 {
      try fixture.add("a\(number)", RelatedTests.report("k", RelatedTests.cart))
    }
    try fixture.add("b0", RelatedTests.report("k", RelatedTests.stock))
    #expect(try splits().isEmpty)
    try fixture.add("b1", RelatedTests.report("k", RelatedTests.stock))
    #expect(try splits().isEmpty)
    try fixture.add("b2", RelatedTests.report("k", RelatedTests.stock))
    #expect(try splits().first?.reports == 3)
  }

  @Test func `A group into which somebody merged another does not look mixed`() throws {
    for number in 0..<3 {
      try fixture.add("a\(number)", RelatedTests.report("a", RelatedTests.cart))
      try fixture.add("b\(number)", RelatedTests.report("b", RelatedTests.stock))
    }
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(try splits().isEmpty)
    #expect(try store.groups.variants(ofGroup: "TERN-1").count == 2)
  }
}
