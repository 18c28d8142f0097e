import CrashModel
import Database
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Reports that are deleted together.
@Suite("Batches of deleted reports") struct DeletionBatchTests {
  private static let later = Timestamp(seconds: StoreFixture.start.seconds + 400 * 86_400)

  /// A store with reports of users and installations who have `count` each.
  private static func store(_ folder: ScratchFolder, each count: Int) throws -> CrashStore {
    let store = try StoringBatchTests.store(folder)
    let submissions = try (0..<4 * count).map { number in
      var report = StoringBatchTests.report(number)
      report.install = "install \(number % 4)"
      report.user = "user \(number % 4)"
      return try StoreFixture.prepared("r\(number)", [report])
    }
    try store.reports.add(submissions)
    return store
  }

  /// How many statements it takes to delete reports, few and many.
  private func statements(
    _ body: (CrashStore, _ reports: [String]) throws -> Void
  ) throws -> (few: Int, many: Int) {
    let counts = try [20, 90].map { count in
      let folder = ScratchFolder()
      let store = try Self.store(folder, each: count)
      let reports = try store.reports.list(ReportQuery()).items.map(\.id)
      let statements = try StoringBatchTests.statements(store) { try body(store, reports) }
      try StoreFixture.check(store)
      return statements
    }
    return (counts[0], counts[1])
  }

  @Test("Reports expire with the same few statements, however many they are")
  func expiry() throws {
    let (few, many) = try statements { store, _ in
      let counts = try store.retention.expire(
        Retention(days: 30), of: "Tern", at: Self.later)
      #expect(counts.map(\.reports).reduce(0, +) >= 20)
    }
    #expect(few < 100)
    #expect(many < 4 * few)
  }

  @Test("A person is erased with few statements for each group and none for each report")
  func erasure() throws {
    let (few, many) = try statements { store, _ in
      let user = try store.retention.erase(.user(["user 1"]), at: Self.later)
      #expect(user.reports >= 20 && user.submissions == user.reports)
      let install = try store.retention.erase(.install(["install 2"]), at: Self.later)
      #expect(install.reports == user.reports)
    }
    #expect(few < 600)
    #expect(many < few + 40)
  }

  @Test("Reports are removed with few statements for each group and none for each report")
  func removal() throws {
    let (few, many) = try statements { store, names in
      let removed = try store.retention.remove(reports: names, at: Self.later)
      #expect(removed == names.count)
    }
    #expect(few < 400)
    #expect(many < few + 40)
  }
}
