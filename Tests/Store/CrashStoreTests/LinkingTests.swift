import CrashModel
import Database
import Likeness
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Keys that are linked by likeness.
@Suite struct LinkingTests {
  private typealias Call = (token: String, frameClass: FrameClass)

  /// A report whose text is made of its first frames.
  private static func report(
    _ key: String, _ calls: [Call], pieces: Int, words: String? = nil, provisional: Bool = false,
    readings: [String] = []
  ) -> CrashReport {
    var report = StoreFixture.report(key, alternatives: readings, provisional: provisional)
    report.signature?.text =
      ((words.map { [$0] } ?? []) + calls.prefix(pieces).map(\.token)).joined(separator: " | ")
    report.signature?.steps = calls.enumerated().map { index, call in
      SignatureStep(
        frame: index, subject: call.token, result: call.token,
        frameClass: call.frameClass.rawValue, rule: "", used: index < pieces)
    }
    return report
  }

  private static let bottom: [Call] = [
    ("shop::Cart::total", .app), ("shop::Shop::run", .app), ("shop::loop", .app), ("main", .base),
  ]

  /// One bug below two drivers, and another bug.
  private static let reports: [CrashReport] = [
    report("a", [("[libGL.so]", .unknown)] + bottom, pieces: 2),
    report("b", bottom, pieces: 1),
    report("c", [("shop::Stock::count", .app)] + bottom, pieces: 1),
  ]

  /// The keys of each group, and its title.
  private static func view(_ store: CrashStore) throws -> [String] {
    try StoreFixture.check(store)
    return try store.groups.list().items.map { group in
      let keys = try store.triage.keys(ofGroup: group.id).map(\.key).sorted()
      return "\(group.signature.text): \(keys.joined(separator: " "))"
    }.sorted()
  }

  @Test func `Whatever comes first, keys of like stacks share a group`() throws {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let fixture = try StoreFixture()
      for index in order { try fixture.file("r\(index)", [Self.reports[index]]) }
      #expect(
        try Self.view(fixture.store) == ["shop::Cart::total: a b", "shop::Stock::count: c"])
    }
  }

  @Test func `The history and the report say why`() throws {
    let fixture = try StoreFixture()
    try fixture.file("a", [Self.reports[0]])
    let ids = try fixture.file("b", [Self.reports[1]])
    let words = "4 of 5 frames agree, likeness .7"
    let history = try fixture.store.groups.history(ofGroup: "TERN-1").map(\.detail)
    #expect(history.contains { $0.hasPrefix("TERN-2 is now TERN-1, by likeness: \(words)") })
    let found = try fixture.store.read { database in
      try database.text("SELECT found_by FROM reports WHERE name = ?1", ids[0])
    }
    #expect(found == "linked")
  }

  @Test func `Two errors in one function are not linked`() throws {
    let fixture = try StoreFixture()
    let calls: [Call] = [("[libGL.so]", .unknown)] + Self.bottom
    try fixture.file("a", [Self.report("a", calls, pieces: 2, words: "java.lang.Error")])
    try fixture.file("b", [Self.report("b", Self.bottom, pieces: 1, words: "java.io.Fault")])
    #expect(try Self.view(fixture.store).count == 2)
  }

  @Test func `Apps have links of their own`() throws {
    let fixture = try StoreFixture()
    try fixture.store.reports.add([
      StoreFixture.prepared("a", [Self.reports[0]], app: "Tern"),
      StoreFixture.prepared("b", [Self.reports[1]], app: "Till"),
    ])
    #expect(try Self.view(fixture.store).count == 2)
  }

  @Test func `Turning links off takes groups apart, and on again brings them back`() throws {
    let fixture = try StoreFixture()
    for (index, report) in Self.reports.enumerated() { try fixture.file("r\(index)", [report]) }
    let linked = try fixture.groups()
    try fixture.store.apps.setLinking(.own(.off), of: "Tern")
    try fixture.check()
    #expect(
      try fixture.groups() == [
        "TERN-1: [libGL.so] | shop::Cart::total, 1", "TERN-2: shop::Cart::total, 1",
        "TERN-3: shop::Stock::count, 1",
      ])
    try fixture.store.apps.setLinking(.standard, of: "Tern")
    try fixture.check()
    #expect(try fixture.groups() == linked)
  }

  @Test func `A limit of one's own links what is as like`() throws {
    let fixture = try StoreFixture()
    for (index, report) in Self.reports.enumerated() { try fixture.file("r\(index)", [report]) }
    try fixture.store.apps.setLinking(.own(.from(hundredths: 30)), of: "Tern")
    #expect(try Self.view(fixture.store) == ["shop::Cart::total: a b c"])
  }

  @Test func `A group that was taken out again is not linked once more`() throws {
    let fixture = try StoreFixture()
    try fixture.file("a", [Self.reports[0]])
    try fixture.file("b", [Self.reports[1]])
    try fixture.store.triage.unmerge(["TERN-2"], by: "ann")
    #expect(try Self.view(fixture.store).count == 2)
    try fixture.file("more", [Self.reports[0], Self.reports[1]])
    #expect(
      try fixture.groups() == [
        "TERN-1: [libGL.so] | shop::Cart::total, 2", "TERN-2: shop::Cart::total, 2",
      ])
  }

  @Test func `A group is taken out with all its keys, however many reports they have`() throws {
    let fixture = try StoreFixture()
    let split = Self.report("s", [("shop::split", .app)] + Self.bottom, pieces: 1)
    let owed = Self.report("b", Self.bottom, pieces: 1, readings: ["s"])
    try fixture.file("a", [Self.reports[0]])
    try fixture.file("b", [owed, split, split])
    #expect(try Self.view(fixture.store) == ["shop::Cart::total: a b s"])
    try fixture.store.triage.unmerge(["TERN-2"], by: "ann")
    let apart = ["[libGL.so] | shop::Cart::total: a", "shop::Cart::total: b s"]
    #expect(try Self.view(fixture.store) == apart)
    #expect(try fixture.store.groups.get("TERN-2").reports == 3)
    try fixture.file("more", [split, Self.reports[0], owed])
    #expect(try Self.view(fixture.store) == apart)
  }

  @Test func `Symbols that come late link and unlink`() throws {
    let fixture = try StoreFixture()
    try fixture.file("a", [Self.reports[0]])
    let late = try fixture.file(
      "p", [Self.report("p", [("[shop 5f2a]+0x1", .app)], pieces: 1, provisional: true)])
    #expect(try Self.view(fixture.store).count == 2)
    try fixture.replace([(late[0], Self.reports[1])])
    #expect(try Self.view(fixture.store) == ["shop::Cart::total: a b"])
    try fixture.replace([(late[0], Self.reports[2])])
    #expect(
      try Self.view(fixture.store) == [
        "[libGL.so] | shop::Cart::total: a", "shop::Stock::count: c",
      ])
  }

  @Test func `Groups that came without their stacks are linked when the home is opened`() throws {
    let fixture = try StoreFixture()
    for (index, report) in Self.reports.enumerated() { try fixture.add("r\(index)", report) }
    try fixture.store.apps.setLinking(.own(.off), of: "Tern")
    try fixture.store.write(.global) { database in
      // As a part of another home brings them.
      try database.execute("DELETE FROM stack_lists; DELETE FROM key_stacks")
      try database.run("UPDATE reports SET variant = ''")
      try database.run("UPDATE apps SET link = NULL")
    }
    let again = try CrashStore(checking: fixture.store.home)
    #expect(try Self.view(again) == ["shop::Cart::total: a b", "shop::Stock::count: c"])
    try fixture.add("late", Self.report("d", [("[libEGL.so]", .unknown)] + Self.bottom, pieces: 2))
    #expect(try Self.view(again).contains("shop::Cart::total: a b d"))
  }

  @Test func `Groups are those that keys, readings and links give together`() throws {
    var random = SplitMix(seed: 21)
    for round in 0..<25 {
      let reports = (0..<14).map { _ in Self.random(&random) }
      var views: [[String]] = []
      for _ in 0..<2 {
        let fixture = try StoreFixture()
        for (index, report) in reports.shuffled(using: &random).enumerated() {
          try fixture.file("r\(round)-\(index)", [report])
        }
        views.append(try Self.view(fixture.store).map { String($0.drop { $0 != ":" }) }.sorted())
      }
      #expect(views[0] == Self.expected(reports))
      #expect(views[1] == views[0])
    }
  }

  /// A report of one of a few bugs, below one of a few libraries.
  private static func random(_ random: inout SplitMix) -> CrashReport {
    let bug = random.below(3)
    let library = random.below(4)
    var calls: [Call] = library == 0 ? [] : [("[lib\(library).so]", .unknown)]
    calls += [("bug\(bug)", .app), ("caller\(bug)", .app), ("loop", .app), ("main", .base)]
    let key = "k\(bug)\(library)"
    let readings = library != 0 && random.below(4) == 0 ? ["k\(bug)0"] : []
    return report(key, calls, pieces: library == 0 ? 1 : 2, readings: readings)
  }

  private static func expected(_ reports: [CrashReport]) -> [String] {
    let signatures = reports.compactMap(\.signature)
    var readings: [String: Set<String>] = [:]
    for signature in signatures {
      readings[signature.key, default: []].formUnion(signature.alternativeKeys)
    }
    var links: [(String, String)] = []
    for one in signatures {
      for other in signatures where one.key < other.key {
        let (left, right) = (
          NormalisedStack(one, type: "EXC_BAD_ACCESS"),
          NormalisedStack(other, type: "EXC_BAD_ACCESS")
        )
        let likeness = StackFeatures(left).likeness(to: StackFeatures(right))
        let shares = LinkFacts(one, left)?.functions == LinkFacts(other, right)?.functions
        if LinkPolicy.standard.rule(for: likeness, sharesFunctions: shares) != nil {
          links.append((one.key, other.key))
        }
      }
    }
    let roots = LinkedKeys.roots(KeyPartition.roots(of: readings), links: links)
    return Dictionary(grouping: roots.keys, by: { roots[$0] ?? $0 }).values.map {
      ": " + $0.sorted().joined(separator: " ")
    }.sorted()
  }
}
