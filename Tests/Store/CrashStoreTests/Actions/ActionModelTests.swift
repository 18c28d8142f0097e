import CrashModel
import Glibc
import Identifiers
import Synchronization
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite("Random actions")
struct ActionModelTests {
  /// A report that may arrive.
  private struct Made {
    let name: String
    let key: String
    let alternatives: [String]
    let version: Int
    let install: String
    let seconds: Int64

    init(_ number: Int, _ random: inout SplitMix) {
      name = "r\(number)"
      // Each key is a reading of one other at most, and always: reports alone neither merge nor
      // split groups.
      let key = random.next() % 6
      self.key = "k\(key)"
      alternatives = key < 2 ? ["k\(key + 4)"] : []
      version = 1 + Int(random.next() % 5)
      install = "\(random.next() % 4)"
      seconds = Int64(random.next() % 1_000_000)
    }

    var report: CrashReport {
      StoreFixture.report(
        key, alternatives: alternatives.filter { $0 != key }, version: "\(version).0",
        install: install, seconds: seconds)
    }
  }

  /// Applies a random action to groups.
  ///
  /// - Returns: The group whose history has it; `nil` if it could not be done.
  private func act(
    on fixture: StoreFixture, _ random: inout SplitMix, model: inout PlaceModel
  ) throws -> String? {
    let store = fixture.store
    let groups = try store.groups.list().items.map(\.id).sorted()
    let group = groups[Int(random.next() % UInt64(groups.count))]
    let other = groups[Int(random.next() % UInt64(groups.count))]
    let version = 1 + Int(random.next() % 5)
    let before = try fixture.tables()
    do {
      switch random.next() % 9 {
      case 0: try store.triage.resolve([group], .inRelease(Release("\(version).0")), by: "ann")
      case 1: try store.triage.resolve([group], version < 3 ? .next : .afterNewestSeen, by: "ann")
      case 2:
        guard try fixture.state(group) != .open else { return nil }
        try store.triage.reopen([group], by: "ann")
      case 3:
        let condition = IgnoreCondition(
          reports: version < 4 ? version : nil, users: version > 2 ? 2 : nil)
        try store.triage.ignore([group], condition, by: "ann")
      case 4:
        let who = "user \(random.next() % 3)"
        guard try store.groups.get(group).assignee != who else { return nil }
        try store.triage.assign([group], to: who, by: "ann")
      case 5:
        if version < 3 {
          try store.triage.note([group], "words", by: "ann")
        } else {
          let ticket = GroupTicket(url: "https://example.org/\(random.next() % 50)")
          guard try store.groups.get(group).ticket != ticket else { return nil }
          try store.triage.setTicket([group], to: ticket, by: "ann")
        }
      case 6:
        guard group != other else { return nil }
        try store.triage.merge([other], into: group, by: "ann")
        model.merge(other, into: group)
      case 7:
        let keys = model.keys(of: group).sorted()
        guard keys.count > 1 else { return nil }
        let key = keys[version % keys.count]
        let new = try store.triage.split(group, keys: [key], by: "ann").new
        model.split(group, key: key, new: new.id)
      default:
        let new = try store.triage.split(group, where: "version:>=\(version).0", by: "ann").new
        model.split(group, version: version, new: new.id)
      }
      return group
    } catch is ActionError {
      #expect(try fixture.tables() == before, "what fails changes nothing")
      return nil
    }
  }

  @Test("Undone in reverse order, everything is as it was, byte for byte", arguments: 0..<8)
  func undone(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let fixture = try StoreFixture()
    var model = PlaceModel()
    for number in 0..<14 {
      let made = Made(number, &random)
      try fixture.add(made.name, made.report)
    }
    var pictures: [(group: String, tables: [String])] = []
    for _ in 0..<14 {
      let before = try fixture.tables()
      guard let group = try act(on: fixture, &random, model: &model) else { continue }
      pictures.append((group, before))
    }
    try fixture.check()
    for (group, tables) in pictures.reversed() {
      try fixture.store.triage.undo([group], by: "bob")
      #expect(try fixture.tables() == tables, "seed \(seed)")
    }
    try fixture.check()
  }

  @Test("With reports in between, it is as if nothing had been done", arguments: 0..<8)
  func asIfNothing(seed: UInt64) throws {
    var random = SplitMix(seed: 100 + seed)
    let (fixture, twin) = (try StoreFixture(), try StoreFixture())
    var model = PlaceModel()
    var done: [String] = []
    for number in 0..<30 {
      let made = Made(number, &random)
      for fixture in [fixture, twin] { try fixture.add(made.name, made.report) }
      guard number > 4, random.next() % 3 > 0 else { continue }
      if let group = try act(on: fixture, &random, model: &model) { done.append(group) }
      if random.next() % 3 == 0, let last = done.popLast() {
        try fixture.store.triage.undo([last], by: "bob")
      }
    }
    try fixture.check()
    for group in done.reversed() { try fixture.store.triage.undo([group], by: "bob") }
    #expect(try fixture.view() == twin.view(), "seed \(seed)")
    try fixture.check()
  }

  @Test("The groups of reports match a plain model", arguments: 0..<8)
  func places(seed: UInt64) throws {
    var random = SplitMix(seed: 200 + seed)
    let fixture = try StoreFixture()
    var model = PlaceModel()
    for number in 0..<40 {
      let made = Made(number, &random)
      let stored = try fixture.add(made.name, made.report)
      model.file(
        stored.report, key: made.key, alternatives: made.alternatives.filter { $0 != made.key },
        version: made.version, new: stored.group)
      if number > 4 { _ = try act(on: fixture, &random, model: &model) }
      if random.next() % 4 == 0,
        let part = try fixture.store.groups.list().items.flatMap(\.merged).sorted().first
      {
        try fixture.store.triage.unmerge([part], by: "bob")
        model.unmerge(part)
      }
      var groups: [String: [String]] = [:]
      for group in try fixture.store.groups.list().items {
        let reports = try fixture.store.store(reportsOf: group.id)
        if !reports.isEmpty { groups[group.id] = reports }
      }
      #expect(groups == model.groups, "seed \(seed), report \(number)")
    }
    try fixture.check()
  }

  @Test("Symbols among actions: counts agree, and merged groups stay merged", arguments: 0..<8)
  func symbols(seed: UInt64) throws {
    var random = SplitMix(seed: 300 + seed)
    let fixture = try StoreFixture()
    let store = fixture.store
    var model = PlaceModel()
    var waiting: [(id: String, made: Made, key: String)] = []
    for number in 0..<40 {
      let made = Made(number, &random)
      if random.next() % 2 == 0 {
        let key = "p\(random.next() % 4)"
        var report = made.report
        report.signature = Signature(
          text: "text of \(key)", key: key, category: .signal, rules: "v1", isProvisional: true)
        waiting.append((try fixture.add(made.name, report).report, made, key))
      } else {
        try fixture.add(made.name, made.report)
      }
      guard number > 4 else { continue }
      if random.next() % 2 == 0 { _ = try act(on: fixture, &random, model: &model) }
      guard random.next() % 3 == 0, !waiting.isEmpty else { continue }
      let together = try store.groups.list().items.filter { !$0.merged.isEmpty }.map {
        Set(try store.store(reportsOf: $0.id))
      }
      let states = try store.groups.list().items
      let key = waiting[Int(random.next() % UInt64(waiting.count))].key
      let reprocessed = waiting.filter { $0.key == key }
      waiting.removeAll { $0.key == key }
      try fixture.reprocess(reprocessed.map { ($0.id, $0.made.report) })
      try fixture.check()
      // A rule may match a report that turns out to belong to the group it was made for.
      for reports in together {
        let places = try reports.map { try store.reports.membership(of: $0) }.filter {
          $0.rule == nil
        }
        #expect(
          Set(places.map(\.group)).count <= 1, "seed \(seed), report \(number): a merge came apart")
      }
      // An open group is not resolved implicitly: only a group without decisions takes over another's status.
      for old in states where old.status.time != nil && old.state != .resolved {
        #expect(try store.groups.get(old.id).state != .resolved, "seed \(seed), report \(number)")
      }
    }
    #expect(try store.reports.totals().reports == 40)
    #expect(try store.reports.totals().counted == 40)
  }

  @Test("Two stores on one home act at once")
  func sideBySide() throws {
    let fixture = try StoreFixture()
    for number in 0..<6 { try fixture.add("r\(number)", StoreFixture.report("k\(number)")) }
    let home = fixture.folder.path("home")
    let failures = Mutex<[String]>([])
    let next = Atomic<Int>(0)
    runThreads(4) {
      let number = next.add(1, ordering: .relaxed).newValue
      do {
        let store = try CrashStore(checking: home)
        for turn in 0..<8 {
          let group = "TERN-\(1 + (number + turn) % 6)"
          try store.triage.note([group], "by \(number)", by: "t\(number)")
          try store.triage.resolve([group], by: "t\(number)")
          do {
            try store.triage.merge(["TERN-\(1 + turn % 6)"], into: group, by: "t\(number)")
            try store.triage.undo([group], by: "t\(number)")
          } catch is ActionError {
            // Another process was faster.
          }
          try store.reports.add([
            try StoreFixture.prepared("\(number) \(turn)", [StoreFixture.report("k\(turn % 6)")])
          ])
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try fixture.store.reports.totals().counted == 38)
    try fixture.check()
  }
}
