import Bytes
import CrashModel
import Database
import Likeness
import Query
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Similar groups, and users' decisions about them.
@Suite struct RelatedTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  /// A report whose text is its first function, and whose stack is these functions of the app.
  static func report(_ key: String, _ functions: String) -> CrashReport {
    var report = StoreFixture.report(key)
    let names = functions.split(separator: " ").map(String.init)
    report.signature?.text = names[0]
    report.signature?.steps = names.enumerated().map { index, name in
      SignatureStep(
        frame: index, subject: name, result: name, frameClass: "app", rule: "", used: index == 0)
    }
    return report
  }

  static let cart = "cart total pay order loop main"
  private static let price = "price total pay order loop main"
  static let stock = "stock count shelf loop main"

  private func related(_ group: String) throws -> [String] {
    try store.groups.related(to: group).map(\.id)
  }

  private func fill() throws {
    try fixture.file("cart", [Self.report("a", Self.cart)])
    try fixture.file("price", [Self.report("b", Self.price)])
    try fixture.file("stock", [Self.report("c", Self.stock)])
  }

  @Test func `A group has others with a likeness of .30 or more, the most alike first`() throws {
    try fill()
    try fixture.file("like", [Self.report("d", "cart sum pay order loop main")])
    // The scores of the same stacks by the formula.
    func score(_ one: String, _ other: String) -> Likeness {
      func features(_ functions: String) -> StackFeatures {
        StackFeatures(
          NormalisedStack(
            calls: functions.split(separator: " ").map {
              .init(token: String($0), frameClass: .app)
            }, type: "EXC_BAD_ACCESS"))
      }
      return features(one).likeness(to: features(other))
    }
    #expect(score(Self.cart, Self.stock).millionths < 300_000)
    let found = try store.groups.related(to: "tern-1")
    #expect(found.map(\.id) == ["TERN-4", "TERN-2"])
    for (group, stack) in zip(found, ["cart sum pay order loop main", Self.price]) {
      #expect(group.millionths == score(Self.cart, stack).millionths)
      #expect(group.matchedFrames == 5 && group.frames == 6 && group.app == "Tern")
      #expect(group.reports == 1 && !group.isDistinct)
    }
    let frames = try #require(found[1].comparison)
    #expect(frames.matched == ["total", "pay", "order", "loop", "main"])
    #expect(frames.onlyHere == ["cart"] && frames.onlyThere == ["price"])
    #expect(found[1].title == "price")
    #expect(try related("TERN-3").isEmpty)
    #expect(throws: StoreError.notFound("TERN-9")) { try related("TERN-9") }
  }

  @Test func `Groups of other apps count, unless one app is asked for`() throws {
    try store.reports.add([
      StoreFixture.prepared("a", [Self.report("a", Self.cart)], app: "Tern"),
      StoreFixture.prepared("b", [Self.report("b", Self.price)], app: "Bank"),
      StoreFixture.prepared("c", [Self.report("c", Self.price)], app: "Till"),
    ])
    #expect(try related("TILL-1") == ["BANK-1", "TERN-1"])
    #expect(try related("BANK-1") == ["TILL-1", "TERN-1"])
    #expect(try store.groups.related(to: "TERN-1", isOfAllApps: false).isEmpty)
    #expect(try store.groups.related(to: "TERN-1").first?.likeness ?? 0 < 1)
  }

  @Test func `No more than ten are given, however many there are and however they came`() throws {
    for number in 0..<40 {
      try fixture.file("r\(number)", [Self.report("k\(number)", "f\(number) pay order loop main")])
    }
    let found = try store.groups.related(to: "TERN-20")
    #expect(found.count == 10)
    // All others are equally similar, so the oldest come first.
    #expect(found.map(\.id) == (1...10).map { "TERN-\($0)" })
  }

  @Test func `A group of many stacks of its own still has others`() throws {
    for number in 0..<300 {
      let report = Self.report("own\(number % 20)", "cart total pay order loop x\(number) main")
      var signed = report
      signed.signature?.alternativeKeys = number % 20 == 0 ? [] : ["own0"]
      try fixture.file("r\(number)", [signed])
    }
    try fixture.file("other", [Self.report("b", Self.price)])
    let group = try #require(try store.groups.list().items.first { $0.signature.text == "price" })
    #expect(try related("TERN-1").contains(group.id))
  }

  @Test func `A report has the groups that are like it, besides its own`() throws {
    try fill()
    let ids = try fixture.file("more", [Self.report("a", "cart total pay order main")])
    #expect(try store.groups.related(toReport: ids[0]).map(\.id) == ["TERN-2"])
    #expect(throws: StoreError.notFound("none")) {
      try store.groups.related(toReport: "none")
    }
  }

  @Test func `What a split took out of a group is found under its own name`() throws {
    try fixture.add("1", Self.report("a", Self.cart))
    try fixture.add("2", Self.report("a", "cart sum pay order loop main"))
    try fixture.add("3", Self.report("b", Self.price))
    let variant = try #require(
      try store.groups.variants(ofGroup: "TERN-1").variants.first {
        $0.stack.calls.map(\.token).contains("sum")
      })
    try store.triage.split("TERN-1", where: "variant:\(variant.id)", by: "ann")
    #expect(try Set(related("TERN-2")) == ["TERN-1", "TERN-3"])
    #expect(try Set(related("TERN-3")) == ["TERN-1", "TERN-2"])
    #expect(try Set(related("TERN-1")) == ["TERN-2", "TERN-3"])
  }

  // MARK: Not the same

  @Test func `Groups that are not the same are no longer related, in either direction`() throws {
    try fill()
    let decided = try store.triage.distinguish(["TERN-2"], from: "TERN-1", by: "ann")
    #expect(decided.groups.map(\.id) == ["TERN-2", "TERN-1"] && decided.separated.isEmpty)
    #expect(try related("TERN-1").isEmpty && related("TERN-2").isEmpty)
    let all = try store.groups.related(to: "TERN-1", includesDistinct: true)
    #expect(all.map(\.id) == ["TERN-2"] && all.allSatisfy(\.isDistinct))
    #expect(try fixture.lines("TERN-1").last == "distinct from TERN-2")
    #expect(try fixture.lines("TERN-2").last == "distinct from TERN-1")
    // Marked once more, nothing changes.
    try store.triage.distinguish(["TERN-1"], from: "TERN-2", by: "ann")
    #expect(try fixture.lines("TERN-2").count == 2)
    try fixture.check()
  }

  @Test func `That two groups are not the same can be undone, from either of them`() throws {
    try fill()
    let before = try fixture.tables()
    for name in ["TERN-1", "TERN-2"] {
      try store.triage.distinguish(["TERN-2"], from: "TERN-1", by: "ann")
      try store.triage.undo([name], by: "ann")
      #expect(try related("TERN-1") == ["TERN-2"])
      #expect(throws: ActionError.nothingToUndo("TERN-2")) {
        try store.triage.undo(["TERN-2"], by: "ann")
      }
      try store.triage.distinguish(["TERN-1"], from: "TERN-2", by: "ann")
      try store.triage.distinguish(["TERN-2"], from: "TERN-1", isUndone: true, by: "ann")
      #expect(try related("TERN-2") == ["TERN-1"])
      #expect(throws: ActionError.nothingToUndo("TERN-1")) {
        try store.triage.undo(["TERN-1"], by: "ann")
      }
    }
    #expect(throws: ActionError.notDistinct("TERN-1", "TERN-2")) {
      try store.triage.distinguish(["TERN-1"], from: "TERN-2", isUndone: true, by: "ann")
    }
    #expect(try fixture.tables() == before)
  }

  @Test func `Groups of two apps can be told apart`() throws {
    try store.reports.add([
      StoreFixture.prepared("a", [Self.report("a", Self.cart)], app: "Tern"),
      StoreFixture.prepared("b", [Self.report("b", Self.price)], app: "Bank"),
    ])
    try store.triage.distinguish(["BANK-1"], from: "TERN-1", by: "ann")
    #expect(try related("TERN-1").isEmpty && related("BANK-1").isEmpty)
    try store.triage.undo(["BANK-1"], by: "ann")
    #expect(try related("TERN-1") == ["BANK-1"] && related("BANK-1") == ["TERN-1"])
  }

  /// Two keys that rule L1 links: one bug below two libraries.
  private static func linked(_ key: String, _ library: String) -> CrashReport {
    var report = report(key, "\(library) cart total pay order main")
    report.signature?.text = "\(library) | cart"
    report.signature?.steps[0].frameClass = "system"
    report.signature?.steps[1].used = true
    return report
  }

  @Test func `A group that likeness joined to another is taken out, and stays so`() throws {
    try fixture.file("a", [Self.linked("a", "[libGL.so]")])
    try fixture.file("b", [Self.linked("b", "[libEGL.so]")])
    #expect(try store.groups.list().items.count == 1)
    let decided = try store.triage.distinguish(["TERN-2"], from: "TERN-1", by: "ann")
    #expect(decided.separated == ["TERN-2"])
    #expect(try store.groups.list().items.count == 2)
    try fixture.file("more", [Self.linked("a", "[libGL.so]"), Self.linked("b", "[libEGL.so]")])
    #expect(try store.groups.list().items.map(\.reports) == [2, 2])
    #expect(try related("TERN-1").isEmpty)
    // With the mark removed, they are linked again.
    try store.triage.distinguish(["TERN-2"], from: "TERN-1", isUndone: true, by: "ann")
    #expect(try store.groups.list().items.map(\.reports) == [4])
    try fixture.check()
  }

  @Test func `Groups that are not the same are not linked by what comes later`() throws {
    try fixture.file("a", [Self.linked("a", "[libGL.so]")])
    var other = Self.linked("b", "[libEGL.so]")
    other.signature?.steps.append(
      SignatureStep(subject: "link", result: "off", rule: "own:1"))
    try fixture.file("b", [other])
    #expect(try store.groups.list().items.count == 2)
    try store.triage.distinguish(["TERN-2"], from: "TERN-1", by: "ann")
    try fixture.file("c", [Self.linked("b", "[libEGL.so]")])
    #expect(try store.groups.list().items.count == 2)
    try store.triage.undo(["TERN-1"], by: "ann")
    try fixture.check()
  }

  @Test func `Merged groups have to be taken apart first`() throws {
    try fill()
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(throws: ActionError.partOf("TERN-2", whole: "TERN-1")) {
      try store.triage.distinguish(["TERN-1"], from: "TERN-2", by: "ann")
    }
    #expect(throws: ActionError.distinctFromItself("TERN-3")) {
      try store.triage.distinguish(["TERN-3"], from: "tern-3", by: "ann")
    }
    #expect(throws: StoreError.notFound("TERN-9")) {
      try store.triage.distinguish(["TERN-3"], from: "TERN-9", by: "ann")
    }
  }
}
